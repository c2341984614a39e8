"""The pages that `gokernel run --html` writes, for readers of every kind: with axe-core, a
keyboard, a phone, less motion, a dark theme, and on paper."""

import os
import pathlib
import re
import subprocess

import pytest
from conftest import wait_until
from playwright.sync_api import expect

HERE = pathlib.Path(__file__).resolve().parent
NOTEBOOKS = sorted((HERE.parents[1] / "notebooks").glob("*.ipynb"))
GALLERY = next(n for n in NOTEBOOKS if n.stem == "gallery")


@pytest.fixture(scope="session")
def written(executed):
    """Gives the page of a notebook."""
    return lambda notebook: executed(notebook).with_suffix(".html")


def opened(browser, file, width=1280, scheme="light", **options):
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme, **options)
    errors = []
    page.on("pageerror", lambda e: errors.append(str(e)))
    page.goto(file.as_uri())
    wait_until(page, "[...document.images].every(i => i.complete)")
    wait_until(page, "[...document.querySelectorAll('.output.chart')].every(o => o.matches('.drawn'))")
    assert errors == []
    return page


def picture(page, name):
    if directory := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=pathlib.Path(directory, f"{name}.png"), full_page=True)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda n: n.stem)
def test_axe(browser, written, axe, notebook):
    file = written(notebook)
    for scheme in ("light", "dark"):
        for width in (1280, 400):
            page = opened(browser, file, width, scheme)
            bad = axe(page)
            picture(page, f"page-{notebook.stem}-{scheme}-{width}")
            page.close()
            assert bad == [], f"{scheme}, {width} pixels wide"


# Text of a figure in CSS pixels on the screen: its smallest font, shrunk as the figure is. Indices and exponents
# are 0.7 times as high as letters of the same figure, and do not count.
TEXT = """i => {
    const svg = i.src.startsWith('data:image/svg') ? atob(i.src.split(',')[1]) : '';
    const all = [...svg.matchAll(/ font-size="([\\d.]+)"/g)].map(m => +m[1]);
    const sizes = all.filter(s => s > 9 && !all.some(t => Math.abs(0.7 * t - s) < 0.06));
    return sizes.length ? Math.min(...sizes) * i.getBoundingClientRect().width / +i.getAttribute('width') : 9;
}"""


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda n: n.stem)
def test_figures_on_a_phone(browser, written, notebook):
    page = opened(browser, written(notebook), 400, has_touch=True)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 400, "the page scrolls sideways"
    for img in page.locator(".output.figure > img").all():
        alt = img.get_attribute("alt")
        assert len(alt) > 10 and "\n" not in alt, alt
        if img.is_visible():
            assert img.evaluate(TEXT) >= 8.39, alt
    page.close()


def test_enlarge(browser, written):
    page = opened(browser, written(GALLERY), 400, has_touch=True)
    img = page.locator(".output.figure > img").first
    before = img.bounding_box()["width"]
    img.tap()
    dialog = page.locator("dialog[open]")
    expect(dialog.locator("img")).to_be_visible()
    assert dialog.locator("img").evaluate("i => i.decode().then(() => i.getBoundingClientRect().width)") > 1.3 * before
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    # The keyboard gets there too.
    button = page.locator(".output.figure > .enlarge").first
    button.focus()
    page.keyboard.press("Enter")
    expect(dialog.locator("button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    page.close()


def test_interactive_chart(browser, written):
    page = opened(browser, written(GALLERY))
    chart = page.locator(".output.chart").first
    live = chart.locator(".live svg")
    expect(live).to_be_visible()
    expect(chart.locator("> img")).to_be_hidden()
    # The sentence of the picture names the drawing.
    assert chart.locator("> img").get_attribute("alt") in live.evaluate("s => s.closest('.live').outerHTML")
    live.scroll_into_view_if_needed()
    # The last point lies on the others: nothing covers it.
    point = live.locator(".mark-symbol.role-mark path").last
    point.hover()
    expect(page.locator("#vg-tooltip-element")).to_be_visible()
    labels = lambda: live.locator(".role-axis-label text").all_text_contents()
    before = labels()
    point.hover()
    page.mouse.wheel(0, -300)
    wait_until(page, "was => [...document.querySelectorAll('.live .role-axis-label text')].map(t => t.textContent).join() !== was", arg=",".join(before))
    color = "getComputedStyle(document.querySelector('.live .role-axis-label text')).fill"
    light = page.evaluate(color)
    page.emulate_media(color_scheme="dark")
    wait_until(page, f"was => {color} !== was", arg=light)
    page.emulate_media(media="print")
    expect(live).to_be_hidden()
    expect(chart.locator("> img")).to_be_visible()
    page.close()


def test_player(browser, written):
    page = opened(browser, written(GALLERY))
    slider, said = page.locator('input[type="range"]'), page.locator("output")
    expect(said).to_have_text("1 / 9")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(said).to_have_text("2 / 9")
    assert slider.get_attribute("aria-label") and slider.get_attribute("aria-valuetext") == "2 / 9"
    page.keyboard.press("End")
    expect(said).to_have_text("9 / 9")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    expect(page.locator('button[aria-label="Pause"]')).to_be_focused()
    expect(said).not_to_have_text("9 / 9")
    page.keyboard.press("Space")
    expect(page.locator('button[aria-label="Play"]')).to_be_visible()
    page.close()
    page = opened(browser, written(GALLERY), reduced_motion="reduce")
    page.locator('button[aria-label="Next frame"]').click()
    expect(page.locator("output")).to_have_text("2 / 9")
    page.wait_for_timeout(1000)
    expect(page.locator("output")).to_have_text("2 / 9")
    page.close()


def test_interact(browser, written):
    """The slider of a lecture moves on its page, by keyboard too; paper says where it stood, and a page without
    scripts shows the first."""
    lecture = next(n for n in NOTEBOOKS if n.stem == "N06-perceptron")
    page = opened(browser, written(lecture))
    figure = page.locator(".output.interact")
    slider, said, img = figure.get_by_label("mistake"), figure.locator("output"), figure.locator("img")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(said).to_have_text("2")
    expect(img).to_have_attribute("alt", re.compile("^after mistake 2[.]"))
    assert slider.get_attribute("aria-valuetext") == "2"
    page.keyboard.press("End")
    last = int(slider.get_attribute("max")) + 1
    expect(img).to_have_attribute("alt", re.compile(f"^after mistake {last}[.]"))
    assert img.evaluate("i => i.decode().then(() => i.naturalWidth)") > 0
    expect(figure.locator(".enlarge")).to_have_count(1)
    figure.scroll_into_view_if_needed()
    picture(page, "page-interact-light")
    page.emulate_media(color_scheme="dark")
    picture(page, "page-interact-dark")
    page.emulate_media(media="print")
    expect(slider).to_be_hidden()
    expect(figure).to_contain_text(f"mistake = {last}", use_inner_text=True)
    page.emulate_media(media="screen")
    slider.press("Home")
    expect(img).to_have_attribute("alt", re.compile("^after mistake 1[.]"))
    page.close()
    still = browser.new_context(java_script_enabled=False).new_page()
    still.goto(written(lecture).as_uri())
    figure = still.locator(".output.interact")
    expect(figure.locator("img")).to_have_attribute("alt", re.compile("^after mistake 1[.]"))
    expect(figure).to_contain_text("mistake = 1", use_inner_text=True)
    still.context.close()


def test_on_paper(browser, written):
    """What is printed on A4 with the margins of the page is 672 CSS pixels wide."""
    page = opened(browser, written(GALLERY), 672)
    page.emulate_media(media="print")
    for img in page.locator(".output.figure > img").all():
        assert img.evaluate(TEXT) >= 8.99, img.get_attribute("alt")
        assert img.bounding_box()["width"] <= 673
    picture(page, "paper")
    page.close()


# What an untrusted notebook may try in a page: each way would set a mark. The animation and the chart in space of the
# library go on working.
HOSTILE = [
    ("markdown", "<script>window.mark = 1</script>\n\n<img src=x onerror='window.mark = 2'>\n\n[a link](javascript:window.mark=3)\n\n<svg onload='window.mark = 4'></svg>"),
    ("code", 'Show(HTML("<script>window.mark = 5</script><img src=x onerror=\'window.mark = 6\'>"))'),
    ("code", 'Show(HTML("<iframe srcdoc=\'<script>parent.mark = 7</script>\'></iframe><base href=https://example.com/><form action=https://example.com/><button>send</button></form>"))'),
    ("code", 'Show(HTML("<svg><script>window.mark = 8</script></svg><object data=\'data:text/html,<script>1</script>\'></object>"))'),
    ("code", 'widget.New("window.mark = 9; export default { render() {} }", "", nil)'),
]


@pytest.mark.parametrize("trust", [False, True])
def test_scripts_of_a_notebook(browser, program, tmp_path, trust):
    from nbformat import write
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

    cells = [(new_markdown_cell if kind == "markdown" else new_code_cell)(source) for kind, source in HOSTILE]
    write(new_notebook(cells=cells), tmp_path / "a.ipynb")
    subprocess.run([program, "run", "a.ipynb", "--html", "a.html", *(["--trust"] if trust else [])], cwd=tmp_path, check=True)
    page = browser.new_page()
    page.goto((tmp_path / "a.html").as_uri())
    if trust:
        wait_until(page, "window.mark !== undefined")
    else:
        page.wait_for_timeout(1000)
    for link in page.locator("a[href^=javascript]").all():
        link.click()
    assert (page.evaluate("window.mark") is None) != trust
    if not trust:
        assert page.evaluate("document.baseURI") == (tmp_path / "a.html").as_uri()
    page.close()
