"""Other programs that name odd rows, for bench/measure_check.py: each takes a matrix and gives a score per row, its
own flags at its own defaults and, where it judges cells, a score per cell."""

import importlib.util
import subprocess
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from pyod.models.ecod import ECOD
from sklearn.covariance import EllipticEnvelope
from sklearn.ensemble import IsolationForest
from sklearn.neighbors import LocalOutlierFactor

warnings.filterwarnings("ignore")


def filled(X):
    """Missing values at their column's median, columns that never change left out."""
    X = np.where(np.isnan(X), np.nanmedian(X, 0), X)
    return X[:, X.std(0) > 0]


def scaled(X):
    m = np.median(X, 0)
    s = 1.4826 * np.median(np.abs(X - m), 0)
    s = np.where(s > 0, s, X.std(0))
    return (X - m) / s


def lof(X):
    m = LocalOutlierFactor()
    flags = m.fit_predict(scaled(filled(X))) < 0
    return -m.negative_outlier_factor_, flags, None


def mcd(X):
    X = scaled(filled(X))
    m = EllipticEnvelope(random_state=0).fit(X)
    return -m.score_samples(X), m.predict(X) < 0, None


def forest(X):
    X = filled(X)
    m = IsolationForest(random_state=0).fit(X)
    return -m.score_samples(X), m.predict(X) < 0, None


def ecod(X):
    m = ECOD().fit(filled(X))
    return m.decision_scores_, m.labels_ > 0, None


def ddc(X):
    """Detecting deviating cells, robpy's port of R's cellWise. It refuses columns with few values."""
    from robpy.outliers import DDC
    use = [j for j in range(X.shape[1]) if len(np.unique(X[~np.isnan(X[:, j]), j])) > 3]
    cells = np.zeros(X.shape)
    try:
        m = DDC().fit(pd.DataFrame(X[:, use]))
        cells[:, use] = np.nan_to_num(np.abs(m.standardized_residuals_), nan=0, posinf=1e300)
        flags = m.cellwise_outliers_.any(1) | m.row_outliers_
    except Exception as e:  # a column whose bulk is one value has no scale for it
        print("DDC:", e)
        flags = np.zeros(len(X), bool)
    return cells.max(1), flags, cells


def hubert(tables):
    """PcaHubert of R for several tables at once: starting R costs more than the fit."""
    with tempfile.TemporaryDirectory() as d:
        args = []
        for k, X in enumerate(tables):
            pd.DataFrame(filled(X)).to_csv(f"{d}/{k}.csv", index=False)
            args += [f"{d}/{k}.csv", f"{d}/{k}.out.csv"]
        subprocess.run(["Rscript", str(Path(__file__).with_suffix(".R")), *args], check=True)
        out = [pd.read_csv(f"{d}/{k}.out.csv") for k in range(len(tables))]
    return [(np.nan_to_num(t.score.to_numpy(), nan=1e9, posinf=1e9), t.flag.to_numpy() > 0, None) for t in out]


PEERS = {"LOF": lof, "MCD": mcd, "IsolationForest": forest, "ECOD": ecod, "DDC": ddc}
if importlib.util.find_spec("robpy") is None:
    del PEERS["DDC"]
