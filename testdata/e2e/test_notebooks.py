"""Notebooks through the tools of Jupyter, and through `gokernel run`."""

import json
import signal
import subprocess
import sys

import nbclient
import nbformat
import pytest
from nbclient.exceptions import CellExecutionError, CellTimeoutError
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook


def notebook(*cells):
    nb = new_notebook(metadata={"kernelspec": {"name": "gokernel", "display_name": "Go (gokernel)", "language": "go"}})
    nb.cells = [c if isinstance(c, dict) else new_code_cell(c) for c in cells]
    return nb


def execute(nb, **options):
    client = nbclient.NotebookClient(nb, kernel_name="gokernel", **{"timeout": 60, **options})
    client.execute()
    return nb


LECTURE = (
    new_markdown_cell("# Squares\n\nThe sum is $\\sum_i i^2$."),
    "squares := []int{}\nfor i := range 5 {\n\tsquares = append(squares, i*i)\n}",
    'fmt.Println("squares:", squares)',
    "squares[4]",
    "Show(HTML(`<b>bold</b>`))",
)


def test_nbclient():
    nb = execute(notebook(*LECTURE))
    assert nb.cells[2].outputs == [{"output_type": "stream", "name": "stdout", "text": "squares: [0 1 4 9 16]\n"}]
    assert nb.cells[3].outputs[0]["output_type"] == "execute_result"
    assert nb.cells[3].outputs[0]["data"]["text/plain"] == "16"
    assert nb.cells[4].outputs[0]["data"]["text/html"] == "<b>bold</b>"
    nbformat.validate(nb)
    assert nb.metadata.language_info.name == "go"


def test_nbconvert(tmp_path):
    source = tmp_path / "lecture.ipynb"
    nbformat.write(notebook(*LECTURE), source)
    subprocess.run(
        [sys.executable, "-m", "nbconvert", "--execute", "--to", "html", str(source)], check=True, capture_output=True
    )
    text = (tmp_path / "lecture.html").read_text()
    assert "squares:" in text and "16" in text


def test_error_cell():
    nb = notebook('fmt.Println("before")', 'panic("on purpose")', "1")
    with pytest.raises(CellExecutionError, match="on purpose"):
        execute(nb)
    out = nb.cells[1].outputs
    assert [o.output_type for o in out] == ["error"]
    assert "on purpose" in "\n".join(out[0].traceback)
    assert nb.cells[2].outputs == []


def test_expected_error_goes_on():
    failing = new_code_cell('panic("on purpose")', metadata={"tags": ["raises-exception"]})
    nb = execute(notebook("kept := 41", failing, "kept + 1"))
    assert nb.cells[2].outputs[0]["data"]["text/plain"] == "42"


def test_timeout_interrupts_and_keeps_variables():
    nb = notebook("kept := 41", "for {}", "kept + 1")
    client = nbclient.NotebookClient(
        nb, kernel_name="gokernel", timeout_func=lambda cell: 2 if cell.source == "for {}" else 60, interrupt_on_timeout=True, allow_errors=True
    )
    client.execute()
    assert nb.cells[1].outputs[0].output_type == "error"
    assert nb.cells[2].outputs[0]["data"]["text/plain"] == "42"


def test_timeout_without_interrupt_is_an_error():
    with pytest.raises(CellTimeoutError):
        execute(notebook("for {}"), timeout=1)


def test_gokernel_run_agrees_with_nbclient(program, tmp_path):
    source, out = tmp_path / "lecture.ipynb", tmp_path / "out.ipynb"
    nbformat.write(notebook(*LECTURE), source)
    subprocess.run([program, "run", str(source), "-o", str(out)], check=True, capture_output=True)
    ours, theirs = nbformat.read(out, 4), execute(notebook(*LECTURE))
    nbformat.validate(ours)
    assert [c.get("outputs") for c in ours.cells] == [c.get("outputs") for c in theirs.cells]
    again = tmp_path / "again.ipynb"
    subprocess.run([program, "run", str(source), "-o", str(again)], check=True, capture_output=True)
    assert again.read_bytes() == out.read_bytes()


@pytest.mark.parametrize("flags", [["--inplace"], []])
def test_gokernel_run_interrupted(program, tmp_path, flags):
    source = tmp_path / "a lecture.ipynb"
    nbformat.write(notebook("1 + 1", "for {}", "2"), source)
    before = source.read_bytes()
    run = subprocess.Popen([program, "run", source.name, *flags], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    said = ""
    while "[1/3]" not in said:
        said += run.stderr.readline()
    run.send_signal(signal.SIGINT)
    said += run.communicate(timeout=60)[1]
    assert run.returncode == 130 and "interrupted: " in said, said
    assert source.read_bytes() == before
    written = {f.name for f in tmp_path.iterdir()} - {source.name}
    assert written == (set() if flags else {"a lecture.executed.ipynb", "a lecture.html"})


def test_gokernel_run_status(program, tmp_path):
    source = tmp_path / "bad.ipynb"
    nbformat.write(notebook('panic("on purpose")', "1"), source)
    run = subprocess.run([program, "run", str(source)], capture_output=True, text=True)
    assert run.returncode == 1 and "on purpose" in run.stderr
    assert "on purpose" in (tmp_path / "bad.html").read_text()
    assert json.loads((tmp_path / "bad.executed.ipynb").read_text())["cells"][0]["outputs"][0]["output_type"] == "error"
    run = subprocess.run([program, "run", str(source), "--allow-errors", "--inplace"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    cells = json.loads(source.read_text())["cells"]
    assert cells[1]["outputs"][0]["data"]["text/plain"] == ["1"]
