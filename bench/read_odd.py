"""Odd files, and who reads which cells right: inlier, pandas, pyarrow, polars, openpyxl, each at its defaults.

    python bench/read_odd.py --inlier ./inlier [--out docs/measured/check-reading.md] [--only NAME] [--show]

Every file is written from a few lines here, with what its cells mean. A cell is right if the reader returns that
value in that kind: a number, a date or time, a truth, a text, or nothing. pandas sniffs the delimiter (sep=None), polars
parses dates (try_parse_dates); nobody is told anything about a file. What a reader refuses counts as no cell right, and a row
too many or too few takes away as many right cells as it has columns. Names of columns are not compared.
"""
import argparse, datetime as dt, gzip, io, json, math, os, subprocess, sys, tempfile, warnings, zipfile

warnings.simplefilter("ignore")
CASES = {}
N = 24


def case(name):
    def keep(f):
        CASES[name] = f
        return f
    return keep


def num(name, values):
    return name, "number", values


def date(name, values):
    return name, "date", values


def text(name, values):
    return name, "text", values


def truth(name, values):
    return name, "truth", values


D0 = dt.date(2024, 1, 15)
DAYS = [D0 + dt.timedelta(days=5 * i) for i in range(N)]
TIMES = [dt.datetime(2024, 1, 15, 8, 5) + dt.timedelta(minutes=i * 97) for i in range(N)]
X = [round(100 + 37.37 * math.sin(i) + i, 2) for i in range(N)]
BIG = [round(12345.5 * (i % 7 + 1) + i, 2) for i in range(N)]
CITY = [["Rom", "Köln", "Zürich", "Paris"][i * i % 4] for i in range(N)]
KEY = ["K-%03d" % (7 * i + 3) for i in range(N)]


def us(v, d=2):
    return f"{v:,.{d}f}"


def eu(v, d=2, group="."):
    return us(v, d).replace(",", "#").replace(".", ",").replace("#", group)


def rows(names, *columns, d=",", end="\n", head=True):
    lines = [d.join(names)] if head else []
    lines += [d.join(str(c) for c in line) for line in zip(*columns)]
    return end.join(lines) + end


def q(values):
    return ['"%s"' % v for v in values]


def book(fill, **props):
    import openpyxl
    b = openpyxl.Workbook()
    fill(b)
    out = io.BytesIO()
    b.save(out)
    return out.getvalue()


BASE = [text("key", KEY), text("city", CITY), num("x", X)]
PLAIN = rows(["key", "city", "x"], KEY, CITY, X)

# Encodings and ends of lines
case("utf-8 with mark")(lambda: ("a.csv", ("\ufeff" + PLAIN).encode(), BASE))
case("utf-16 with mark")(lambda: ("a.csv", PLAIN.encode("utf-16"), BASE))
case("utf-16 big-endian, no mark")(lambda: ("a.csv", PLAIN.encode("utf-16-be"), BASE))
case("Windows-1252")(lambda: ("a.csv", PLAIN.encode("cp1252"), BASE))
case("both encodings in one file")(lambda: ("a.csv", PLAIN.encode("cp1252") + rows([], KEY, CITY, X, head=False).encode(), [(n, k, v + v) for n, k, v in BASE]))
case("carriage returns alone")(lambda: ("a.csv", PLAIN.replace("\n", "\r").encode(), BASE))
case("CRLF, blank lines between")(lambda: ("a.csv", PLAIN.replace("\n", "\r\n\r\n").encode(), BASE))
case("zeros at the end")(lambda: ("a.csv", PLAIN.encode() + b"\0" * 64, BASE))

# Delimiters and quotes
for title, d in [("semicolons", ";"), ("tabs", "\t"), ("vertical bars", "|"), ("carets", "^")]:
    case(title)(lambda d=d: ("a.csv", rows(["key", "city", "x"], KEY, CITY, X, d=d).encode(), BASE))
case("blanks, aligned")(lambda: ("a.txt", "\n".join("%-8s %-8s %10s" % r for r in [("key", "city", "x"), *zip(KEY, CITY, X)]).encode(), BASE))
case("sep=; of Excel")(lambda: ("a.csv", ("sep=;\r\n" + rows(["key", "city", "x"], KEY, CITY, [eu(v) for v in X], d=";", end="\r\n")).encode(), BASE))
case("line ends and doubled quotes in quotes")(lambda: ("a.csv", rows(["key", "note", "x"], KEY, ['"said ""no"",\nthen left %d"' % i for i in range(N)], X).encode(),
                                                        [text("key", KEY), text("note", ['said "no",\nthen left %d' % i for i in range(N)]), num("x", X)]))
case("a quote that is never closed")(lambda: ("a.csv", rows(["key", "size", "x"], KEY, ['5" pipe' if i % 5 else '"6 pipe' for i in range(N)], X).encode(),
                                              [text("key", KEY), text("size", ['5" pipe' if i % 5 else '"6 pipe' for i in range(N)]), num("x", X)]))
case("every field in quotes, blanks around")(lambda: ("a.csv", rows(['"key"', ' "city"', ' "x"'], q(KEY), [' ' + c for c in q(CITY)], [' ' + c for c in q(X)]).encode(), BASE))
case("delimiter at the end of rows")(lambda: ("a.csv", rows(["key", "city", "x"], KEY, CITY, [f"{v}," for v in X]).encode(), BASE))
case("Markdown table")(lambda: ("a.md", ("| key | city | x |\n|---|---|--:|\n" + "".join(f"| {a} | {b} | {c} |\n" for a, b, c in zip(KEY, CITY, X))).encode(), BASE))


# Numbers
@case("decimal commas, points between thousands")
def _():
    return "a.csv", rows(["key", "x", "big"], KEY, [eu(v) for v in X], [eu(v) for v in BIG], d=";").encode(), [text("key", KEY), num("x", X), num("big", BIG)]


@case("decimal commas between commas, quoted")
def _():
    return "a.csv", rows(["key", "x", "big"], KEY, q([eu(v) for v in X]), q([eu(v) for v in BIG])).encode(), [text("key", KEY), num("x", X), num("big", BIG)]


@case("thousands: commas, blanks, apostrophes")
def _():
    return "a.csv", rows(["us", "fr", "ch"], q([us(v) for v in BIG]), q([eu(v, 2, "\u202f") for v in BIG]), [us(v).replace(",", "'") for v in BIG]).encode(), [num(n, BIG) for n in ("us", "fr", "ch")]


@case("Indian thousands (12,34,567)")
def _():
    v = [1234567 + 100001 * i for i in range(N)]
    def lakh(n):
        s = str(n); head, tail = s[:-3], s[-3:]; parts = []
        while head:
            parts.insert(0, head[-2:]); head = head[:-2]
        return ",".join(parts + [tail])
    return "a.csv", rows(["key", "rs"], KEY, q(["₹" + lakh(n) for n in v])).encode(), [text("key", KEY), num("rs", v)]


@case("currencies before and behind")
def _():
    return "a.csv", rows(["usd", "eur", "chf"], q(["$" + us(v) for v in BIG]), q([eu(v) + " €" for v in BIG]), q(["CHF " + us(v).replace(",", "'") for v in BIG])).encode(), [num(n, BIG) for n in ("usd", "eur", "chf")]


@case("several currencies in one column")
def _():
    return "a.csv", rows(["key", "price"], KEY, q([["$%s", "€%s", "£%s"][i % 3] % us(v) for i, v in enumerate(BIG)])).encode(), [text("key", KEY), num("price", BIG)]


@case("percent, units, degrees")
def _():
    return "a.csv", rows(["p", "w", "t"], [f"{v} %" for v in X], [f"{v}kg" for v in X], [f"{v} °C" for v in X]).encode(), [num(n, X) for n in "pwt"]


@case("negative: brackets, minus behind, typographic minus")
def _():
    v = [x if i % 3 else -x for i, x in enumerate(X)]
    return "a.csv", rows(["a", "b", "c"], [f"({-x})" if x < 0 else x for x in v], [f"{-x}-" if x < 0 else x for x in v], [f"−{-x}" if x < 0 else x for x in v]).encode(), [num(n, v) for n in "abc"]


@case("limits, about, exponents")
def _():
    return "a.csv", rows(["a", "b"], [f"<{x}" if i % 6 == 2 else x for i, x in enumerate(X)], [f"{x * 1e-7:.4e}" for x in X]).encode(), [num("a", X), num("b", [float(f"{x * 1e-7:.4e}") for x in X])]


@case("hexadecimal")
def _():
    v = [4096 + 37 * i * i for i in range(N)]
    return "a.csv", rows(["key", "h"], KEY, [hex(n) for n in v]).encode(), [text("key", KEY), num("h", v)]


@case("codes that begin with 0, numbers of 17 digits")
def _():
    a, b = ["%05d" % (i * i * 37 % 99999) for i in range(N)], [str(12345678901234567 + 11 * i) for i in range(N)]
    return "a.csv", rows(["zip", "card", "x"], a, b, X).encode(), [text("zip", a), text("card", b), num("x", X)]


@case("nine writings of missing")
def _():
    marks = ["", "NA", "n/a", "-", "?", "#N/A", "None", "null", "."]
    return "a.csv", rows(["key", "x"], KEY, [marks[i // 2] if i % 2 and i < 18 else v for i, v in enumerate(X)]).encode(), [text("key", KEY), num("x", [None if i % 2 and i < 18 else v for i, v in enumerate(X)])]


@case("-999 for missing")
def _():
    v = [-999 if i % 7 == 3 else x for i, x in enumerate(X)]
    return "a.csv", rows(["key", "x"], KEY, v).encode(), [text("key", KEY), num("x", [None if x == -999 else x for x in v])]


@case("one text among numbers")
def _():
    return "a.csv", rows(["key", "x"], KEY, ["oops" if i == 9 else v for i, v in enumerate(X)]).encode(), [text("key", KEY), num("x", [None if i == 9 else v for i, v in enumerate(X)])]


@case("truths in words")
def _():
    t = [i * i % 3 == 0 for i in range(N)]
    return "a.csv", rows(["a", "b", "c"], ["yes" if v else "no" for v in t], ["WAHR" if v else "FALSCH" for v in t], ["✓" if v else "✗" for v in t]).encode(), [truth(n, t) for n in "abc"]


# Dates and times
for title, form in [("2024/01/15", "%Y/%m/%d"), ("15.01.2024", "%d.%m.%Y"), ("01/15/2024", "%m/%d/%Y"), ("15/01/2024", "%d/%m/%Y"), ("20240115", "%Y%m%d"), ("15-Jan-24", "%d-%b-%y"), ("Mon, January 15, 2024", "%a, %B %d, %Y")]:
    case("dates: " + title)(lambda form=form: ("a.csv", rows(["day", "x"], q([v.strftime(form) for v in DAYS]), X).encode(), [date("day", DAYS), num("x", X)]))
for title, form in [("2024-01-15T08:05:00Z", "%Y-%m-%dT%H:%M:%SZ"), ("15.01.2024 08:05 Uhr", "%d.%m.%Y %H:%M Uhr"), ("1/15/2024 8:05 AM", "%m/%d/%Y %I:%M %p"), ("15/Jan/2024:08:05:00 +0000", "%d/%b/%Y:%H:%M:%S +0000")]:
    case("times: " + title)(lambda form=form: ("a.csv", rows(["at", "x"], [v.strftime(form) for v in TIMES], X).encode(), [date("at", TIMES), num("x", X)]))


@case("dates: 15. März 2024")
def _():
    m = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()
    return "a.csv", rows(["day", "x"], [f"{v.day}. {m[v.month - 1]} {v.year}" for v in DAYS], X).encode(), [date("day", DAYS), num("x", X)]


@case("dates: quarters and months")
def _():
    a = [dt.date(2020 + i // 4, 3 * (i % 4) + 1, 1) for i in range(N)]
    b = [dt.date(2020 + i // 12, i % 12 + 1, 1) for i in range(N)]
    return "a.csv", rows(["quarter", "month", "x"], [f"{v.year}-Q{v.month // 3 + 1}" for v in a], [v.strftime("%Y-%m") for v in b], X).encode(), [date("quarter", a), date("month", b), num("x", X)]


@case("times of day and durations")
def _():
    a, b = [v.time() for v in TIMES], [dt.timedelta(hours=20 + i, minutes=3 * i) for i in range(N)]
    return "a.csv", rows(["at", "took"], [v.strftime("%H:%M") for v in TIMES], ["%d:%02d:00" % (20 + i + 3 * i // 60, 3 * i % 60) for i in range(N)]).encode(), [date("at", a), date("took", b)]


# Around the table
@case("title, blank line, remarks above")
def _():
    return "a.csv", ("Report of March;;\nprinted by Miller;;\n\n" + rows(["key", "city", "x"], KEY, CITY, [eu(v) for v in X], d=";")).encode(), BASE


@case("total and remark below")
def _():
    return "a.csv", (PLAIN + f"Total,,{sum(X):.2f}\n\nSource: our own\n").encode(), BASE


@case("units below the header")
def _():
    return "a.csv", ("key,depth,speed\n,m,m/s\n" + rows([], KEY, X, X, head=False)).encode(), [text("key", KEY), num("depth", X), num("speed", X)]


@case("names in two lines")
def _():
    return "a.csv", (",size,,weight,\nkey,min,max,min,max\n" + rows([], KEY, X, X, X, X, head=False)).encode(), [text("key", KEY), num("size min", X), num("size max", X), num("weight min", X), num("weight max", X)]


@case("header repeated every ten rows")
def _():
    lines = PLAIN.splitlines()
    return "a.csv", "\n".join(l for i, l in enumerate(lines) for l in ([lines[0]] if i % 10 == 0 and i else []) + [l]).encode(), BASE


@case("doubled and empty names")
def _():
    return "a.csv", rows(["key", "x", "x", ""], KEY, X, X, X).encode(), [text("key", KEY), num("x", X), num("x (2)", X), num("column4", X)]


@case("no header")
def _():
    return "a.csv", rows([], KEY, CITY, X, head=False).encode(), [text("x1", KEY), text("x2", CITY), num("x3", X)]


@case("row names of R: one name less")
def _():
    return "a.csv", ("city x\n" + rows([], q(KEY), q(CITY), X, d=" ", head=False)).encode(), [text("", KEY), text("city", CITY), num("x", X)]


@case("ragged rows")
def _():
    lines = PLAIN.splitlines()
    lines[5] = lines[5].rsplit(",", 1)[0]
    lines[9] += ",extra"
    x = [None if i == 4 else v for i, v in enumerate(X)]
    return "a.csv", "\n".join(lines).encode(), [text("key", KEY), text("city", CITY), num("x", x)]


@case("years as names of columns")
def _():
    return "a.csv", rows(["country", "2019", "2020", "2021"], CITY, X, X, X).encode(), [text("country", CITY), num("2019", X), num("2020", X), num("2021", X)]


# JSON
REC = [{"key": a, "city": b, "x": c} for a, b, c in zip(KEY, CITY, X)]
case("JSON: records")(lambda: ("a.json", json.dumps(REC).encode(), BASE))
case("JSON lines, blank ones between")(lambda: ("a.jsonl", "\n\n".join(json.dumps(r) for r in REC).encode(), BASE))
case("JSON: columns")(lambda: ("a.json", json.dumps({"key": KEY, "city": CITY, "x": X}).encode(), BASE))
case("JSON: columns of indexed cells (pandas)")(lambda: ("a.json", json.dumps({n: {str(i): v for i, v in enumerate(c)} for n, _, c in BASE}).encode(), BASE))
case('JSON: {"data": [...]}')(lambda: ("a.json", json.dumps({"status": "ok", "count": N, "data": REC}).encode(), BASE))
case("JSON: split (columns, data)")(lambda: ("a.json", json.dumps({"columns": ["key", "city", "x"], "index": list(range(N)), "data": [[a, b, c] for a, b, c in zip(KEY, CITY, X)]}).encode(), BASE))
case("JSON: rows as lists, names first")(lambda: ("a.json", json.dumps([["key", "city", "x"]] + [[a, b, c] for a, b, c in zip(KEY, CITY, X)]).encode(), BASE))
case("JSON: nested one deep")(lambda: ("a.json", json.dumps([{"key": r["key"], "at": {"city": r["city"], "x": r["x"]}} for r in REC]).encode(), [text("key", KEY), text("at.city", CITY), num("at.x", X)]))
case("JSON: objects by key")(lambda: ("a.json", json.dumps({r["key"]: {"city": r["city"], "x": r["x"]} for r in REC}).encode(), BASE))
case("JSON: GeoJSON")(lambda: ("a.json", json.dumps({"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"city": r["city"], "x": r["x"]}} for r in REC]}).encode(),
                               [text("type", ["Feature"] * N), text("properties.city", CITY), num("properties.x", X)]))


# Packed
def zipped(*members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for name, data in members:
            z.writestr(name, data)
    return out.getvalue()


case("gzip")(lambda: ("a.csv.gz", gzip.compress(PLAIN.encode()), BASE))
case("gzip of two members")(lambda: ("a.csv.gz", gzip.compress(PLAIN.encode()) + gzip.compress(rows([], KEY, CITY, X, head=False).encode()), [(n, k, v + v) for n, k, v in BASE]))
case("zip with a readme")(lambda: ("a.zip", zipped(("readme.txt", "about"), ("folder/a.csv", PLAIN)), BASE))
case("zip of two tables")(lambda: ("a.zip", zipped(("a.csv", PLAIN), ("b.csv", PLAIN)), [(n, k, v + v) for n, k, v in BASE]))
case("zip with a workbook in it")(lambda: ("a.zip", zipped(("a.xlsx", book(lambda b: fill(b.active))),), BASE))


# Workbooks
def fill(s, top=0, left=0):
    for j, (name, _, values) in enumerate(BASE):
        s.cell(top + 1, left + j + 1, name)
        for i, v in enumerate(values):
            s.cell(top + i + 2, left + j + 1, v)


case("XLSX: plain")(lambda: ("a.xlsx", book(lambda b: fill(b.active)), BASE))
case("XLSX: empty rows and columns first")(lambda: ("a.xlsx", book(lambda b: fill(b.active, 4, 2)), BASE))


@case("XLSX: dates, times, both epochs")
def _():
    def make(b):
        import openpyxl.utils.datetime as u
        b.epoch = u.CALENDAR_MAC_1904
        s = b.active
        s.append(["day", "at", "x"])
        for r in zip(DAYS, TIMES, X):
            s.append(r)
    return "a.xlsx", book(make), [date("day", DAYS), date("at", TIMES), num("x", X)]


@case("XLSX: title, merged header, hidden rows")
def _():
    def make(b):
        s = b.active
        s["A1"] = "Report of March"
        s.merge_cells("A1:E1")
        for j, v in enumerate(["key", "size", None, "weight", None]):
            s.cell(3, j + 1, v)
        s.merge_cells("A3:A4"); s.merge_cells("B3:C3"); s.merge_cells("D3:E3")
        for j, v in enumerate([None, "min", "max", "min", "max"]):
            if v:
                s.cell(4, j + 1, v)
        for i in range(N):
            for j, v in enumerate([KEY[i], X[i], X[i], X[i], X[i]]):
                s.cell(5 + i, j + 1, v)
        s.row_dimensions[7].hidden = True
    return "a.xlsx", book(make), [text("key", KEY), num("size min", X), num("size max", X), num("weight min", X), num("weight max", X)]


@case("XLSX: merged groups of rows")
def _():
    group = [["north", "south", "west"][i // 8] for i in range(N)]
    def make(b):
        s = b.active
        s.append(["group", "key", "x"])
        for i in range(N):
            s.append([group[i] if i % 8 == 0 else None, KEY[i], X[i]])
        for k in range(3):
            s.merge_cells(start_row=2 + 8 * k, end_row=9 + 8 * k, start_column=1, end_column=1)
    return "a.xlsx", book(make), [text("group", group), text("key", KEY), num("x", X)]


@case("XLSX: percent, money, errors, truths")
def _():
    def make(b):
        s = b.active
        s.append(["share", "price", "bad", "ok"])
        for i, v in enumerate(X):
            s.append([v / 100, v, "#N/A" if i == 3 else "#DIV/0!" if i == 5 else v, i % 3 == 0])
            s.cell(i + 2, 1).number_format = "0.0%"
            s.cell(i + 2, 2).number_format = '#,##0.00 "€"'
    return "a.xlsx", book(make), [num("share", [v / 100 for v in X]), num("price", X), num("bad", [None if i in (3, 5) else v for i, v in enumerate(X)]), truth("ok", [i % 3 == 0 for i in range(N)])]


@case("XLSX: texts that are numbers, second sheet")
def _():
    def make(b):
        b.active.title = "About"
        s = b.create_sheet("Data")
        s.append(["zip", "price", "x"])
        for i, v in enumerate(X):
            s.append(["%05d" % (i * 37), eu(BIG[i]) + " €", v])
    return "a.xlsx", book(make), [text("zip", ["%05d" % (i * 37) for i in range(N)]), num("price", BIG), num("x", X)]


@case("XLSX: formulas with their values")
def _():
    def make(b):
        s = b.active
        s.append(["key", "x", "twice"])
        for i, v in enumerate(X):
            s.append([KEY[i], v, f"=2*B{i + 2}"])
    data, out = book(make), io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as z, zipfile.ZipFile(out, "w") as w:  # openpyxl writes no values: put them in
        for n in z.namelist():
            t = z.read(n)
            if n.endswith("sheet1.xml"):
                t = t.decode()
                for i, v in enumerate(X):
                    t = t.replace(f"<f>2*B{i + 2}</f><v></v>", f"<f>2*B{i + 2}</f><v>{2 * v!r}</v>").replace(f"<f>2*B{i + 2}</f><v />", f"<f>2*B{i + 2}</f><v>{2 * v!r}</v>").replace(f"<f>2*B{i + 2}</f><v/>", f"<f>2*B{i + 2}</f><v>{2 * v!r}</v>")
                t = t.encode()
            w.writestr(n, t)
    return "a.xlsx", out.getvalue(), [text("key", KEY), num("x", X), num("twice", [2 * v for v in X])]


# What is harder: made to find where reading ends
case("hard: two characters between fields (||)")(lambda: ("a.csv", rows(["key", "city", "x"], KEY, CITY, X, d="||").encode(), BASE))
case("hard: remarks that begin with //")(lambda: ("a.csv", ("// made by hand\n// on Monday, at noon\n" + PLAIN).encode(), BASE))
case("hard: Cyrillic, Windows-1251")(lambda: ("a.csv", rows(["key", "city", "x"], KEY, ["Москва" if i % 2 else "Киев" for i in range(N)], X).encode("cp1251"),
                                              [text("key", KEY), text("city", ["Москва" if i % 2 else "Киев" for i in range(N)]), num("x", X)]))
case("hard: Japanese, Shift-JIS")(lambda: ("a.csv", rows(["key", "city", "x"], KEY, ["東京" if i % 2 else "大阪" for i in range(N)], X).encode("shift-jis"),
                                           [text("key", KEY), text("city", ["東京" if i % 2 else "大阪" for i in range(N)]), num("x", X)]))
case("hard: decimal commas with exponents")(lambda: ("a.csv", rows(["key", "x"], KEY, [("%.4E" % v).replace(".", ",") for v in X], d=";").encode(), [text("key", KEY), num("x", [float("%.4E" % v) for v in X])]))
case("hard: 3.4k and 1.2M")(lambda: ("a.csv", rows(["key", "x"], KEY, [f"{v}k" if i % 2 else f"{v}M" for i, v in enumerate(X)]).encode(), [text("key", KEY), num("x", [v * (1e3 if i % 2 else 1e6) for i, v in enumerate(X)])]))
case("hard: kg and g in one column")(lambda: ("a.csv", rows(["key", "w"], KEY, [f"{v} kg" if i % 4 else f"{v * 1000:.0f} g" for i, v in enumerate(X)]).encode(), [text("key", KEY), num("w", X)]))
case("hard: digits of Arabic")(lambda: ("a.csv", rows(["key", "x"], KEY, [str(i * i + 10).translate({48 + k: 0x660 + k for k in range(10)}) for i in range(N)]).encode(), [text("key", KEY), num("x", [i * i + 10 for i in range(N)])]))
case("hard: fractions (1 1/2)")(lambda: ("a.csv", rows(["key", "x"], KEY, [f"{i + 1} 1/2" if i % 2 else f"{i + 1} 3/4" for i in range(N)]).encode(), [text("key", KEY), num("x", [i + 1.5 if i % 2 else i + 1.75 for i in range(N)])]))
case("hard: Polish months")(lambda: ("a.csv", rows(["day", "x"], [f"{v.day} {['stycznia', 'lutego', 'marca', 'kwietnia', 'maja', 'czerwca'][v.month - 1]} {v.year}" for v in DAYS], X).encode(), [date("day", DAYS), num("x", X)]))


@case("hard: day first, and no day beyond 12, unsorted")
def _():
    v = [dt.date(2024, 1 + i * 7 % 12, 1 + i * 5 % 12) for i in range(N)]
    return "a.csv", rows(["day", "x"], [d.strftime("%d/%m/%Y") for d in v], X).encode(), [date("day", v), num("x", X)]


@case("hard: one group above two of three names")
def _():
    return "a.csv", (",size,\nkey,min,max\n" + rows([], KEY, X, X, head=False)).encode(), [text("key", KEY), num("size min", X), num("size max", X)]


@case("hard: subtotals between groups")
def _():
    lines = rows([], KEY, CITY, X, head=False).splitlines()
    out = ["key,city,x"]
    for k in range(0, N, 8):
        out += lines[k:k + 8] + [f"Subtotal,,{sum(X[k:k + 8]):.2f}"]
    return "a.csv", "\n".join(out).encode(), BASE


@case("hard: a second table below the first")
def _():
    return "a.csv", (PLAIN + "\n\nperson,age\nAnna,31\nBen,45\n").encode(), BASE


@case("hard: XLSX, a sheet for each month")
def _():
    def make(b):
        fill(b.active)
        fill(b.create_sheet("February"))
    return "a.xlsx", book(make), [(n, k, v + v) for n, k, v in BASE]


@case("hard: HTML table called .xls")
def _():
    t = "".join("<tr>" + "".join(f"<td>{c}</td>" for c in r) + "</tr>" for r in [("key", "city", "x"), *zip(KEY, CITY, X)])
    return "a.xls", f"<html><body><table>{t}</table></body></html>".encode(), BASE


@case("hard: days as Excel counts them, in CSV")
def _():
    return "a.csv", rows(["day", "x"], [(v - dt.date(1899, 12, 30)).days for v in DAYS], X).encode(), [date("day", DAYS), num("x", X)]


# Readers: a list of columns, each a list of cells.
def by_inlier(path, binary):
    with tempfile.TemporaryDirectory() as d:
        made = json.loads(subprocess.run([binary, "check", path, "--json", "--quiet", "--out", d + "/c"], capture_output=True, check=True).stdout)
    head = json.loads(subprocess.run([binary, "data", "head", path, "--json", "--quiet", "--tolerant", "-n", "100000"], capture_output=True, check=True).stdout)
    out = []
    for c in made["columns"]:
        cells = [r.get(c["name"]) for r in head["rows"]]
        if c["read_as"] == "date":
            cells = [moment(v) for v in cells]
        elif c["read_as"] in ("id", "category", "text"):
            cells = [None if v is None else str(v) if not isinstance(v, float) or v != int(v) else str(int(v)) for v in cells]
        out.append(cells)
    return out


def moment(s):
    if not s:
        return None
    s = s.rstrip("Z").replace("T", " ")
    if ":" in s and "-" not in s:
        h, m, *rest = s.split(":")
        return dt.timedelta(hours=int(h), minutes=int(m), seconds=float(rest[0]) if rest else 0)
    return dt.datetime.fromisoformat(s)


def frame(f):
    return [f[:, j].to_list() for j in range(f.shape[1])] if hasattr(f, "to_dicts") else [f.iloc[:, j].tolist() for j in range(f.shape[1])]


def by_pandas(path, _):
    import pandas as pd
    if path.endswith("xlsx"):
        return frame(pd.read_excel(path))
    if path.endswith("jsonl"):
        return frame(pd.read_json(path, lines=True))
    if path.endswith("json"):
        return frame(pd.read_json(path))
    return frame(pd.read_csv(path, sep=None, engine="python"))


def by_pyarrow(path, _):
    import pyarrow.csv, pyarrow.json
    t = pyarrow.json.read_json(path) if "json" in path else pyarrow.csv.read_csv(path)
    return [c.to_pylist() for c in t.columns]


def by_polars(path, _):
    import polars as pl
    if path.endswith("jsonl"):
        return frame(pl.read_ndjson(path))
    if path.endswith("json"):
        return frame(pl.read_json(path))
    return frame(pl.read_csv(path, try_parse_dates=True))


def by_openpyxl(path, _):
    import openpyxl
    lines = list(openpyxl.load_workbook(path, data_only=True).active.iter_rows(values_only=True))
    return [list(c) for c in zip(*lines[1:])]


READERS = {"inlier": by_inlier, "pandas": by_pandas, "pyarrow": by_pyarrow, "polars": by_polars, "openpyxl": by_openpyxl}


def right(kind, want, got):
    if got is not None and not isinstance(got, (list, dict)) and got != got:
        got = None
    if want is None:
        return got is None or got == ""
    if kind == "number":
        return isinstance(got, (int, float)) and not isinstance(got, bool) and abs(got - want) <= 1e-9 * abs(want) + 1e-12
    if kind == "truth":
        return got in (0, 1) and bool(got) == want
    if kind == "text":
        return isinstance(got, str) and got.strip().replace("\n", " ") == want.strip().replace("\n", " ")
    if isinstance(want, dt.time):
        want = dt.timedelta(hours=want.hour, minutes=want.minute, seconds=want.second)
    if isinstance(got, dt.time):
        got = dt.timedelta(hours=got.hour, minutes=got.minute, seconds=got.second)
    if isinstance(want, dt.timedelta):
        return got == want
    if not isinstance(got, dt.date):
        return False
    if not isinstance(got, dt.datetime):
        got = dt.datetime(got.year, got.month, got.day)
    if not isinstance(want, dt.datetime):
        want = dt.datetime(want.year, want.month, want.day)
    return got.replace(tzinfo=None) == want


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--inlier", default="./inlier")
    p.add_argument("--out")
    p.add_argument("--only", default="")
    p.add_argument("--show", action="store_true")
    p.add_argument("--keep", help="folder to write the files to")
    a = p.parse_args()
    table, sums = [], {g: {r: [0, 0, 0, 0] for r in READERS} for g in ("mended for", "hard")}
    for number, (name, make) in enumerate(CASES.items()):
        if a.only not in name:
            continue
        file, data, want = make()
        line = [name]
        with tempfile.TemporaryDirectory() as d:
            if a.keep:
                d = os.path.join(a.keep, "%02d" % number)
                os.makedirs(d, exist_ok=True)
            path = os.path.join(d, file)
            open(path, "wb").write(data)
            for reader, read in READERS.items():
                if file.endswith("xlsx") != (reader == "openpyxl") and reader not in ("inlier", "pandas"):
                    line.append("")
                    continue
                cells = sum(len(v) for _, _, v in want)
                try:
                    got, why = read(path, a.inlier), ""
                except subprocess.CalledProcessError as e:
                    got, why = [], e.stderr.decode()
                except BaseException as e:
                    got, why = [], repr(e)
                good = 0
                for j, (_, kind, values) in enumerate(want):
                    column = got[j] if j < len(got) else []
                    good += sum(i < len(column) and right(kind, v, column[i]) for i, v in enumerate(values))
                if len(got) > 0 and len(got[0]) != len(want[0][2]):  # rows that are none
                    good = max(0, good - abs(len(got[0]) - len(want[0][2])) * len(want))
                if good < cells and (a.show or a.only) and reader == "inlier":
                    print(name, why.strip() or [(n, k, v[:4], (got[j] if j < len(got) else [])[:4]) for j, (n, k, v) in enumerate(want)], file=sys.stderr)
                s = sums["hard" if name.startswith("hard") else "mended for"][reader]
                s[0] += good
                s[1] += cells
                s[2] += good == cells
                s[3] += 1
                line.append("all" if good == cells else "%.0f %%" % (100 * good / cells - 0.5) if good else "none")
        table.append(line)
    out = ["| file | " + " | ".join(READERS) + " |", "|---|" + "---:|" * len(READERS)]
    out += ["| " + " | ".join(c.replace("|", "\\|") for c in l) + " |" for l in table]
    for group, of in sums.items():
        out.append(f"| **files read whole, {group}** | " + " | ".join(f"{s[2]} of {s[3]}" for s in of.values()) + " |")
        out.append(f"| **cells right, {group}** | " + " | ".join("%.0f %%" % (100 * s[0] / max(s[1], 1)) for s in of.values()) + " |")
    body = "\n".join(out) + "\n"
    if not a.out:
        print(body)
        return
    old = open(a.out).read()
    head = old[:old.index("| file |")]
    open(a.out, "w").write(head + body)


main()
