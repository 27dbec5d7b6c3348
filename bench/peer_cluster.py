"""k-means of Inlier beside scikit-learn's Lloyd, at equal starts and steps.

    python bench/peer_cluster.py [--repeat 5] [--threads 2]

Made-up tables: clusters that overlap, clusters that are plain to see, and rows without any
clusters, 60000 x 50 with 10 centers; one with more centers than that. Both programs start
from the same rows and make the same number of steps (tol=0), so both must end with the
same inertia, which is checked. They take turns; the best time of the rounds counts.
Inlier's time is that of its Go benchmark, which needs the go command.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

parser = argparse.ArgumentParser(description="time k-means of Inlier and scikit-learn side by side")
parser.add_argument("--repeat", type=int, default=5, help="rounds; the best counts")
parser.add_argument("--threads", type=int, default=os.cpu_count(), help="threads on both sides")
parser.add_argument("--steps", type=int, default=30, help="most steps of both")
args = parser.parse_args()

# The number of threads must be known before NumPy loads its BLAS.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = str(args.threads)

import numpy  # noqa: E402
import sklearn  # noqa: E402
from sklearn.cluster import KMeans  # noqa: E402

warnings.simplefilter("ignore")  # a step limit that is reached on purpose


def blobs(n, d, k, spread, seed):
    random = numpy.random.default_rng(seed)
    middle = 4 * random.normal(size=(k, d))
    return middle[numpy.arange(n) % k] + spread * random.normal(size=(n, d))


def theirs(x, start):
    before = time.perf_counter()
    m = KMeans(len(start), init=start, n_init=1, max_iter=args.steps, tol=0, algorithm="lloyd").fit(x)
    return time.perf_counter() - before, m.inertia_, m.n_iter_


def ours(binary, folder):
    environment = dict(os.environ, INLIER_KMEANS=str(folder), INLIER_KMEANS_STEPS=str(args.steps), GOMAXPROCS=str(args.threads))
    command = [str(binary), "-test.run", "^$", "-test.bench", "^BenchmarkLloyd$", "-test.benchtime", "1x"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    line = next((l for l in done.stdout.splitlines() if l.startswith("BenchmarkLloyd")), None)
    if line is None:
        sys.exit(done.stdout + done.stderr)
    value = {unit: float(number) for number, unit in re.findall(r"([\d.e+]+) ([\w/]+)", line)}
    return value["ns/op"] / 1e9, value["inertia"], int(value["steps"])


def main():
    print(f"scikit-learn {sklearn.__version__}, NumPy {numpy.__version__}; {args.threads} threads on both sides")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        binary = folder / "cluster.test"
        subprocess.run(["go", "test", "-c", "-o", str(binary), "./cluster"], check=True)
        for label, x, k in [
            ("overlapping, K=10", blobs(60000, 50, 10, 6, 1), 10),
            ("plain to see, K=10", blobs(60000, 50, 10, 1, 2), 10),
            ("no clusters, K=10", blobs(60000, 50, 1, 1, 3), 10),
            ("overlapping, K=100", blobs(60000, 50, 40, 6, 4), 100),
        ]:
            start = x[numpy.random.default_rng(5).choice(len(x), k, replace=False)]
            numpy.save(folder / "x.npy", x)
            numpy.save(folder / "start.npy", start)
            best = [numpy.inf, numpy.inf]
            for _ in range(args.repeat):
                t, inertia, steps = theirs(x, start)
                u, other, made = ours(binary, folder)
                best = [min(best[0], t), min(best[1], u)]
                if abs(inertia - other) > 1e-3 * inertia:
                    sys.exit(f"{label}: inertia {inertia} after {steps} steps and {other} after {made}")
            print(f"  {label:20} {steps:3} steps  scikit-learn {best[0]:7.3f} s  inlier {best[1]:7.3f} s  {best[0] / best[1]:5.2f} times as fast, inertia {other / inertia - 1:+.1e}")


if __name__ == "__main__":
    main()
