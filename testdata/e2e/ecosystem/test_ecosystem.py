"""What others have made for notebooks, with this kernel: `make ecosystem`. docs/how-to/ecosystem.md
has the table; what is tested elsewhere, it says too."""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import nbformat
import pypandoc
import pytest

from conftest import chromium

KERNEL = {"kernelspec": {"name": "gokernel", "display_name": "Go (gokernel)", "language": "go"}, "language_info": {"name": "go", "file_extension": ".go"}}

# nbconvert looks for Playwright's own browser alone; this has it use that of the machine.
WEBPDF = """
import os
from playwright.async_api import BrowserType
launch = BrowserType.launch
BrowserType.launch = lambda self, **more: launch(self, executable_path=os.environ["CHROMIUM"], **more)
from nbconvert.nbconvertapp import main
main()
"""


@pytest.fixture(autouse=True)
def as_root(tmp_path, monkeypatch):
    """Servers start for root, too; templates and pandoc are those of the environment."""
    config = tmp_path / "config"
    config.mkdir()
    (config / "jupyter_server_config.json").write_text('{"ServerApp": {"allow_root": true}}')
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(config))
    monkeypatch.setenv("JUPYTER_PATH", f"{sys.prefix}/share/jupyter")
    monkeypatch.setenv("PATH", f"{pathlib.Path(pypandoc.get_pandoc_path()).parent}:{os.environ['PATH']}")


@pytest.fixture
def notebook(tmp_path):
    """A page with text, a number, what is printed, a figure and a table."""
    nb = nbformat.v4.new_notebook(metadata=KERNEL)
    nb.cells = [nbformat.v4.new_markdown_cell("# A page\n\nText with $x^2$.", metadata={"slideshow": {"slide_type": "slide"}})]
    nb.cells += [nbformat.v4.new_code_cell(s) for s in ("x := 6\nx * 7", 'fmt.Println("printed")', "Plot([]float64{1, 4, 9})", "Table([][]int{{1, 2}, {3, 4}})")]
    path = tmp_path / "page.ipynb"
    nbformat.write(nb, path)
    return path


@pytest.fixture
def executed(notebook):
    """The notebook as nbclient leaves it."""
    run("nbconvert", "--to", "notebook", "--execute", "--inplace", notebook)
    return notebook


def run(module, *args, status=0, **more):
    done = subprocess.run([sys.executable, "-m", module, *map(str, args)], capture_output=True, text=True, timeout=150, **more)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_nbclient(executed):
    outputs = [c.outputs[0] for c in nbformat.read(executed, 4).cells if c.cell_type == "code"]
    assert outputs[0].data["text/plain"] == "42" and outputs[1].text == "printed\n"
    assert {"image/svg+xml", "image/png", "application/pdf", "text/plain"} <= set(outputs[2].data)
    assert {"text/html", "text/latex", "text/plain"} <= set(outputs[3].data)


def test_papermill(notebook, tmp_path):
    run("papermill", notebook, tmp_path / "done.ipynb", "--log-level", "ERROR")
    cells = nbformat.read(tmp_path / "done.ipynb", 4).cells
    assert all(c.metadata.papermill.status == "completed" for c in cells) and cells[1].outputs[0].data["text/plain"] == "42"


def test_papermill_says_which_cell_failed(notebook, tmp_path):
    nb = nbformat.read(notebook, 4)
    nb.cells[2].source = 'panic("on purpose")'
    nbformat.write(nb, notebook)
    assert "on purpose" in run("papermill", notebook, tmp_path / "done.ipynb", "--log-level", "ERROR", status=1)


@pytest.mark.parametrize("to, ending, wanted", [
    ("html", "html", ["42", "image/svg+xml", "printed", "<table"]),
    ("slides", "slides.html", ["reveal", "42", "image/svg+xml"]),
    ("markdown", "md", ["42", "page_files/", "printed"]),
    ("latex", "tex", ["42", "includegraphics", "printed", "tabular"]),
])
def test_nbconvert(executed, to, ending, wanted):
    run("nbconvert", "--to", to, executed)
    text = executed.with_suffix(f".{ending}").read_text()
    for w in wanted:
        assert w in text, w


def test_nbconvert_webpdf(executed):
    done = subprocess.run([sys.executable, "-c", WEBPDF, "--to", "webpdf", "--WebPDFExporter.disable_sandbox=True", str(executed)],
                          capture_output=True, text=True, timeout=150, env={**os.environ, "CHROMIUM": chromium()})
    assert done.returncode == 0, done.stderr
    import pypdfium2

    document = pypdfium2.PdfDocument(executed.with_suffix(".pdf"))
    text = "".join(page.get_textpage().get_text_range() for page in document)
    assert "42" in text and "printed" in text


def test_nbdime(executed, tmp_path):
    other = tmp_path / "other.ipynb"
    nb = nbformat.read(executed, 4)
    nb.cells[1].source = "x := 7\nx * 7"
    nbformat.write(nb, other)
    said = run("nbdime.nbdiffapp", "--no-color", executed, other)
    assert "-x := 6" in said and "+x := 7" in said and "## modified /cells/1/source" in said
    merged = tmp_path / "merged.ipynb"
    run("nbdime.nbmergeapp", executed, executed, other, "--out", merged)
    assert nbformat.read(merged, 4).cells[1].source == nb.cells[1].source


def test_nbval(executed):
    """Outputs come out the same, figures and tables byte by byte; one that differs is found."""
    arguments = ("--nbval", "-p", "no:cacheprovider", "--noconftest", executed.name)
    assert "4 passed" in run("pytest", *arguments, cwd=executed.parent)
    nb = nbformat.read(executed, 4)
    nb.cells[1].outputs[0].data["text/plain"] = "43"
    nbformat.write(nb, executed)
    assert "1 failed, 3 passed" in run("pytest", *arguments, cwd=executed.parent, status=1)


def test_voila(notebook):
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    server = subprocess.Popen([sys.executable, "-m", "voila", "--no-browser", f"--port={port}", str(notebook)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        end = time.monotonic() + 120
        while True:
            assert server.poll() is None, server.stderr.read()
            try:
                page = urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=120).read().decode()
                break
            except urllib.error.URLError:
                assert time.monotonic() < end
                time.sleep(0.2)
    finally:
        server.terminate()
        server.wait(60)
    assert "42" in page and "image/svg+xml" in page and "printed" in page and "x := 6" not in page


def test_jupyter_book(notebook):
    """Executes the page and exports it as JATS, which needs no template of a theme; a site would fetch one."""
    shutil.which("node") or pytest.fail("no node: install it, for Jupyter Book")
    (notebook.parent / "myst.yml").write_text("version: 1\nproject:\n  title: Book\n  toc:\n    - file: page.ipynb\n")
    run("jupyter_book", "build", notebook.name, "--xml", "--execute", cwd=notebook.parent)
    exports = notebook.parent / "_build" / "exports"
    text = (exports / "index.xml").read_text()
    shown = [(exports / f).read_bytes() for f in re.findall(r'xlink:href="(files/[^"]+)"', text)]
    assert any(b == b"42" for b in shown) and any(b"<svg" in b for b in shown) and any(b.startswith(b"\x89PNG") for b in shown)


def test_language_of_the_metadata(executed):
    """What publishers go by to color cells."""
    metadata = json.loads(executed.read_text())["metadata"]
    assert metadata["language_info"] | {"version": ""} == {
        "name": "go", "version": "", "mimetype": "text/x-go", "file_extension": ".go", "pygments_lexer": "go", "codemirror_mode": "go", "nbconvert_exporter": "script"}
