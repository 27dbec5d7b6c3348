"""What the package promises beyond scikit-learn's own suite."""

import json
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import inlier
import numpy as np
import pytest
from inlier import _worker
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")


def plane(n=200, seed=0):
    """Rows near a plane, of which row 3 is not."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    X[:, 4] = X[:, 0] + X[:, 1] + 0.01 * rng.normal(size=n)
    X[3, 4] += 30
    return X


@pytest.fixture(scope="module")
def X():
    return plane()


def test_subspace(X):
    m = inlier.RobustPCA(components=4).fit(X)
    assert m.components_.shape == (4, 5) and m.mean_.shape == (5,) and m.explained_variance_.shape == (4,)
    assert m.outliers_[3] and m.weights_[3] < 1e-6 and m.weights_.shape == (200,) and m.weights_[~m.outliers_].min() > 0.01
    assert m.n_features_in_ == 5 and m.n_iter_ > 0 and m.status_ == "converged" and "components_" in dir(m)
    np.testing.assert_allclose(m.transform(X), (X - m.mean_) @ m.components_.T, atol=1e-12)
    np.testing.assert_allclose(m.inverse_transform(m.transform(X)), m.reconstruct(X), atol=1e-12)
    assert 0.9 < m.explained_variance_ratio_.sum() <= 1
    scaled = inlier.RobustPCA(components=3, scaling="robust").fit(X * [1, 10, 100, 1, 1])
    np.testing.assert_allclose(scaled.inverse_transform(scaled.transform(X)), scaled.reconstruct(X), atol=1e-9)


def test_judge(X):
    m = inlier.RobustPCA(components=3).fit(X)
    frame = pandas.DataFrame(X, index=range(1000, 1200))
    verdict = m.judge(X, why=True)
    assert verdict["outlier"][3] and "x5" in verdict["why"][3] and verdict["kind"][3] == "bad leverage"
    named = frame.rename(columns=lambda k: "abcde"[k])
    verdict = inlier.RobustPCA(components=3).fit(named).judge(named, why=True)
    assert verdict.index[0] == 1000 and "e=28" in verdict["why"][1003]
    y = X[:, 0] * 2 + 1
    y[7] = 50
    r = inlier.RobustLinear().fit(X[:, :4], y)
    assert r.judge(X[:, :4], y)["outlier"].to_numpy().nonzero()[0].tolist() == [7]
    with pytest.raises(inlier.InlierError):
        r.judge(X[:, :4])
    c = inlier.LogisticClassifier(reduce="pca-robust", reduce_params={"components": 2, "learn_rank": False}).fit(X, y > 0)
    assert c.judge(X, pandas.DataFrame({"y": y > 0})).equals(c.judge(X, y > 0))


def test_linear_models_are_their_coefficients(X):
    y = X[:, 0] * 2 + 1
    y[7] = 50
    r = inlier.RobustLinear().fit(X[:, :4], y)
    np.testing.assert_allclose(r.coef_, [2, 0, 0, 0], atol=1e-9)
    assert r.coef_.shape == (4,) and abs(r.intercept_ - 1) < 1e-9
    X = np.delete(X, 3, axis=0)  # inputs beyond all others are clipped before they count
    for labels in (np.where(X[:, 0] > 0, "yes", "no"), np.digitize(X[:, 0], [-0.5, 0.5])):
        c = inlier.LogisticClassifier().fit(X, labels)
        scores = X @ c.coef_.T + c.intercept_
        np.testing.assert_allclose(c.decision_function(X), scores[:, 0] if scores.shape[1] == 1 else scores, atol=1e-9)
        assert c.classes_.tolist() == np.unique(labels).tolist() and c.score(X, labels) > 0.9
        np.testing.assert_allclose(c.predict_proba(X).sum(axis=1), 1)


def test_decisions_are_those_of_predict():
    """The largest decision is the class that is predicted, also where scores of classes between others are mixed; coefficients are those of the decision."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 3)) + 1.5 * (np.arange(150) // 50)[:, None] * [1, 1, 0]
    y = np.array(["low", "middle", "up"])[np.arange(150) // 50]
    far = np.vstack([X, 10 * X, 1000 * X])
    mixed = 0
    for make in (inlier.HingeClassifier, inlier.LogisticClassifier, inlier.SquareClassifier, inlier.MaxCorrentropyClassifier, inlier.ElmClassifier, inlier.NearestCenter, inlier.NearestSubspace):
        for labels in (y, np.where(y == "up", "up", "down")):
            m = make().fit(X, labels)
            decision = m.decision_function(far)
            chosen = decision.argmax(axis=1) if decision.ndim == 2 else (decision > 0).astype(int)
            assert (m.classes_[chosen] == m.predict(far)).all(), make
            mixed += "probability_mix" in m.model_.arrays
            if hasattr(m, "coef_"):
                inside = ((X >= m.input_low_) & (X <= m.input_high_)).all(axis=1)
                made = X @ m.coef_.T + m.intercept_
                np.testing.assert_allclose((made if decision.ndim == 2 else made[:, 0])[inside], decision[:150][inside], atol=1e-9, rtol=1e-9)
    assert mixed


def test_coefficients_are_of_the_columns_that_were_given():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4)) * [1, 1e3, 1e-4, 5] + [10, 1e6, 0, -3]
    y = X @ [1, 0.001, 1e4, 2] + 0.1 * rng.normal(size=300)
    for options in ({}, {"reduce": "pca-robust", "reduce_params": {"components": 3}}, {"reduce": "pca", "reduce_params": {"components": 4, "scaling": "none"}}):
        r = inlier.RobustLinear(**options).fit(X, y)
        assert r.coef_.shape == (4,) and np.ndim(r.intercept_) == 0
        np.testing.assert_allclose(X @ r.coef_ + r.intercept_, r.predict(X), rtol=1e-9)
    for options in ({"kernel": "rbf"}, {"kernel": "rbf", "approximation": "fourier"}, {"reduce": "pca-cell"}):
        c = inlier.LogisticClassifier(**options).fit(X, y > y.mean())
        assert not hasattr(c, "coef_") and not hasattr(c, "intercept_") and c.decision_function(X).shape == (300,)
    s = inlier.RobustPCA(components=2, scaling="robust").fit(X)
    np.testing.assert_allclose((X - s.mean_) / s.input_scale_ @ s.components_.T, s.transform(X), atol=1e-9)


def test_a_fit_that_fails_leaves_no_model_of_other_classes(X):
    c = inlier.LogisticClassifier().fit(X, X[:, 0] > 0)
    with pytest.raises(inlier.InlierError):
        c.set_params(lambda_=-1).fit(X, np.where(X[:, 0] > 0, "a", "b"))
    with pytest.raises(NotFittedError):
        c.predict(X)


@pytest.mark.filterwarnings("error")
def test_odd_numbers_and_shapes(X):
    far = X.copy()
    far[3] = 1.7e308
    assert inlier.RobustPCA(components=2).fit(far).outliers_[3]
    images = np.random.default_rng(0).normal(size=(40, 6, 4))
    m = inlier.CorrTensor(rank=(2, 2)).fit(images)
    with pytest.raises(inlier.InlierError, match="4 x 6"):
        m.transform(images.reshape(40, 4, 6))
    with pytest.raises(ValueError, match="0 sample"):
        m.transform(images[:0])
    for options, parameter in (({"rank": (2.7, 2)}, "rank"), ({"rank": ("a", 2)}, "rank")):
        with pytest.raises(inlier.InlierError) as e:
            inlier.CorrTensor(**options).fit(images)
        assert e.value.parameter == parameter
    with pytest.raises(inlier.InlierError, match="reduce_params"):
        inlier.LogisticClassifier(reduce="pca", reduce_params="components=2").fit(X, X[:, 0] > 0)
    with pytest.raises(inlier.InlierError, match="2 components"):
        inlier.PCA(components=2).fit(X).inverse_transform(np.ones((3, 5)))


def test_tensors():
    rng = np.random.default_rng(1)
    images = rng.normal(size=(60, 1, 1)) * np.outer(np.arange(6), np.ones(4)) + 0.01 * rng.normal(size=(60, 6, 4))
    m = inlier.CorrTensor(rank=(1, 1)).fit(images)
    assert m.factor_0_.shape == (6, 1) and m.factor_1_.shape == (4, 1) and m.transform(images).shape == (60, 1)
    flat = inlier.CorrTensor(rank="1x1", shape=(6, 4)).fit(images.reshape(60, -1))
    np.testing.assert_allclose(flat.transform(images.reshape(60, -1)), m.transform(images))


def test_clusters(X):
    rows = np.vstack([X[:, :2] * 0.1, X[:, :2] * 0.1 + 5])
    m = inlier.RobustKMeans(clusters=2).fit(rows)
    assert m.cluster_centers_.shape == (2, 2) and m.labels_.dtype.kind == "i"
    assert (m.predict(rows) == m.labels_).all() and len(set(m.labels_[:200])) == 1


def test_frames(X):
    names = list("abcde")
    y = X[:, 0] * 2 + 1
    for frame in (pandas.DataFrame(X, columns=names), polars.DataFrame(X, schema=names)):
        m = inlier.RobustPCA(components=2).fit(frame)
        assert m.feature_names_in_.tolist() == names
        np.testing.assert_allclose(m.transform(frame), inlier.RobustPCA(components=2).fit_transform(X))
    scores = inlier.RobustPCA(components=2).set_output(transform="pandas").fit_transform(pandas.DataFrame(X, columns=names))
    assert scores.columns.tolist() == ["robustpca0", "robustpca1"]
    assert isinstance(inlier.PCA(components=2).set_output(transform="polars").fit_transform(X), polars.DataFrame)
    for dtype in (np.float32, np.float16, np.int32, np.uint8, ">f8"):
        whole = np.round(X * 20 + 100).astype(dtype)
        np.testing.assert_allclose(inlier.PCA(components=2).fit(whole).mean_, whole.astype(float).mean(axis=0))
    np.testing.assert_allclose(inlier.RobustLinear().fit(np.asfortranarray(X[:, :4]), y).coef_, inlier.RobustLinear().fit(X[:, :4], y).coef_)


def test_weights_count_as_rows(X):
    y, w = X[:, 0] * 2 + X[:, 2] ** 2, np.arange(200) % 3
    a = inlier.RobustLinear(start="classic").fit(X[:, :4], y, sample_weight=w)
    b = inlier.RobustLinear(start="classic").fit(X[:, :4].repeat(w, axis=0), y.repeat(w))
    np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-6)


def test_missing_values(X):
    X = X.copy()
    X[5, 2] = np.nan
    with pytest.raises(inlier.InlierError) as e:
        inlier.RobustPCA().fit(pandas.DataFrame(X, columns=list("abcde")))
    assert (e.value.row, e.value.column) == (5, "c") and "NaN" in str(e.value) and e.value.hint
    X[3] = np.nan
    with pytest.raises(inlier.InlierError, match="row 3 has no value") as e:
        inlier.RobustPCA(components=2, missing="fit").fit(X)
    assert e.value.row == 3
    X[3] = 0
    assert np.isfinite(inlier.RobustPCA(components=2, missing="fit").fit_transform(X)).all()


def test_errors_name_what_is_meant(X):
    with pytest.raises(inlier.InlierError) as e:
        inlier.RobustPCA(components=0).fit(X)
    assert e.value.parameter == "components" and isinstance(e.value, ValueError)
    with pytest.raises(inlier.InlierError) as e:
        inlier.RobustPCA(max_steps=-1).fit(X)
    assert e.value.parameter == "max_steps"
    with pytest.raises(inlier.InlierError) as e:
        inlier.RobustPCA(loss="no such").fit(X)
    assert e.value.parameter == "loss"
    with pytest.raises(inlier.InlierError) as e:
        inlier.check({"a": [1.0, 2.0]}, target="b")
    assert e.value.parameter == "target"
    again = pickle.loads(pickle.dumps(e.value))
    assert str(again) == str(e.value) and again.parameter == "target"
    with pytest.raises(inlier.InlierError) as e:
        inlier.LogisticClassifier(reduce="pca", reduce_params={"component": 2}).fit(X, X[:, 0] > 0)
    assert e.value.parameter == "reduce_params"


def test_judge_says_which_target_is_wrong(X):
    line, kinds = inlier.RobustLinear().fit(X[:, :4], X[:, 4]), np.where(X[:, 0] > 0, "a", "b")
    classes = inlier.LogisticClassifier().fit(X, kinds)
    for judge, y, row in ((line.judge, [1, np.nan, 2], 1), (line.judge, [1, 2, np.inf], 2), (classes.judge, ["a", "b", "zz"], 2), (classes.judge, ["a", None, "b"], 1)):
        with pytest.raises(inlier.InlierError, match=f"row {row}") as e:
            judge(X[:3, : judge.__self__.n_features_in_], y)
        assert (e.value.row, e.value.parameter) == (row, "y")
    with pytest.raises(inlier.InlierError, match=r"judge\(X, y\)"):
        line.judge(X[:, :4])
    with pytest.raises(ValueError, match="1d"):
        classes.judge(X[:4], np.array([["a", "b"], ["b", "a"]]))
    assert len(inlier.RobustPCA(components=2).fit(X).judge(X, kinds)) == 200


def test_centers_are_in_the_columns_of_X(X):
    X = (X + 5 * (np.arange(200) % 2)[:, None]) * [1, 100, 1e-3, 5, 1] + [0, 1e4, 3, 0, 0]
    for reduction in ({}, {"reduce": "pca", "reduce_params": {"components": 5}}, {"reduce": "pca", "reduce_params": {"components": 2, "scaling": "none"}}):
        m = inlier.KMeans(clusters=2, **reduction).fit(X)
        kept = inlier.PCA(components=2, scaling="none").fit(X).reconstruct(X) if "none" in str(reduction) else X
        np.testing.assert_allclose(m.cluster_centers_, [kept[m.labels_ == k].mean(axis=0) for k in (0, 1)], rtol=1e-8)
    assert not hasattr(inlier.KMeans(clusters=2, reduce="correntropy-pca").fit(X), "cluster_centers_")


def test_pickles_hold_the_model_file(X, tmp_path):
    m = inlier.RobustPCA(components=2).fit(X)
    before = m.transform(X)
    again = pickle.loads(pickle.dumps(m))
    assert (again.transform(X) == before).all() and (again.weights_ == m.weights_).all()
    m.save(tmp_path / "m.npz")
    assert (np.load(tmp_path / "m.npz")["components"] == m.components_).all()
    inspected = subprocess.run([_worker.binary(), "inspect", str(tmp_path / "m.npz"), "--json"], capture_output=True, check=True)
    assert json.loads(inspected.stdout)["method"] == "pca-robust"
    fresh = clone(m)
    assert fresh.get_params() == m.get_params() and not hasattr(fresh, "components_")


def test_search_in_processes(X):
    y = X[:, 0] * 2 + 1
    y[::10] = 40
    search = GridSearchCV(make_pipeline(StandardScaler(), inlier.RobustLinear()), {"robustlinear__loss": ["tukey", "welsch"]}, cv=3, n_jobs=2, scoring="neg_median_absolute_error")
    search.fit(X[:, :4], y)
    assert search.best_score_ > -0.1 > -1 > GridSearchCV(LinearRegression(), {}, cv=3, scoring="neg_median_absolute_error").fit(X[:, :4], y).best_score_


def test_random_state(X):
    fits = [inlier.Elm(hidden=10, random_state=s).fit(X[:, :4], X[:, 4]).predict(X[:, :4]) for s in (7, 7, 8, np.random.RandomState(7))]
    assert (fits[0] == fits[1]).all() and not (fits[0] == fits[2]).all() and np.isfinite(fits[3]).all()


def test_onnx(X, tmp_path):
    m = inlier.RobustPCA(components=2).fit(X)
    content = m.to_onnx(tmp_path / "m.onnx")
    assert (tmp_path / "m.onnx").read_bytes() == content
    runtime = pytest.importorskip("onnxruntime")
    out = runtime.InferenceSession(content).run(["scores"], {"X": X})[0]
    np.testing.assert_allclose(out, m.transform(X), atol=1e-10)


def test_documents_come_from_the_table():
    document = inlier.ElmKmpe.__doc__
    for words in ("lambda_ :", "a number above 0, or auto", "random_state", "elm-kmpe"):
        assert words in document
    assert inlier.RobustLinear().intercept is True and inlier.RobustPCA().max_steps == 100 and inlier.RobustPCA().tol == 1e-6


# The worker.


def test_a_worker_that_was_killed_is_started_again(X):
    m = inlier.RobustPCA(components=2).fit(X)
    before, first = m.transform(X), _worker.current()
    first.process.send_signal(signal.SIGKILL)
    first.process.wait()
    assert (m.transform(X) == before).all() and _worker.current() is not first
    # Killed at work: the call is asked again, a fit says what happened.
    slow = np.random.default_rng(0).normal(size=(3000, 400))
    timer = threading.Timer(0.3, lambda: _worker.current().process.kill())
    timer.start()
    with pytest.raises(inlier.WorkerDied):
        for _ in range(5):
            inlier.CellPCA(components=100, max_steps=200, tol=1e-15).fit(slow)
    timer.join()
    assert (m.transform(X) == before).all()


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_an_interrupt_ends_the_fit_and_keeps_the_worker(X):
    # A program that a shell has put into the background ignores Ctrl-C; here it is to be heard.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        interrupt_and_go_on(X)
    finally:
        signal.signal(signal.SIGINT, before if before is not None else signal.SIG_IGN)


def interrupt_and_go_on(X):
    inlier.PCA(components=1).fit(X)
    worker = _worker.current()
    slow = np.random.default_rng(0).normal(size=(3000, 400))
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(5):
            inlier.CellPCA(components=100, max_steps=200, tol=1e-15).fit(slow)
    timer.join()
    assert _worker.current() is worker and inlier.PCA(components=1).fit(X).components_.shape == (1, 5)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_handles_are_given_up(X):
    models = [inlier.PCA(components=1).fit(X) for _ in range(3)]
    handles = [m.model_._place[1] for m in models]
    worker = _worker.current()
    del models
    with pytest.raises(TypeError):  # a message that cannot be made takes none of them along
        inlier.check(orders(), expect=object())
    answer, _ = worker.ask({"job": "transform", "handle": handles[0]}, [])
    assert answer["error"]["kind"] == "lost"


def test_threads_share_the_worker(X):
    m = inlier.RobustPCA(components=2).fit(X)
    expected, wrong = m.transform(X), []

    def ask():
        for _ in range(20):
            if not (m.transform(X) == expected).all():
                wrong.append(1)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_threads_share_what_a_dead_worker_held(X):
    """Whoever finds the worker dead starts another; nobody hears of it, and none is asked with handles of the other."""
    m, other = inlier.RobustPCA(components=2).fit(X), inlier.PCA(components=1).fit(X)
    expected, wrong = m.transform(X), []

    def ask(start):
        start.wait()
        try:
            for _ in range(3):
                if not (m.transform(X) == expected).all():
                    wrong.append("other numbers")
        except Exception as e:
            wrong.append(repr(e))

    for _ in range(8):
        _worker.current().free(other.model_._place[1])  # what is given up there must not be given up in the next one
        _worker.current().process.kill()
        start = threading.Barrier(6)
        threads = [threading.Thread(target=ask, args=(start,)) for _ in range(6)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    assert not wrong


def test_shutdown_does_not_wait_for_a_job(X):
    said = []

    def work():
        try:
            inlier.CellPCA(components=100, max_steps=10000, tol=1e-15).fit(np.random.default_rng(0).normal(size=(3000, 400)))
        except inlier.WorkerDied as e:
            said.append(e)

    inlier.PCA(components=1).fit(X)
    worker, thread = _worker.current(), threading.Thread(target=work)
    thread.start()
    while worker.asking is None:
        time.sleep(0.01)
    time.sleep(0.2)
    inlier.shutdown()
    thread.join(20)
    assert said and not worker.alive() and inlier.PCA(components=1).fit(X).components_.shape == (1, 5)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_ends_with_python_and_bears_a_fork():
    script = textwrap.dedent("""
        import os, numpy as np, inlier
        from inlier import _worker
        X = np.random.default_rng(0).normal(size=(50, 4))
        m = inlier.RobustPCA(components=2).fit(X)
        mine, before = _worker.current().process.pid, m.transform(X)
        child = os.fork()
        if child == 0:
            same = (m.transform(X) == before).all() and _worker.current().process.pid != mine
            inlier.shutdown()
            os._exit(0 if same else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert _worker.current().process.pid == mine and (m.transform(X) == before).all()
        print(mine)
    """)
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, check=True)
    with pytest.raises(ProcessLookupError):
        for _ in range(100):
            os.kill(int(done.stdout), 0)
            time.sleep(0.05)


def test_progress_is_told(X):
    seen = []
    before = inlier.set_progress(seen.append)
    try:
        inlier.CellPCA(components=20, max_steps=10, tol=1e-15).fit(np.random.default_rng(0).normal(size=(1000, 100)))
    finally:
        inlier.set_progress(before)
    assert seen and all(e["job"] == "fit" and 0 <= e["part"] <= 1 for e in seen)


# What is wrong in a table?


def orders():
    rng = np.random.default_rng(2)
    net = np.round(rng.uniform(5, 500, 300), 2)
    vat = np.round(net * 0.19, 2)
    frame = pandas.DataFrame({"id": [f"A{i}" for i in range(300)], "net": net, "vat": vat, "total": np.round(net + vat, 2), "n": rng.integers(1, 9, 300), "land": rng.choice(["north", "south"], 300)})
    frame.loc[11, "total"] *= 100
    frame.loc[50, "land"] = "nroth"
    return frame


def test_check(tmp_path):
    dirty = orders()
    was = dirty.copy()
    found = inlier.check(dirty)
    assert found.wrong().tolist() == [11, 50] and found.rows["wrong"].sum() == 2 and len(found.rows) == 300
    cell = found.cells[found.cells["wrong"] & (found.cells["column"] == "total")].iloc[0]
    assert cell["row"] == 11 and "total = net + vat" in cell["why"]
    mended = found.repair()
    assert dirty.equals(was) and mended.dtypes.equals(dirty.dtypes)
    assert mended.loc[11, "total"] == round(dirty.loc[11, "net"] + dirty.loc[11, "vat"], 2) and mended.loc[50, "land"] == "north"
    assert inlier.check(mended).wrong().tolist() == []
    assert found.changes()["row"].tolist() == [11, 50] and "2 of 300 rows" in repr(found)
    assert "<iframe" in found._repr_html_() and "<html" in found.report().html
    found.save(tmp_path / "found")
    assert sorted(os.listdir(tmp_path / "found")) == ["cells.csv", "model.npz", "report.html", "rows.csv"]
    with pytest.raises(FileExistsError):
        found.save(tmp_path / "found")
    for against in (found, tmp_path / "found" / "model.npz"):
        assert 3 in inlier.check(dirty.assign(total=dirty["total"].where(dirty.index != 3, -1)), against=against).wrong()


def test_check_takes_any_table(tmp_path):
    dirty = orders()
    dirty.to_csv(tmp_path / "orders.csv", index=False)
    of_polars = inlier.check(polars.read_csv(tmp_path / "orders.csv"))
    for found in (of_polars, inlier.check(tmp_path / "orders.csv"), inlier.check({k: dirty[k].to_numpy() for k in dirty})):
        assert found.wrong().tolist() == [11, 50]
    assert isinstance(of_polars.rows, polars.DataFrame) and of_polars.repair()["total"][11] < 600
    numbers = dirty[["net", "vat", "total"]].to_numpy()
    assert inlier.check(numbers).repair()[11, 2] < 600
    with pytest.raises(TypeError):
        inlier.check(tmp_path / "orders.csv").repair()


def test_check_bears_columns_of_any_kind():
    dirty = orders()
    odd = pandas.concat([dirty.assign(n=dirty["n"].astype("Int64"), land=dirty["land"].astype("category")), dirty[["net"]] * 2], axis=1)
    odd.loc[5, "n"] = pandas.NA
    odd["when"] = pandas.date_range("2024-01-01", periods=300, freq="h")
    odd.loc[9, "when"] = pandas.NaT
    odd["flag"] = dirty["net"] > 100
    odd.loc[odd.index[20], ["net"]] = [5000.0, 1.0]
    found = inlier.check(odd)
    assert {11, 20} <= set(found.wrong().tolist())
    mended = found.repair()
    assert mended["n"].dtype == odd["n"].dtype and mended["when"].dtype == odd["when"].dtype and mended.shape == odd.shape
    assert mended.iloc[11, 3] < 600 and pandas.isna(mended.loc[5, "n"])
    with pytest.raises(inlier.InlierError, match="no rows"):
        inlier.check(odd.iloc[:0])


def test_rows_of_a_frame_stay_its_rows():
    """Rows that a reader of files sets aside are rows of a frame: numbers behind them must not move."""
    dirty = orders().astype(object)
    for row, texts in ((5, list(dirty.columns)), (0, ["", "EUR", "EUR", "EUR", "", ""]), (0, [c + " of it" for c in dirty]), (299, ["Total", 1.0, 1.0, 2.0, 1, ""])):
        odd = dirty.copy()
        odd.iloc[row] = texts
        found = inlier.check(odd)
        assert {11, 50} <= set(found.wrong().tolist()) and len(found.rows) == 300
        assert found.repair().loc[11, "total"] == round(dirty.loc[11, "net"] + dirty.loc[11, "vat"], 2) and found.repair().loc[12].equals(dirty.loc[12])
    odd = inlier.check(dirty.rename(columns={"total": "to\n  tal", "net": "<html>", "land": "loss: land"}).assign(nul="a\0b"), target="to\n  tal").repair()
    assert odd.loc[11, "to\n  tal"] < 600 and odd.loc[50, "loss: land"] == "north"
    assert len(inlier.check(dirty, limit=100).rows) == 100


def test_a_check_is_of_the_table_as_it_was():
    dirty = orders()
    found = inlier.check(dirty)
    dirty["total"] = dirty["total"].to_numpy()[::-1]
    assert found.repair().loc[12].equals(orders().loc[12]) and len(found.rows) == 300


def test_repairs_keep_types():
    plain = orders()[["net", "vat", "total"]].mul(100).round().astype("int64")
    for kind in ("int64", "Int64", "Float64", "float32", "uint64", "category", object):
        mended = inlier.check(plain.assign(total=plain["total"].astype(kind))).repair()["total"]
        assert mended.dtype.name == np.dtype(object).name if kind is object else mended.dtype.name == kind
        assert mended[11] == plain["net"][11] + plain["vat"][11] and not isinstance(mended[11], str)
    gap = polars.from_pandas(plain).with_columns(total=polars.when(polars.int_range(300) == 5).then(None).otherwise(polars.col("total")))
    for kind in (polars.Int64, polars.Float64, polars.Decimal(12, 2)):
        mended = inlier.check(gap.with_columns(polars.col("total").cast(kind))).repair()["total"]
        assert mended.dtype == kind and int(mended[11]) == plain["net"][11] + plain["vat"][11] and mended[5] is None and mended.null_count() == 1
    import datetime

    days = orders().assign(day=[datetime.date(2024, 1, 1) + datetime.timedelta(k) for k in range(300)])
    days.loc[20, "day"] = datetime.date(2424, 1, 1)
    assert type(inlier.check(days).repair().loc[20, "day"]) is datetime.date
    waits = orders().assign(wait=pandas.to_timedelta(3600 * np.arange(300) + 7, unit="s"))
    waits["again"] = 2 * waits["wait"]
    waits.loc[21, "again"], waits.loc[30, "again"] = pandas.NaT, pandas.Timedelta(days=9000)
    bare = {name: [None if v is pandas.NaT else v.to_pytimedelta() if isinstance(v, pandas.Timedelta) else v for v in waits[name]] for name in waits}
    for frame in (waits, polars.DataFrame(bare)):  # from_pandas would need pyarrow
        found = inlier.check(frame)
        mended = found.repair()["again"]
        assert not any("not a number" in w for w in found.cells["why"]) and mended.dtype == frame["again"].dtype
        assert mended[29] == waits["again"][29] and abs(mended[30] / (2 * waits["wait"][30]) - 1) < 0.01
    large = pandas.DataFrame({"id": pandas.array(2**60 + np.arange(300), dtype="Int64"), "x": np.arange(300.0)})
    large.loc[4, "id"] = pandas.NA
    assert {"frame", "type"} <= set(inlier._check._column("id", large["id"], _worker.Frames())["absent"])


def test_check_refuses_what_it_does_not_know():
    dirty = orders()
    for options, parameter in (({"taget": "net"}, "taget"), ({"as_": "text"}, "as_"), ({"sentinels": -1}, "sentinels")):
        with pytest.raises(inlier.InlierError) as e:
            inlier.check(dirty, **options)
        assert e.value.parameter == parameter
    numbered = dirty[["net", "vat", "total"]].set_axis([0, 1, 2], axis=1)
    assert [inlier.check(numbered, target=k, seed=np.int64(1))._request["target"] for k in (0, 2)] == ["0", "2"]
    with pytest.raises(inlier.InlierError, match="rows"):
        inlier.check({"a": [1, 2, 3], "b": [1, 2]})
    assert inlier.check(polars.DataFrame(dirty.to_dict("list")).lazy()).wrong().tolist() == [11, 50]
    assert inlier.check(dirty.assign(lists=[np.arange(2)] * 300)).wrong().tolist() == [11, 50]


def test_a_broken_call_leaves_a_worker(X):
    """What cannot be sent does not break the worker, and one that was given up is not asked again."""
    first = _worker.current()
    with pytest.raises(TypeError):
        inlier.check(orders(), expect=object())
    assert _worker.current() is first
    m, said = inlier.PCA(components=1).fit(X), []

    def nested(event):
        try:
            m.transform(X)
        except RuntimeError as e:
            said.append(e)
            raise

    before = inlier.set_progress(nested)
    try:
        with pytest.raises(RuntimeError):
            inlier.CellPCA(components=20, max_steps=10000, tol=1e-15).fit(np.random.default_rng(0).normal(size=(1000, 100)))
    finally:
        inlier.set_progress(before)
    assert said and inlier.PCA(components=1).fit(X).components_.shape == (1, 5) and _worker.current() is not first


def test_a_check_outlives_the_worker():
    found = inlier.check(orders())
    page = found.report().html
    _worker.current().process.kill()
    found._page = None
    assert found.report().html == page
    assert pickle.loads(pickle.dumps(found)).report().html == page


def test_a_check_is_of_the_file_as_it_was(tmp_path):
    path = tmp_path / "orders.csv"
    orders().to_csv(path, index=False)
    found = inlier.check(path)
    found.close()
    page = found.report().html
    orders()[:40].to_csv(path, index=False)
    found.close()
    assert len(found.rows) == 300 and found.report().html == page
    with pytest.raises(inlier.InlierError, match="not any more what was checked"):
        found.save(tmp_path / "out")
    assert len(found.rows) == 300 and found.report().html == page


@pytest.mark.skipif(sys.platform != "linux", reason="tables that do not fit are mapped on Linux alone")
def test_temporary_files_are_given_back(tmp_path):
    path = tmp_path / "large.csv"
    np.savetxt(path, np.random.default_rng(0).normal(size=(9000, 2)), delimiter=",", fmt="%.4f", header="a,b", comments="")

    def mapped():
        with open(f"/proc/{_worker.current().process.pid}/maps") as f:
            return sum("/inlier-" in line for line in f)

    for end in (inlier.Checked.close, None):
        try:
            found = inlier.check(path, memory=8 << 20)
        except inlier.InlierError as e:
            pytest.skip(str(e))  # the folder for them is in memory
        assert mapped()
        if end is not None:
            end(found)
        else:
            del found
        for _ in range(100):
            if not mapped():
                break
            time.sleep(0.05)
        assert not mapped()
