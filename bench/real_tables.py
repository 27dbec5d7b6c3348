"""Checks every CSV file of a folder and counts the rows that are called: python bench/real_tables.py PATH-TO-INLIER FOLDER

Nobody has labelled these tables (real_tables.R writes them): each call is printed with its reason, for a person to read.
"""
import csv, glob, os, subprocess, sys, tempfile

inlier, folder = sys.argv[1:3]
tables = rows = called = silent = 0
with tempfile.TemporaryDirectory() as work:
    for path in sorted(glob.glob(os.path.join(folder, "*.csv"))):
        out = os.path.join(work, "out")
        subprocess.run([inlier, "check", path, "--out", out, "--force", "--quiet"], check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(out, "rows.csv"), encoding="utf-8") as f:
            judged = list(csv.DictReader(f))
        wrong = sorted((r for r in judged if r["wrong"] == "true"), key=lambda r: -float(r["score"]))
        tables, rows, called, silent = tables + 1, rows + len(judged), called + len(wrong), silent + (not wrong)
        if wrong:
            print(f"{os.path.basename(path)[:-4]}: {len(wrong)} of {len(judged)}")
            for r in wrong[:3]:
                print(f"    row {r['row']} {r.get('id') or ''} {r['kind']}: {r['why']}")
print(f"{tables} tables, {rows} rows: {called} rows called ({100 * called / max(rows, 1):.2f} %), none in {silent} tables")
