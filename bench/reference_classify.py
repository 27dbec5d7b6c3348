"""Write classify/testdata/sklearn_classify.json: decision values of scikit-learn's machines.

    python bench/reference_classify.py

Objectives are matched: Inlier minimises mean loss + lambda ||w||^2, so that
RidgeClassifier has alpha = lambda n, LogisticRegression and SVC have C = 1 / (2 lambda n).
Kernel machines with the square and the logistic loss are the linear ones on features
whose inner products are the kernel, from NumPy's eigendecomposition of the Gram matrix.
"""

import json
import warnings
from pathlib import Path

import numpy
import sklearn
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

warnings.simplefilter("ignore")
random = numpy.random.default_rng(7)
n, d, k = 60, 4, 3
labels = numpy.arange(n) % k
labels[:10] = 0  # classes of different size
x = random.normal(size=(n, d)) + 1.2 * numpy.eye(k, d)[labels]
x = numpy.round(x * [1, 10, 0.1, 3] + [0, 100, 0, -5], 6)
weights = numpy.round(random.uniform(0.2, 3, n), 3)
balanced = n / (k * numpy.bincount(labels))[labels]
z = (x - x.mean(0)) / x.std(0)
lam, gamma = 0.02, 0.3
gram = rbf_kernel(z, gamma=gamma)
values, vectors = numpy.linalg.eigh(gram)
phi = vectors * numpy.sqrt(numpy.maximum(values, 0))


def one_vs_all(fit):
    return numpy.column_stack([fit(numpy.where(labels == l, 1, -1)) for l in range(k)]).tolist()


def square(features, w):
    return RidgeClassifier(alpha=lam * w.sum(), solver="cholesky", tol=1e-14).fit(features, labels, sample_weight=w).decision_function(features).tolist()


def logistic(features, w):
    machine = LogisticRegression(C=1 / (2 * lam * w.sum()), tol=1e-12, max_iter=10000, solver="newton-cholesky")
    return one_vs_all(lambda y: machine.fit(features, y, sample_weight=w).decision_function(features))


def multinomial(w):
    machine = LogisticRegression(C=1 / (2 * lam * w.sum()), tol=1e-12, max_iter=10000, solver="newton-cg")
    scores = machine.fit(z, labels, sample_weight=w).decision_function(z)
    return (scores - scores.mean(1, keepdims=True)).tolist()  # a constant for all classes means nothing


def hinge(kernel, w):
    machine = SVC(kernel=kernel, gamma=gamma, C=1 / (2 * lam * w.sum()), tol=1e-10)
    return one_vs_all(lambda y: machine.fit(z, y, sample_weight=w).decision_function(z))


one = numpy.ones(n)
out = {
    "scikit_learn": sklearn.__version__, "lambda": lam, "gamma": gamma,
    "x": x.tolist(), "labels": labels.tolist(), "weights": weights.tolist(),
    "decisions": {
        "multinomial linear": multinomial(one), "multinomial linear balanced": multinomial(balanced),
        "square linear": square(z, one), "square linear balanced": square(z, balanced),
        "logistic linear": logistic(z, one), "logistic linear balanced": logistic(z, balanced),
        "hinge linear": hinge("linear", one), "hinge linear balanced": hinge("linear", balanced),
        "square rbf": square(phi, one), "logistic rbf": logistic(phi, one), "hinge rbf": hinge("rbf", one),
    },
}
# Row weights also enter the scaling of columns here.
mean = numpy.average(x, axis=0, weights=weights)
z = (x - mean) / numpy.sqrt(numpy.average((x - mean) ** 2, axis=0, weights=weights))
out["decisions"] |= {"square linear weighted": square(z, weights), "logistic linear weighted": logistic(z, weights), "hinge linear weighted": hinge("linear", weights), "multinomial linear weighted": multinomial(weights)}
path = Path("classify/testdata/sklearn_classify.json")
path.parent.mkdir(exist_ok=True)
path.write_text(json.dumps(out) + "\n")
