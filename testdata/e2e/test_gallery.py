"""Everything that a cell can show, as people see it.

The gallery is executed once, by nbclient, and looked at in JupyterLab, light
and dark, trusted and not, in the pages of nbconvert and in its LaTeX. Pictures
are left in the directory that the variable SCREENSHOTS names.
"""

import base64
import io
import os
import pathlib
import re
import subprocess
import sys
import time

import nbclient
import nbformat
import numpy as np
import pypandoc
import pypdfium2
import pytest
from nbconvert import HTMLExporter, LatexExporter
from nbformat.v4 import new_code_cell, new_notebook
from PIL import Image
from playwright.sync_api import expect
from test_lab import cell, change_theme, command, idle, open_notebook, picture

GALLERY = pathlib.Path(__file__).resolve().parents[2] / "notebooks" / "gallery.ipynb"

# What is wrong with the outputs on a page, as sentences.
FAULTS = pathlib.Path(__file__).with_name("faults.js").read_text()


@pytest.fixture(scope="module")
def gallery():
    nb = nbformat.read(GALLERY, 4)
    nbclient.NotebookClient(nb, kernel_name="gokernel", timeout=120).execute()
    nbformat.validate(nb)
    return nb


@pytest.fixture(scope="module")
def saved(gallery, lab_directory):
    """The executed gallery twice in JupyterLab's directory: trusted.ipynb is, untrusted.ipynb is not."""
    for name in ("trusted", "untrusted"):
        nbformat.write(gallery, lab_directory / f"{name}.ipynb")
    subprocess.run([sys.executable, "-m", "nbformat.sign", str(lab_directory / "trusted.ipynb")], check=True, capture_output=True)
    # A signature is of the content: without one of its own the other is not trusted.
    other = nbformat.read(lab_directory / "untrusted.ipynb", 4)
    other.cells[0].source += "\n"
    nbformat.write(other, lab_directory / "untrusted.ipynb")


def bundles(nb):
    for i, c in enumerate(nb.cells):
        for out in c.get("outputs", []):
            if "data" in out:
                yield i, c.source.splitlines()[0], out


def test_bundles(gallery):
    figures = tables = 0
    for i, source, out in bundles(gallery):
        data = out.data
        assert data.get("text/plain"), f"cell {i}, {source}: there is no text"
        assert "<progress" not in data.get("text/html", ""), f"cell {i}, {source}: a progress bar is left behind"
        if "image/svg+xml" in data:
            figures += 1
            assert {"image/png", "application/pdf"} <= data.keys(), f"cell {i}, {source}: only {sorted(data)}"
            assert "application/json" not in data, f"cell {i}, {source}: a page would hide the figure"
            # What turns under the pointer holds the picture, also where scripts are taken out.
            assert "data:image/svg+xml" in data.get("text/html", "data:image/svg+xml"), f"cell {i}, {source}: a page would hide the figure"
        if data.get("text/html", "").startswith("<table style"):
            tables += 1
            assert "text/latex" in data, f"cell {i}, {source}: the table has no LaTeX"
    assert figures > 50 and tables > 12


def test_pdf_looks_like_png(gallery):
    seen = 0
    for i, source, out in bundles(gallery):
        if "application/pdf" not in out.data:
            continue
        png = Image.open(io.BytesIO(base64.b64decode(out.data["image/png"]))).convert("RGB")
        document = pypdfium2.PdfDocument(base64.b64decode(out.data["application/pdf"]))
        assert len(document) == 1
        pdf = document[0].render(scale=2 * 96 / 72).to_pil().convert("RGB")
        assert pdf.size == png.size, f"cell {i}, {source}"
        # Blurred by a quarter of their size, renderings differ in antialiasing alone; most where
        # the cells of a crowd are hardly larger than a pixel.
        small = [np.asarray(p.reduce(4), float) for p in (pdf, png)]
        off = np.abs(small[0] - small[1])
        assert off.mean() < 3 and (off.max(axis=2) > 100).mean() < 0.004, f"cell {i}, {source}: {off.mean():.2f} of 255"
        seen += 1
    assert seen > 50


def faults(page, name):
    """Waits until the pictures of a page are there and gives what is wrong."""
    page.wait_for_function("[...document.images].every(i => i.complete)", timeout=60_000)
    found = page.evaluate(FAULTS)
    if found and os.environ.get("SCREENSHOTS"):
        page.screenshot(path=pathlib.Path(os.environ["SCREENSHOTS"], f"faults-{name}.png"), full_page=True)
    return found


def pictures(page, name):
    """A picture of each output, for people."""
    if directory := os.environ.get("SCREENSHOTS"):
        outputs = page.locator(".jp-Notebook .jp-Cell .jp-OutputArea")
        for i in range(outputs.count()):
            if outputs.nth(i).locator(".jp-OutputArea-output").count():
                outputs.nth(i).screenshot(path=pathlib.Path(directory, f"{name}-{i:02}.png"))


def rendered(page, gallery):
    """Waits until every output of the gallery is in the page."""
    outputs = [o for c in gallery.cells for o in c.get("outputs", [])]
    interactive = [o for o in outputs if any("vegalite" in kind for kind in o.get("data", {}))]
    assert len(interactive) > 1
    expect(page.locator(".jp-Notebook .jp-OutputArea-child")).to_have_count(len(outputs))
    expect(page.locator(".vega-embed .marks")).to_have_count(len(interactive))
    expect(page.locator("mjx-container").first).to_be_attached()


def test_lab_trusted(gallery, saved, lab, browser):
    page = open_notebook(browser, lab, "Light", "trusted")
    rendered(page, gallery)
    expect(page.locator(".jp-RenderedSVG img").nth(50)).to_be_attached()
    player = page.locator('.jp-OutputArea-output input[type="range"]')
    expect(player).to_have_count(1)
    page.locator('.jp-OutputArea-output button[aria-label="Play"]').click()
    page.wait_for_function("document.querySelector('.jp-OutputArea-output input[type=range]').value > 0")
    page.locator('.jp-OutputArea-output button[aria-label="Pause"]').click()
    for theme in ("Light", "Dark"):
        change_theme(page, theme)
        assert faults(page, f"trusted-{theme}") == []
        pictures(page, f"gallery-{theme.lower()}")
    page.close()


def test_lab_untrusted(gallery, saved, lab, browser):
    page = open_notebook(browser, lab, "Dark", "untrusted")
    rendered(page, gallery)
    page.wait_for_timeout(1000)
    assert page.locator(".jp-RenderedSVG").count() == 0, "the notebook is trusted"
    expect(page.locator(".jp-RenderedImage img").nth(50)).to_be_attached()
    # Without its script an animation is its frames beside each other.
    assert page.locator('.jp-OutputArea-output img[alt^="Animation of"]').evaluate("i => i.decode().then(() => i.naturalWidth)") > 600
    assert faults(page, "untrusted") == []
    pictures(page, "gallery-untrusted")
    page.close()


def test_lab_progress(lab, lab_directory, browser):
    nb = new_notebook(metadata={"kernelspec": {"name": "gokernel", "display_name": "Go (gokernel)", "language": "go"}})
    nb.cells = [
        new_code_cell("moons := ml.TwoMoons(1000, 0.3, 1)\np := &ml.Perceptron{Epochs: 1000000}"),
        new_code_cell("p.Fit(moons.X, moons.Y)\n\"done\""),
        new_code_cell('Show("gone")\nClear()\nUpdate("a", Text("first"))\nUpdate("a", Text("second"))'),
    ]
    nbformat.write(nb, lab_directory / "progress.ipynb")
    page = open_notebook(browser, lab, "Dark", "progress")
    idle(page)
    command(page, "notebook:run-all-cells")
    bar = cell(page, 1).locator(".jp-OutputArea-output progress")
    expect(bar).to_be_visible()
    page.wait_for_function("document.querySelector('.jp-OutputArea-output progress').value > 0")
    picture(page, "progress")
    command(page, "notebook:interrupt-kernel")
    expect(bar).to_have_count(0)
    expect(cell(page, 2).locator(".jp-OutputArea-output")).to_have_count(0)
    cell(page, 2).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    expect(cell(page, 2).locator(".jp-OutputArea-output")).to_have_text("second")
    idle(page)
    command(page, "docmanager:save")
    file = lab_directory / "progress.ipynb"
    deadline = time.monotonic() + 60
    # It is written in place: for a moment it is empty.
    while not (text := file.read_text()) or not (cells := nbformat.reads(text, 4).cells)[2].outputs:
        assert time.monotonic() < deadline
        page.wait_for_timeout(250)
    assert [out.data["text/plain"] for out in cells[2].outputs] == ["second"]
    assert [out.output_type for out in cells[1].outputs] == ["error"]  # the interrupt, and no bar
    page.close()


@pytest.mark.parametrize("template, theme", [("lab", "light"), ("lab", "dark"), ("classic", "light")])
def test_html(gallery, browser, tmp_path, template, theme):
    body, _ = HTMLExporter(template_name=template, theme=theme).from_notebook_node(gallery)
    file = tmp_path / "gallery.html"
    file.write_text(body)
    page = browser.new_page(viewport={"width": 1280, "height": 1400})
    # Only what is in the file; formulas come from the network.
    page.route("http*://**", lambda route: route.abort())
    page.goto(file.as_uri())
    found = faults(page, f"html-{template}-{theme}")
    if directory := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=pathlib.Path(directory, f"html-{template}-{theme}.png"), full_page=True)
    assert found == []
    player = page.locator('input[type="range"]')
    expect(player).to_have_count(1)
    player.evaluate("i => { i.value = 3; i.oninput() }")
    expect(page.locator("output")).to_have_text("4 / 9")
    page.close()


def unescaped(character, text):
    return len(re.findall(rf"(?<!\\){character}", text))


def test_latex(gallery, monkeypatch):
    """What `nbconvert --to pdf` typesets: no figure needs a converter, and the tables are right."""
    monkeypatch.setenv("PATH", str(pathlib.Path(pypandoc.get_pandoc_path()).parent), prepend=os.pathsep)
    body, resources = LatexExporter().from_notebook_node(gallery)
    figures = re.findall(r"\\adjustimage\{[^\n]*\}\{([^{}\n]*)\}", body)
    kinds = [pathlib.Path(name).suffix for name in figures]
    assert kinds.count(".pdf") > 50 and kinds.count(".png") > 0 and set(kinds) == {".pdf", ".png"}
    for name in figures:
        assert name in resources["outputs"]
    # Environments are closed in the order in which they were opened.
    open_ = []
    text = re.sub(r"\\begin\{Verbatim\}.*?\\end\{Verbatim\}", "", body[body.index(r"\begin{document}"):], flags=re.DOTALL)
    for what, name in re.findall(r"(?<!\\)\\(begin|end)\{(\w+\*?)\}", text):
        if what == "begin":
            open_.append(name)
        else:
            assert open_.pop() == name
    assert open_ == []
    tables = re.findall(r"\\begin\{tabular\}\{([lr]+)\}(.*?)\\end\{tabular\}", text, flags=re.DOTALL)
    assert len(tables) > 12
    for spec, content in tables:
        for row in content.strip().split("\\\\\n"):
            row = re.sub(r"\\(top|mid|bottom)rule\s*", "", row)
            if row:
                assert unescaped("&", row) == len(spec) - 1, row
                assert unescaped("{", row) == unescaped("}", row) and unescaped(r"\$", row) % 2 == 0, row
                # The fonts of the template have these letters, and no others.
                assert not re.findall("[^\x00-\x7f\u00a0-\u017f]", row), row
