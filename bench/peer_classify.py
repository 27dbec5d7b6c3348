"""Inlier beside scikit-learn: RBF classifiers on many rows, in one alternating run.

    go build -o inlier ./cmd/inlier
    python bench/peer_classify.py --inlier ./inlier [--rows 100000] [--columns 50] [--features 500] [--repeat 3] [--threads 2]

Made-up data: ten Gaussian clouds, one in ten training labels wrong. scikit-learn's
Nystroem + RidgeClassifier and Inlier's regmaxcem (kernel=rbf, nystrom, the same number of
landmarks, the same gamma and lambda) meet it in turn, so that other work on the machine
hits both alike; the best of the rounds counts. Reading is timed on neither side, and
neither calibrates probabilities. What to look at is time per reweighting: Inlier's fit
over its number of weighted solves (the start is one), against one whole fit of
scikit-learn. Accuracy is on clean rows that neither saw.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

parser = argparse.ArgumentParser(description="time RBF classifiers of Inlier and scikit-learn side by side")
parser.add_argument("--inlier", default="./inlier", help="the program")
parser.add_argument("--rows", type=int, default=100000)
parser.add_argument("--columns", type=int, default=50)
parser.add_argument("--features", type=int, default=500)
parser.add_argument("--repeat", type=int, default=3, help="rounds; the best counts")
parser.add_argument("--threads", type=int, default=os.cpu_count(), help="threads on both sides")
parser.add_argument("--methods", default="regmaxcem,square,logistic", help="methods of Inlier")
parser.add_argument("--json", action="store_true", help="print the figures as JSON")
args = parser.parse_args()

# The number of threads must be known before NumPy loads its BLAS.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = str(args.threads)

import numpy  # noqa: E402
import sklearn  # noqa: E402
from sklearn.kernel_approximation import Nystroem  # noqa: E402
from sklearn.linear_model import RidgeClassifier  # noqa: E402

LAMBDA = 1e-3


def clouds(rows, random, centres):
    labels = random.integers(10, size=rows)
    return centres[labels] + random.normal(size=(rows, centres.shape[1])), labels


def main():
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0
    if load > 0.5:
        print(f"load average {load:.1f}: other work slows scikit-learn down more than Inlier; measure on an idle machine", file=sys.stderr)
    random = numpy.random.default_rng(1)
    centres = 0.5 * random.normal(size=(10, args.columns))
    x, labels = clouds(args.rows, random, centres)
    test, truth = clouds(10000, random, centres)
    wrong = random.random(args.rows) < 0.1
    labels[wrong] = (labels[wrong] + random.integers(1, 10, size=wrong.sum())) % 10
    mean, deviation = x.mean(0), x.std(0)
    scaled, scaled_test = (x - mean) / deviation, (test - mean) / deviation
    gamma = 1 / (2 * args.columns)

    def peer():
        before = time.perf_counter()
        feature_map = Nystroem(gamma=gamma, n_components=args.features, random_state=1)
        machine = RidgeClassifier(alpha=LAMBDA * args.rows)
        machine.fit(feature_map.fit_transform(scaled), labels)
        seconds = time.perf_counter() - before
        return {"seconds": seconds, "steps": 1, "accuracy": float((machine.predict(feature_map.transform(scaled_test)) == truth).mean())}

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # The label stands beside the numbers, as the last column.
        numpy.save(folder / "train.npy", numpy.column_stack([x, labels]))
        numpy.save(folder / "test.npy", numpy.column_stack([test, truth]))
        target = f"x{args.columns + 1}"

        def run(command):
            done = subprocess.run([args.inlier, *command], capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"{' '.join(command)}\n{done.stderr}")
            return json.loads(done.stdout)

        def ours(method):
            def fit():
                model = str(folder / f"{method}.npz")
                settings = {"kernel": "rbf", "gamma": gamma, "lambda": LAMBDA, "features": args.features, "approximation": "nystrom", "calibration": "off"}
                command = ["fit", method, str(folder / "train.npy"), "--target", target, "--task", "class", "--threads", str(args.threads), "--out", model, "--json", "--quiet"]
                for key, value in settings.items():
                    command += ["--set", f"{key}={value}"]
                said = run(command)
                rated = run(["score", model, str(folder / "test.npy"), "--target", target, "--task", "class", "--json", "--quiet"])
                # The start of regmaxcem is a solve too; a trace without it counts steps alone.
                solves = said["steps"] + (1 if method == "regmaxcem" else 0)
                return {"seconds": said["fit_seconds"], "steps": solves, "accuracy": rated["metrics"]["accuracy"]}

            return fit

        runs = {"scikit-learn Nystroem + RidgeClassifier": peer}
        runs.update({f"inlier {m}": ours(m) for m in args.methods.split(",")})
        best = {}
        for _ in range(args.repeat):
            for label, fit in runs.items():
                got = fit()
                if label not in best or got["seconds"] < best[label]["seconds"]:
                    best[label] = got
    if args.json:
        print(json.dumps({"scikit_learn": sklearn.__version__, "numpy": numpy.__version__, "rows": args.rows, "best": best}, indent=1))
        return
    print(f"scikit-learn {sklearn.__version__}, NumPy {numpy.__version__}, {args.threads} threads; {args.rows} x {args.columns}, {args.features} features, best of {args.repeat}")
    reference = best["scikit-learn Nystroem + RidgeClassifier"]["seconds"]
    for label, got in best.items():
        each = got["seconds"] / got["steps"]
        accuracy = "" if got["accuracy"] is None else f"  accuracy {got['accuracy']:.4f}"
        print(f"  {label:42} {got['seconds']:8.2f} s  {got['steps']:3d} solves  {each:7.3f} s each ({each / reference:.2f} x)  whole {got['seconds'] / reference:.2f} x{accuracy}")


if __name__ == "__main__":
    main()
