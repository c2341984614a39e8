"""All lectures, analyses and homework: `gokernel run` and nbclient run each once, and both show the same; a second
run writes the same bytes."""

import subprocess
from concurrent.futures import ThreadPoolExecutor

import nbclient
import nbformat
import pytest
from conftest import PROGRAM, ROOT

NOTEBOOKS = [*sorted((ROOT / "notebooks").glob("*.ipynb")), *sorted((ROOT / "notebooks" / "homework").glob("*.ipynb"))]


def test_all_are_there():
    assert {f"N{i:02}" for i in range(27)} <= {n.stem[:3] for n in NOTEBOOKS}


def shown(cell):
    """The outputs of a cell, without the names of widgets: a session gives them by chance."""
    outputs = cell.get("outputs", [])
    for out in outputs:
        if view := out.get("data", {}).get("application/vnd.jupyter.widget-view+json"):
            view.pop("model_id")
    return outputs


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda n: n.stem)
def test_nbclient_shows_the_same(executed, notebook):
    theirs = nbformat.read(notebook, 4)
    client = nbclient.NotebookClient(theirs, kernel_name="gokernel", timeout=300, coalesce_streams=True, resources={"metadata": {"path": str(notebook.parent)}})
    with ThreadPoolExecutor(1) as beside:
        done = beside.submit(executed, notebook)
        client.execute()  # a cell that fails is an error
    ours = nbformat.read(done.result(), 4)
    nbformat.validate(ours)
    assert len(theirs.cells) == len(ours.cells) and any(c.get("outputs") for c in ours.cells)
    for mine, cell in zip(ours.cells, theirs.cells):
        assert cell.cell_type != "code" or mine.execution_count, f"cell {cell.id} was not run"
        if not cell.source.endswith("?"):  # which front ends show beside the notebook
            assert shown(mine) == shown(cell), f"cell {cell.id}"
    assert float(done.result().with_suffix(".seconds").read_text()) < 60


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda n: n.stem)
def test_second_run_writes_the_same_bytes(executed, tmp_path, notebook):
    first, second = executed(notebook), tmp_path / notebook.name
    subprocess.run([PROGRAM, "run", notebook.name, "-o", second, "--html", second.with_suffix(".html"), "--solutions"], cwd=notebook.parent, check=True, capture_output=True)
    for suffix in (".ipynb", ".html"):
        assert first.with_suffix(suffix).read_bytes() == second.with_suffix(suffix).read_bytes(), suffix
