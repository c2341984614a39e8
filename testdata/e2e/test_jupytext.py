"""Notebooks as text: jupytext writes each of the course as Go with `// %%` between its cells, and
reads the same notebook back."""

import json
import pathlib
import shutil
import subprocess
import sys

import pytest

NOTEBOOKS = pathlib.Path(__file__).resolve().parents[2] / "notebooks"

# Lines of the cell language that are not Go, and text that looks like code.
ODD = [
    ("code", "%time x := 1\nx"), ("code", "!ls"), ("code", "ml.KMeans?"), ("code", "%%bash\nls"),
    ("markdown", "a\n\n// b\n\n```go\nx := 2\n```"), ("raw", "as it is"), ("code", ""),
]


def jupytext(*args):
    subprocess.run([sys.executable, "-m", "jupytext", "--quiet", *map(str, args)], check=True)


@pytest.fixture
def notebooks(tmp_path):
    for file in [*NOTEBOOKS.glob("*.ipynb"), *NOTEBOOKS.glob("homework/*.ipynb")]:
        shutil.copy(file, tmp_path)
    odd = {
        "nbformat": 4, "nbformat_minor": 5,
        "metadata": {"kernelspec": {"display_name": "Go (gokernel)", "language": "go", "name": "gokernel"}},
        "cells": [
            {"id": f"odd{i}", "cell_type": kind, "metadata": {"tags": ["a b"]} if i == 0 else {}, "source": source}
            | ({"outputs": [], "execution_count": None} if kind == "code" else {})
            for i, (kind, source) in enumerate(ODD)
        ],
    }
    (tmp_path / "odd.ipynb").write_text(json.dumps(odd))
    return sorted(tmp_path.glob("*.ipynb"))


def content(file):
    nb = json.loads(file.read_text())
    nb["metadata"].pop("jupytext", None)
    for cell in nb["cells"]:
        cell["source"] = "".join(cell["source"])
    return nb


def test_round_trip(notebooks):
    before = {file: content(file) for file in notebooks}
    jupytext("--to", "go:percent", *notebooks)
    texts = [file.with_suffix(".go") for file in notebooks]
    for text in texts:
        assert "\n// %% [markdown]\n" in text.read_text(), text
    jupytext("--to", "ipynb", "--update", *texts)
    for file in notebooks:
        assert content(file) == before[file], file.name
    # Without the notebook beside it, too: then cells have other ids and no outputs.
    for file in notebooks:
        file.unlink()
    jupytext("--to", "ipynb", *texts)
    for file, nb in before.items():
        cells = content(file)["cells"]
        assert [(c["cell_type"], c["source"], c["metadata"]) for c in cells] == [(c["cell_type"], c["source"], c["metadata"]) for c in nb["cells"]], file.name
