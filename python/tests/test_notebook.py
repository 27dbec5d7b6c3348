"""The notebook runs from its first cell to its last."""

import pathlib

import pytest

nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
for needed in ("ipykernel", "pandas", "matplotlib", "onnxruntime"):
    pytest.importorskip(needed)


def test_notebook_runs(tmp_path):
    path = pathlib.Path(__file__).parents[1] / "notebook" / "dirty-orders.ipynb"
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [o for cell in notebook.cells for o in cell.get("outputs", [])]
    pictures = [o for o in outputs if "image/png" in o.get("data", {})]
    pages = [o for o in outputs if "<iframe" in o.get("data", {}).get("text/html", "")]
    text = "".join(o.get("text", "") for o in outputs)
    assert len(pictures) == 2 and len(pages) == 1 and all(len(p["data"]["image/png"]) > 5000 for p in pictures)
    assert "found 21 of 21 wrong rows; 0 false alarms" in text and "ONNX Runtime and Inlier differ by" in text
