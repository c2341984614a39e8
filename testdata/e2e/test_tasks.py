"""The everyday tasks of analysts: notebooks beside their twins in pandas."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from test_notebooks import execute

TASKS = sorted((Path(__file__).resolve().parents[1] / "tasks").glob("*/task.ipynb"))


def test_there_are_twenty_tasks():
    assert len(TASKS) >= 20


@pytest.mark.parametrize("path", TASKS, ids=lambda path: path.parent.name)
def test_task(path):
    nb = execute(nbformat.read(path, 4), resources={"metadata": {"path": str(path.parent)}})
    assert nb.cells[-1].outputs, "the last cell shows nothing"


def test_task_twins():
    subprocess.run([sys.executable, TASKS[0].parents[1] / "run.py", "--check"], check=True)
