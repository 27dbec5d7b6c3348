"""Reference values of ordinary PCA from scikit-learn, for pca/reference_test.go.

Writes the fixture table (made here, so nobody's rights are touched) and what
sklearn.decomposition.PCA says about it. From the repository's root:

    python bench/reference_pca.py

Needs numpy and scikit-learn. With INLIER_DATA set to the benchmark data folder the
values for the iris measurements are written as well; the test reads that data from the
same folder.
"""

import csv
import json
import os
from pathlib import Path

import numpy
import sklearn
from sklearn.decomposition import PCA

HERE = Path(__file__).resolve().parent
OUT = HERE.parent / "trials" / "of" / "pca" / "testdata"


def table(seed, rows, columns, offset):
    """Rows near a three-dimensional subspace, with unequal column scales."""
    random = numpy.random.default_rng(seed)
    factors = random.normal(size=(rows, 3)) * [5.0, 2.0, 1.0]
    x = factors @ random.normal(size=(3, columns)) + 0.3 * random.normal(size=(rows, columns))
    return numpy.round(x * numpy.geomspace(0.1, 10, columns) + offset, 6)


def iris_like(seed):
    """Three groups of 50 flowers-like rows with four correlated lengths."""
    random = numpy.random.default_rng(seed)
    centres = [[5.0, 3.4, 1.5, 0.2], [5.9, 2.8, 4.3, 1.3], [6.6, 3.0, 5.6, 2.0]]
    rows = []
    for centre in centres:
        size = random.normal(size=(50, 1))
        rows.append(centre + 0.3 * size + 0.15 * random.normal(size=(50, 4)))
    return numpy.round(numpy.vstack(rows), 3)


def describe(x, components):
    model = PCA(n_components=components, svd_solver="full").fit(x)
    return {
        "components_asked": components,
        "mean": model.mean_.tolist(),
        "components": model.components_.tolist(),
        "explained_variance": model.explained_variance_.tolist(),
        "explained_variance_ratio": model.explained_variance_ratio_.tolist(),
        "scores_first_rows": model.transform(x[:5]).tolist(),
    }


def write_table(name, x):
    with open(OUT / name, "w", newline="") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerow([f"x{i + 1}" for i in range(x.shape[1])])
        w.writerows([repr(float(v)) for v in row] for row in x)


def main():
    OUT.mkdir(exist_ok=True)
    sets = {"lowrank.csv": (table(1, 60, 8, 100.0), 3), "wide.csv": (table(2, 12, 40, -5.0), 4), "irislike.csv": (iris_like(3), 2)}
    result = {"made_by": "bench/reference_pca.py", "scikit_learn": sklearn.__version__, "numpy": numpy.__version__, "sets": {}}
    for name, (x, components) in sets.items():
        write_table(name, x)
        result["sets"][name] = describe(x, components)
    data = os.environ.get("INLIER_DATA")
    if data:
        iris = numpy.genfromtxt(Path(data) / "classification" / "iris.csv", delimiter=",", skip_header=1)[:, :4]
        result["sets"]["data:classification/iris.csv"] = describe(iris, 4)
    with open(OUT / "sklearn_pca.json", "w") as f:
        json.dump(result, f, indent=1)
        f.write("\n")


if __name__ == "__main__":
    main()
