"""Every method of the catalog, exported and run by ONNX Runtime, beside the program itself.

python check.py INLIER [METHOD...]    needs numpy and onnxruntime

Numbers of 64 bits must agree to 1e-10 and those of 32 bits to 1e-5 of the size of what is compared, for 0, 1 and 1000
rows; labels and verdicts must be equal but where a row lies on the border for rounding.
"""
import json, os, subprocess, sys, tempfile
import numpy as np
import onnxruntime as ort

inlier, only = sys.argv[1], sys.argv[2:]
folder = tempfile.mkdtemp()
os.chdir(folder)
random = np.random.default_rng(7)
REFUSED = {"pca-cell", "correntropy-pca", "density-peaks"}  # what they compute has no operators


def run(*args, ok=True):
    made = subprocess.run([inlier, *args, "--quiet"], capture_output=True, text=True)
    if ok and made.returncode:
        sys.exit(f"{' '.join(args)}: {made.stderr}")
    return made


def table(path, names, columns):
    with open(path, "w") as f:
        f.write(",".join(names) + "\n")
        for row in zip(*columns):
            f.write(",".join(v if isinstance(v, str) else repr(float(v)) for v in row) + "\n")


def make(n, seed):
    """Columns of unlike units, far from zero; three classes; a number to predict; a few wild rows."""
    r = np.random.default_rng(seed)
    k = r.integers(0, 3, n)
    z = r.normal(size=(n, 3)) + 2.5 * np.eye(3)[k]
    x = z @ np.random.default_rng(1).normal(size=(3, 6)) + 0.3 * r.normal(size=(n, 6))
    y = x @ np.array([1, -2, 0.5, 0, 1, 0.3]) + 0.2 * r.normal(size=n)
    x = x * np.array([1, 100, 0.01, 1, 5, 1]) + np.array([1000, 0, 3, -50, 0, 7])
    x[:: max(n // 20, 2)] += 40
    return x.astype(np.float32).astype(float), y, k


names = [f"x{j}" for j in range(6)]
words = np.array(["red", "green", "blue"])
for path, n, seed in (("train.csv", 400, 3), ("new.csv", 1000, 4)):
    x, y, k = make(n, seed)
    cls = [str(words[c]) for c in k]
    table(path, names + ["y", "class"], [*x.T, y, cls])
    table("rows-" + path, names, [*x.T])
    table("coded-" + path, ["colour", "x0", "grade", "x1", "y"], [cls, x[:, 0], [str(words[(c + i) % 3]) for i, c in enumerate(k)], x[:, 1], y])
fresh = make(1000, 4)[0]
images = np.random.default_rng(5).normal(size=(300, 8, 1)) @ np.random.default_rng(6).normal(size=(300, 1, 6)) + 10
images = (images + 0.1 * np.random.default_rng(8).normal(size=images.shape)).astype(np.float32).astype(float)
np.save("images.npy", images)
np.save("fresh.npy", images[100:])


def read(command, model, data, *flags):
    """What the program prints, as columns."""
    lines = run(command, model, data, *flags).stdout.strip().split("\n")
    head = lines[0].split(",")
    cells = [line.split(",") for line in lines[1:]]
    return {name: [c[j] for c in cells] for j, name in enumerate(head)}


def numbers(columns, prefix):
    return np.array([[float(v) for v in c] for name, c in columns.items() if name.startswith(prefix)]).T


worst = {}


def compare(what, got, want, limit, beside=0):
    got, want = np.asarray(got, float), np.asarray(want, float)
    if got.shape != want.shape:
        sys.exit(f"{what}: shape {got.shape}, want {want.shape}")
    size = max(np.median(np.abs(want)), 1e-300) if want.size else 1
    off = np.max(np.abs(got - want) / np.maximum(np.maximum(np.abs(want), size), beside)) if want.size else 0
    key = what.split()[0]
    worst[key, limit] = max(worst.get((key, limit), 0), off)
    if not off <= limit:
        sys.exit(f"{what}: off by {off:.2g}, allowed {limit:g}")


def same(what, got, want, share):
    off = np.mean(np.asarray(got) != np.asarray(want)) if len(want) else 0
    if off > share:
        sys.exit(f"{what}: {off:.3f} of the rows differ")


def check(what, model, data, feed, task):
    printed = {}
    if task == "reduce":
        printed = {"scores": numbers(read("transform", model, data), "pc"), "reconstruction": numbers(read("reconstruct", model, data), "")}
        judged = read("outliers", model, data)
        printed["orthogonal_distance"] = np.array(judged["orthogonal_distance"], float)
        printed["score_distance"] = np.array(judged["score_distance"], float)
        printed["outlier"] = np.array(judged["outlier"]) == "true"
    else:
        out = read("predict", model, data, "--probabilities")
        if "prediction" in out:
            printed["prediction"] = np.array(out["prediction"], float)
        else:
            printed["label"] = np.array(out["label"])
            if any(c.startswith("score_") for c in out):
                printed["scores"] = numbers(out, "score_")
            if any(c.startswith("probability_") for c in out):
                printed["probabilities"] = numbers(out, "probability_")
    for single in (False, True):
        run("export", model, "--onnx", "m.onnx", *(["--float32"] if single else []))
        session = ort.InferenceSession("m.onnx", providers=["CPUExecutionProvider"])
        limit = 1e-5 if single else 1e-10
        for rows in (1000, 1, 0):
            given = {k: (v if v.dtype == object else v.astype(np.float32 if single else float))[:rows] for k, v in feed.items()}
            made = dict(zip([o.name for o in session.get_outputs()], session.run(None, given)))
            for name, want in printed.items():
                if name == "label" and "label" not in made:  # clusters are told by number
                    made["label"] = made["label_index"].astype(str)
                if want.dtype.kind in "bUO":
                    same(f"{what} {name}", made[name], want[:rows], 0.005 if single else 0)
                else:
                    # what a subspace leaves of a row is known to rounding of the row
                    beside = np.linalg.norm(printed["scores"][:rows], axis=1) if name == "orthogonal_distance" else 0
                    if name == "probabilities":
                        beside = 1
                    compare(f"{what} {name}", made[name], want[:rows], limit, beside)
            if rows == 1:  # a row that is not complete has no answer
                for hole in (np.nan, np.inf):
                    holes = {k: (v if v.dtype == object else np.where(np.arange(v.shape[1]) == 0, hole, v).astype(v.dtype)) for k, v in given.items()}
                    told = dict(zip([o.name for o in session.get_outputs()], session.run(None, holes)))
                    for name, v in told.items():
                        want = {"i": -1, "b": True, "O": ""}.get(v.dtype.kind)
                        if not (np.isnan(v).all() if want is None else (v == want).all()):
                            sys.exit(f"{what}: {name} of a row with {hole} is {v}")
    return session.get_modelmeta().custom_metadata_map


methods = json.loads(run("methods", "--json").stdout)
methods = methods.get("methods", methods) if isinstance(methods, dict) else methods
refused, checked = set(), []
for m in methods:
    name, family = m["name"], m["family"]
    if only and name not in only:
        continue
    feed, data = {"X": fresh}, "rows-new.csv"
    if family == "tensor":
        feed, data = {"X": (images[100:]).reshape(200, -1)}, "fresh.npy"
        variants = [["images.npy", "--set", "rank=3" if name in ("2dpca", "l1-2dpca", "n-2dnpp", "s-2dnpp") else "rank=3x2"]]
        task = "reduce"
    elif "reduce" in m["tasks"]:
        variants, task = [["rows-train.csv"], ["rows-train.csv", "--set", "scaling=robust"]], "reduce"
        variants = [v + ["--set", "components=2"] for v in variants]
    elif "cluster" in m["tasks"]:
        variants, task = [["rows-train.csv", "--set", "clusters=3"]], "predict"
    else:
        task, variants = "predict", []
        if "regress" in m["tasks"]:
            variants.append(["train.csv", "--target", "y", "--drop", "class"])
        if "classify" in m["tasks"]:
            base = ["train.csv", "--target", "class", "--drop", "y"]
            variants += [base]
            parameters = {p["name"]: p for p in m["parameters"]}
            if "kernel" in parameters:
                variants += [base + ["--set", "kernel=rbf"], base + ["--set", "kernel=rbf", "--set", "approximation=fourier"]]
            if "activation" in parameters:
                variants += [base + ["--set", f"activation={a}"] for a in ("tanh", "relu", "sine", "gaussian")]
            if "reduce" in parameters:
                variants += [base + ["--set", "reduce=pca-robust", "--set", "reduce.components=3"]]
    for v in variants:
        run("fit", name, *v, "--out", "m.npz", "--force")
        out = run("export", "m.npz", "--onnx", "m.onnx", ok=False)
        if out.returncode:
            if out.returncode != 2 or not out.stderr.startswith("inlier:"):
                sys.exit(f"{name}: {out.stderr}")
            refused.add(name)
            continue
        about = check(f"{name} {' '.join(v[1:])}", "m.npz", data, feed, task)
        if about["method"] != name:
            sys.exit(f"{name}: the metadata say {about}")
        checked.append(name)
if not only:
    table("one-train.csv", ["a", "class"], [make(400, 3)[0][:, 1], cls[:400]])
    table("one-new.csv", ["a"], [fresh[:, 1]])
    for name in ("logistic", "square"):  # a single column
        run("fit", name, "one-train.csv", "--target", "class", "--out", "m.npz", "--force")
        check(f"one {name}", "m.npz", "one-new.csv", {"X": fresh[:, 1:2]}, "predict")
    for how in ("onehot", "ordinal"):  # text columns are inputs of their own
        run("fit", "linear-robust", "coded-train.csv", "--target", "y", "--categorical", how, "--out", "m.npz", "--force")
        raw = [line.split(",") for line in open("coded-new.csv").read().split("\n")[1:-1]]
        feed = {"X": np.array([[float(r[1]), float(r[3])] for r in raw])}
        feed |= {c: np.array([[r[j]] for r in raw], dtype=object) for c, j in (("colour", 0), ("grade", 2))}
        check(f"coding {how}", "m.npz", "coded-new.csv", feed, "predict")
        run("export", "m.npz", "--onnx", "m.onnx")
        session = ort.InferenceSession("m.onnx", providers=["CPUExecutionProvider"])
        known = session.run(None, feed)[0]
        feed["colour"][3] = "violet"  # has no answer, and leaves the others theirs
        told = session.run(None, feed)[0]
        if not np.array_equal(told, np.where(np.arange(1000) == 3, np.nan, known), equal_nan=True):
            sys.exit(f"coding {how}: a text that is not known")
for limit in (1e-10, 1e-5):
    print(f"worst deviations ({limit:g} allowed):", ", ".join(f"{k} {v:.1e}" for (k, at), v in sorted(worst.items()) if at == limit))
print(f"{len(checked)} models of {len(set(checked))} methods agree; refused: {', '.join(sorted(refused)) or 'none'}")
if not only and refused != REFUSED:
    sys.exit(f"refused {refused}, expected {REFUSED}")
