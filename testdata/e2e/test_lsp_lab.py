"""JupyterLab with jupyterlab-lsp, which pip has installed beside the wheel."""

import os
import pathlib
import subprocess
import sys
import sysconfig
import venv

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import expect

from conftest import PROGRAM, ROOT, answer
from test_lab import change_theme
from test_wheel import ARCHITECTURE

# The extension, and the part of it that runs in the server.
EXTENSION = ["jupyterlab-lsp==5.3.0", "jupyter-lsp==2.3.1"]

CELLS = [
    "xs := []float64{1, 2, 3}\ntotal := 0.0",
    "for _, x := range xs {\n\ttotal += x\n}",
    "// Area returns the area of a circle.\nfunc Area(r float64) float64 { return math.Pi * r * r }",
    "total",
]
LONG = 60


@pytest.fixture(scope="module")
def lsp_lab(tmp_path_factory):
    """A JupyterLab in an environment with the wheel and the extension; gives its address."""
    dist, here, work = (tmp_path_factory.mktemp(n) for n in ("dist", "venv", "work"))
    subprocess.run(
        ["go", "run", "./install/wheel", "-version", "0.0.1", "-program", PROGRAM, "-platform", f"{sys.platform}/{ARCHITECTURE}", "-o", dist],
        cwd=ROOT, check=True,
    )
    venv.create(here, with_pip=True)
    python = here / "bin" / "python"
    [wheel] = dist.glob("*.whl")
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check", wheel, *EXTENSION], check=True)
    site = subprocess.run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], capture_output=True, text=True, check=True).stdout.strip()
    (pathlib.Path(site) / "jupyter-of-the-tests.pth").write_text(sysconfig.get_path("purelib") + "\n")
    cells = CELLS + [f"y{i} := {i}\ny{i} + 1" for i in range(LONG - len(CELLS))]
    nb = new_notebook(metadata={"kernelspec": {"name": "gokernel", "display_name": "Go (gokernel)", "language": "go"}, "language_info": {"name": "go"}})
    nb.cells = [new_code_cell(c) for c in cells]
    nbformat.write(nb, work / "long.ipynb")
    settings = work / "settings" / "@jupyterlab"
    for name, text in {
        "apputils-extension/notification": '{"fetchNews": "false", "checkForUpdates": false}',
        "notebook-extension/tracker": '{"windowingMode": "none"}',
    }.items():
        file = settings / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True)
        file.write_text(text)
    run = work / "run"
    server = subprocess.Popen(
        [python, "-m", "jupyterlab", "--no-browser", "--ServerApp.token=t", "--LabApp.expose_app_in_browser=True", "--allow-root",
         f"--ServerApp.root_dir={work}"],
        stdout=subprocess.DEVNULL, stderr=(work / "log").open("w"), start_new_session=True,
        env={**os.environ, "JUPYTER_RUNTIME_DIR": str(run), "JUPYTERLAB_SETTINGS_DIR": str(work / "settings"),
             "JUPYTERLAB_DIR": f"{sys.prefix}/share/jupyter/lab"},
    )
    try:
        url, status = answer(server, work / "log", run, "lsp/status")
        assert status["sessions"]["gokernel"]["spec"]["languages"] == ["go"]
        yield url
    finally:
        server.terminate()
        server.wait(60)


@pytest.fixture(scope="module")
def page(browser, lsp_lab):
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    page.set_default_timeout(60_000)
    page.goto(f"{lsp_lab}/lab/tree/long.ipynb?token=t&reset")
    expect(page.locator(".jp-Notebook .jp-Cell").first).to_be_visible()
    expect(page.locator(".jp-Notebook .jp-CodeCell")).to_have_count(LONG)
    expect(page.get_by_text("Fully initialized")).to_have_count(1, timeout=120_000)
    yield page
    page.close()


def editor(page, n):
    return page.locator(".jp-Notebook .jp-CodeCell").nth(n).locator(".cm-content")


def write(page, n, text):
    editor(page, n).click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(text)


def shoot(page, name):
    if directory := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=f"{directory}/{name}.png")


def test_squiggle(page):
    write(page, 3, "total / len(xs)")
    squiggle = page.locator(".jp-Notebook .jp-CodeCell").nth(3).locator(".cm-lintRange-error")
    expect(squiggle.first).to_be_visible()
    for theme in ("Light", "Dark"):
        change_theme(page, theme)
        squiggle.first.hover()
        tooltip = page.locator(".cm-tooltip-lint")
        expect(tooltip).to_contain_text("mismatched types float64 and int")
        shoot(page, f"lsp-squiggle-{theme}")
        page.mouse.move(0, 0)
    write(page, 3, "total / float64(len(xs))")
    expect(squiggle).to_have_count(0)
