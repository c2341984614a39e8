"""JupyterLab with jupyterlab-lsp, which pip has installed beside the wheel."""

import io
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import venv

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from PIL import Image
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
    # JupyterLab itself is in the environment of the tests, without the defaults of the wheel.
    for part in (pathlib.Path(sys.prefix) / "share" / "jupyter" / "lab").iterdir():
        if part.name != "settings":
            (here / "share" / "jupyter" / "lab" / part.name).symlink_to(part)
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
             "JUPYTERLAB_DIR": str(here / "share" / "jupyter" / "lab")},
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
    page = browser.new_page(viewport={"width": 1280, "height": 1000}, device_scale_factor=2)
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
    editor(page, n).fill(text)


def cell(page, n):
    return page.locator(".jp-Notebook .jp-CodeCell").nth(n)


def squiggle(page, n):
    return cell(page, n).locator(".cm-lintRange-error")


def text(page, n):
    """The text of a cell, of which the editor shows each line in an element."""
    return "\n".join(editor(page, n).locator(".cm-line").all_inner_texts())


def shoot(page, name):
    """A picture of the first cells, for docs/how-to/editors.md."""
    if directory := os.environ.get("SCREENSHOTS"):
        first, last = cell(page, 0).bounding_box(), cell(page, 6).bounding_box()
        clip = {"x": first["x"], "y": first["y"] - 8, "width": 640, "height": last["y"] - first["y"] + 8}
        shot = Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB")
        shot.quantize(64).save(pathlib.Path(directory, f"{name}.png"), optimize=True)


def test_squiggle_and_quick_fix(page):
    for theme in ("Light", "Dark"):
        change_theme(page, theme)
        write(page, 1, "for _, x := range xs {\n\ttotal += math.Sqr(x)\n}")
        expect(squiggle(page, 1).first).to_be_visible()
        write(page, 3, "total / len(xs)")
        expect(squiggle(page, 3).first).to_be_visible()
        squiggle(page, 3).first.hover()
        expect(page.locator(".cm-tooltip-lint")).to_contain_text("mismatched types float64 and int")
        fix = page.locator(".cm-tooltip button", has_text="Quick fix: convert it: float64(len(xs))")
        expect(fix).to_be_visible()
        shoot(page, f"editors-{theme.lower()}")
        fix.click()
        expect(squiggle(page, 3)).to_have_count(0)
        assert text(page, 3) == "total / float64(len(xs))"
        page.keyboard.press("Control+z")  # the fix is one step
        expect(squiggle(page, 3).first).to_be_visible()
        assert text(page, 3) == "total / len(xs)"
    write(page, 1, CELLS[1])
    expect(squiggle(page, 1)).to_have_count(0)


def test_quick_fix_by_keys(page):
    write(page, 3, "total / len(xs)")
    expect(squiggle(page, 3).first).to_be_visible()
    page.keyboard.press("Control+.")
    expect(page.locator(".lm-Menu-item", has_text="convert it: float64(len(xs))")).to_be_visible()
    page.keyboard.press("Enter")
    expect(squiggle(page, 3)).to_have_count(0)
    assert text(page, 3) == "total / float64(len(xs))"
    write(page, 3, "total")
    page.keyboard.press("Control+.")
    expect(page.locator(".lm-Menu-item", has_text="No quick fixes here")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".lm-Menu")).to_have_count(0)


def point(page, n, name):
    """Where a name is on the screen."""
    box = editor(page, n).evaluate(
        """(editor, name) => {
          const walk = document.createTreeWalker(editor, NodeFilter.SHOW_TEXT);
          for (let node; (node = walk.nextNode());) {
            const at = node.data.indexOf(name);
            if (at >= 0) {
              const range = document.createRange();
              range.setStart(node, at);
              range.setEnd(node, at + name.length);
              const { left, top, width, height } = range.getBoundingClientRect();
              return [left + width / 2, top + height / 2];
            }
          }
        }""",
        name,
    )
    assert box, f"no {name} in the cell"
    return box


def test_hover(page):
    # The click asks for the documentation of "total", and the extension keeps the answer for these
    # columns. The mark of the error shows that the server has the new text.
    write(page, 3, "total + Area(total) + missing")
    expect(squiggle(page, 3).first).to_be_visible()
    x, y = point(page, 3, "Area")
    page.mouse.move(x, y)
    # The name at the pointer gets a mark as soon as the server has answered. The extension forgets
    # the pointer when the mark leaves another name, so the pointer moves on.
    expect(cell(page, 3).locator(".cm-lsp-hover-available")).to_have_text("Area")
    page.mouse.move(x + 1, y)
    page.keyboard.press("Control")
    hover = page.locator(".lsp-hover")
    expect(hover).to_contain_text("func Area(r float64) float64")
    expect(hover).to_contain_text("Area returns the area of a circle.")
    page.mouse.move(0, 0)
    expect(hover).to_have_count(0)


def test_rename(page):
    write(page, 3, "Area(total) + missing")
    expect(squiggle(page, 3).first).to_be_visible()
    x, y = point(page, 3, "Area")
    # Chromium moves the cursor with the right button too, but the editor learns of it later.
    page.mouse.click(x, y)
    expect(page.locator(".jp-StatusBar-Widget")).to_contain_text(re.compile(r"Ln 1, Col [23](?!\d)"))
    page.mouse.click(x, y, button="right")
    page.locator(".lm-Menu-item", has_text="Rename symbol").click()
    page.locator(".jp-Dialog input").fill("Circle")
    page.keyboard.press("Enter")
    expect(editor(page, 3)).to_have_text("Circle(total) + missing")
    expect(editor(page, 2)).to_contain_text("func Circle(r float64)")
    # At the cursor, by our extension.
    editor(page, 3).click()
    page.keyboard.press("Home")
    page.keyboard.press("F2")
    page.locator(".jp-Dialog input").fill("xs")
    page.keyboard.press("Enter")
    expect(page.get_by_text("rename: xs is already declared in cell [1]")).to_be_visible()
    page.keyboard.press("F2")
    expect(page.locator(".jp-Dialog input")).to_have_value("Circle")
    page.locator(".jp-Dialog input").fill("Area")
    page.keyboard.press("Enter")
    expect(editor(page, 3)).to_have_text("Area(total) + missing")
    expect(editor(page, 2)).to_contain_text("func Area(r float64)")


def test_jump(page):
    write(page, 3, "Area(total) + missing")
    expect(squiggle(page, 3).first).to_be_visible()
    page.keyboard.press("Home")
    page.keyboard.press("Control+b")
    expect(cell(page, 2)).to_have_class(re.compile("jp-mod-active"))
    expect(page.locator(".jp-StatusBar-Widget")).to_contain_text("Ln 2, Col 6")
    editor(page, 3).click()
    x, y = point(page, 3, "total")
    page.mouse.move(x, y)
    page.keyboard.down("Alt")
    page.mouse.down()
    page.mouse.up()
    page.keyboard.up("Alt")
    expect(cell(page, 0)).to_have_class(re.compile("jp-mod-active"))
    expect(page.locator(".jp-StatusBar-Widget")).to_contain_text("Ln 2, Col 1")


def test_squiggle_follows_the_last_key(page, record_property):
    """Measures, in the page, the time from the last key to the squiggle. docs/reports/language-server.md has it."""
    times = []
    for _ in range(20):
        write(page, 3, "total / 2.0")
        expect(squiggle(page, 3)).to_have_count(0)
        page.evaluate(
            """n => {
              const cell = document.querySelectorAll(".jp-Notebook .jp-CodeCell")[n];
              window.squiggle = new Promise((done) => {
                let key;
                cell.addEventListener("keydown", (e) => (key = e.timeStamp), { capture: true, once: true });
                new MutationObserver((_, o) => {
                  if (!cell.querySelector(".cm-lintRange-error")) return;
                  o.disconnect();
                  done(performance.now() - key);
                }).observe(cell, { subtree: true, childList: true, attributes: true });
              });
            }""",
            3,
        )
        page.keyboard.press("x")
        times.append(page.evaluate("window.squiggle"))
    times.sort()
    assert times[0] > 0
    record_property("squiggle", times)
    print(f"{LONG} cells, {len(times)} times: median {times[len(times) // 2]:.0f} ms, p95 {times[int(0.95 * (len(times) - 1))]:.0f} ms")
    write(page, 3, "total")


def test_live_session(page):
    """The completer also asks the kernel, which knows what no text says."""
    write(page, 4, 'seen := map[string]int{}\nseen[strings.ToUpper("alpha")], seen[strings.ToUpper("beta")] = 1, 2')
    page.keyboard.press("Shift+Enter")
    expect(cell(page, 4).locator(".jp-InputPrompt")).to_have_text("[1]:")
    write(page, 5, 'seen["')
    page.keyboard.press("Tab")
    item = page.locator(".jp-Completer-item")
    expect(item).to_have_count(2)
    assert item.evaluate_all("all => all.map(i => i.dataset.value)") == ["ALPHA", "BETA"]
    page.keyboard.press("Escape")
