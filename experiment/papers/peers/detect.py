"""Outlier scores of scikit-learn's detectors, high means outlying.

Reads a CSV of numbers without header from standard input; prints a JSON list.
Usage: detect.py isolation-forest|lof|elliptic-envelope|mcd-pca SEED
mcd-pca prints the leading eigenvectors (as a list of columns) of the minimum covariance determinant.
"""
import json
import sys
import warnings

import numpy as np

warnings.filterwarnings("ignore")
x = np.loadtxt(sys.stdin, delimiter=",", ndmin=2)
name, seed = sys.argv[1], int(sys.argv[2]) % 2**32
if name == "isolation-forest":
    from sklearn.ensemble import IsolationForest

    out = -IsolationForest(random_state=seed).fit(x).score_samples(x)
elif name == "lof":
    from sklearn.neighbors import LocalOutlierFactor

    out = -LocalOutlierFactor().fit(x).negative_outlier_factor_
elif name == "elliptic-envelope":
    from sklearn.covariance import EllipticEnvelope

    out = -EllipticEnvelope(random_state=seed).fit(x).score_samples(x)
elif name == "mcd-pca":
    from sklearn.covariance import MinCovDet

    values, vectors = np.linalg.eigh(MinCovDet(random_state=seed).fit(x).covariance_)
    k = int(sys.argv[3])
    print(json.dumps(vectors[:, ::-1][:, :k].T.tolist()))
    sys.exit()
else:
    sys.exit("unknown detector " + name)
out = np.nan_to_num(out, nan=0.0, posinf=1e300, neginf=-1e300)
print(json.dumps(out.tolist()))
