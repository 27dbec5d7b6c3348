"""What is wrong in a table?"""

import csv
import html
import io
import json
import os

import numpy as np

from . import _errors, _worker
from ._frames import frame


def check(data, *, target=None, id=None, against=None, expect=0, seed=0, **reading):
    """Looks for the rows and cells of a table that are wrong, and tells why and what would have been expected.

    data    -- a frame of pandas or polars, an array, a dict of columns, or the path of a file (or several) of any kind that
               people keep tables in
    target  -- column whose values are held against the rest of their rows
    id      -- column that names the rows
    against -- what an earlier check has found, or the model.npz that it saved: its rows say what is right
    expect  -- share of wrong rows, where it is known
    Further options say how the table is to be read: as_={"zip": "text"}, missing=["?"], sentinels=[-1], sheet="2024", ...
    """
    return Checked(data, target, id, against, expect, seed, reading)


class Checked(_worker.Kept):
    """What is wrong in a table.

    rows    -- a frame with one line per row: `row` (from 0; the words of `why` count from 1, as files do), `score`, `p`, `wrong`,
               `kind`, `why`
    cells   -- a frame of suspicious cells: `row`, `column`, `value`, `expected`, `low`, `high`, `score`, `wrong`, `why`
    verdict -- one sentence
    summary -- everything else, as `inlier check --json` prints it
    """

    def __init__(self, data, target, id, against, expect, seed, reading):
        self._data, self._against = data, against
        self._request = {"target": target or "", "id": id or "", "expect": expect, "seed": seed}
        self._request |= {{"as_": "as"}.get(k, k): v for k, v in reading.items()}
        self._paths = [os.fspath(p) for p in data] if isinstance(data, (list, tuple)) and data and isinstance(data[0], (str, os.PathLike)) else None
        if isinstance(data, (str, os.PathLike)):
            self._paths = [os.fspath(data)]
        if self._paths:
            self._request["paths"] = self._paths
        if isinstance(against, (str, os.PathLike)):
            self._request["against"] = os.fspath(against)
        self._run()

    def _fill(self, frames):
        body = {}
        if not self._paths:
            body["columns"] = [_column(name, values, frames) for name, values in _columns(self._data)]
        if isinstance(self._against, Checked):
            body["from"] = frames.raw(self._against._model())
        return body

    def _run(self):
        answer, worker = _worker.call("check", self._request, fill=self._fill, title="check", again=False)
        self.summary = answer.result["summary"]
        self.verdict = self.summary["verdict"]
        self._changes = answer.result["changes"] or []
        self._rows, self._cells = answer.arrays["rows"].tobytes(), answer.arrays["cells"].tobytes()
        self._page = None
        self.held(worker, answer.handle)

    def restore(self, w):  # a worker that died took it along
        self._run()

    def __getstate__(self):
        self.report()
        return {k: v for k, v in self.__dict__.items() if k not in ("_worker", "_handle", "_finalizer")}

    @property
    def rows(self):
        return _read(self._rows, self._data)

    @property
    def cells(self):
        return _read(self._cells, self._data)

    def wrong(self):
        """The numbers of the wrong rows, from 0."""
        return np.asarray(self.summary["wrong_rows"], dtype=np.int64) - 1

    def changes(self):
        """What `repair` does: a frame with `row`, `column`, `was`, `is`, `why`."""
        keys = ("row", "column", "was", "is", "why")
        columns = {k: np.array([c[k] for c in self._changes], dtype=object) for k in keys}
        columns["row"] = np.array([c["row"] - 1 for c in self._changes], dtype=np.int64)
        return frame(columns, self._data)

    def repair(self):
        """The table with every wrong cell set to what was expected, or emptied where nothing is; a new frame of the same kind."""
        if self._paths:
            raise TypeError("the check read a file: `inlier check FILE --repair` writes it again in its own format")
        return _repaired(self._data, self._changes)

    def report(self):
        """The page for a person, shown in a notebook."""
        if self._page is None:
            self._page = _worker.call("page", model=self).arrays["page"].tobytes().decode()
        return Report(self._page)

    def _model(self):
        return _worker.call("model", model=self).arrays["model"].tobytes()

    def save(self, path, *, force=False):
        """Writes the folder that `inlier check --out` writes: rows.csv, cells.csv, report.html and model.npz. Rows count from 1 there."""
        os.makedirs(path, exist_ok=True)
        files = {"rows.csv": self._rows, "cells.csv": self._cells, "report.html": self.report().html.encode(), "model.npz": self._model()}
        there = [name for name in files if os.path.exists(os.path.join(path, name))]
        if there and not force:
            raise FileExistsError(f"{os.path.join(path, there[0])} is there; force=True replaces it")
        for name, content in files.items():
            whole = os.path.join(path, name)
            with open(whole + ".part", "wb") as f:
                f.write(content)
            os.replace(whole + ".part", whole)
        return path

    def __repr__(self):
        lines = [self.verdict]
        lines += [f"  row {c['row'] - 1}: {c['why']}" for c in self.summary["wrong_cells"][:5]]
        return "\n".join(lines)

    def _repr_html_(self):
        return self.report()._repr_html_()


class Report:
    """A page; its text is `html`."""

    def __init__(self, text):
        self.html = text

    def _repr_html_(self):
        # A frame of its own: the page's styles stay in it.
        return f'<iframe srcdoc="{html.escape(self.html, quote=True)}" style="width:100%;height:40em;border:1px solid #8884" sandbox></iframe>'

    def save(self, path):
        with open(path, "w", encoding="utf-8") as f:
            f.write(self.html)


def _columns(data):
    """Names and values of the columns of a table; the names are those by which the worker calls them, each its own."""
    if isinstance(data, dict):
        names, values = list(data), list(data.values())
    elif hasattr(data, "iloc"):
        names, values = list(data.columns), [data.iloc[:, k] for k in range(data.shape[1])]
    elif hasattr(data, "columns"):
        names, values = list(data.columns), [data[name] for name in data.columns]
    else:
        table = np.asarray(data)
        if table.ndim != 2:
            raise _errors.InlierError("a table has two dimensions", parameter="data")
        names, values = [f"x{k + 1}" for k in range(table.shape[1])], list(table.T)
    made = []
    for k, name in enumerate(names):
        name = plain = str(name).strip() or f"column {k + 1}"
        times = 1
        while name in made:
            times += 1
            name = f"{plain} ({times})"
        made.append(name)
    return list(zip(made, values))


def _array(values):
    """The values of a column; numbers with gaps of pandas' own types as floats."""
    kind = getattr(getattr(values, "dtype", None), "kind", "")
    array = values.to_numpy() if hasattr(values, "to_numpy") else np.asarray(values)
    if array.dtype == object and isinstance(kind, str) and kind and kind in "iuf":
        return values.to_numpy(dtype=np.float64, na_value=np.nan)
    return array


def _column(name, values, frames):
    """A column as the worker takes it: numbers as they are, dates and everything else as text."""
    array = _array(values)
    kind = array.dtype.kind
    if kind == "b":
        return {"name": name, "array": frames.add(array)}
    if kind in "iu":
        return {"name": name, "array": frames.add(array.astype(np.int64))}
    if kind == "f":
        return {"name": name, "array": frames.add(array)}
    if kind in "Mm":
        texts = np.datetime_as_string(array) if kind == "M" else array.astype(str)
        if kind == "M":
            texts = _shortest(texts)
        texts = [None if t == "NaT" else t for t in texts.tolist()]
    else:
        texts = [_text(v) for v in array.tolist()]
    frames.list.append(json.dumps(texts).encode())
    return {"name": name, "texts": len(frames.list) - 1}


def _shortest(texts):
    """Times without the part that is zero in all of them."""
    there = texts[texts != "NaT"]
    for width, rest in ((10, "T00:00:00"), (19, ".")):
        tails = np.array([t[width:] for t in there.tolist()])
        if len(tails) and all(not t.strip("T0:.") for t in tails.tolist()):
            return np.array([t if t == "NaT" else t[:width] for t in texts.tolist()])
    return texts


def _text(v):
    if v is None or type(v).__name__ in ("NAType", "NaTType") or v != v:
        return None
    return v if isinstance(v, str) else str(v)


def _read(text, like):
    """A table of the worker as a frame; rows count from 0 here."""
    table = csv.reader(io.StringIO(text.decode()))
    names = next(table)
    lines = list(table)
    columns = {}
    for k, name in enumerate(names):
        cells = [line[k] for line in lines]
        if name == "row":
            columns[name] = np.array(cells, dtype=np.int64) - 1
        elif name in ("score", "p"):
            columns[name] = np.array([c or "nan" for c in cells], dtype=np.float64)
        elif name == "wrong":
            columns[name] = np.array([c == "true" for c in cells], dtype=bool)
        else:
            columns[name] = np.array(cells, dtype=object)
    return frame(columns, like, rows="column" not in names)


def _repaired(data, changes):
    by = {}
    for c in changes:
        by.setdefault(c["column"], []).append((c["row"] - 1, c["is"]))
    mended = {k: (_mended(_array(values).copy(), by[name]), values) for k, (name, values) in enumerate(_columns(data)) if name in by}
    if isinstance(data, dict):
        return {name: mended[k][0] if k in mended else values for k, (name, values) in enumerate(data.items())}
    if hasattr(data, "iloc"):
        made = data.copy()
        for k, (column, values) in mended.items():
            series = type(values)(column, index=data.index, name=values.name)
            try:
                series = series.astype(values.dtype)
            except (TypeError, ValueError):  # what was whole is not any more
                pass
            made.isetitem(k, series)
        return made
    if hasattr(data, "with_columns"):
        made = data
        for column, values in mended.values():
            series = type(values)(values.name, column.tolist())
            same = series.cast(values.dtype, strict=False)
            made = made.with_columns(same if same.null_count() == series.null_count() and not (series.dtype.is_float() and values.dtype.is_integer()) else series)
        return made
    made = np.array(data)
    for k, (column, _) in mended.items():
        made = made.astype(np.result_type(made, column), copy=False)
        made[:, k] = column
    return made


def _mended(array, cells):
    """A column with cells set to what their texts say, in a type that holds them."""
    kind = array.dtype.kind
    if not cells:
        return array
    if kind in "iuf":
        values = [(i, float(t) if _number(t) else np.nan) for i, t in cells]
        if kind != "f" and any(v != int(v) if v == v else True for _, v in values):
            array = array.astype(np.float64)
    elif kind == "b":
        array = array.astype(object)
        values = [(i, {"true": True, "false": False}.get(t.lower())) for i, t in cells]
    elif kind == "M":
        values = [(i, np.datetime64(t) if t else np.datetime64("NaT")) for i, t in cells]
    else:
        array = array.astype(object)
        values = [(i, t if t else None) for i, t in cells]
    for i, v in values:
        array[i] = v
    return array


def _number(text):
    try:
        float(text)
        return True
    except ValueError:
        return False
