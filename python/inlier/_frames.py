"""Frames in and out, with whichever library of frames there is."""

import sys


class Table(dict):
    """Columns by name, where no library of frames is installed."""

    def __len__(self):
        return max((len(v) for v in self.values()), default=0)


def library(like=None):
    """The library that `like` is of, else pandas, polars or none, of those that are installed."""
    for name in ("polars", "pandas"):
        module = sys.modules.get(name)
        if module is not None and like is not None and isinstance(like, getattr(module, "DataFrame")):
            return module
    for name in ("pandas", "polars"):
        try:
            return __import__(name)
        except ImportError:
            pass
    return None


def frame(columns, like=None, rows=False):
    """Columns as a frame of the library that `like` is of; with its index, where they have one line for each of its rows."""
    lib = library(like)
    if lib is None:
        return Table(columns)
    if lib.__name__ == "pandas":
        n = len(next(iter(columns.values()))) if columns else 0
        return lib.DataFrame(columns, index=like.index[:n] if rows and isinstance(like, lib.DataFrame) else None)
    return lib.DataFrame({k: (v.tolist() if v.dtype == object else v) for k, v in columns.items()})
