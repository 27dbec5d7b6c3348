"""scikit-learn's HuberRegressor and linear-robust in turn on 1e6 x 20 numbers with a tenth
of the targets shifted.

    go test -c -o /tmp/linear.test ./linear && python bench/peer_linear.py /tmp/linear.test
"""
import subprocess
import sys
import time

import numpy as np
import sklearn
from sklearn.linear_model import HuberRegressor

rng = np.random.default_rng(1)
n, d = 1000000, 20
x = rng.standard_normal((n, d))
y = 1 + x.sum(1) + rng.standard_normal(n)
y[: n // 10] += 50
best = {"HuberRegressor": np.inf, "linear-robust": np.inf}
for _ in range(3):
    start = time.perf_counter()
    m = HuberRegressor().fit(x, y)
    best["HuberRegressor"] = min(best["HuberRegressor"], time.perf_counter() - start)
    if len(sys.argv) > 1:
        out = subprocess.run([sys.argv[1], "-test.run", "XXX", "-test.bench", "Robust/1000000x", "-test.benchtime", "3x"],
                             capture_output=True, text=True, check=True).stdout
        line = next(row for row in out.splitlines() if "ns/op" in row)
        best["linear-robust"] = min(best["linear-robust"], float(line.split()[2]) / 1e9)
    print({k: round(v, 3) for k, v in best.items()})
print("scikit-learn", sklearn.__version__, "intercept", m.intercept_, "steps", m.n_iter_)
print("HuberRegressor / linear-robust: %.2f" % (best["HuberRegressor"] / best["linear-robust"]))
