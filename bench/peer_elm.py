"""RELM with NumPy, the computation of `go test -bench Fit ./elm`: a sigmoid layer of 500
random nodes on 100000 x 50 inputs and ridge output weights by normal equations.

    python bench/peer_elm.py
"""
import time

import numpy as np

rng = np.random.default_rng(1)
n, d, hidden, lam = 100000, 50, 500, 1e-2
x = rng.standard_normal((n, d))
t = np.sin(x[:, 0]) + x[:, 1] * x[:, 2] + 0.1 * rng.standard_normal(n)
t[::10] += 20


def relm():
    w = rng.uniform(-1, 1, (hidden, d))
    b = rng.uniform(0, 1, hidden)
    h = 1 / (1 + np.exp(-(x @ w.T + b)))
    return np.linalg.solve(h.T @ h + lam * np.eye(hidden), h.T @ t)


times = []
for _ in range(5):
    start, cpu = time.perf_counter(), time.process_time()
    relm()
    times.append((time.perf_counter() - start, time.process_time() - cpu))
print("numpy", np.__version__, "relm seconds (wall, cpu): best", min(times), "all", times)
