"""Print libsvm's objectives, mean hinge loss + lambda ||w||^2 summed over the classes, and the values of their
duals, between which the optimum lies, and liblinear's for the squared loss, for classify/hinge_test.go.

    python bench/reference_hinge.py

The rows are those of classify/testdata/sklearn_classify.json.
"""

import json

import numpy
from sklearn.svm import SVC, LinearSVC

data = json.load(open("classify/testdata/sklearn_classify.json"))
x, labels = numpy.array(data["x"]), numpy.array(data["labels"])
z = (x - x.mean(0)) / x.std(0)
n = len(z)
for kernel in "linear", "rbf":
    for lam in 1e-2, 1e-4, 1e-6:
        total = dual = 0
        for l in range(3):
            y = numpy.where(labels == l, 1, -1)
            machine = SVC(kernel=kernel, gamma=data["gamma"], C=1 / (2 * lam * n), tol=1e-9, max_iter=50_000_000).fit(z, y)
            total += numpy.maximum(0, 1 - y * machine.decision_function(z)).mean()
            a, s = machine.dual_coef_[0], machine.support_vectors_
            gram = s @ s.T if kernel == "linear" else numpy.exp(-data["gamma"] * ((s[:, None] - s[None]) ** 2).sum(2))
            total += lam * a @ gram @ a
            dual += 2 * lam * numpy.abs(a).sum() - lam * a @ gram @ a
        print(f'{{"{kernel}", {lam}, {dual:.9f}, {total:.9f}}},')

# liblinear punishes the intercept too: the less, the larger intercept_scaling
for lam in 1e-2, 1e-4, 1e-6:
    total = 0
    for l in range(3):
        y = numpy.where(labels == l, 1, -1)
        machine = LinearSVC(C=1 / (2 * lam * n), tol=1e-10, max_iter=5_000_000, intercept_scaling=100, dual=False).fit(z, y)
        total += (numpy.maximum(0, 1 - y * machine.decision_function(z)) ** 2).mean() + lam * (machine.coef_ ** 2).sum()
    print(f"{{{lam}, {total:.9f}}},")

# more rows than are stepped along in pairs, more columns than have interior-point steps: a table that Go makes too
i, j = numpy.arange(5200, dtype=numpy.uint64)[:, None], numpy.arange(130, dtype=numpy.uint64)
h = (i * 130 + j + 1) * 2654435761 % 2**32
h = (h ^ h >> 15) * 2246822519 % 2**32
x = ((h ^ h >> 13) % 2048) / 1024 - 1
y = numpy.where(x[:, :5].sum(1) + x[:, 5] * 2 > 0.3, 1, -1)
lam = 0.01
machine = SVC(kernel="linear", C=1 / (2 * lam * len(x)), tol=1e-9, cache_size=1000).fit(x, y)
w, f = machine.coef_[0], y * machine.decision_function(x)
print(f"many rows: {2 * lam * numpy.abs(machine.dual_coef_).sum() - lam * w @ w:.9f} {numpy.maximum(0, 1 - f).mean() + lam * w @ w:.9f}")
