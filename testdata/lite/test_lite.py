"""The kernel in headless Chromium, from a server of plain files: in a site of JupyterLite, and in a page of `gokernel site`.

LITE names the folder that `make lite` compiles the kernel into, GOKERNEL the program that says what lectures
show, and LECTURES those that run: LECTURES="N02 N06 N11".
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from playwright.sync_api import expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
CELLS = ["1 + 2", 'Plot([]float64{1, 4, 9}).Title("Squares")', "for {\n}", 'string(os.ReadFile("small.txt"))', "strings.ToTit"]
LECTURES = os.environ.get("LECTURES", "N06").split()

# Code cells that show something else in a browser, counted from 0: docs/how-to/browser.md says what.
DIFFERENT = {"N03": [12], "N08": [3, 29], "N11": [9, 20, 24, 29, 38, 39], "N13": [8, 11, 22, 23, 25], "N16": [34], "N17": [7, 24]}

# A machine that is busy takes its time.
expect.set_options(timeout=180_000)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextmanager
def served(folder):
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lite")
    subprocess.run([sys.executable, ROOT / "install/lite/build.py", os.environ["LITE"], "-o", folder], check=True)
    (wheel,) = folder.glob("*.whl")
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--force-reinstall", "--no-deps", wheel], check=True)
    contents, lite = folder / "contents", folder / "lite"
    contents.mkdir()
    lite.mkdir()
    shutil.copytree(ROOT / "notebooks/data", contents / "data")
    for number in LECTURES:
        shutil.copy(lecture(number), contents)
    (lite / "jupyter-lite.json").write_text(json.dumps({"jupyter-lite-schema-version": 0, "jupyter-config-data": {"exposeAppInBrowser": True}}))
    notebook = new_notebook(metadata={"kernelspec": {"name": "gokernel", "display_name": "Go (gokernel)", "language": "go"}})
    notebook.cells = [new_code_cell(code) for code in CELLS]
    nbformat.write(notebook, contents / "small.ipynb")
    (contents / "small.txt").write_text("from the site")
    subprocess.run(
        [sys.executable, "-m", "jupyterlite_core", "build", "--contents", contents, "--lite-dir", lite, "--output-dir", folder / "site"],
        check=True, capture_output=True,
    )
    with served(folder / "site") as address:
        yield address


@pytest.fixture(scope="module")
def browser():
    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def lab(browser, site):
    """Opens a notebook in a page of its own."""
    page = browser.new_page(viewport={"width": 1280, "height": 1400})
    page.set_default_timeout(180_000)

    def opened(path):
        page.goto(f"{site}/lab/index.html?path={path}")
        return page

    yield opened
    page.close()


def lecture(number):
    (file,) = (ROOT / "notebooks").glob(f"{number}-*.ipynb")
    return file


def joined(text):
    return "".join(text) if isinstance(text, list) else text


def shown(notebook):
    """What the code cells of a notebook show. Widgets are numbered by a program, and have random names in a browser."""
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        outputs = []
        for output in cell["outputs"]:
            if "data" in output:
                data = {kind: joined(content) for kind, content in output["data"].items()}
                data.get("application/vnd.jupyter.widget-view+json", {}).pop("model_id", None)
                outputs.append(data)
            else:
                outputs.append([output.get("name"), joined(output.get("text", "")), output.get("traceback")])
        yield outputs


@pytest.mark.parametrize("number", LECTURES)
def test_lecture(lab, number, tmp_path):
    file, native = lecture(number), tmp_path / "native.ipynb"
    subprocess.run([os.environ["GOKERNEL"], "run", "--engine", "yaegi", file, "-o", native], check=True, capture_output=True)
    page = lab(file.name)
    page.wait_for_function("window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.info && true")
    page.evaluate("() => jupyterapp.commands.execute('notebook:run-all-cells')")
    here = list(shown(page.evaluate("() => jupyterapp.shell.currentWidget.content.model.toJSON()")))
    there = list(shown(json.loads(native.read_text())))
    assert len(here) == len(there)
    different = [i for i, outputs in enumerate(here) if outputs != there[i]]
    assert different == DIFFERENT.get(number, []), "\n".join(f"{i}: {here[i]}\nin place of {there[i]}"[:2000] for i in different)
    if directory := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=pathlib.Path(directory, f"lite-{number}.png"))


def test_notebook(lab):
    page = lab("small.ipynb")
    cells = page.locator(".jp-Notebook .jp-CodeCell")
    expect(cells).to_have_count(len(CELLS))

    def run(i):
        cells.nth(i).locator(".cm-content").click()
        page.keyboard.press("Shift+Enter")
        return cells.nth(i).locator(".jp-OutputArea-output")

    expect(run(0)).to_have_text("3")
    expect(run(1).locator("svg, img").first).to_be_visible()
    looping = run(2)
    expect(page.get_by_role("button", name="Go (gokernel) | Busy")).to_be_visible()
    page.get_by_role("button", name="Interrupt the kernel").first.click()
    expect(looping).to_contain_text("interrupted")
    expect(run(3)).to_contain_text("from the site")
    expect(run(0)).to_have_text("3")
    cells.nth(4).locator(".cm-content").click()
    page.keyboard.press("End")
    page.keyboard.press("Tab")
    expect(page.locator(".jp-Completer-item").filter(has_text="ToTitleSpecial")).to_be_visible()
    if directory := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=pathlib.Path(directory, "lite.png"))


PAGE = [
    new_markdown_cell("# A page"),
    new_code_cell("n := 3"),
    new_code_cell('Plot(Map(Range(0, n), func(i int) float64 { return float64(i * i) })).Title("Squares")', id="figure"),
    new_markdown_cell("**Figure 1.** Squares."),
    new_code_cell('fmt.Println(n, "rows")\nTable(map[string]int{"n": n})', id="table"),
    new_code_cell('string(os.ReadFile("data/small.txt"))', id="file"),
]


@pytest.fixture
def live(browser, tmp_path):
    """A page of a course whose cells run in it, and what its policy has refused."""
    course = tmp_path / "course"
    (course / "data").mkdir(parents=True)
    (course / "data/small.txt").write_text("from the site")
    nbformat.write(new_notebook(cells=PAGE, metadata={"kernelspec": {"name": "gokernel", "display_name": "Go", "language": "go"}}), course / "P01-page.ipynb")
    subprocess.run([os.environ["GOKERNEL"], "site", course, "-o", tmp_path / "site", "--live", os.environ["LITE"]], check=True)
    refused = []
    with served(tmp_path / "site") as address:
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.set_default_timeout(180_000)
        page.on("console", lambda m: refused.append(m.text) if "Content Security Policy" in m.text else None)
        page.goto(f"{address}/lectures/P01-page.html")
        yield page, refused
        page.close()


def test_live_page(live):
    page, refused = live
    status = page.locator(".runner .note")
    expect(status).to_contain_text(" MB")
    printed = page.locator("#cell-figure img").get_attribute("src")
    svg = page.evaluate("async (file) => (await fetch(file)).text()", printed)
    page.get_by_role("button", name="Run this page").click()
    expect(status).to_contain_text("The cells have run")
    drawn = page.locator("#cell-figure figure .output img")
    expect(drawn).to_have_count(1)
    assert page.evaluate("async (i) => decodeURIComponent(i.src.replace(/^data:image.svg.xml,/, ''))", drawn.element_handle()) == svg
    expect(page.locator("figcaption")).to_have_text("Figure 1. Squares.")
    expect(page.locator("#cell-table .output.stream")).to_have_text("3 rows\n")
    expect(page.locator("#cell-table .output.html td").last).to_have_text("3")
    expect(page.locator("#cell-file .output")).to_contain_text("from the site")

    cell = page.locator("#cell-table")
    code = cell.locator("code")

    def change(text):
        code.click()
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type(text)
        page.keyboard.press("Shift+Enter")

    change("n * 100")
    expect(cell.locator(".output").first).to_have_text("300")
    change("for {}")
    page.get_by_role("button", name="Interrupt").click()
    expect(cell.locator(".output.error")).to_contain_text("interrupted")
    # One long call of compiled code hears nothing.
    change("new(big.Int).Exp(big.NewInt(3), big.NewInt(1<<30), nil).BitLen()")
    page.get_by_role("button", name="Interrupt").click()
    expect(cell.locator(".output.error")).to_contain_text("did not stop")
    change("n + 1")
    expect(cell.locator(".output.error")).to_contain_text("undefined: n")
    page.get_by_role("button", name="Run all cells").click()
    expect(status).to_contain_text("The cells have run")
    expect(cell.locator(".output").first).to_have_text("4")
    assert refused == []
    if directory := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=pathlib.Path(directory, "live.png"), full_page=True)
