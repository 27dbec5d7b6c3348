"""scikit-learn's HuberRegressor on the data of `go test -bench Robust/1000000 ./linear`.

    python bench/peer_linear.py
"""
import time

import numpy as np
import sklearn
from sklearn.linear_model import HuberRegressor

rng = np.random.default_rng(1)
n, d = 1000000, 20
x = rng.standard_normal((n, d))
y = 1 + x.sum(1) + rng.standard_normal(n)
y[: n // 10] += 50
for _ in range(3):
    start, cpu = time.perf_counter(), time.process_time()
    m = HuberRegressor().fit(x, y)
    print("scikit-learn", sklearn.__version__, "HuberRegressor seconds: wall %.2f, cpu %.2f" % (time.perf_counter() - start, time.process_time() - cpu),
          "intercept", m.intercept_)
