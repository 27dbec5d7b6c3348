"""How long `inlier check` takes beside reading the file and two detectors of scikit-learn, in one run.

    python bench/check_speed.py PATH-TO-INLIER FILE.csv...

Files hold numbers alone, with a header. Seconds are of processor time (all cores added up), so that a busy machine
changes little, and in parentheses by the clock; memory is the peak of the process. LOF is left out
beyond 100,000 rows, where it takes hours.
"""
import os, subprocess, sys, tempfile, time

DETECT = """
import sys, numpy as np
import pandas as pd
x = pd.read_csv(sys.argv[2]).to_numpy()
if sys.argv[1] == "iforest":
    from sklearn.ensemble import IsolationForest
    IsolationForest(random_state=1, n_jobs=-1).fit(x).score_samples(x)
elif sys.argv[1] == "lof":
    from sklearn.neighbors import LocalOutlierFactor
    LocalOutlierFactor(n_jobs=-1).fit_predict(x)
"""


def run(command):
    """Processor seconds, seconds by the clock and peak memory in MB of a command."""
    began = time.time()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"{command} failed")
    return usage.ru_utime + usage.ru_stime, time.time() - began, usage.ru_maxrss // 1024


def main():
    inlier, files = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            with open(path) as f:
                columns = f.readline().count(",") + 1
                rows = sum(1 for _ in f)
            jobs = {"inlier data info (reads it)": [inlier, "data", "info", path],
                    "inlier check": [inlier, "check", path, "--out", os.path.join(folder, "out"), "--force"],
                    "pandas.read_csv": [sys.executable, "-c", DETECT, "read", path],
                    "reading and IsolationForest": [sys.executable, "-c", DETECT, "iforest", path]}
            if rows <= 100_000:
                jobs["reading and LOF"] = [sys.executable, "-c", DETECT, "lof", path]
            print(f"{path}: {rows} x {columns}, a table of {8 * rows * columns >> 20} MB")
            for name, command in jobs.items():
                processor, clock, memory = run(command)
                print(f"  {name:28} {processor:7.1f} s  ({clock:.1f} s)  {memory} MB", flush=True)


if __name__ == "__main__":
    main()
