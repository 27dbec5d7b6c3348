"""The catalog's table of methods, and estimators made of it: names, parameters, defaults, ranges and words."""

import json
import keyword
import os
import subprocess

from . import _base, _worker


def methods():
    """Every method of the catalog, as `inlier methods --json` tells; written beside the program when the package is built."""
    built = os.path.join(os.path.dirname(__file__), "bin", "methods.json")
    if not os.environ.get("INLIER_BINARY") and os.path.exists(built):
        with open(built, encoding="utf-8") as f:
            return json.load(f)
    return json.loads(subprocess.run([_worker.binary(), "methods", "--json"], check=True, capture_output=True, stdin=subprocess.DEVNULL).stdout)


def losses():
    """Every loss, as `inlier losses --json` tells."""
    return json.loads(subprocess.run([_worker.binary(), "losses", "--json"], check=True, capture_output=True, stdin=subprocess.DEVNULL).stdout)


class Parameter:
    """A parameter of a method as Python has it."""

    def __init__(self, entry):
        self.text = entry["name"]
        self.name = self.text.replace("-", "_")
        if keyword.iskeyword(self.name):
            self.name += "_"
        self.switch = sorted(entry.get("choices") or []) == ["off", "on"]
        self.default = self.value(entry["kind"], entry["default"])
        self.range = "True or False" if self.switch else entry["range"]
        self.meaning = entry["meaning"]

    def value(self, kind, text):
        if self.switch:
            return text == "on"
        if kind in ("integer", "number"):
            try:
                return int(text) if kind == "integer" else float(text)
            except ValueError:  # a word
                pass
        return text

    def write(self, value):
        """The value as text; None where it is the default."""
        if value is None or (type(value) is type(self.default) and value == self.default):
            return None
        if hasattr(value, "tolist"):  # of NumPy
            value = value.tolist()
        if isinstance(value, (tuple, list)):
            return "x".join(str(v) for v in value)
        if isinstance(value, bool):
            return "on" if value else "off"
        return repr(value) if isinstance(value, float) else str(value)


_ROLES = {"reduce": _base.Reducer, "regress": _base.Regressor, "classify": _base.Classifier, "cluster": _base.Clusterer}

_ATTRIBUTES = {
    "reduce": "components_, mean_, explained_variance_, explained_variance_ratio_ (where the method has them): mean_ in the units of X, the others in\n"
    "    those of the scaled columns, where scaling= says so: scores are (X - mean_) / input_scale_ @ components_.T then",
    "regress": "coef_, intercept_ (of models that are linear in the columns of X, also after a linear reduction): predict(X) is X @ coef_ + intercept_",
    "classify": "classes_\ncoef_, intercept_ (of models that are linear in the columns of X, also after a linear reduction): decision_function(X) is\n"
    "    X @ coef_.T + intercept_ in the units of X, for rows within input_low_ and input_high_, to which columns are clipped (clip=)",
    "cluster": "cluster_centers_ (in the units of X, also after a linear reduction), labels_",
}


def _document(method, task, parameters):
    lines = [method["title"][0].upper() + method["title"][1:] + ".", "", method["about"], "", "Parameters", "----------"]
    for p in parameters:
        lines += [f"{p.name} : {p.range}, default={p.default!r}", f"    {p.meaning}"]
    lines += [
        "", "Attributes", "----------", _ATTRIBUTES[task],
        "weights_ : the vote of each training row, 1 = full, 0 = none", "outliers_ : which training rows are outliers",
        "n_iter_, status_, objective_, warnings_ : how the fit ended", "n_features_in_, feature_names_in_ : what it was fitted to",
        "model_ : the model; every other array of its file is an attribute too, its name with an underscore behind",
        "", "Notes", "-----", f"Method `{method['name']}` of Inlier. {method['paper']}.",
    ]
    return "\n".join(lines).replace("--loss", "`loss`").replace("learn-rank=", "learn_rank=")


class _Of(Parameter):
    """A parameter that the table does not list as such."""

    def __init__(self, name, default, range, meaning, text=None):
        self.name, self.text, self.default, self.range, self.meaning, self.switch = name, text or name, default, range, meaning, False


def estimators():
    """A class for every method and what it can be used for, by name."""
    made = {}
    for method in methods():
        for k, task in enumerate(method["tasks"]):
            parameters = [Parameter(p) for p in method["parameters"] if p["name"] != "task"]
            if method["takes_loss"]:
                parameters.insert(0, _Of("loss", method["default_loss"], "text, such as 'tukey' or 'kmpe:p=2,sigma=auto'", "loss; inlier.losses() lists them"))
            if any(p.name == "reduce" for p in parameters):
                parameters.append(_Of("reduce_params", None, "a dict", "parameters of the reduction, such as {'components': 5}"))
            parameters.append(_Of("random_state", None, "an integer, a RandomState or None", "seed of what is drawn; None: always the same"))
            name = method["class"] + ("Classifier" if k > 0 else "")
            made[name] = _make(name, method, task, parameters)
    return made


def _make(name, method, task, parameters):
    signature = ", ".join(f"{p.name}={p.default!r}" for p in parameters)
    body = "\n".join(f"    self.{p.name} = {p.name}" for p in parameters)
    space = {}
    exec(f"def __init__(self, *, {signature}):\n{body}", space)
    about = {
        "__init__": space["__init__"], "__doc__": _document(method, task, parameters), "__module__": "inlier",
        "_method": method["name"], "_family": method["family"], "_task": task, "_parameters": parameters, "_takes_task": len(method["tasks"]) > 1, "_probabilities": method["probabilities"],
    }
    return type(name, (_ROLES[task],), about)
