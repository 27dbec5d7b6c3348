"""Inlier for Python: learning from dirty data.

Every method of the catalog is an estimator with scikit-learn's conventions, made from the catalog's table; `check` tells what
is wrong in a table. The work is done by the program `inlier` in a process of its own.

    import inlier
    inlier.check(frame)                        # which rows and cells are wrong, why, what was expected
    inlier.RobustPCA(components=3).fit(X)      # components_, mean_, weights_, outliers_, judge(X)
"""

from . import _table
from ._check import Checked, check
from ._errors import InlierError, InlierFault, WorkerDied
from ._progress import set_progress
from ._table import losses, methods
from ._worker import shutdown

globals().update(estimators := _table.estimators())

__all__ = ["check", "losses", "methods", "set_progress", "shutdown", "Checked", "InlierError", "InlierFault", "WorkerDied", *estimators]
