"""Inlier beside a vectorised NumPy version: one sweep of 2DSVD and Corr-2DSVD, memory.

    go build -o inlier ./cmd/inlier
    INLIER_DATA=... python bench/peer_tensor.py --inlier ./inlier [--repeat 3] [--threads 2]

Two tables: 30000 digits of MNIST (28 x 28, rank 15 x 15) and the 1140 colour faces of five
people in LFW (64 x 64 x 3, rank 40 x 40 x 3), pixels in [0,1]. A sweep is what one step of
the reweighting takes: residuals of all samples, weights and mean (corr-2dsvd), one factor
per mode. Both sides start from the one-shot decomposition. What a sweep costs is the
difference of a long and a short run over the number of sweeps between, so reading the
data and whatever else stands around the sweeps drops out; processor time (all threads
together) and time on the clock are both given. Programs take turns and the best of the rounds counts. NumPy's peak is left out: it
holds a centred copy of the data beside the data.
"""

import argparse
import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

parser = argparse.ArgumentParser(description="time sweeps of Inlier and NumPy side by side")
parser.add_argument("--inlier", default="./inlier", help="the program")
parser.add_argument("--repeat", type=int, default=3, help="rounds; the best counts")
parser.add_argument("--threads", type=int, default=os.cpu_count(), help="threads on both sides")
parser.add_argument("--sweeps", type=int, default=10, help="sweeps between the short and the long run")
parser.add_argument("--tables", default="mnist,lfw", help="which tables: mnist, lfw")
parser.add_argument("--json", action="store_true", help="print the figures as JSON")
args = parser.parse_args()

# The number of threads must be known before NumPy loads its BLAS.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = str(args.threads)

import numpy  # noqa: E402


def data_folder():
    folder = os.environ.get("INLIER_DATA")
    if not folder:
        sys.exit("INLIER_DATA does not name the folder of the benchmark data")
    return Path(folder)


def mnist():
    with gzip.open(data_folder() / "mnist" / "train-images-idx3-ubyte.gz", "rb") as f:
        raw = f.read()
    x = numpy.frombuffer(raw, dtype=numpy.uint8, offset=16).reshape(-1, 28, 28)[:30000]
    return x.astype(numpy.float64) / 255, (15, 15)


def lfw():
    """The folder's 1161 faces without the first person's 21, decoded by the program itself."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "lfw.npy"
        done = subprocess.run([args.inlier, "data", "convert", str(data_folder() / "lfwcrop"), str(file), "--target", "none"], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        x = numpy.load(file).reshape(-1, 64, 64, 3)[21:]
    return numpy.ascontiguousarray(x, dtype=numpy.float64) / 255, (40, 40, 3)


def multiply(y, factors, skip=None):
    """All modes but one times their factors, as matrix products over all samples."""
    for mode, u in enumerate(factors):
        if mode == skip or u is None:
            continue
        if mode == y.ndim - 2:  # the last mode
            y = y @ u
        elif y.ndim == 3:  # rows of images
            y = u.T @ y
        else:
            y = numpy.moveaxis(numpy.tensordot(y, u, axes=(mode + 1, 0)), -1, mode + 1)
    return y


def gram(y, mode):
    a = numpy.moveaxis(y, mode + 1, -1).reshape(-1, y.shape[mode + 1])
    return a.T @ a


def leading(c, r):
    return numpy.linalg.eigh(c)[1][:, ::-1][:, :r]


def peer(x, ranks, robust, sweeps):
    n = len(x)
    flat = x.reshape(n, -1)
    mean = x.mean(0)
    centred = x - mean
    factors = [leading(gram(centred, k), r) if r < x.shape[k + 1] else None for k, r in enumerate(ranks)]
    for _ in range(sweeps):
        core = multiply(centred, factors)
        # squares without a temporary of the size of the data
        s = numpy.einsum("ij,ij->i", centred.reshape(n, -1), centred.reshape(n, -1)) - numpy.einsum("ij,ij->i", core.reshape(n, -1), core.reshape(n, -1))
        if robust:
            w = numpy.exp(-s / (4 * numpy.median(s)))
            mean = (w @ flat / w.sum()).reshape(x.shape[1:])
            numpy.subtract(x, mean, out=centred)
            root = numpy.sqrt(w).reshape((n,) + (1,) * (x.ndim - 1))
        for k, r in enumerate(ranks):
            if factors[k] is not None:
                y = multiply(centred, factors, skip=k)
                factors[k] = leading(gram(y * root if robust else y, k), r)


def spent(who):
    use = resource.getrusage(who)
    return use.ru_utime + use.ru_stime


def timed(work, who):
    clock, cpu = time.perf_counter(), spent(who)
    out = work()
    return time.perf_counter() - clock, spent(who) - cpu, out


def ours(file, ranks, method, sweeps):
    command = [args.inlier, "fit", method, str(file), "--set", "rank=" + "x".join(map(str, ranks)), "--set", "tol=1e-300", "--set", "start=classic", "--set", "control=off",
               "--set", f"max-steps={sweeps}", "--threads", str(args.threads), "--out", str(file.with_name(method + ".npz")), "--json", "--quiet"]
    if method == "2dsvd":  # would stop when the objective stands still: the same sweeps without that
        command[2:3] = ["tensor-robust", "--loss", "square"]
    else:
        command += ["--set", "rescale=every-step"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    said = json.loads(done.stdout)
    if said["steps"] != sweeps:
        sys.exit(f"{method} ended after {said['steps']} of {sweeps} sweeps: {said['status']}")
    return said


def contest(name, x, ranks, folder):
    file = folder / f"{name}.npy"
    numpy.save(file, x)
    short, long = 2, 2 + args.sweeps
    results = {}
    for _ in range(args.repeat):
        for method in ("2dsvd", "corr-2dsvd"):
            for label, who in ((f"numpy {method}", resource.RUSAGE_SELF), (f"inlier {method}", resource.RUSAGE_CHILDREN)):
                if who == resource.RUSAGE_SELF:
                    def run(sweeps):
                        return peer(x, ranks, method == "corr-2dsvd", sweeps)
                else:
                    def run(sweeps):
                        return ours(file, ranks, method, sweeps)
                clock0, cpu0, _said = timed(lambda: run(short), who)
                clock1, cpu1, said = timed(lambda: run(long), who)
                got = {"clock": (clock1 - clock0) / args.sweeps, "cpu": (cpu1 - cpu0) / args.sweeps}
                if said:
                    got["clock"] = (said["fit_seconds"] - _said["fit_seconds"]) / args.sweeps
                    got["memory"] = said["peak_memory_bytes"] / x.nbytes
                    got["backend"] = said["backend"]
                best = results.setdefault(label, got)
                for key in ("clock", "cpu", "memory"):
                    if key in got:
                        best[key] = min(best[key], got[key])
    return results


def main():
    every = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in args.tables.split(","):
            x, ranks = {"mnist": mnist, "lfw": lfw}[name]()
            every[name] = contest(name, x, ranks, Path(folder))
    if args.json:
        print(json.dumps(every, indent=1))
        return
    for name, results in every.items():
        print(name)
        for label, got in results.items():
            memory = f", peak memory {got['memory']:.2f} x the data" if "memory" in got else ""
            print(f"  {label:18} {1e3 * got['clock']:8.1f} ms per sweep, {1e3 * got['cpu']:8.1f} ms of processors{memory}")
        for method in ("2dsvd", "corr-2dsvd"):
            a, b = results[f"numpy {method}"], results[f"inlier {method}"]
            print(f"  numpy / inlier, {method}: {a['clock'] / b['clock']:.2f} on the clock, {a['cpu'] / b['cpu']:.2f} in processor time")


main()
