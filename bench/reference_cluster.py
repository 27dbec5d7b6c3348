"""What scikit-learn's k-means says, for the tests of package cluster.

    python bench/reference_cluster.py > trials/of/cluster/testdata/sklearn_kmeans.json

Three tables: blobs that overlap, the same far from zero, and one with weights. For each,
Lloyd's iteration from given centers after 1, 2, 3 and 50 steps with tol=0: centers,
labels, inertia.
"""

import json
import sys
import warnings

import numpy
import sklearn
from sklearn.cluster import KMeans

warnings.simplefilter("ignore")  # a step limit that is reached on purpose
random = numpy.random.default_rng(7)


def blobs(n, d, k, spread):
    middle = random.normal(size=(k, d)) * 2
    return middle[numpy.arange(n) % k] + spread * random.normal(size=(n, d))


def case(name, x, k, weights=None):
    start = x[random.choice(len(x), k, replace=False)]
    runs = []
    for steps in (1, 2, 3, 50):
        m = KMeans(k, init=start, n_init=1, max_iter=steps, tol=0, algorithm="lloyd").fit(x, sample_weight=weights)
        runs.append({"max_steps": steps, "steps": int(m.n_iter_), "centers": m.cluster_centers_.tolist(), "labels": m.labels_.tolist(), "inertia": float(m.inertia_)})
    return {"name": name, "x": x.tolist(), "weights": None if weights is None else weights.tolist(), "start": start.tolist(), "runs": runs}


plain = numpy.round(blobs(120, 4, 4, 1.2), 6)
json.dump(
    {
        "made_by": f"bench/reference_cluster.py, scikit-learn {sklearn.__version__}, NumPy {numpy.__version__}",
        "cases": [
            case("blobs", plain, 4),
            case("far from zero", plain[:60] + 1e6, 3),
            case("weights", plain, 5, numpy.round(random.uniform(0.2, 3, len(plain)), 3)),
        ],
    },
    sys.stdout,
)
print()
