"""What can go wrong, as exceptions."""

import re


class InlierError(ValueError):
    """A mistake in what was asked for or in the data.

    parameter -- the estimator's parameter that is meant, or None
    row       -- the row of the table, from 0, or None
    column    -- its column, by name or number from 0, or None
    hint      -- what would be right, or None
    """

    def __init__(self, message, *, parameter=None, row=None, column=None, hint=None):
        super().__init__(f"{message}; {hint}" if hint else message)
        self.problem, self.parameter, self.row, self.column, self.hint = message, parameter, row, column, hint

    def __reduce__(self):
        return _restore, (type(self), self.problem, {k: getattr(self, k) for k in ("parameter", "row", "column", "hint")})


def _restore(kind, message, about):
    return kind(message, **about)


class InlierFault(RuntimeError):
    """A bug of the program, with where it happened in `trace`."""

    def __init__(self, message, trace=None):
        super().__init__(message)
        self.trace = trace


class WorkerDied(RuntimeError):
    """The worker process has ended. The next call starts another."""


def spelled(name, job):
    """A parameter of a job as Python writes it."""
    if not name:
        return None
    name = name.removeprefix("parameters.").replace("-", "_")
    if name.startswith("reduce."):
        return "reduce_params"
    if job == "check":
        return {"as": "as_"}.get(name, name)
    return {"lambda": "lambda_", "target": "y", "seed": "random_state", "weights": "sample_weight"}.get(name, name)


def exception(failure, job, names=None):
    """The exception of a failure that the worker tells."""
    kind, problem = failure["kind"], failure["problem"]
    if kind == "memory":
        return MemoryError(problem)
    if kind != "input":
        return InlierFault(problem, failure.get("trace"))
    row, column = failure.get("row"), failure.get("column")
    if column is None and failure.get("place"):
        column = failure["place"] - 1
        if names is not None and column < len(names):
            column = names[column]
    if row and job != "check":  # of which the words count as files do
        problem = re.sub(rf"\brow {row}\b", f"row {row - 1}", problem)
    value = {"nan": " (NaN)", "inf": " (inf)", "-inf": " (-inf)"}.get(failure.get("value"), "")
    return InlierError(problem + value, parameter=spelled(failure.get("parameter"), job), row=row - 1 if row else None, column=column, hint=failure.get("hint"))
