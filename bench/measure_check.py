"""inlier check beside other programs that name odd rows.

    go build -o inlier ./cmd/inlier
    INLIER_DATA=... python bench/measure_check.py --inlier ./inlier --out docs/measured/check.md

Writes a page of Markdown with four parts:

  planted   orders, sensor logs and tables of INLIER_DATA with mistakes planted by `inlier data`: average precision and
            ROC AUC of the score, precision, recall and F1 of the rows called wrong, how often the guilty cell is named first
  unseen    the same for tables that were kept back until the end
  clean     the share of rows called wrong in tables of nine shapes in which nothing is wrong
  anomaly   the sets of INLIER_DATA/anomaly, whose labels are classes rather than mistakes

Needs scikit-learn, pyod (ECOD) and, for PcaHubert, R with rrcov; DDC takes part where robpy is installed. --seeds 1,2,3 makes other files; --keep DIR keeps
them; --only planted,clean picks parts; --peers FILE.json keeps the peers' figures between runs. Nothing is tuned on either side: everyone
runs at its defaults. inlier check reads the file as it is; the others get its columns as numbers,
missing ones at the median. LOF and MCD get columns over their robust spread.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import average_precision_score, roc_auc_score

import peer_check

parser = argparse.ArgumentParser(description="measure inlier check beside other programs")
parser.add_argument("--inlier", default="./inlier", help="the program")
parser.add_argument("--out", help="page to write (default: standard output)")
parser.add_argument("--only", default="planted,unseen,clean,anomaly")
parser.add_argument("--seeds", default="11,12,13", help="of the generated files")
parser.add_argument("--keep", help="folder for the generated files")
parser.add_argument("--peers", help="JSON file that keeps the peers' figures")
parser.add_argument("--no-ours", action="store_true", help="only the peers")
parser.add_argument("--thin", type=int, default=1, help="so many times fewer draws of clean tables")
parser.add_argument("--figures", help="JSON file for every number")
args = parser.parse_args()

DATA = Path(os.environ["INLIER_DATA"])
FOLDER = Path(args.keep or tempfile.mkdtemp(prefix="check-"))
FOLDER.mkdir(exist_ok=True)
SEEDS = [int(s) for s in args.seeds.split(",")]
REAL = {"wdbc": "classification/wdbc.csv", "vehicle": "classification/vehicle.csv", "concrete": "regression/concrete.csv",
        "winequality": "regression/winequality_red.csv", "boston": "regression/boston_housing.csv"}
# Tables that nobody had looked at while the check was made.
UNSEEN = {"airfoil": "regression/airfoil.csv", "yacht": "regression/yacht.csv", "seeds": "classification/seeds.csv", "ecoli": "classification/ecoli.csv",
          "wine": "classification/wine.csv"}
SHAPES = ["normal", "uniform", "t3", "lognormal", "exponential", "poisson", "groups", "binary", "zero-inflated"]


def run(*words):
    done = subprocess.run([args.inlier, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


class Table:
    """A file, its columns as numbers, and the truth."""

    def __init__(self, name, file, names, X, wrong=None, guilty=None):
        self.name, self.file, self.names, self.X, self.wrong, self.guilty = name, file, names, X, wrong, guilty


def generated(name, recipe, seed, peers=True, **settings):
    at = FOLDER / f"{name}-{seed}"
    sets = [w for k, v in settings.items() for w in ("--set", f"{k}={v}")]
    csv, numbers, truth = f"{at}.csv", f"{at}.npy", f"{at}.truth.csv"
    run("data", "generate", recipe, *sets, "--seed", seed, "--out", csv, "--truth", truth, "--force")
    if peers:
        run("data", "generate", recipe, *sets, "--seed", seed, "--out", numbers, "--force")
    return read(name, csv, None, np.load(numbers) if peers else None, truth)


def planted(name, path, seed):
    at = FOLDER / f"{name}-{seed}"
    run("data", "corrupt", path, "mistakes:0.05", "--drop", "target", "--seed", seed, "--out", f"{at}.csv", "--truth", f"{at}.truth.csv", "--force")
    table = pd.read_csv(f"{at}.csv")
    return read(name, f"{at}.csv", list(table.columns), table.to_numpy(float), f"{at}.truth.csv")


def read(name, csv, names, X, truth):
    t = pd.read_csv(truth, keep_default_na=False, dtype=str)
    wrong = (t.outlier == "true").to_numpy()
    guilty = [set(c.split("+")) - {""} for c in t.column] if "column" in t else None
    return Table(name, csv, names, X, wrong, guilty)


def files():
    for seed in SEEDS:
        yield generated("orders-us", "orders", seed, writing="us", words=0)
        yield generated("orders-europe", "orders", seed, writing="europe", words=0)
        yield generated("sensor-log", "sensor-log", seed)
        for name, path in REAL.items():
            yield planted(name, DATA / path, seed)


def unseen():
    for seed in SEEDS:
        for name, path in UNSEEN.items():
            yield planted(name, DATA / path, seed)


def anomaly():
    for path in sorted((DATA / "anomaly").glob("*.csv")):
        table = pd.read_csv(path)
        X = table.drop(columns="target")
        X.to_csv(FOLDER / f"anomaly-{path.name}", index=False)
        yield Table(path.stem, FOLDER / f"anomaly-{path.name}", list(X.columns), X.to_numpy(float), (table.target == "anomaly").to_numpy())


def clean():
    for n, d, draws in ((1000, 10, 10), (100, 5, 20), (20000, 30, 1)):
        draws = -(-draws // args.thin)
        for shape in SHAPES:
            for factors in (0, 2):
                for k in range(draws):
                    t = generated(f"clean-{shape}-{n}x{d}-{factors}", "clean", SEEDS[0] + 1000 * k, peers=k == 0 and n == 1000, n=n, d=d, shape=shape, factors=factors)
                    t.shape, t.size, t.draws, t.first = shape, f"{n} x {d}", draws, k == 0
                    yield t


def check(table):
    out = f"{table.file}.check"
    told = json.loads(run("check", table.file, "--out", out, "--json", "--force"))
    rows = pd.read_csv(f"{out}/rows.csv")
    cells = pd.read_csv(f"{out}/cells.csv", dtype={"column": str})
    first = {}
    for c in cells.sort_values(["wrong", "score"], ascending=False).itertuples():
        first.setdefault(c.row - 1, c.column)
    return rows.score.to_numpy(float), rows.wrong.astype(str).str.lower().eq("true").to_numpy(), first, told["check_seconds"]


def figures(table, score, flags, first=None):
    f = {"flagged": float(flags.mean())}
    if table.wrong is None or not table.wrong.any():
        return f
    hit = flags & table.wrong
    f.update(ap=average_precision_score(table.wrong, score), auc=roc_auc_score(table.wrong, score), precision=hit.sum() / max(1, flags.sum()),
             recall=hit.sum() / table.wrong.sum())
    f["f1"] = 2 * f["precision"] * f["recall"] / max(1e-9, f["precision"] + f["recall"])
    if first is not None and table.guilty and hit.any():
        f["first"] = float(np.mean([first.get(i) in table.guilty[i] for i in np.nonzero(hit)[0]]))
    return f


def peers(tables, use):
    """Figures of every peer on every table, from the file of an earlier run where it has them."""
    kept = json.loads(Path(args.peers).read_text()) if args.peers and Path(args.peers).exists() else {}
    key = lambda t: Path(t.file).name
    new = [t for t in tables if key(t) not in kept]
    robust = peer_check.hubert([t.X for t in new]) if new and "PcaHubert" in use else [None] * len(new)
    for t, h in zip(new, robust):
        kept[key(t)] = {}
        for name, peer in peer_check.PEERS.items():
            if name not in use:
                continue
            score, flags, cells = peer(t.X)
            first = {i: t.names[j] for i, j in enumerate(cells.argmax(1))} if cells is not None and t.names else None
            kept[key(t)][name] = figures(t, score, flags, first)
        if h:
            kept[key(t)]["PcaHubert"] = figures(t, *h[:2])
        if args.peers:
            Path(args.peers).write_text(json.dumps(kept, indent=1))
    return {key(t): kept[key(t)] for t in tables}


def measure(tables, use):
    tables = list(tables)
    theirs = peers(tables, use)
    rows = []
    for t in tables:
        of = dict(theirs[Path(t.file).name])
        if not args.no_ours:
            score, flags, first, seconds = check(t)
            of = {"inlier check": figures(t, score, flags, first) | {"seconds": seconds}} | of
        rows.append((t, of))
    return rows


def mean(rows, who, what):
    got = [of[who][what] for _, of in rows if what in of.get(who, {})]
    return float(np.mean(got)) if got else float("nan")


def ddc_first(rows):
    first = mean(rows, "DDC", "first")
    return f" (DDC: {100 * first:.0f} %)" if first == first else ""


def table_of(rows, what, form="{:.2f}", best=max):
    """Lines are kinds of files, columns are programs; the best of each line is bold."""
    who = list(rows[0][1])
    lines = ["| | " + " | ".join(who) + " |", "|---|" + "---:|" * len(who)]
    names = list(dict.fromkeys(t.name for t, _ in rows))
    for name in names + ["**mean**"]:
        part = [r for r in rows if name in (r[0].name, "**mean**")]
        values = [mean(part, w, what) for w in who]
        text = [form.format(v) if v == v else "" for v in values]
        top = form.format(best(v for v in values if v == v))
        lines.append(f"| {name} | " + " | ".join(f"**{t}**" if t == top else t for t in text) + " |")
    return "\n".join(lines) + "\n"


def page():
    everyone = [*peer_check.PEERS, "PcaHubert"]
    out, kept = [], {}
    if "planted" in args.only:
        rows = kept["planted"] = measure(files(), everyone)
        out += ["## Planted mistakes\n", f"Means over {len(SEEDS)} files of each kind (seeds {args.seeds}). Average precision of the score:\n", table_of(rows, "ap"),
                "\nF1 of the rows called wrong, with no flag given:\n", table_of(rows, "f1"), "\nPrecision and recall of those rows:\n", table_of(rows, "precision"), "\n", table_of(rows, "recall"),
                "\nROC AUC of the score:\n", table_of(rows, "auc")]
        if not args.no_ours:
            out += [f"\nThe guilty cell is named first in {100 * mean(rows, 'inlier check', 'first'):.0f} % of the wrong rows found{ddc_first(rows)}.\n"]
    if "unseen" in args.only:
        rows = kept["unseen"] = measure(unseen(), everyone)
        out += ["\n## Mistakes in tables that nobody had looked at\n", "Average precision of the score:\n", table_of(rows, "ap"), "\nF1 of the rows called wrong:\n", table_of(rows, "f1"),
                "\nPrecision and recall of those rows:\n", table_of(rows, "precision"), "\n", table_of(rows, "recall")]
        if not args.no_ours:
            out += [f"\nThe guilty cell is named first in {100 * mean(rows, 'inlier check', 'first'):.0f} % of the wrong rows found{ddc_first(rows)}.\n"]
    if "clean" in args.only:
        tables = list(clean())
        own = lambda t: t.size == "1000 x 10" and t.first
        rows = measure([t for t in tables if own(t)], ["LOF", "IsolationForest", "PcaHubert"])
        if not args.no_ours:  # the others take minutes for the large ones
            rows += measure([t for t in tables if not own(t)], [])
        kept["clean"] = rows
        for size in dict.fromkeys(t.size for t, _ in rows):
            part = [r for r in rows if r[0].size == size]
            for t, _ in part:
                t.name = t.shape
            out += [f"\n## Clean tables, {size}\n", "Percent of rows called wrong; nothing is. Means of independent columns and columns with two common causes, "
                    f"{part[0][0].draws} draws of each (the others: the first):\n",
                    table_of([(t, {w: {"flagged": 100 * f["flagged"]} for w, f in of.items()}) for t, of in part], "flagged", "{:.2f}", min)]
            ours = [(100 * of["inlier check"]["flagged"], t.name) for t, of in part if "inlier check" in of]
            if ours:
                out += ["\nThe worst single draw: {:.1f} % ({}).\n".format(*max(ours))]
    if "anomaly" in args.only:
        rows = kept["anomaly"] = measure(anomaly(), ["LOF", "MCD", "IsolationForest", "ECOD", "PcaHubert"])
        out += ["\n## Classes of anomalies\n", "ROC AUC of the score:\n", table_of(rows, "auc"), "\nPercent of rows called wrong:\n",
                table_of([(t, {w: {"flagged": 100 * f["flagged"]} for w, f in of.items()}) for t, of in rows], "flagged", "{:.1f}", min)]
    if args.figures:
        Path(args.figures).write_text(json.dumps({k: [(Path(t.file).name, of) for t, of in rows] for k, rows in kept.items()}, indent=1))
    return "\n".join(out)


HEAD = """# What `inlier check` finds

Made by `INLIER_DATA=... python bench/measure_check.py --inlier ./inlier --out docs/measured/check.md`; the script says what is measured and how. Everybody runs at its defaults.
`inlier check` reads the files as they are; the others get their columns as numbers. The files are made by `inlier data generate orders`, `sensor-log` and `clean`, and
by `inlier data corrupt FILE mistakes:0.05`, which plants slipped decimal points, swapped cells, wrong units and signs, values that are only jointly impossible, and sentinels.

"""
text = HEAD + page()
if args.out:
    Path(args.out).write_text(text)
else:
    print(text)
