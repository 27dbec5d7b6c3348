"""What is wrong in a table?"""

import collections
import copy
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
    The check is of the table as it is now; what becomes of it later is nothing to it.
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
        self._paths = [os.fspath(p) for p in data] if isinstance(data, (list, tuple)) and data and isinstance(data[0], (str, os.PathLike)) else None
        if isinstance(data, (str, os.PathLike)):
            self._paths = [os.fspath(data)]
        self._data, self._against = data if self._paths else _own(data), against
        called = {} if self._paths else _called(self._data)

        def named(column):
            return "" if column is None else called.get(column) or str(column)

        self._request = {"target": named(target), "id": named(id), "expect": expect, "seed": seed}
        self._request |= {{"as_": "as"}.get(k, k): v for k, v in reading.items()}
        if isinstance(self._request.get("as"), dict):
            self._request["as"] = {named(k): v for k, v in self._request["as"].items()}
        if self._paths:
            self._request["paths"] = self._paths
        if isinstance(against, (str, os.PathLike)):
            self._request["against"] = os.fspath(against)
        answer = self._look()
        self.summary = answer.result["summary"]
        self.verdict = self.summary["verdict"]
        self._changes = answer.result["changes"] or []
        self._names = answer.result["names"]  # by which the worker calls the columns
        self._rows, self._cells = answer.arrays["rows"].tobytes(), answer.arrays["cells"].tobytes()
        self._page = None

    def _fill(self, frames):
        body = {}
        if not self._paths:
            body["columns"] = [_column(name, values, frames) for name, values in _columns(self._data)]
        if isinstance(self._against, Checked):
            body["from"] = frames.raw(self._against._model())
        return body

    def _look(self):
        answer, worker = _worker.call("check", self._request, fill=self._fill, title="check", again=False)
        self.held(worker, answer.handle)
        return answer

    def restore(self, w):  # a worker that died took it along
        arrays = self._look().arrays
        if {"paths", "against"} & set(self._request) and (arrays["rows"].tobytes(), arrays["cells"].tobytes()) != (self._rows, self._cells):
            self.forget()
            raise _errors.InlierError("the file is not any more what was checked", parameter="paths", hint="check it again")

    def __getstate__(self):
        self.report()
        return {k: v for k, v in self.__dict__.items() if k not in ("_place", "_finalizer")}

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
        return _repaired(self._data, self._changes, self._names)

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

    def close(self):
        """Lets the worker give up the table, with the temporary files of one that does not fit into memory. What was found stays; a page or
        model that is asked for later is made again. An object that is collected is closed."""
        self.forget()

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


def _own(data):
    """The table of which a check is: a copy, where it could be changed."""
    if isinstance(data, dict):
        return {name: copy.copy(values) for name, values in data.items()}
    if hasattr(data, "collect"):  # polars has not read it yet
        return data.collect()
    if hasattr(data, "column_names") and hasattr(data, "to_pandas"):  # of Arrow
        return data.to_pandas()
    if hasattr(data, "to_frame") and not hasattr(data, "columns"):  # a single column
        data = data.to_frame()
    if hasattr(data, "iloc"):
        return data.copy()
    if hasattr(data, "columns"):
        return data
    table = np.array(data)
    if table.ndim != 2:
        raise _errors.InlierError("a table has two dimensions", parameter="data")
    return table


def _labels(data):
    """The names of columns as the caller has them."""
    if isinstance(data, dict):
        return list(data)
    return list(data.columns) if hasattr(data, "columns") else list(range(data.shape[1]))


def _called(data):
    """What the worker is told that columns are called, by the caller's names."""
    called = {}
    for label, (name, _) in zip(_labels(data), _columns(data)):
        called.setdefault(label, name)
    return called


def _columns(data):
    """Names and values of the columns of a table, each name its own."""
    names = _labels(data)
    if isinstance(data, dict):
        values = list(data.values())
    elif hasattr(data, "iloc"):
        values = [data.iloc[:, k] for k in range(data.shape[1])]
    elif hasattr(data, "columns"):
        values = [data[name] for name in names]
    else:
        names, values = [f"x{k + 1}" for k in names], list(data.T)
    made, taken = [], set()
    for k, name in enumerate(names):
        name = plain = str(name).strip() or f"column {k + 1}"
        times = 1
        while name in taken:
            times += 1
            name = f"{plain} ({times})"
        taken.add(name)
        made.append(name)
    return list(zip(made, values))


def _array(values):
    """The values of a column."""
    return values.to_numpy() if hasattr(values, "to_numpy") else np.asarray(values)


def _kind(values):
    """What a column holds, as NumPy calls it, gaps aside."""
    kind = getattr(getattr(values, "dtype", None), "kind", None)
    if hasattr(values, "is_null"):  # of polars
        kind = "i" if values.dtype.is_integer() else None
    return kind if isinstance(kind, str) and kind in "iufbMm" and kind else _array(values).dtype.kind


def _gaps(values):
    """Whole numbers of a column that has gaps, and where these are; None where there are none, or other things."""
    if hasattr(values, "is_null"):
        gone = values.is_null().to_numpy()
        if values.dtype.is_integer() and gone.any():
            return values.fill_null(0).to_numpy(), gone
    elif hasattr(values, "iloc") and not isinstance(values.dtype, np.dtype) and _kind(values) in "iu":
        gone = values.isna().to_numpy()
        if gone.any():
            return values.to_numpy(dtype=np.uint64 if _kind(values) == "u" else np.int64, na_value=0), gone
    return None


def _column(name, values, frames):
    """A column as the worker takes it: numbers as they are, durations in seconds, dates and everything else as text."""
    gaps = _gaps(values)
    array, gone = gaps or (_array(values), None)
    if array.dtype == object and _kind(values) == "f":  # with gaps of pandas' own
        array = values.to_numpy(dtype=np.float64, na_value=np.nan)
    kind = array.dtype.kind
    if kind in "bf":
        return {"name": name, "array": frames.add(array)}
    if kind in "iu" and not (kind == "u" and len(array) and array.max() > np.iinfo(np.int64).max):
        about = {"name": name, "array": frames.add(array.astype(np.int64))}
        if gone is not None:
            about["absent"] = frames.add(gone)
        return about
    if kind == "m":
        return {"name": name, "array": frames.add(array / _tick(array))}
    if kind == "M":
        texts = _shortest(np.datetime_as_string(array))
        texts = [None if t == "NaT" else t for t in texts.tolist()]
    else:
        texts = [_text(v) for v in array.tolist()]
        if gone is not None:
            texts = [None if g else t for t, g in zip(texts, gone.tolist())]
    frames.list.append(json.dumps(texts).encode())
    return {"name": name, "texts": len(frames.list) - 1}


def _tick(durations):
    """What durations are counted in: seconds, but for months and years, which have no length."""
    unit = np.datetime_data(durations.dtype)[0]
    return np.timedelta64(1, unit if unit in "YM" else "s")


def _shortest(texts):
    """Times without the part that is zero in all of them."""
    there = texts[texts != "NaT"]
    for width, rest in ((10, "T00:00:00"), (19, ".")):
        tails = np.array([t[width:] for t in there.tolist()])
        if len(tails) and all(not t.strip("T0:.") for t in tails.tolist()):
            return np.array([t if t == "NaT" else t[:width] for t in texts.tolist()])
    return texts


def _text(v):
    if v is None or type(v).__name__ in ("NAType", "NaTType") or isinstance(v, float) and v != v:
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


def _repaired(data, changes, names):
    by = {}
    for c in changes:
        by.setdefault(c["column"], []).append((c["row"] - 1, c["is"]))
    mended = {k: _mended(values, by[name]) for k, (name, (_, values)) in enumerate(zip(names, _columns(data))) if name in by}
    if isinstance(data, dict):
        return {name: mended.get(k, values) for k, (name, values) in enumerate(data.items())}
    if hasattr(data, "iloc"):
        made = data.copy()
        for k, series in mended.items():
            made.isetitem(k, series)
        return made
    if hasattr(data, "with_columns"):
        return data.with_columns(*mended.values())
    made = np.array(data)
    for k, column in mended.items():
        made = made.astype(np.result_type(made, column), copy=False)
        made[:, k] = column
    return made


def _mended(values, cells):
    """A column with cells set to what their texts say: in its own type where that holds them, and no other cell is touched."""
    places, fresh = [i for i, _ in cells], _fresh(values, [text for _, text in cells])
    if hasattr(values, "iloc"):
        return _mended_pandas(values, places, fresh)
    if hasattr(values, "zip_with"):
        return _mended_polars(values, places, fresh)
    array = np.array(values)
    if array.dtype.kind in "iub" and any(v is None or v != int(v) for v in fresh):
        array = array.astype(object if array.dtype.kind == "b" else np.float64)
    elif array.dtype.kind in "US":
        array = array.astype(object)
    for i, v in zip(places, fresh):
        array[i] = np.nan if v is None and array.dtype.kind == "f" else v
    return array


def _mended_pandas(values, places, fresh):
    made, series = values.copy(), type(values)
    if hasattr(made, "cat"):
        made = made.cat.add_categories([v for v in dict.fromkeys(fresh) if v is not None and v not in made.cat.categories])
    try:
        part = series(fresh, dtype=made.dtype)
        holds = int(part.isna().sum()) == fresh.count(None)
    except (TypeError, ValueError, OverflowError):
        holds = False
    if not holds:  # what was whole, or there, is not any more
        made = made.astype(np.float64 if _kind(values) in "iu" else object)
        part = series(fresh, dtype=made.dtype)
    made.iloc[places] = part.array
    return made


def _mended_polars(values, places, fresh):
    series = type(values)
    new, here = [None] * len(values), np.zeros(len(values), dtype=bool)
    for i, v in zip(places, fresh):
        new[i], here[i] = v, True
    try:
        new = series(values.name, new).cast(values.dtype) if _kind(values) in "Mm" else series(values.name, new, dtype=values.dtype)
    except Exception:  # what was whole is not any more
        new = series(values.name, new)
        values = values.cast(new.dtype)
    return new.zip_with(series(here), values)


def _fresh(values, texts):
    """What texts say, as a column has it; None where nothing is there."""
    kind, array = _kind(values), _array(values)
    if hasattr(values, "cat") and hasattr(values.cat, "categories"):
        kind = values.cat.categories.dtype.kind
    if kind in "iuf":
        return [_number(t) for t in texts]
    if kind == "b":
        return [_TRUTHS.get(t.lower()) for t in texts]
    if kind == "M" and array.dtype.kind == "M":
        return [_or_none(lambda t: np.datetime64(t).item() if hasattr(values, "zip_with") else np.datetime64(t), t) for t in texts]
    if kind == "m":
        one = np.timedelta64(1, np.datetime_data(array.dtype)[0])
        made = [_or_none(lambda t: np.timedelta64(round(float(t) * float(_tick(array) / one)), np.datetime_data(array.dtype)[0]), t) for t in texts]
        return [v if v is None or not hasattr(values, "zip_with") else v.astype("m8[us]").item() for v in made]
    kinds = collections.Counter(type(v) for v in array.tolist() if _text(v) is not None)
    like = kinds.most_common(1)[0][0] if kinds and array.dtype == object else str
    return [_as(like, t) for t in texts]


_TRUTHS = {"true": True, "false": False}


def _as(like, text):
    """A text as a value of a type of Python; as it is where it is none."""
    if not text:
        return None
    if issubclass(like, bool):
        return _TRUTHS.get(text.lower(), text)
    if issubclass(like, (int, float)):
        value = _number(text)
        return text if value is None else like(value) if like(value) == value else value
    if issubclass(like, str):
        return text
    try:
        return like.fromisoformat(text) if hasattr(like, "fromisoformat") else like(text)
    except Exception:
        return text


def _number(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return None


def _or_none(made, text):
    try:
        return made(text) if text else None
    except ValueError:
        return None
