#!/usr/bin/env python3
"""Times the products of BenchmarkGemm and BenchmarkWeightedGram beside NumPy.

    python3 bench/peer_fastblas.py [--rounds 5] [--kernel avx512|avx2|go] [--threads 1 2] [--only TEXT]

Builds the Go test binary of linalg/fastblas, then runs each product of
one side and the other in turn, several rounds, and prints the best speed of each and
their ratio. OpenBLAS 0.3.21 and older mistake newer processors for old ones and need
OPENBLAS_CORETYPE=SKYLAKEX; the script sets it unless it is already set.
"""
import argparse, os, re, subprocess, sys, tempfile, time

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "linalg", "fastblas")

SHAPES = {  # name: (transpose A, transpose B, m, n, k), as in bench_test.go
    "square-256": (0, 0, 256, 256, 256),
    "square-512": (0, 0, 512, 512, 512),
    "square-784": (0, 0, 784, 784, 784),
    "square-1024": (0, 0, 1024, 1024, 1024),
    "square-2048": (0, 0, 2048, 2048, 2048),
    "nt-1024": (0, 1, 1024, 1024, 1024),
    "tn-1024": (1, 0, 1024, 1024, 1024),
    "thin-XV": (0, 0, 60000, 50, 784),
    "thin-XtS": (1, 0, 784, 50, 60000),
    "subspace-784x80": (0, 0, 784, 80, 784),
    "gram-60000x784": "gram",
}


def child(name):
    """Runs in a process of its own, as OpenBLAS fixes its threads when it is loaded."""
    import numpy as np
    rng = np.random.default_rng(1)
    if SHAPES[name] == "gram":
        n, d = 60000, 784
        x, w, s = rng.standard_normal((n, d)), rng.random(n), rng.standard_normal(d)
        # The best NumPy can do: it sees that both factors are one array and calls dsyrk.
        root = np.sqrt(w)[:, None]
        def work():
            y = (x - s) * root
            return y.T @ y
        flops = n * d * (d + 1.0)
    else:
        ta, tb, m, n, k = SHAPES[name]
        a = rng.standard_normal((k, m) if ta else (m, k))
        b = rng.standard_normal((n, k) if tb else (k, n))
        c = np.empty((m, n))
        a, b = (a.T if ta else a), (b.T if tb else b)
        work = lambda: np.matmul(a, b, out=c)
        flops = 2.0 * m * n * k
    work()
    best, until = 1e9, time.perf_counter() + 0.4
    while time.perf_counter() < until:
        t = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - t)
    print(flops / best / 1e9)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--kernel", default="")
    p.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    p.add_argument("--only", default="")
    p.add_argument("--child", default="")
    o = p.parse_args()
    if o.child:
        return child(o.child)
    env = dict(os.environ)
    env.setdefault("OPENBLAS_CORETYPE", "SKYLAKEX")
    if o.kernel:
        env["INLIER_KERNEL"] = o.kernel
    with tempfile.TemporaryDirectory() as tmp:
        binary = os.path.join(tmp, "fastblas.test")
        subprocess.run(["go", "test", "-c", "-o", binary, "."], cwd=HERE, check=True)
        print(f"{'product':18} threads  built-in  numpy   ratio   (GF/s, best of {o.rounds})")
        for name in SHAPES:
            if o.only not in name:
                continue
            for threads in o.threads:
                env["OPENBLAS_NUM_THREADS"] = str(threads)
                go, peer = [], []
                pattern = f"^BenchmarkGemm$/^{name}$/^threads={threads}$"
                if name.startswith("gram-"):
                    pattern = f"^BenchmarkWeightedGram$/^{name[5:]}$/^threads={threads}$"
                for _ in range(o.rounds):
                    out = subprocess.run([binary, "-test.run=NONE", "-test.benchtime=0.4s", f"-test.bench={pattern}"],
                                         env=env, capture_output=True, text=True, check=True).stdout
                    go += [float(v) for v in re.findall(r"([\d.]+) best-GF/s", out)]
                    out = subprocess.run([sys.executable, os.path.abspath(__file__), "--child", name],
                                         env=env, capture_output=True, text=True, check=True).stdout
                    peer.append(float(out))
                print(f"{name:18} {threads:7}  {max(go):8.1f}  {max(peer):5.1f}   {max(go) / max(peer):5.2f}", flush=True)


if __name__ == "__main__":
    main()
