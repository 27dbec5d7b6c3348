"""What libraries of Python do in the tasks of `inlier bench --peers`: python3 peers.py NAME KEY=VALUE...

Prints one line of JSON: seconds and processor seconds of the work alone, steps, and the peak of the process in bytes; or which library is
missing. What comes out is written to the file `answer`, to be judged as Inlier's is. Every task is done with a few rows first, untimed:
libraries load parts of themselves, and start their threads, when they are first used.
"""
import io
import json
import sys
import time

name, args = sys.argv[1], dict(a.split("=", 1) for a in sys.argv[2:])
threads = int(args.get("threads", 1))


def peak():
    try:
        with open("/proc/self/status") as f:
            return next(int(line.split()[1]) * 1024 for line in f if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        return 0


class Work:
    """The time within a with statement."""

    def __enter__(self):
        self.clock, self.cpu = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_):
        self.seconds, self.processor = time.perf_counter() - self.clock, time.process_time() - self.cpu


def about():
    told = {"Python": sys.version.split()[0]}
    for label, module in (("NumPy", "numpy"), ("scikit-learn", "sklearn"), ("pandas", "pandas"), ("pyarrow", "pyarrow"), ("polars", "polars"), ("RobPy", "robpy")):
        try:
            told[label] = getattr(__import__(module), "__version__", "of unknown version")
        except Exception:
            told[label] = ""
    try:
        from threadpoolctl import threadpool_info
        told["BLAS of NumPy"] = ", ".join(sorted({f"{i['internal_api']} {i.get('version')} {i.get('architecture', '')}" for i in threadpool_info() if i["user_api"] == "blas"}))
    except ImportError:
        pass
    return told


def load(what="data"):
    import numpy
    return numpy.load(args[what])


def save(answer):
    import numpy
    numpy.save(args["answer"], numpy.ascontiguousarray(answer, dtype=float))


def halves():
    """Rows and their targets, which are the last column."""
    import numpy
    x = load()
    return numpy.ascontiguousarray(x[:, :-1]), x[:, -1].copy()


def pca(solver):
    from sklearn.decomposition import PCA
    x = load()
    PCA(2, svd_solver=solver, random_state=1).fit(x[:100, :10])
    with Work() as w:
        m = PCA(int(args["components"]), svd_solver=solver, random_state=1).fit(x)
    save(m.components_)
    return w, 0


def covariance_eigh():
    import numpy
    x, k = load(), int(args["components"])
    numpy.linalg.eigh(x[:100].T @ x[:100])
    with Work() as w:
        y = x - x.mean(0)
        v = numpy.linalg.eigh(y.T @ y / (len(x) - 1))[1][:, ::-1][:, :k].T
    save(v)
    return w, 0


def robpca():
    from robpy.pca import ROBPCA
    x = load()
    ROBPCA(n_components=2).fit(x[:100, :5])
    with Work() as w:
        m = ROBPCA(n_components=int(args["components"])).fit(x)
    save(m.components_.T if m.components_.shape[0] == x.shape[1] else m.components_)
    return w, 0


def huber():
    from sklearn.linear_model import HuberRegressor
    x, y = halves()
    HuberRegressor().fit(x[:200], y[:200])
    with Work() as w:
        m = HuberRegressor().fit(x, y)
    save(m.predict(load("test")))
    return w, int(m.n_iter_)


def relm():
    import numpy
    x, y = halves()
    random, hidden = numpy.random.default_rng(1), int(args["hidden"])

    def layer(x):
        return 1 / (1 + numpy.exp(-(x @ weights.T + bias)))

    numpy.linalg.solve(x[:100].T @ x[:100], x[:100].T @ y[:100])
    with Work() as w:
        mean, sd, level = x.mean(0), x.std(0), y.mean()
        weights, bias = random.uniform(-1, 1, (hidden, x.shape[1])), random.uniform(0, 1, hidden)
        h = layer((x - mean) / sd)
        b = numpy.linalg.solve(h.T @ h + 0.01 * numpy.eye(hidden), h.T @ (y - level))
    save(layer((load("test") - mean) / sd) @ b + level)
    return w, 0


def nystroem():
    from sklearn.kernel_approximation import Nystroem
    from sklearn.linear_model import RidgeClassifier
    x, y = halves()
    RidgeClassifier().fit(Nystroem(n_components=20).fit_transform(x[:100]), y[:100])
    with Work() as w:
        mean, sd = x.mean(0), x.std(0)
        features = Nystroem(gamma=float(args["gamma"]), n_components=int(args["features"]), random_state=1)
        m = RidgeClassifier(alpha=1e-3 * len(x)).fit(features.fit_transform((x - mean) / sd), y)
    save(m.predict(features.transform((load("test") - mean) / sd)))
    return w, 1


def kmeans():
    from sklearn.cluster import KMeans
    x = load()
    KMeans(2, n_init=1, random_state=1).fit(x[:100])
    with Work() as w:
        m = KMeans(int(args["clusters"]), n_init=1, max_iter=int(args["max-steps"]), tol=float(args["tol"]), algorithm="lloyd", random_state=1).fit(x)
    save(m.cluster_centers_)
    return w, int(m.n_iter_)


def corr_2dsvd():
    """Sweeps of the reweighted decomposition in products over all samples, from the one-shot decomposition."""
    import numpy
    x, ranks, sweeps = load(), [int(r) for r in args["rank"].split("x")], int(args["max-steps"])
    n, flat = len(x), x.reshape(len(x), -1)

    def multiply(y, skip=None):
        for mode, u in enumerate(factors):
            if mode == skip or u is None:
                continue
            y = y @ u if mode == y.ndim - 2 else numpy.moveaxis(numpy.tensordot(y, u, axes=(mode + 1, 0)), -1, mode + 1)
        return y

    def leading(y, mode):
        a = numpy.moveaxis(y, mode + 1, -1).reshape(-1, y.shape[mode + 1])
        return numpy.linalg.eigh(a.T @ a)[1][:, ::-1][:, :ranks[mode]]

    numpy.linalg.eigh(flat[:, :50].T @ flat[:, :50])
    with Work() as w:
        centred = x - x.mean(0)
        factors = [leading(centred, k) if r < x.shape[k + 1] else None for k, r in enumerate(ranks)]
        for _ in range(sweeps):
            a, b = centred.reshape(n, -1), multiply(centred).reshape(n, -1)
            s = numpy.einsum("ij,ij->i", a, a) - numpy.einsum("ij,ij->i", b, b)
            weights = numpy.exp(-s / (4 * numpy.median(s)))
            numpy.subtract(x, (weights @ flat / weights.sum()).reshape(x.shape[1:]), out=centred)
            root = numpy.sqrt(weights).reshape((n,) + (1,) * (x.ndim - 1))
            for k, u in enumerate(factors):
                if u is not None:
                    factors[k] = leading(multiply(centred, skip=k) * root, k)
    save(factors[0])
    return w, sweeps


def product(kind):
    import numpy
    size, random = int(args["size"]), numpy.random.default_rng(1)
    if kind == "square":
        a, b, c = random.standard_normal((size, size)), random.standard_normal((size, size)), numpy.empty((size, size))

        def work():
            numpy.matmul(a, b, out=c)
    else:
        x, weights = random.standard_normal((min(8192, 8 * size), 784)), random.random(min(8192, 8 * size))

        def work():
            y = x * numpy.sqrt(weights)[:, None]  # NumPy sees that both factors are one array
            return y.T @ y
    work()
    best = None
    for _ in range(5):
        with Work() as w:
            work()
        best = w if best is None or w.seconds < best.seconds else best
    return best, 0


def read(library, kind):
    """To a table of numbers in memory, all columns as doubles."""
    small = io.BytesIO(b"a,b\n1.5,2\n")
    if library == "pyarrow":
        import pyarrow.csv
        import pyarrow.parquet
        pyarrow.set_cpu_count(threads)
        readers = {"csv": pyarrow.csv.read_csv, "parquet": pyarrow.parquet.read_table}
        table, made = readers["csv"](small), io.BytesIO()
        pyarrow.parquet.write_table(table, made)
    elif library == "polars":
        import polars
        readers = {"csv": polars.read_csv, "parquet": polars.read_parquet}
        table, made = readers["csv"](small), io.BytesIO()
        table.write_parquet(made)
    else:
        import pandas
        readers, made = {"csv": pandas.read_csv}, small
    read = readers[kind]
    for first in (small, made):
        first.seek(0)
    read(small if kind == "csv" else made)
    with Work() as w:
        table = read(args["data"])
    assert table.shape[0] > 0
    return w, 0


def detect(kind):
    """Reading the table is part of it, as it is of a check."""
    import pandas
    from sklearn.ensemble import IsolationForest
    from sklearn.neighbors import LocalOutlierFactor
    few = pandas.read_csv(args["data"], nrows=100).to_numpy()
    LocalOutlierFactor(n_jobs=threads).fit_predict(few)
    IsolationForest(n_estimators=5, n_jobs=threads).fit(few).score_samples(few)
    with Work() as w:
        x = pandas.read_csv(args["data"]).to_numpy()
        if kind == "LOF":
            m = LocalOutlierFactor(n_jobs=threads)
            m.fit_predict(x)
            s = -m.negative_outlier_factor_
        else:
            s = -IsolationForest(random_state=1, n_jobs=threads).fit(x).score_samples(x)
    save(s)
    return w, 0


tasks = {"covariance-eigh": covariance_eigh, "ROBPCA": robpca, "huber": huber, "relm": relm, "nystroem": nystroem, "kmeans": kmeans, "corr-2dsvd": corr_2dsvd}
tasks.update({"pca-" + s: lambda s=s: pca(s) for s in ("full", "randomized", "covariance_eigh")})
tasks.update({s: lambda s=s: product(s) for s in ("square", "gram")})
tasks.update({f"{l}-{k}": lambda l=l, k=k: read(l, k) for l in ("pyarrow", "polars", "pandas") for k in ("parquet", "csv")})
tasks.update({s: lambda s=s: detect(s) for s in ("IsolationForest", "LOF")})
if name == "about":
    print(json.dumps(about()))
else:
    try:
        work, steps = tasks[name]()
        print(json.dumps({"seconds": work.seconds, "processor": work.processor, "steps": steps, "peak": peak()}))
    except ModuleNotFoundError as e:
        print(json.dumps({"missing": e.name}))
