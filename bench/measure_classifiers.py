"""Inlier's classifiers as they come beside scikit-learn's as they come, and cleanlab.

    go build -o inlier ./cmd/inlier
    INLIER_DATA=... python bench/measure_classifiers.py --inlier ./inlier --out docs/measured/measurements.md

Writes a page of Markdown with five parts:

  defaults    accuracy, log loss, expected calibration error and processor time on clean data, with a fifth and two fifths of
              the training labels wrong, and with 2 % of the training cells wild
  alike       accuracy of machines of scikit-learn with the same loss and kernel, with a fifth of the labels wrong, over the same splits
  labels      precision and recall of the labels that are called doubtful, beside cleanlab
  objectives  how close hinge, logistic and square come to the optimum that libsvm, liblinear and ridge reach
  mnist       all images of MNIST from the IDX files, by one command each for fitting and scoring

--only defaults,alike,labels,objectives,mnist picks parts; --sets wine,iris picks sets; --methods regmaxcem,logistic-rbf picks
methods of Inlier; --repeats 1 makes it quick (up to 20 splits of small sets otherwise); --figures FILE.json keeps every
number, and --from A.json,B.json makes the page of such files, so that parts can run apart. Needs scikit-learn and, for labels, cleanlab. Without INLIER_DATA its sets are left out.

Nothing is tuned on either side. Columns: as Inlier takes them by itself; StandardScaler before every
machine of scikit-learn. Dirt is in training rows only, accuracy is on clean rows that nobody saw. Machines
of scikit-learn without probabilities get them from CalibratedClassifierCV, whose time is not counted. Time is that of
the processor, over all threads: Inlier's holds the start of the program, reading, calibration and the diagnostics
of every row.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

parser = argparse.ArgumentParser(description="measure Inlier's default classifiers beside scikit-learn's")
parser.add_argument("--inlier", default="./inlier", help="the program")
parser.add_argument("--out", help="page to write (default: standard output)")
parser.add_argument("--only", default="defaults,alike,labels,objectives,mnist")
parser.add_argument("--sets", default="", help="sets, separated by commas (default: all)")
parser.add_argument("--methods", default="", help="methods of Inlier, such as regmaxcem,hinge-rbf (default: all)")
parser.add_argument("--dirt", default="", help="clean, labels, more, cells (default: all)")
parser.add_argument("--repeats", type=int, default=20, help="splits of small sets; larger ones have as many as hold 4000 rows, at least 3")
parser.add_argument("--threads", type=int, default=2, help="threads on both sides")
parser.add_argument("--limit", type=float, default=60, help="seconds after which a fit of Inlier is given up")
parser.add_argument("--from", dest="kept", default="", help="figures of earlier runs, separated by commas: the page is made of them and nothing is measured")
parser.add_argument("--note", default="", help="a sentence for the page, such as what else the machine did")
parser.add_argument("--figures", help="JSON file for every number")
args = parser.parse_args()

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = str(args.threads)  # before NumPy loads its BLAS

import numpy as np  # noqa: E402
import pandas  # noqa: E402
import sklearn  # noqa: E402
from sklearn.calibration import CalibratedClassifierCV  # noqa: E402
from sklearn.datasets import load_digits, make_classification, make_circles, make_moons  # noqa: E402
from sklearn.kernel_approximation import Nystroem  # noqa: E402
from sklearn.linear_model import LogisticRegression, RidgeClassifier  # noqa: E402
from sklearn.model_selection import cross_val_predict, train_test_split  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402
from sklearn.svm import SVC, LinearSVC  # noqa: E402

warnings.filterwarnings("ignore")

FEW = 3  # rows that a class must have, so that both halves and the folds of calibration hold one


# Sets: name -> (rows, labels from 0).

def table(name):
    def read():
        t = pandas.read_csv(Path(os.environ["INLIER_DATA"]) / "classification" / f"{name}.csv")
        y, counts = t["target"].astype(str), t["target"].astype(str).value_counts()
        keep = y.map(counts) >= 2 * FEW
        return t[keep].drop(columns="target").to_numpy(float), np.unique(y[keep], return_inverse=True)[1]
    return read


def mnist(rows):
    import gzip

    def read():
        folder = Path(os.environ["INLIER_DATA"]) / "mnist"
        x = np.frombuffer(gzip.open(folder / "train-images-idx3-ubyte.gz").read(), np.uint8, offset=16).reshape(-1, 784)
        y = np.frombuffer(gzip.open(folder / "train-labels-idx1-ubyte.gz").read(), np.uint8, offset=8)
        return x[:rows].astype(float), y[:rows].astype(int)
    return read


def rare():
    g = np.random.default_rng(5)
    y = (g.random(2000) < 0.03).astype(int)
    return g.normal(size=(2000, 8)) + 1.0 * y[:, None], y


def units():
    x, y = make_classification(1500, 12, n_informative=6, n_classes=3, class_sep=1.2, random_state=7)
    return x * 10.0 ** np.linspace(-4, 5, 12), y


def lognormal():
    x, y = make_classification(1200, 8, n_informative=5, n_redundant=0, n_classes=3, class_sep=1.2, random_state=8)
    return np.column_stack([x, np.random.default_rng(8).lognormal(0, 2, (1200, 2))]), y


def digits():
    x, y = load_digits(return_X_y=True)
    return x, y


SETS = {
    "iris": table("iris"), "wine": table("wine"), "seeds": table("seeds"), "glass": table("glass"), "ecoli": table("ecoli"),
    "user_knowledge": table("user_knowledge"), "vehicle": table("vehicle"), "wdbc": table("wdbc"), "leaf": table("leaf"),
    "digits": digits, "MNIST 1000": mnist(1000),
    "four clouds": lambda: make_classification(2000, 20, n_informative=8, n_classes=4, class_sep=1.0, random_state=1),
    "two moons": lambda: make_moons(800, noise=0.25, random_state=2),
    "circles": lambda: make_circles(800, noise=0.15, factor=0.5, random_state=3),
    "wide": lambda: make_classification(300, 400, n_informative=20, class_sep=1.5, random_state=4),
    "rare class": rare, "unlike units": units, "lognormal columns": lognormal,
}
UCI = {"iris", "wine", "seeds", "glass", "ecoli", "user_knowledge", "vehicle", "wdbc", "leaf", "MNIST 1000"}


def load():
    wanted = [s for s in args.sets.split(",") if s] or list(SETS)
    for name in wanted:
        if name in UCI and not os.environ.get("INLIER_DATA"):
            continue
        yield (name, *SETS[name]())


def flip(y, share, g):
    """A share of the labels becomes one of the others, each as likely."""
    y, k = y.copy(), y.max() + 1
    rows = g.choice(len(y), round(share * len(y)), replace=False)
    y[rows] = (y[rows] + g.integers(1, k, len(rows))) % k
    return y, np.isin(np.arange(len(y)), rows)


def wild(x, share, g):
    """A share of the cells lies a thousand standard deviations off, on either side."""
    x, hit = x.copy(), g.random(x.shape) < share
    spread = x.std(0)
    far = 1000 * np.where(spread > 0, spread, 1) * g.choice([-1, 1], x.shape)
    x[hit] += far[hit]
    return x


DIRT = {
    "clean": lambda x, y, g: (x, y),
    "labels": lambda x, y, g: (x, flip(y, 0.2, g)[0]),
    "more": lambda x, y, g: (x, flip(y, 0.4, g)[0]),
    "cells": lambda x, y, g: (wild(x, 0.02, g), y),
}
DIRT_NAMES = {"clean": "Clean", "labels": "20 % wrong labels", "more": "40 % wrong labels", "cells": "2 % wild cells"}


# Inlier

def run(*command):
    """Runs the program; returns what it printed and its processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([args.inlier, *map(str, command), "--threads", str(args.threads), "--quiet"], capture_output=True, text=True, timeout=args.limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise RuntimeError(f"inlier {' '.join(map(str, command))}\n{done.stderr.strip()}")
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def fit(folder, method, x, y, **settings):
    """Fits a method by the program; the model's path, what it said, and its time."""
    np.save(folder / "train.npy", np.column_stack([x, y]))
    name, _, kernel = method.partition("-")
    if kernel and "kernel" not in settings:
        settings["kernel"] = kernel
    sets = [part for key, value in settings.items() for part in ("--set", f"{key.replace('_', '-')}={value}")]
    said, seconds = run("fit", name, folder / "train.npy", "--target", x.shape[1] + 1, "--task", "class", *sets, "--out", folder / "model.npz", "--force", "--json")
    return folder / "model.npz", json.loads(said), seconds


def column_of(name, start):
    return int(float(name[len(start):]))


def ours(method, x, y, test, classes):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model, _, seconds = fit(folder, method, x, y)
        np.save(folder / "test.npy", test)
        run("predict", model, folder / "test.npy", "--probabilities", "--out", folder / "p.csv", "--force")
        t = pandas.read_csv(folder / "p.csv")
    p = np.zeros((len(test), classes))
    named = [c for c in t.columns if c.startswith("probability_")]
    for c in named:
        p[:, column_of(c, "probability_")] = t[c]
    return t["label"].to_numpy().astype(float).astype(int), p if named else None, seconds


# scikit-learn

PEERS = {
    "LogisticRegression": lambda: LogisticRegression(max_iter=2000),
    "LinearSVC": lambda: LinearSVC(max_iter=20000),
    "RidgeClassifier": lambda: RidgeClassifier(),
    "SVC": lambda: SVC(),
}
PAIRS = {
    "logistic": "LogisticRegression", "hinge": "LinearSVC", "square": "RidgeClassifier", "regmaxcem": "LogisticRegression",
    "logistic-rbf": "SVC", "hinge-rbf": "SVC", "square-rbf": "SVC", "regmaxcem-rbf": "SVC",
}


class Kernel(Nystroem):
    """The kernel with all training rows, as wide as that of SVC."""

    def fit(self, x, y=None):
        self.n_components, self.gamma = len(x), 1 / x.shape[1]
        return super().fit(x, y)


ALIKE = {"logistic-rbf": "LogisticRegression", "square-rbf": "RidgeClassifier"}  # behind the kernel


def spread_out(p, present, classes):
    out = np.zeros((len(p), classes))
    out[:, present] = p
    return out


def theirs(peer, x, y, test, classes):
    machine = make_pipeline(StandardScaler(), PEERS[peer]())
    before = time.process_time()
    machine.fit(x, y)
    seconds = time.process_time() - before
    labels = machine.predict(test)
    if hasattr(machine, "predict_proba"):
        p = machine.predict_proba(test)
    else:
        folds = max(2, min(5, np.bincount(y)[np.unique(y)].min()))
        calibrated = CalibratedClassifierCV(make_pipeline(StandardScaler(), PEERS[peer]()), cv=folds, ensemble=False).fit(x, y)
        p = calibrated.predict_proba(test)
    return labels, spread_out(p, machine.classes_, classes), seconds


# Measures

def log_loss(p, truth):
    p = np.clip(p, 1e-15, 1)
    return float(-np.log(p[np.arange(len(truth)), truth] / p.sum(1)).mean())


def calibration_error(p, truth, bins=15):
    """Mean distance of confidence and share that is right, over bins of confidence, weighted by their rows."""
    confidence, right = p.max(1), p.argmax(1) == truth
    at = np.minimum((confidence * bins).astype(int), bins - 1)
    return float(sum(abs(confidence[at == b].mean() - right[at == b].mean()) * (at == b).mean() for b in range(bins) if (at == b).any()))


def measure(answer, truth):
    labels, p, seconds = answer
    out = {"accuracy": float((labels == truth).mean()), "seconds": seconds}
    if p is not None:
        out |= {"log_loss": log_loss(p, truth), "ece": calibration_error(p, truth)}
    return out


def keep(figures):
    """What is measured so far is not lost."""
    if args.figures:
        Path(args.figures).write_text(json.dumps(figures, indent=1))


def splits(rows):
    """As many as tell a point from chance: one split of a small set is off by more."""
    return min(args.repeats, max(3, 4000 // rows))


def mean_of(results):
    """Means over splits; each keeps the accuracy of every split."""
    mean = {key: float(np.mean([r[key] for r in results])) for key in results[0] if all(key in r for r in results)}
    return mean | {"splits": [float(r["accuracy"]) for r in results]}


def measure_defaults(figures):
    methods = [m for m in args.methods.split(",") if m] or list(PAIRS)
    peers = list(dict.fromkeys(PAIRS[m] for m in methods))
    for name, x, y in load():
        repeats = splits(len(y))
        for dirt in [d for d in args.dirt.split(",") if d] or DIRT:
            results = {m: [] for m in methods + peers}
            for r in range(repeats):
                g = np.random.default_rng([r, 11])
                a, b, u, v = train_test_split(x, y, test_size=0.5, stratify=y, random_state=r)
                a, u = DIRT[dirt](a, u, g)
                for m in results:
                    try:
                        results[m].append(measure((theirs if m in PEERS else ours)(m, a, u, b, y.max() + 1), v))
                    except Exception as failed:
                        print(f"{name}, {dirt}, {m}: {failed}", file=sys.stderr)
            figures.setdefault("defaults", {}).setdefault(name, {"rows": len(y), "columns": x.shape[1], "classes": int(y.max()) + 1})[dirt] = {
                m: mean_of(r) for m, r in results.items() if r}
            keep(figures)
            print(f"{name}, {dirt}: " + "  ".join(f"{m} {mean_of(r)['accuracy']:.3f}" for m, r in results.items() if r), file=sys.stderr)


def measure_alike(figures):
    """SVC has another loss than these: what of a distance to it is Inlier's?"""
    for name, x, y in load():
        for m, peer in ALIKE.items():
            right = []
            for r in range(splits(len(y))):
                a, b, u, v = train_test_split(x, y, test_size=0.5, stratify=y, random_state=r)
                a, u = DIRT["labels"](a, u, np.random.default_rng([r, 11]))
                right.append(float(make_pipeline(StandardScaler(), Kernel(), PEERS[peer]()).fit(a, u).score(b, v)))
            figures.setdefault("alike", {}).setdefault(name, {})[m] = right
        keep(figures)


def alike(figures):
    """How many points machines with a kernel are ahead of those of the same loss."""
    out = [line("set", *[f"`{m}`" for m in ALIKE]), line(*["---"] * (len(ALIKE) + 1))]
    for s, f in figures["defaults"].items():
        if (found := figures["alike"].get(s)) and "labels" in f:
            out.append(line(s, *[apart(f["labels"][m]["splits"][:len(right)], right[:len(f["labels"][m]["splits"])]) if m in f["labels"] else "-" for m, right in found.items()]))
    return out


# Doubtful labels

GOAL_SETS = ["wdbc", "wine", "digits"]
LABEL_SETS = ["wdbc", "wine", "digits", "iris", "vehicle", "seeds", "four clouds", "ecoli", "glass"]


def doubted(name, share, methods, x, given):
    """Which labels each method and cleanlab call doubtful."""
    from cleanlab.filter import find_label_issues

    found = {}
    for m in methods:
        try:
            with tempfile.TemporaryDirectory() as tmp:
                folder = Path(tmp)
                model, _, _ = fit(folder, m, x, given)
                said, _ = run("outliers", model, folder / "train.npy", "--json")
            rows = json.loads(said)["rows"]
            found[m] = np.array([r["kind"] == "doubtful label" for r in rows])
        except Exception as failed:
            print(f"{name}, {share}, {m}: {failed}", file=sys.stderr)
    for peer in ("LogisticRegression", "SVC"):
        machine = make_pipeline(StandardScaler(), PEERS[peer]())
        if peer == "SVC":
            machine = CalibratedClassifierCV(machine, cv=3, ensemble=False)
        p = cross_val_predict(machine, x, given, cv=5, method="predict_proba")
        found[f"cleanlab, {peer}"] = find_label_issues(given, p)
    return found


def measure_labels(figures):
    methods = [m for m in args.methods.split(",") if m] or ["regmaxcem", "regmaxcem-rbf", "logistic", "hinge-rbf"]
    chosen = [s for s in args.sets.split(",") if s]
    for name in LABEL_SETS:
        if chosen and name not in chosen or name in UCI and not os.environ.get("INLIER_DATA"):
            continue
        x, y = SETS[name]()
        repeats = splits(len(y))
        own = {}  # rows whose label is doubted as it came, by the same method
        for share in (0, 0.1, 0.2):
            counts = {}
            for r in range(repeats if share else 1):
                given, wrong = flip(y, share, np.random.default_rng(13 + r))
                for m, f in doubted(name, share, methods, x, given).items():
                    known = own.setdefault(m, f) if not share else own.get(m, np.zeros(len(y), bool))
                    c = counts.setdefault(m, np.zeros(4))
                    c += [f.sum(), f[wrong].sum(), wrong.sum(), (f & ~wrong & known).sum()]
            figures.setdefault("labels", {}).setdefault(name, {})[f"{share:g}"] = {
                m: {"flagged": int(c[0]), "precision": c[1] / c[0] if c[0] else None, "recall": c[1] / c[2] if c[2] else None,
                    "others": c[1] / (c[0] - c[3]) if c[0] > c[3] else None} for m, c in counts.items()}
            keep(figures)
            print(f"{name}, {share:.0%} wrong: {figures['labels'][name][f'{share:g}']}", file=sys.stderr)


# Objectives

def objective(loss, f, signs, w, penalty):
    margin = signs * f
    each = {"hinge": np.maximum(0, 1 - margin), "logistic": np.logaddexp(0, -margin), "square": (1 - margin) ** 2}[loss]
    return float(each.mean() + penalty * (w ** 2).sum())


def optimum(loss, x, signs, penalty):
    """The least value that scikit-learn's solvers find at a fine tolerance, for one class against the others."""
    c = 1 / (2 * len(x) * penalty)
    if loss == "hinge":
        m = SVC(kernel="linear", C=c, tol=1e-8, cache_size=500, max_iter=20_000_000).fit(x, signs)
    elif loss == "logistic":
        m = LogisticRegression(C=c, tol=1e-12, solver="newton-cholesky", max_iter=5000).fit(x, signs)
    else:
        m = RidgeClassifier(alpha=penalty * len(x), solver="svd").fit(x, signs)
    f, w = m.decision_function(x), np.asarray(m.coef_).ravel()
    return objective(loss, f, signs, w, penalty)


def measure_objectives(figures):
    for name in ("wdbc", "vehicle", "four clouds"):
        if name in UCI and not os.environ.get("INLIER_DATA") or args.sets and name not in args.sets.split(","):
            continue
        x, y = SETS[name]()
        x = StandardScaler().fit_transform(x)
        classes = range(y.max() + 1)
        for loss in ("hinge", "logistic", "square"):
            for penalty in (1e-2, 1e-4, 1e-6):
                if loss == "hinge" and penalty < 1e-2 and name == "four clouds":
                    continue  # minutes in libsvm
                best = sum(optimum(loss, x, np.where(y == k, 1, -1), penalty) for k in classes)
                with tempfile.TemporaryDirectory() as tmp:
                    model, said, seconds = fit(Path(tmp), loss, x, y, scaling="none", clip="off", calibration="off", **{"lambda": penalty},
                                               **{"logistic": {"multiclass": "one-vs-all"}, "hinge": {"power": 1}}.get(loss, {}))  # what libsvm's family does
                    arrays = np.load(model, allow_pickle=True)
                    coef, intercept = arrays["coef"], arrays["intercept"]
                    if len(coef) == 1:  # two classes: one machine, for the second
                        coef, intercept = np.vstack([-coef, coef]), np.concatenate([-intercept, intercept])
                    f = x @ coef.T + intercept
                got = sum(objective(loss, f[:, k], np.where(y == k, 1, -1), coef[k], penalty) for k in classes)
                figures.setdefault("objectives", []).append({"set": name, "loss": loss, "lambda": penalty, "peer": best, "inlier": got, "excess": got / best - 1, "status": said["status"], "seconds": seconds})
                keep(figures)
                print(f"{name} {loss} {penalty:g}: {got:.6f}, peer {best:.6f}, {got / best - 1:+.1e}", file=sys.stderr)


# MNIST

MNIST = ["square", "logistic --set reduce=pca --set reduce.components=40", "square --set kernel=rbf --set features=500 --set reduce=pca --set reduce.components=40"]


def measure_mnist(figures):
    folder = Path(os.environ.get("INLIER_DATA", "")) / "mnist"
    for words in MNIST if folder.is_dir() else []:
        method, *settings = words.split()
        with tempfile.TemporaryDirectory() as tmp:
            model = Path(tmp) / "digits.npz"
            _, seconds = run("fit", method, folder / "train-images-idx3-ubyte.gz", "--target", "label", *settings, "--out", model)
            said, _ = run("score", model, folder / "t10k-images-idx3-ubyte.gz", "--json")
        scores = json.loads(said)["metrics"]
        figures.setdefault("mnist", []).append({"command": words, "accuracy": scores["accuracy"], "log_loss": scores["log_loss"], "seconds": seconds})
        keep(figures)
        print(f"MNIST {words}: {scores['accuracy']:.4f}, {seconds:.0f} s", file=sys.stderr)


# The page

def line(*cells):
    return "| " + " | ".join(map(str, cells)) + " |"


def short(v, digits=3):
    return "-" if v is None else f"{v:.{digits}f}".replace("0.", ".", 1) if 0 <= v < 1 else f"{v:.{digits}f}"


def behind_of(sets, dirt, m, least=0.01):
    """Sets on which a method has fewer rows right than its peer, by more than least."""
    pairs = [(s, f[dirt][m]["splits"], f[dirt][PAIRS[m]]["splits"]) for s, f in sets.items() if m in f.get(dirt, {}) and PAIRS[m] in f[dirt]]
    return [f"{s} ({apart(a, b)})" for s, a, b in pairs if np.mean(a) < np.mean(b) - least]


def apart(a, b):
    """The mean difference in points, with its standard error over the splits."""
    d = 100 * (np.array(a) - np.array(b)) if len(a) == len(b) else np.array([100 * (np.mean(a) - np.mean(b))])
    return f"{d.mean():+.1f}" + (f" ± {d.std(ddof=1) / len(d) ** 0.5:.1f}" if len(d) > 1 else "")


def losses(figures):
    """What comes first: where Inlier is more than a point behind its peer, and where doubts miss .9 precision at .85 recall."""
    out = ["## Where Inlier loses", "", "Accuracy more than a point behind the peer, in points, with the standard error over splits where there are several:", ""]
    for dirt, title in DIRT_NAMES.items():
        found = [f"`{m}` " + ", ".join(b) for m in PAIRS if (b := behind_of(figures.get("defaults", {}), dirt, m))]
        out.append(f"- {title}: " + ("; ".join(found) or "nowhere") + ".")
    short_of = [f"{s} {float(share):.0%} `{m}` {found_of(f)}" for s, shares in figures.get("labels", {}).items() if s in GOAL_SETS
                for share, found in shares.items() for m, f in found.items() if m in PAIRS and f["recall"] is not None and ((f["precision"] or 0) < 0.9 or f["recall"] < 0.85)]
    return out + ["", f"Doubtful labels of {', '.join(GOAL_SETS)} short of precision .9 at recall .85: " + ("; ".join(short_of) or "none") + ".", ""]


def found_of(f):
    """Precision, that among the others than the rows flagged as they came, and recall."""
    return f"{short(f['precision'], 2)} ({short(f['others'], 2)}) / {short(f['recall'], 2)}"


def verdicts(sets, dirt):
    """Lines that tell, method by method, where Inlier is ahead, within a point, and behind."""
    out = [line("method", "beside", "mean accuracy", "its peer's", "more than a point ahead", "within a point", "more than a point behind"), line(*["---"] * 7)]
    for m, peer in PAIRS.items():
        pairs = [(s, f[dirt][m]["accuracy"], f[dirt][peer]["accuracy"]) for s, f in sets.items() if m in f.get(dirt, {}) and peer in f[dirt]]
        if not pairs:
            continue
        behind = behind_of(sets, dirt, m)
        ahead = sum(a > b + 0.01 for _, a, b in pairs)
        out.append(line(f"`{m}`", peer, short(np.mean([a for _, a, _ in pairs])), short(np.mean([b for _, _, b in pairs])), ahead,
                        len(pairs) - ahead - len(behind), ", ".join(behind) or "none"))
    return out


def differences(sets, dirt):
    """How many points every method is ahead of its peer, set by set."""
    methods = [m for m in PAIRS if any(m in f.get(dirt, {}) and PAIRS[m] in f[dirt] for f in sets.values())]
    out = [line("set", *[f"`{m}`" for m in methods]), line(*["---"] * (len(methods) + 1))]
    for s, f in sets.items():
        if dirt in f:
            out.append(line(s, *[apart(f[dirt][m]["splits"], f[dirt][PAIRS[m]]["splits"]) if m in f[dirt] and PAIRS[m] in f[dirt] else "-" for m in methods]))
    return out


def grid(sets, dirt, key, digits):
    methods = [m for m in [*PAIRS, *PEERS] if any(m in f.get(dirt, {}) for f in sets.values())]
    out = [line("set", *[f"`{m}`" if m in PAIRS else m for m in methods]), line(*["---"] * (len(methods) + 1))]
    for s, f in sets.items():
        if dirt in f:
            out.append(line(s, *[short(f[dirt].get(m, {}).get(key), digits) for m in methods]))
    return out


def page(figures):
    out = ["# Classifiers, measured", "", *losses(figures), "## How it was measured", "",
           "Written by a program; nothing here is typed. The command, from the root of the repository:", "",
           "    go build -o inlier ./cmd/inlier", "    INLIER_DATA=... python bench/measure_classifiers.py --inlier ./inlier --out docs/measured/measurements.md", "",
           f"scikit-learn {sklearn.__version__}, NumPy {np.__version__}, {args.threads} threads; {run('version')[0].splitlines()[0]}. Both sides as they come: nothing is tuned, "
           "columns are scaled by Inlier's default and by StandardScaler. Splits into halves: as many as hold 4000 rows, "
           f"at most {args.repeats}, at least three. Dirt is in the training rows only; the other half is clean. Classes with fewer than {2 * FEW} rows are left out. "
           f"A dash: no answer within {args.limit:g} s. LinearSVC, RidgeClassifier and SVC get probabilities from CalibratedClassifierCV. "
           "A point of one split of the small sets is one or two rows." + (" " + args.note if args.note else ""), ""]
    if sets := figures.get("defaults"):
        out += ["## Defaults beside scikit-learn's defaults", "",
                "`-rbf` stands for `--set kernel=rbf`. `regmaxcem` has no peer of its own; it stands beside LogisticRegression and SVC.", ""]
        for dirt, title in DIRT_NAMES.items():
            if any(dirt in f for f in sets.values()):
                out += [f"### {title}", "", *verdicts(sets, dirt), ""]
                out += ["Points ahead of the peer, with the standard error of the difference over the splits, which are the same for both:", "", *differences(sets, dirt), ""]
                if dirt == "labels" and figures.get("alike"):
                    out += ["Points ahead of machines of scikit-learn with the same loss and kernel, which SVC is not: Nystroem with all rows, then LogisticRegression or RidgeClassifier:", "", *alike(figures), ""]
                out += [] if dirt == "more" else ["Accuracy:", "", *grid(sets, dirt, "accuracy", 3), "", "Log loss:", "", *grid(sets, dirt, "log_loss", 3), "", "Expected calibration error (15 bins of the largest probability):", "", *grid(sets, dirt, "ece", 3), ""]
        if any("clean" in f for f in sets.values()):
            out += ["### Processor time of a fit, seconds, clean", "",
                    "All threads together. Inlier's is that of the whole program: start, reading, calibration, diagnostics of every row, the model file. Beside each set its rows, columns and classes.", "",
                    *grid({f"{s} ({f['rows']}, {f['columns']}, {f['classes']})": f for s, f in sets.items()}, "clean", "seconds", 2), ""]
    if labels := figures.get("labels"):
        out += ["## Doubtful labels beside cleanlab", "",
                "Precision / recall of the rows that are called doubtful among those whose label was changed; without changes the number of rows that are flagged: "
                "the sets may hold wrong labels of their own. In brackets the precision without the rows that the method flags in the set as it came and whose label was not changed. Inlier: `inlier outliers MODEL TRAINING`, rows of kind `doubtful label`. cleanlab: `find_label_issues` on five-fold "
                f"held-out probabilities. As many draws of wrong labels together as hold 4000 rows, at most {args.repeats}, at least three.", ""]
        methods = list(next(iter(next(iter(labels.values())).values())))
        out += [line("set", "wrong", *[f"`{m}`" if m in PAIRS else m for m in methods]), line(*["---"] * (len(methods) + 2))]
        for s, shares in labels.items():
            for share, found in shares.items():
                cells = []
                for m in methods:
                    f = found.get(m)
                    cells.append("-" if f is None else f"{f['flagged']} flagged" if f["recall"] is None else found_of(f))
                out.append(line(s, f"{float(share):.0%}", *cells))
        out.append("")
    if rows := figures.get("objectives"):
        out += ["## Objectives beside libsvm, liblinear's family and ridge", "",
                "The sum over classes, one against the others, of mean loss + lambda ||w||^2 on standardised columns, computed here from the coefficients of both. Peers: SVC(kernel=linear, "
                "tol=1e-8), LogisticRegression(newton-cholesky, tol=1e-12), RidgeClassifier(svd). Excess: Inlier over the peer, relative; below zero it is lower than the peer's.", "",
                line("set", "loss", "lambda", "peer", "Inlier", "excess", "status", "processor time"), line(*["---"] * 8)]
        out += [line(r["set"], r["loss"], f"{r['lambda']:g}", f"{r['peer']:.8f}", f"{r['inlier']:.8f}", f"{r['excess']:+.1e}", r["status"], f"{r['seconds']:.2f} s") for r in rows] + [""]
    if rows := figures.get("mnist"):
        out += ["## MNIST from its files", "", "60,000 images learned, 10,000 others scored: `inlier fit METHOD train-images-idx3-ubyte.gz --target label --out digits.npz`, "
                "`inlier score digits.npz t10k-images-idx3-ubyte.gz`. Time is that of the fit, reading included.", "",
                line("method", "accuracy", "log loss", "processor time"), line(*["---"] * 4)]
        out += [line(f"`{r['command']}`", short(r["accuracy"], 4), short(r["log_loss"]), f"{r['seconds']:.0f} s") for r in rows] + [""]
    return "\n".join(out).rstrip() + "\n"


def joined(a, b):
    """Figures of two runs: sets, dirt and methods of both, of what both have the later."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a | {key: joined(a.get(key), v) for key, v in b.items()}
    return a + b if isinstance(a, list) and a and isinstance(a[0], dict) else b


def main():
    figures = {}
    for name in filter(None, args.kept.split(",")):
        for part, kept in json.loads(Path(name).read_text()).items():
            figures[part] = joined(figures.get(part), kept)
    for part, order in (("defaults", SETS), ("labels", LABEL_SETS)):
        if part in figures:
            figures[part] = {s: figures[part][s] for s in order if s in figures[part]}
    for part in [] if args.kept else args.only.split(","):
        {"defaults": measure_defaults, "alike": measure_alike, "labels": measure_labels, "objectives": measure_objectives, "mnist": measure_mnist}[part](figures)
    text = page(figures)
    if args.out:
        Path(args.out).write_text(text)
    else:
        print(text)


if __name__ == "__main__":
    main()
