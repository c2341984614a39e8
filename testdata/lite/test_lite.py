"""A site of JupyterLite with the kernel in it, from a server of plain files, in headless Chromium.

LITE names the folder that `make lite` compiles the kernel into.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
CELLS = ["1 + 2", 'Plot([]float64{1, 4, 9}).Title("Squares")', "for {\n}", 'string(os.ReadFile("small.txt"))']

# A machine that is busy takes its time.
expect.set_options(timeout=180_000)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lite")
    subprocess.run([sys.executable, ROOT / "install/lite/build.py", os.environ["LITE"], "-o", folder], check=True)
    (wheel,) = folder.glob("*.whl")
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--force-reinstall", "--no-deps", wheel], check=True)
    contents, lite = folder / "contents", folder / "lite"
    contents.mkdir()
    lite.mkdir()
    notebook = new_notebook(metadata={"kernelspec": {"name": "gokernel", "display_name": "Go (gokernel)", "language": "go"}})
    notebook.cells = [new_code_cell(code) for code in CELLS]
    nbformat.write(notebook, contents / "small.ipynb")
    (contents / "small.txt").write_text("from the site")
    subprocess.run(
        [sys.executable, "-m", "jupyterlite_core", "build", "--contents", contents, "--lite-dir", lite, "--output-dir", folder / "site"],
        check=True, capture_output=True,
    )
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder / "site"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.fixture(scope="module")
def page(site):
    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 1400})
        page.set_default_timeout(180_000)
        page.goto(f"{site}/lab/index.html?path=small.ipynb")
        yield page
        browser.close()


def test_notebook(page):
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
    if directory := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=pathlib.Path(directory, "lite.png"))
