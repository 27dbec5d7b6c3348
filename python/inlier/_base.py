"""What estimators share: from scikit-learn's conventions to the worker's jobs and back."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, ClassNamePrefixFeaturesOutMixin, ClusterMixin, RegressorMixin, TransformerMixin
from sklearn.utils import check_random_state, column_or_1d
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from . import _errors, _worker
from ._frames import frame

# Arrays of model files that scikit-learn knows by another name.
_RENAMED = {"explained_variance_": "eigenvalues", "cluster_centers_": "centers"}


class Estimator(BaseEstimator):
    """A method of the catalog."""

    _method = _family = _task = None
    _parameters, _takes_task, _probabilities = (), False, False

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = getattr(self, "missing", None) == "fit"
        return tags

    def __sklearn_is_fitted__(self):
        return "model_" in self.__dict__

    def __getattr__(self, name):
        model = self.__dict__.get("model_")
        if model is not None and name.endswith("_") and not name.startswith("_"):
            array = _RENAMED.get(name, name[:-1])
            if array in model.arrays and array != "meta.json":
                return self._convention(name, model.arrays[array])
            if name in ("n_iter_", "status_", "objective_", "warnings_", "numbers_"):
                return model.about.get({"n_iter_": "steps"}.get(name, name[:-1]))
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _convention(self, name, array):
        return array

    def _coefficients(self, name):
        """Coefficients, or intercepts, of a linear model in the units of the columns of X."""
        linear = _linear(self.model_.arrays)
        if linear is None:
            raise AttributeError(f"{name} is there for models that are linear in the columns of X alone; model_.arrays[{name[:-1]!r}] are those of what this one makes of them")
        return linear[name == "intercept_"]

    def __dir__(self):
        names = set(super().__dir__())
        if (model := self.__dict__.get("model_")) is not None:
            known = {v: k for k, v in _RENAMED.items()}
            names.update(known.get(a, a + "_") for a in model.arrays.files if a != "meta.json")
        return sorted(names)

    # Fitting.

    def _request(self):
        parameters = {}
        for p in self._parameters:
            if p.name == "random_state":
                continue
            value = getattr(self, p.name)
            if p.name == "reduce_params":
                if value is not None and not hasattr(value, "items"):
                    raise _errors.InlierError(f"reduce_params={value!r:.80} is no dict", parameter="reduce_params", hint="such as {'components': 5}")
                parameters.update({"reduce." + k.replace("_", "-"): {True: "on", False: "off"}[v] if isinstance(v, bool) else str(v) for k, v in (value or {}).items()})
                continue
            text = p.write(value)
            if text is not None:
                parameters[p.text] = text
        if self._takes_task:
            parameters["task"] = self._task
        request = {"method": self._method, "parameters": parameters, "seed": 1}
        if (loss := parameters.pop("loss", None)) is not None:
            request["loss"] = loss
        if self.random_state is not None:
            seed = self.random_state
            request["seed"] = int(seed) if isinstance(seed, (int, np.integer)) and seed >= 0 else int(check_random_state(seed).randint(1 << 31))
        return request

    def _table(self, X, y=None, *, reset, **checks):
        """X as the worker takes it, with y where there is one."""
        shape = None
        if reset:  # a model of other columns or classes answers no more, also where this fit fails
            self.__dict__.pop("model_", None)
        if self._family == "tensor":
            if getattr(X, "ndim", 2) > 2:
                shape = list(X.shape[1:])
                if not reset and shape != (known := list(self.model_.arrays["mean"].shape)):
                    raise _errors.InlierError(f"samples of {_times(shape)} numbers; the model was fitted to {_times(known)}", parameter="X")
                X = np.asarray(X).reshape(len(X), int(np.prod(shape)))
            elif self.shape == "auto" and reset:
                shape = [1, -1]
        if not reset and type(X) is np.ndarray and X.ndim == 2 and X.dtype == np.float64 and X.shape[1] == self.n_features_in_ and len(X) and "feature_names_in_" not in self.__dict__:
            return self._finite(X), None, None
        given = {} if y is None and not reset else {"y": y}
        out = validate_data(self, X, reset=reset, dtype="numeric", ensure_all_finite=False, **given, **checks)
        X, y = out if isinstance(out, tuple) else (out, None)
        if shape == [1, -1]:  # rows without a shape are images of one row
            shape = [1, X.shape[1]]
        return self._finite(X), y, shape

    def _finite(self, X):
        if X.dtype.kind != "f":
            return X
        with np.errstate(all="ignore"):
            whole = X.sum(dtype=np.float64 if X.dtype.itemsize < 4 else None)
        if not np.isfinite(whole):  # one of them is not, or they are large
            bad = np.argwhere(np.isinf(X) if self.__sklearn_tags__().input_tags.allow_nan else ~np.isfinite(X))
            if len(bad):
                i, j = map(int, bad[0])
                names = self.__dict__.get("feature_names_in_")
                column = j if names is None else names[j]
                what = "NaN" if np.isnan(X[i, j]) else "inf"
                raise _errors.InlierError(f"Input X contains {what}: row {i}, column {column}", row=i, column=column, hint="remove the row or fill in the value")
        return X

    def _fit(self, X, y=None, sample_weight=None, classes=None, shape=None):
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        names = self.__dict__.get("feature_names_in_")

        def fill(frames):
            body = {"x": frames.add(X)}
            if names is not None:
                body["names"] = [str(n) for n in names]
            if y is not None:
                body["y"] = frames.add(y)
            if classes is not None:
                body["classes"] = classes
            if weights is not None:
                body["weights"] = frames.add(weights)
            if shape is not None:
                body["shape"] = shape
            return body

        answer, worker = _worker.call("fit", self._request(), fill=fill, names=names, title=type(self).__name__, again=False)
        model = _worker.Model(answer.arrays["model"].tobytes())
        model.held(worker, answer.handle)
        self.model_ = model
        self.weights_ = answer.arrays["weights"]
        self.outliers_ = answer.arrays["outliers"]
        return self

    def _ask(self, job, X, y=None, request=None):
        check_is_fitted(self)
        X, _, _ = self._table(X, reset=False)
        names, classes = self.__dict__.get("feature_names_in_"), None
        if y is not None:
            y, classes = self._coded(y)

        def fill(frames):
            fields = {"x": frames.add(X)}
            if y is not None:
                fields["y"] = frames.add(y)
            if classes is not None:
                fields["classes"] = classes
            if job == "judge" and names is not None:  # reasons call columns by their names
                fields["names"] = [str(n) for n in names]
            return fields

        return _worker.call(job, request, model=self.model_, fill=fill, names=names)

    def _coded(self, y):
        return None, None  # it has no say

    # What every model can do.

    def judge(self, X, y=None, *, why=False):
        """The verdict on every row: a frame with `weight`, distances or `residual`, `outlier` and `kind`.

        Regressions and most classifiers judge a row beside its target, so they want y. With why, outliers come with the
        columns that give them away.
        """
        try:
            answer = self._ask("judge", X, y, {"why": why})
        except _errors.InlierError as e:
            if y is None and e.parameter == "y":
                raise _errors.InlierError(f"{type(self).__name__} judges a row beside its target", parameter="y", hint="judge(X, y)") from None
            raise
        a, about = answer.arrays, answer.result
        columns = {name: a[name] for name in ("weight", "orthogonal_distance", "score_distance", "residual") if name in a}
        columns["outlier"] = a["outlier"]
        columns["kind"] = np.array(about["kinds"] or [""], dtype=object)[a["kind"]]
        if "suggested" in about:
            columns["suggested"] = np.array(about["suggested"], dtype=object)
        if why:
            columns["why"] = np.array(about["why"], dtype=object)
        return frame(columns, X, rows=True)

    def to_onnx(self, path=None, *, float32=False):
        """The model as the bytes of an ONNX file; written to path, where one is given."""
        check_is_fitted(self)
        content = _worker.call("export", {"float32": float32}, model=self.model_).arrays["onnx"].tobytes()
        if path is not None:
            with open(path, "wb") as f:
                f.write(content)
        return content

    def save(self, path):
        """Writes the model file, as `inlier fit --out` does."""
        check_is_fitted(self)
        with open(path, "wb") as f:
            f.write(self.model_.file)


class Reducer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    """A method that reduces rows to scores."""

    def fit(self, X, y=None, sample_weight=None):
        """Fits to the rows of X; y is ignored."""
        X, _, shape = self._table(X, reset=True, ensure_min_samples=2)
        return self._fit(X, sample_weight=sample_weight, shape=shape)

    def transform(self, X):
        """The scores of each row."""
        return self._ask("transform", X).arrays["rows"]

    def reconstruct(self, X):
        """What the model keeps of each row, in the columns of X: the row without what does not fit."""
        return self._ask("reconstruct", X).arrays["rows"]

    @property
    def _n_features_out(self):
        about = self.model_.arrays
        if "components" in about:
            return len(about["components"])
        width, k = 1, 0
        while f"factor_{k}" in about:
            width *= about[f"factor_{k}"].shape[1]
            k += 1
        return width

    def inverse_transform(self, Z):
        """Rows of which the scores are Z."""
        check_is_fitted(self)
        a, Z = self.model_.arrays, np.asarray(Z, dtype=np.float64)
        if "components" not in a or "mean" not in a:
            raise AttributeError(f"{type(self).__name__} has no inverse; reconstruct(X) projects rows")
        if Z.ndim == 0 or Z.shape[-1] != len(a["components"]):
            raise _errors.InlierError(f"scores of shape {Z.shape}; the model has {len(a['components'])} components", parameter="Z")
        X = Z @ a["components"] + a["mean"]
        if "input_scale" in a:
            X = X * a["input_scale"] + a["input_offset"]
        return X

    def _convention(self, name, array):
        a = self.model_.arrays
        if name == "mean_" and "input_scale" in a:  # in the units of X
            return array * a["input_scale"].reshape(array.shape) + a["input_offset"].reshape(array.shape)
        return array

    @property
    def explained_variance_ratio_(self):
        """The share of variance that each component explains, where the method tells it."""
        shares = (self.numbers_ or {}).get("explained_by_component")
        if shares is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute 'explained_variance_ratio_'")
        return np.asarray(shares, dtype=np.float64)


def _times(shape):
    return " x ".join(map(str, shape))


def _linear(arrays):
    """Coefficients and intercepts, one line for each output, in the units of the columns of X, as far as the columns are not clipped; None where scores are not linear in them."""
    if "support" in arrays or "frequencies" in arrays:
        return None
    coef, intercept = _before(arrays, "", arrays["coef"], arrays["intercept"])
    if not any(a.startswith("reduce_") for a in arrays.files):
        return coef, intercept
    if "reduce_components" not in arrays or "reduce_mean" not in arrays or "reduce_cell_units" in arrays:
        return None
    coef = coef @ arrays["reduce_components"]
    return _before(arrays, "reduce_", coef, intercept - coef @ arrays["reduce_mean"])


def _before(arrays, step, coef, intercept):
    """Coefficients of columns before these were scaled."""
    if step + "input_scale" not in arrays:
        return coef, intercept
    scale = arrays[step + "input_scale"]
    coef = np.divide(coef, scale, out=np.zeros_like(coef), where=scale != 0)
    return coef, intercept - coef @ arrays[step + "input_offset"]


def _standing(arrays, of):
    """By what classes are chosen, from their scores, one line for each class: the logarithms of their probabilities, but for a number, where
    the model has learned these. Also the same of coefficients, which have no shift."""
    if "probability_curve" not in arrays:
        return of
    turn = np.diag(np.full(len(of), arrays["probability_curve"][0]))
    return (turn + arrays["probability_mix"] if "probability_mix" in arrays else turn) @ of


def _shift(arrays):
    return arrays["probability_shift"] if "probability_shift" in arrays else 0.0


def _refuse(wrong, problem):
    """Says what is wrong with the target of the first row that has something wrong."""
    if wrong.any():
        row = int(wrong.argmax())
        raise _errors.InlierError(f"row {row}: {problem}", parameter="y", row=row)


class Regressor(RegressorMixin, Estimator):
    """A method that learns numbers."""

    def fit(self, X, y, sample_weight=None):
        """Learns y from the rows of X."""
        X, y, _ = self._table(X, y, reset=True, y_numeric=True, ensure_min_samples=2)
        return self._fit(X, y.astype(np.float64, copy=False), sample_weight)

    def predict(self, X):
        """The number that each row lets expect."""
        return self._ask("predict", X).arrays["values"]

    def _coded(self, y):
        y = column_or_1d(y).astype(np.float64, copy=False)
        _refuse(~np.isfinite(y), "y is missing or not finite")
        return y, None

    def _convention(self, name, array):
        if name in ("coef_", "intercept_"):
            made = self._coefficients(name)[0]
            return made if name == "coef_" else float(made)
        return array


class Classifier(ClassifierMixin, Estimator):
    """A method that learns classes."""

    def fit(self, X, y, sample_weight=None):
        """Learns the classes y from the rows of X."""
        X, y, _ = self._table(X, y, reset=True, ensure_min_samples=2)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        return self._fit(X, codes.astype(np.int64), sample_weight, classes=self._names())

    def _names(self):
        names = [str(c) for c in self.classes_.tolist()]
        return names if len(set(names)) == len(names) else [f"{k}: {c}" for k, c in enumerate(names)]

    def _coded(self, y):
        places = {c: k for k, c in enumerate(self.classes_.tolist())}
        codes = np.array([places.get(c, -1) for c in column_or_1d(y).tolist()], dtype=np.int64)
        _refuse(codes < 0, "y is none of the classes that were learned")
        return codes, self._names()

    def predict(self, X):
        """The class of each row."""
        labels = self._ask("predict", X).arrays["labels"]
        return self.classes_[labels]

    @available_if(lambda self: self._probabilities)
    def predict_proba(self, X):
        """The probability of each class, in the order of classes_."""
        return self._ask("predict", X).arrays["probabilities"]

    def decision_function(self, X):
        """By what the class is chosen, the largest: for models with probabilities their logarithms, but for a number that all classes of a
        row share; with two classes how far the second is ahead."""
        answer = self._ask("predict", X)
        arrays = self.model_.arrays
        found = _standing(arrays, answer.arrays["scores"].T).T + _shift(arrays)
        rows, labels = np.arange(len(found)), answer.arrays["labels"]
        tied = found.argmax(axis=1) != labels  # to rounding
        found[rows[tied], labels[tied]] = np.nextafter(found[tied].max(axis=1), np.inf)
        return found[:, 1] - found[:, 0] if found.shape[1] == 2 else found

    def _convention(self, name, array):
        if name in ("coef_", "intercept_"):
            arrays, made = self.model_.arrays, self._coefficients(name)
            made = _standing(arrays, made) + (_shift(arrays) if name == "intercept_" else 0)
            return made[1:] - made[:1] if len(made) == 2 else made  # of two classes: how far the second is ahead
        return array


class Clusterer(ClusterMixin, Estimator):
    """A method that groups rows."""

    def fit(self, X, y=None, sample_weight=None):
        """Groups the rows of X; y is ignored."""
        X, _, _ = self._table(X, reset=True, ensure_min_samples=2)
        self._fit(X, sample_weight=sample_weight)
        labels = self.model_.arrays["labels"].astype(np.int64) if "labels" in self.model_.arrays else None
        self.labels_ = self._ask("predict", X).arrays["labels"] if labels is None or len(labels) != len(X) else labels
        return self

    def predict(self, X):
        """The group of each row."""
        return self._ask("predict", X).arrays["labels"]

    def _convention(self, name, array):
        a = self.model_.arrays
        if name != "cluster_centers_" or not any(n.startswith("reduce_") for n in a.files):
            return array
        if "reduce_components" not in a or "reduce_mean" not in a:
            raise AttributeError("cluster_centers_ are there for groups of the columns of X, also after a linear reduction; model_.arrays['centers'] are those of what this model makes of them")
        centers = array @ a["reduce_components"] + a["reduce_mean"]
        return centers * a["reduce_input_scale"] + a["reduce_input_offset"] if "reduce_input_scale" in a else centers
