"""The extension of VS Code, in VS Code itself: code-server, which npm has, and Chromium."""

import json
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import expect

from conftest import ROOT

CELLS = [
    "xs := []float64{1, 2, 3}\ntotal := 0.0",
    "for _, x := range xs {\n\ttotal += x\n}",
    "// Area returns the area of a circle.\nfunc Area(r float64) float64 { return math.Pi * r * r }",
    "total",
    "%time total",
]


@pytest.fixture(scope="module")
def code(tmp_path_factory):
    """A VS Code with the extension; gives its address and the folder that it shows."""
    npm = shutil.which("npm") or pytest.fail("no npm: install it, for code-server")
    here, work = tmp_path_factory.mktemp("vscode"), tmp_path_factory.mktemp("work")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ROOT / "testdata" / "e2e" / "vscode" / name, here)
    quiet = ["--silent", "--no-audit", "--no-fund"]
    # Only the script of the package node is run: it takes the program for this machine. The native
    # modules of code-server, which this test does not need, are not compiled.
    subprocess.run([npm, "ci", "--ignore-scripts", *quiet], cwd=here, check=True)
    subprocess.run([npm, "rebuild", "--foreground-scripts", *quiet, "node"], cwd=here, check=True, stdout=subprocess.DEVNULL)
    node = here / "node_modules" / "node" / "bin" / "node"
    server = here / "node_modules" / "code-server"
    for part in ("lib/vscode", "lib/vscode/extensions"):
        subprocess.run([npm, "install", "--omit=dev", "--ignore-scripts", *quiet], cwd=server / part, check=True)
    subprocess.run(["make", "--no-print-directory", "vscode", f"BUILD={here}/build"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)

    nb = new_notebook(metadata={"kernelspec": {"name": "gokernel", "display_name": "Go (gokernel)", "language": "go"}, "language_info": {"name": "go"}})
    nb.cells = [new_code_cell(c) for c in CELLS]
    nbformat.write(nb, work / "go.ipynb")
    nb.cells[3].source = "missing_name"
    (work / "two").mkdir()
    nbformat.write(nb, work / "two" / "go.ipynb")
    nb.metadata["kernelspec"]["name"] = "gonb"
    nbformat.write(nb, work / "two" / "other.ipynb")
    user = here / "user" / "User" / "settings.json"
    user.parent.mkdir(parents=True)
    user.write_text(json.dumps({
        "workbench.startupEditor": "none", "telemetry.telemetryLevel": "off", "chat.disableAIFeatures": True,
        "workbench.editorAssociations": {"*.ipynb": "jupyter-notebook"},
        "workbench.secondarySideBar.defaultVisibility": "hidden", "editor.acceptSuggestionOnEnter": "on", "notebook.cellToolbarLocation": {"default": "hidden"},
    }))
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    command = [
        node, server / "out" / "node" / "entry.js", "--config", here / "config.yaml",
        "--user-data-dir", here / "user", "--extensions-dir", here / "extensions",
    ]
    env = {**os.environ, "HOME": str(here)}
    subprocess.run([*command, "--install-extension", here / "build" / "gokernel.vsix"], check=True, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    log = (here / "log").open("w")
    child = subprocess.Popen(
        [*command, "--auth", "none", "--bind-addr", f"127.0.0.1:{port}", "--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"],
        stdout=log, stderr=log, env=env,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        end = time.monotonic() + 120
        while True:
            assert child.poll() is None and time.monotonic() < end, (here / "log").read_text()
            try:
                urllib.request.urlopen(f"{url}/healthz", timeout=60)
                break
            except urllib.error.URLError:
                time.sleep(0.2)
        yield url, work
    finally:
        child.terminate()
        child.wait(60)
        shutil.rmtree(here)  # almost 1 GB


@pytest.fixture(scope="module")
def page(browser, code):
    url, work = code
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    page.set_default_timeout(60_000)
    page.goto(f"{url}/?folder={work}")
    open_file(page, "go.ipynb")
    yield page
    page.close()


def open_file(page, name):
    page.locator(".explorer-folders-view .monaco-list-row", has_text=name).dblclick()
    expect(page.locator(".tab.active", has_text=name)).to_be_visible()
    expect(cell(page, 0).locator(".view-lines")).to_be_visible()


def cell(page, n):
    return page.locator(f'.notebookOverlay .monaco-list-row.code-cell-row[data-index="{n}"]:visible')


def line(page, n, k=0):
    return cell(page, n).locator(".view-line").nth(k)


def write(page, n, text):
    lines = cell(page, n).locator(".view-lines")
    expect(lines).to_be_visible()
    box = lines.bounding_box()
    page.mouse.click(box["x"] + 5, box["y"] + 5)
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(text)


def squiggle(page, n):
    return cell(page, n).locator(".squiggly-error")


def run_command(page, title):
    page.keyboard.press("F1")
    box = page.locator(".quick-input-widget input")
    expect(box).to_be_visible()
    box.fill(f">{title}")
    page.locator(".quick-input-list .monaco-list-row", has_text=title).first.click()


def test_squiggle_and_quick_fix(page):
    write(page, 3, "total / len(xs)")
    expect(squiggle(page, 3).first).to_be_visible()
    page.keyboard.press("Control+.")
    fix = page.locator(".action-widget .monaco-list-row", has_text="convert it: float64(len(xs))")
    expect(fix).to_be_visible()
    page.keyboard.press("Enter")
    expect(squiggle(page, 3)).to_have_count(0)
    expect(line(page, 3)).to_have_text("total / float64(len(xs))")


def test_hover(page):
    write(page, 3, "Area(total)")
    hover = page.locator(".monaco-hover", has_text="func Area(r float64) float64")
    # VS Code asks the server once for each hover, perhaps before the server has the text.
    for again in range(10, -1, -1):
        line(page, 3).get_by_text("Area", exact=True).first.hover()
        try:
            expect(hover).to_contain_text("Area returns the area of a circle.", timeout=5000)
            break
        except AssertionError:
            if not again:
                raise
            page.mouse.move(5, 5)
    page.mouse.move(5, 5)


def test_definition_and_rename(page):
    write(page, 3, "Area(total)")
    page.keyboard.press("Home")
    page.keyboard.press("F12")
    expect(cell(page, 2)).to_have_class(re.compile("focused"))
    page.keyboard.press("F2")
    box = page.locator(".rename-box input")
    expect(box).to_have_value("Area")
    box.fill("Circle")
    page.keyboard.press("Enter")
    expect(line(page, 3)).to_have_text("Circle(total)")
    expect(line(page, 2, 1)).to_contain_text("func Circle(r float64)")


def test_completion_and_snippets(page):
    write(page, 3, "ml.forest")
    page.keyboard.press("Control+Space")
    first = page.locator(".suggest-widget .monaco-list-row").first
    expect(first).to_contain_text("RandomForest")
    page.keyboard.press("Escape")
    write(page, 3, "loo")
    page.keyboard.press("Control+Space")
    item = page.locator(".suggest-widget .monaco-list-row", has_text="Loop over elements")
    expect(item).to_be_visible()
    item.click()
    expect(line(page, 3)).to_have_text(re.compile(r"for\si,\sx\s:=\srange\sxs\s{"))
    page.keyboard.press("Escape")
    write(page, 3, "total")


def test_magics_have_colors(page):
    expect(line(page, 4).locator("span span", has_text="%time")).not_to_have_class("mtk1")
    expect(squiggle(page, 4)).to_have_count(0)


def test_restart(page):
    write(page, 3, "total / len(xs)")
    expect(squiggle(page, 3).first).to_be_visible()
    page.evaluate(
        """n => {
          const found = () => document.querySelector(`.code-cell-row[data-index="${n}"] .squiggly-error`);
          window.gone = new Promise((done) => new MutationObserver((_, o) => {
            if (found()) return;
            o.disconnect();
            done(true);
          }).observe(document.body, { subtree: true, childList: true }));
        }""",
        3,
    )
    run_command(page, "Go Notebooks: Restart the Language Server")
    assert page.evaluate("window.gone")  # with the old server
    expect(squiggle(page, 3).first).to_be_visible()
    write(page, 3, "total")
    expect(squiggle(page, 3)).to_have_count(0)


def test_notebooks_of_other_kernels(browser, code):
    """GoNB's cells have other rules: the extension leaves them alone."""
    url, work = code
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    page.goto(f"{url}/?folder={work}/two")
    open_file(page, "other.ipynb")
    page.locator(".explorer-folders-view .monaco-list-row", has_text="go.ipynb").dblclick()
    # The server answers in order: what it says about the other notebook would have come before.
    expect(page.locator(".notebookOverlay .squiggly-error").first).to_be_visible()
    expect(page.locator("#status\\.problems a")).to_have_attribute("aria-label", re.compile("^(Errors: )?1\\b"))
    page.close()
