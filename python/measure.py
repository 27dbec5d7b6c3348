"""What the way through the worker costs. Prints a table; needs the MNIST files in $INLIER_DATA/mnist:

    INLIER_DATA=... python python/measure.py
"""

import gzip
import json
import os
import resource
import statistics
import subprocess
import tempfile
import time

import inlier
import numpy as np
from inlier import _worker

images = os.path.join(os.environ["INLIER_DATA"], "mnist", "train-images-idx3-ubyte.gz")
with gzip.open(images) as f:
    bytes_ = np.frombuffer(f.read(), np.uint8, offset=16).reshape(60000, 784)
X = bytes_.astype(np.float64)


def peak(pid):
    """The peak memory of a process, in MB."""
    with open(f"/proc/{pid}/status") as f:
        return next(int(line.split()[1]) for line in f if line.startswith("VmHWM")) / 1024


def spent(pid):
    """Processor seconds of a process."""
    with open(f"/proc/{pid}/stat") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def timed(work):
    """Wall and processor seconds, those of the worker and of children that have ended included."""
    worker = _worker.current().process.pid
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall, own, its = time.perf_counter(), time.process_time(), spent(worker)
    work()
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = time.process_time() - own + spent(worker) - its + ended.ru_utime + ended.ru_stime - children.ru_utime - children.ru_stime
    return time.perf_counter() - wall, cpu


def command_line():
    with tempfile.TemporaryDirectory() as where:
        subprocess.run([_worker.binary(), "fit", method, images, "--set", "components=50", "--out", os.path.join(where, "m.npz"), "--quiet"], check=True, stdout=subprocess.DEVNULL)


_worker.current()
for method, estimator in (("pca", inlier.PCA), ("pca-robust", inlier.RobustPCA)):
    ways = {"command line": command_line, "NumPy float64": lambda: estimator(components=50).fit(X), "NumPy uint8": lambda: estimator(components=50).fit(bytes_)}
    took = {name: [] for name in ways}
    for _ in range(5):
        for name, way in ways.items():
            took[name].append(timed(way))
    for name, seconds in took.items():
        wall, cpu = (statistics.median(s[k] for s in seconds) for k in (0, 1))
        base = [statistics.median(s[k] for s in took["command line"]) for k in (0, 1)]
        print(f"{method}, MNIST 60000 x 784, 50 components, {name}: {wall:.2f} s wall ({wall / base[0]:.2f}), {cpu:.2f} s processor ({cpu / base[1]:.2f})")

rng = np.random.default_rng(1)
T = rng.normal(size=(1_000_000, 20))
y = T @ rng.normal(size=20) + rng.normal(size=len(T))
for model in (inlier.RobustLinear().fit(T[:20000], y[:20000]), inlier.LogisticClassifier().fit(T[:5000], y[:5000] > 0), inlier.RobustElm(hidden=50).fit(T[:2000], y[:2000])):
    one, each = T[:1], []
    for _ in range(2000):
        began = time.perf_counter()
        model.predict(one)
        each.append(time.perf_counter() - began)
    print(f"{type(model).__name__}, one row: median {1e6 * statistics.median(each):.0f} us, 90 % within {1e6 * sorted(each)[1800]:.0f} us")

inlier.shutdown()
model = inlier.RobustLinear().fit(T[:20000], y[:20000])
with open("/proc/self/clear_refs", "w") as f:  # the peak counts from here
    f.write("5")
before = peak("self"), peak(_worker.current().process.pid)
began = time.perf_counter()
model.predict(T)
took = time.perf_counter() - began
after = peak("self"), peak(_worker.current().process.pid)
print(f"a million rows of 20 columns ({T.nbytes / 2**20:.0f} MiB), predicted in {took:.2f} s; peak memory of Python rose by {after[0] - before[0]:.0f} MiB, of the worker from {before[1]:.0f} to {after[1]:.0f} MiB")
print(json.dumps({"numpy": np.__version__, "threads": os.cpu_count()}))
