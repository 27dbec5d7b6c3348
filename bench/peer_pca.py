"""Inlier beside scikit-learn: time and memory of PCA, in one alternating run.

    go build -o inlier ./cmd/inlier
    INLIER_DATA=... python bench/peer_pca.py --inlier ./inlier [--repeat 3] [--threads 2]

Two tables: MNIST train (60000 x 784 pixels / 255, 50 components; needs INLIER_DATA) and a
made-up face-like one with more columns than rows (165 x 4096, 30 components). Every
program meets each table once per round, in turn, so that other work on the machine hits
all alike; the best time of the rounds counts. Reading the data is left out on both
sides: scikit-learn gets the matrix in memory, Inlier reports its own fit_seconds. Both
work in float64, with the same number of threads. The last lines give ratios, which travel
better between machines than seconds.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

parser = argparse.ArgumentParser(description="time PCA of Inlier and scikit-learn side by side")
parser.add_argument("--inlier", default="./inlier", help="the program")
parser.add_argument("--repeat", type=int, default=3, help="rounds; the best counts")
parser.add_argument("--threads", type=int, default=os.cpu_count(), help="threads on both sides")
parser.add_argument("--rows", type=int, default=60000, help="rows of MNIST to use")
parser.add_argument("--methods", default="pca,hq-pca,pca-kmpe", help="methods of Inlier")
parser.add_argument("--tables", default="mnist,faces", help="which tables: mnist, faces")
parser.add_argument("--json", action="store_true", help="print the figures as JSON")
args = parser.parse_args()

# The number of threads must be known before NumPy loads its BLAS.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = str(args.threads)

import numpy  # noqa: E402
import sklearn  # noqa: E402
from sklearn.decomposition import PCA  # noqa: E402


def blas_name():
    try:
        from threadpoolctl import threadpool_info
    except ImportError:
        return "unknown BLAS"
    found = [f"{i['internal_api']} {i.get('version')} {i.get('architecture', '')} x{i['num_threads']}" for i in threadpool_info() if i["user_api"] == "blas"]
    return ", ".join(found) or "unknown BLAS"


def mnist(folder, rows):
    path = Path(folder) / "mnist" / "train-images-idx3-ubyte.gz"
    with gzip.open(path, "rb") as f:
        raw = f.read()
    count = int.from_bytes(raw[4:8], "big")
    x = numpy.frombuffer(raw, dtype=numpy.uint8, offset=16).reshape(count, -1)[:rows]
    return x.astype(numpy.float64) / 255


def faces():
    """165 smooth images of 64 x 64: sums of 40 random waves, plus noise."""
    random = numpy.random.default_rng(1)
    at = numpy.linspace(0, 1, 64)
    waves = []
    for _ in range(40):
        u, v = random.normal(size=2) * 6
        phase = random.uniform(0, 2 * numpy.pi)
        waves.append(numpy.cos(u * at[:, None] + v * at[None, :] + phase).ravel())
    weights = random.normal(size=(165, 40)) / numpy.arange(1, 41)
    return 0.5 + 0.1 * weights @ numpy.array(waves) + 0.01 * random.normal(size=(165, 4096))


def peer(solver, components):
    def run(table):
        before = time.perf_counter()
        PCA(n_components=components, svd_solver=solver, random_state=1).fit(table["x"])
        return {"seconds": time.perf_counter() - before}

    return run


def ours(method, components):
    def run(table):
        model = table["file"].with_name(method + ".npz")
        command = [args.inlier, "fit", method, str(table["file"]), "--set", f"components={components}", "--threads", str(args.threads), "--out", str(model), "--json", "--quiet"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{done.stderr}")
        said = json.loads(done.stdout)
        size = 8 * table["x"].shape[0] * table["x"].shape[1]
        return {"seconds": said["fit_seconds"], "memory": said["peak_memory_bytes"] / size, "backend": said["backend"], "steps": said["steps"]}

    return run


def contest(name, x, components, solvers, folder):
    table = {"x": x, "file": folder / f"{name}.npy"}
    numpy.save(table["file"], x)
    runs = {f"scikit-learn {s}": peer(s, components) for s in solvers}
    runs.update({f"inlier {m}": ours(m, components) for m in args.methods.split(",")})
    best = {}
    for _ in range(args.repeat):
        for label, run in runs.items():
            try:
                got = run(table)
            except ValueError as error:  # a solver that this version does not have
                best[label] = {"error": str(error)}
                continue
            if label not in best or got["seconds"] < best[label]["seconds"]:
                best[label] = got
    return {"table": name, "rows": x.shape[0], "columns": x.shape[1], "components": components, "best": best}


def show(result):
    print(f"\n{result['table']}: {result['rows']} x {result['columns']}, {result['components']} components, best of {args.repeat}")
    for label, got in result["best"].items():
        if "error" in got:
            print(f"  {label:32} not available: {got['error']}")
            continue
        extra = f"  peak memory {got['memory']:.2f} x matrix, {got['steps']} steps, {got['backend']}" if "memory" in got else ""
        print(f"  {label:32} {got['seconds']:8.3f} s{extra}")
    times = {label: got["seconds"] for label, got in result["best"].items() if "seconds" in got}
    for theirs in (t for t in times if t.startswith("scikit")):
        for our in (t for t in times if t.startswith("inlier")):
            print(f"  {our} is {times[theirs] / times[our]:.2f} times as fast as {theirs}")


def warn_of_load():
    """A BLAS whose threads wait for each other collapses when cores are taken: not a fair time."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0
    if load > 0.5:
        print(f"load average {load:.1f}: other work slows scikit-learn down more than Inlier; measure on an idle machine", file=sys.stderr)


def main():
    warn_of_load()
    wanted = args.tables.split(",")
    results = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if "mnist" in wanted:
            data = os.environ.get("INLIER_DATA")
            if data:
                results.append(contest("mnist", mnist(data, args.rows), 50, ["full", "randomized", "covariance_eigh"], folder))
            else:
                print("INLIER_DATA is not set: MNIST is left out", file=sys.stderr)
        if "faces" in wanted:
            results.append(contest("faces", faces(), 30, ["full", "randomized"], folder))
    about = {"scikit_learn": sklearn.__version__, "numpy": numpy.__version__, "blas": blas_name(), "threads": args.threads}
    if args.json:
        print(json.dumps({"about": about, "results": results}, indent=1))
        return
    print(f"scikit-learn {about['scikit_learn']}, NumPy {about['numpy']}, {about['blas']}; {args.threads} threads on both sides")
    for result in results:
        show(result)


if __name__ == "__main__":
    main()
