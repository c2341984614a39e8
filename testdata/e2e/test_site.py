"""The web site that `gokernel site` makes, opened from a disk as a reader does: with axe-core,
a keyboard, on a phone, in the dark, on paper, and while the browser is asked for nothing else."""

import json
import os
import pathlib
import re
import subprocess

import pytest
from conftest import wait_until
from playwright.sync_api import expect

ROOT = pathlib.Path(__file__).resolve().parents[2]

COURSE = {
    "title": "Two lectures",
    "about": "A course to look at.",
    "references": "references.md",
    "glossary": "glossary.md",
    "authors": ["Ann Lee"],
    "license": "[BSD 3-Clause License](https://example.org/license)",
    "repository": {"url": "https://example.org/ann/course"},
    "binder": "https://example.org/hub?path={file}",
    "homework": "homework",
    "policy": "policy.md",
    "parts": [{"title": "Beginnings", "lectures": [
        {"id": "N01", "title": "Lines"}, {"id": "N02", "title": "Clusters", "needs": ["N01"]}]}],
}

LINES = [
    ("title", "# Lines\n\nWhich line fits? A question with $n=3$ points.\n\n## 1. Points\n\n$$\\sum_{i=1}^n(y_i-wx_i-b)^2=\\sum_{i=1}^n y_i^2+w^2\\sum_{i=1}^n x_i^2+nb^2-2w\\sum_{i=1}^n x_iy_i-2b\\sum_{i=1}^n y_i+2wb\\sum_{i=1}^n x_i \\label{sum}$$"),
    ("numbers", "x, y := []float64{1, 2, 3}, []float64{1, 3, 2}\nstat.LinearRegression(x, y, nil, false)", []),
    ("plot", 'Scatter(x, y).X("x").Y("y").Title("Three points")', []),
    ("plot-check", 'if x[0] != 1 {\n\tpanic("the first point is elsewhere")\n}', ["check", "hide-input"]),
    ("plot-text", "**Figure 1.** Three points, for which `ml.LinearRegression` has a line.\n\nFigure 1 comes back in section 2.\n\n> **Slip.** Notes 0, line 12: the line is no curve. Why it matters: it is straight."),
    ("more", "## 2. Frames\n\n### Two of them"),
    ("frames", 'Animate(Map([]float64{1, 2}, func(k float64) *chart.Chart { return Plot([]float64{0, 1}, []float64{0, k}).Title("k") }))', []),
    ("frames-text", "**Figure 2.** Two frames.\n\n## Exercises\n\n1. What is the slope?\n\n   <details><summary>Solution</summary>A half, which only the folded text says.</details>\n\n## References\n\n- Somebody. *Something*, 1805. [link](https://example.org/)"),
]
CLUSTERS = [
    ("title", "# Clusters\n\nWhere are the groups? See [lines](N01-lines.ipynb#1-points)."),
    ("fit", "iris := ml.Iris()\nml.Fit(&ml.KMeans{K: 3}, iris).Centers", []),
    ("table", 'Table(ml.ScoreFeatures(ml.PlayTennis().X, ml.PlayTennis().Y))', []),  # wider than a phone
    ("moves", 'Interact(func(k int, rising bool) any {\n\tif !rising {\n\t\treturn "no line"\n\t}\n\treturn Plot([]float64{0, 1}, []float64{0, float64(k)}).Title(fmt.Sprint("slope ", k))\n}, Range(1, 4), true)', []),
    ("moves-text", "**Figure 1.** A line of your own.\n\nMany lines:\n\n```go\n" + "x++\n" * 60 + "y++ // The last line of the code\n```\n\n## After it\n\n## 3. Explaining away\n\nSupport vector machines draw lines too. By \\eqref{line}, homework is short.\n\n$$y = wx + b \\label{line}$$\n\n## 4. Support vector machines"),
]

HOMEWORK = [("title", "# By hand\n\nDraw lines."), ("task", "## 1. A line\n\nDraw one.")]


def notebook(cells):
    return json.dumps({
        "nbformat": 4, "nbformat_minor": 5, "metadata": {},
        "cells": [
            {"id": c[0], "cell_type": "markdown", "metadata": {}, "source": c[1]} if len(c) == 2 else
            {"id": c[0], "cell_type": "code", "metadata": {"tags": c[2]}, "source": c[1], "outputs": [], "execution_count": None}
            for c in cells
        ],
    })


@pytest.fixture(scope="session")
def source(tmp_path_factory):
    directory = tmp_path_factory.mktemp("course")
    (directory / "course.json").write_text(json.dumps(COURSE))
    (directory / "references.md").write_text("# References\n\n## cluster\n\n- [Lloyd1982] S. P. Lloyd. Least squares quantization in PCM. 1982.\n")
    (directory / "glossary.md").write_text("| term | meaning | lectures |\n|---|---|---|\n| slope | how much $y$ grows with $x$ | N01 |\n")
    (directory / "policy.md").write_text("# Homework policy\n\nHand in your [own work](homework/lines.ipynb).\n")
    (directory / "homework").mkdir()
    (directory / "homework" / "lines.ipynb").write_text(notebook(HOMEWORK))
    (directory / "N01-lines.ipynb").write_text(notebook(LINES))
    (directory / "N02-clusters.ipynb").write_text(notebook(CLUSTERS))
    return directory


def make(source, out, *flags):
    env = {**os.environ, "XDG_CACHE_HOME": str(source / ".cache")}
    return subprocess.run([os.environ["GOKERNEL"], "site", str(source), "-o", str(out), *flags], check=True, capture_output=True, text=True, env=env).stderr


@pytest.fixture(scope="session")
def site(source, tmp_path_factory):
    out = tmp_path_factory.mktemp("site") / "site"
    assert "2 notebooks run" in make(source, out)
    return out


def opened(browser, site, page, width=1280, scheme="light", **options):
    p = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme, **options)
    errors, elsewhere = [], []
    p.on("pageerror", lambda e: errors.append(str(e)))
    p.on("request", lambda r: elsewhere.append(r.url) if not r.url.startswith(("file:", "data:", "blob:")) else None)
    p.goto((site / page).as_uri() if "?" not in page else (site / page.split("?")[0]).as_uri() + "?" + page.split("?")[1])
    p.wait_for_load_state("load")
    assert errors == [] and elsewhere == []
    return p


PAGES = ["index.html", "lectures/N01-lines.html", "lectures/N02-clusters.html", "api/KMeans.html", "api/Fit.html", "api/index.html", "gallery.html",
         "glossary.html", "bibliography.html", "data.html", "search.html?q=lloyd", "404.html", "slides/N01-lines.html", "homework.html", "policy.html"]


LOOKS = (("light", 1280), ("dark", 390), ("dark", 1280), ("light", 390))


def looked_at(page, axe, looks=LOOKS, name=""):
    """What is wrong with a page that is open, in each color scheme and width."""
    bad = []
    for scheme, width in looks:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        bad += [f"{scheme}, {width} pixels wide: {v}" for v in axe(page, all=True)]
        if page.evaluate("document.scrollingElement.scrollWidth") > width:
            bad.append(f"{scheme}, {width} pixels wide: the page scrolls sideways")
        if name and (directory := os.environ.get("SCREENSHOTS")):
            page.screenshot(path=pathlib.Path(directory, f"{name.replace('/', '-')}-{scheme}-{width}.png"), full_page=True)
    return bad


@pytest.mark.parametrize("page", PAGES)
def test_axe(browser, site, axe, page):
    p = opened(browser, site, page)
    if page == "api/index.html":  # the list of all names is very long
        assert looked_at(p, axe, LOOKS[:2]) == []
    else:
        assert looked_at(p, axe, name=f"site-{page.split('?')[0]}") == []
    p.close()


def test_ways(browser, site):
    """From home to a lecture, to what it names, and on to the next one."""
    p = opened(browser, site, "index.html")
    p.locator(".map a").first.click()
    expect(p.locator("h1")).to_have_text("Lines")
    expect(p.locator(".katex").first).to_be_visible()
    p.locator("p >> text=Figure 1").last.click()
    expect(p).to_have_url(re.compile("#figure-1$"))
    p.locator("figcaption a").click()
    expect(p.locator("h1")).to_have_text("ml.LinearRegression")
    p.go_back()
    p.locator('.neighbors [rel="next"]').click()
    expect(p.locator("h1")).to_have_text("Clusters")
    p.locator(".input a", has_text="KMeans").click()
    p.locator(".uses a").click()
    expect(p).to_have_url(re.compile("lectures/N02-clusters.html#cell-fit$"))
    p.close()


@pytest.mark.parametrize("width", [1440, 1280, 1024, 390])
def test_contents_are_reachable(browser, site, width):
    p = opened(browser, site, "lectures/N01-lines.html", width)
    p.evaluate("scrollTo(0, document.body.scrollHeight)")
    link = p.locator("#contents a", has_text="1. Points")
    if not link.is_visible():
        p.locator(".open-contents").click()
    link.click()
    expect(p.locator("h2", has_text="1. Points")).to_be_in_viewport()
    if width < 1100:
        expect(link).to_be_hidden()
    p.close()


def test_interact(browser, site):
    """Controls of Interact move, in the lecture and on its slides, where the arrow keys are theirs."""
    for page in ("lectures", "slides"):
        if page == "slides":
            p = deck(browser, site, "N02-clusters")
            p.evaluate("(({h, v}) => deck.slide(h, v))(deck.getIndices(document.querySelector('.output.interact').closest('section')))")
        else:
            p = opened(browser, site, "lectures/N02-clusters.html", 390)
        figure = p.locator(".output.interact")
        shown = figure.locator(".frame")
        expect(shown.locator("img")).to_have_attribute("alt", re.compile("^slope 1"))
        figure.get_by_label("k").focus()
        p.keyboard.press("ArrowRight")
        expect(shown.locator("img")).to_have_attribute("alt", re.compile("^slope 2"))
        assert shown.locator("img").get_attribute("src").endswith(".svg")
        assert shown.locator("img").evaluate("i => i.decode().then(() => i.naturalWidth)") > 0
        figure.get_by_label("rising").uncheck()
        expect(shown).to_have_text("\"no line\"")
        figure.get_by_label("rising").check()
        expect(shown.locator("img")).to_have_attribute("alt", re.compile("^slope 2"))
        if directory := os.environ.get("SCREENSHOTS"):
            p.screenshot(path=pathlib.Path(directory, f"site-interact-{page}.png"))
        p.close()


def test_code_is_folded_and_copied(browser, site):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    p = context.new_page()
    p.goto((site / "lectures/N01-lines.html").as_uri())
    code = p.locator("#cell-plot .input code")
    expect(code).to_be_hidden()
    p.locator("#cell-plot summary").click()
    expect(code).to_be_visible()
    p.locator("#cell-numbers .copy").click()
    expect(p.locator("#cell-numbers .copy")).to_have_text("Copied")
    assert p.evaluate("navigator.clipboard.readText()") == LINES[1][1]
    p.locator("button.fold").click()
    expect(p.locator("#cell-plot-check .input code")).to_be_visible()
    p.reload()
    expect(p.locator("#cell-frames .input code")).to_be_visible()
    context.close()


def test_search(browser, site):
    p = opened(browser, site, "index.html")
    p.keyboard.press("/")
    p.keyboard.type("kmean")
    p.keyboard.press("Enter")
    expect(p.locator("#results a").first).to_have_text("ml.KMeans")
    field = p.locator("#q")
    for query, first in (("slope", "slope"), ("lloyd quantization", "Lloyd1982"), ("straigt", "1. Points"), ("Two frames", "Figure 2")):
        field.fill(query)
        expect(p.locator("#results")).to_contain_text(first)
    # Titles come before texts, and sections of lectures before other pages.
    for query, first in (("explaining away", "3. Explaining away"), ("SVM", "4. Support vector machines"), ("svms", "4. Support vector machines"),
                         ("homework", "Homework"), ("homework policy", "Homework policy"), ("line", "Lines"), ("frames", "2. Frames")):
        field.fill(query)
        expect(p.locator("#results a").first).to_have_text(first)
    field.fill("xyzzyq")
    expect(p.locator("#said")).to_contain_text("Nothing found")
    p.close()


def test_theme(browser, site):
    """A button changes the color theme. The choice holds for other pages and slides, from their first frame."""
    context = browser.new_context(viewport={"width": 390, "height": 900}, color_scheme="dark")
    p = context.new_page()
    # The background of the body before the browser first draws it.
    p.add_init_script("""addEventListener('DOMContentLoaded', () => { window.atFirst = getComputedStyle(document.body).backgroundColor })""")
    background = "getComputedStyle(document.body).backgroundColor"
    light, dark = "rgb(255, 255, 255)", "rgb(20, 24, 27)"
    p.goto((site / "lectures/N01-lines.html").as_uri())
    assert p.evaluate(background) == dark  # as the system
    button = p.get_by_role("button", name="Color theme: auto")
    button.click()
    button = p.get_by_role("button", name="Color theme: light")
    expect(button).to_be_visible()
    assert p.evaluate(background) == light
    assert p.evaluate("getComputedStyle(document.querySelector('.output img')).filter") == "none"
    for page in ("index.html", "slides/N01-lines.html", "api/KMeans.html"):
        p.goto((site / page).as_uri())
        assert p.evaluate("atFirst") == light, page
    p.emulate_media(color_scheme="light")
    p.get_by_role("button", name="Color theme: light").press("Enter")
    expect(p.get_by_role("button", name="Color theme: dark")).to_be_visible()
    p.reload()
    assert p.evaluate("atFirst") == dark
    p.goto((site / "lectures/N01-lines.html").as_uri())
    assert p.evaluate("getComputedStyle(document.querySelector('.output img')).filter") == "brightness(0.86)"
    p.emulate_media(media="print")
    assert p.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    p.emulate_media(media="screen")
    p.get_by_role("button", name="Color theme: dark").click()
    assert p.evaluate(background) == light  # as the system again
    context.close()


def test_equations(browser, site):
    """A formula with a label has a number at its right, and a reference leads to it."""
    for name, width in (("N01-lines", 1280), ("N01-lines", 390), ("N02-clusters", 1280), ("N02-clusters", 390)):
        p = opened(browser, site, f"lectures/{name}.html", width)
        expect(p.locator(".math.display .katex-tag")).to_have_text("(1)")
        assert p.evaluate("""(() => {
            const right = s => Math.max(...[...document.querySelectorAll('.math.display ' + s)].map(e => e.getBoundingClientRect().right));
            return document.querySelector('.math.display .katex-tag .mord').getBoundingClientRect().left > right('.katex-html > .katex-base');
        })()"""), (name, width)
        p.close()
    p = opened(browser, site, "lectures/N02-clusters.html")
    p.get_by_role("link", name="(1)").click()
    expect(p).to_have_url(re.compile("#eq-line$"))
    expect(p.locator(".math.display .katex-tag")).to_be_in_viewport()
    p.close()


def test_ends_of_pages(browser, site):
    p = opened(browser, site, "lectures/N01-lines.html", 390)
    end = p.get_by_role("contentinfo")
    expect(end).to_contain_text("Ann Lee")
    expect(end.get_by_role("link", name="Edit this page")).to_have_attribute("href", "https://example.org/ann/course/edit/main/N01-lines.ipynb")
    expect(p.get_by_role("link", name="Open on Binder")).to_have_attribute("href", "https://example.org/hub?path=N01-lines.ipynb")
    p.close()


def test_on_paper(browser, site):
    p = opened(browser, site, "lectures/N01-lines.html")
    p.emulate_media(media="print")
    p.evaluate("dispatchEvent(new Event('beforeprint'))")
    for want in ("which only the folded text says", 'Title("Three points")', "the first point is elsewhere", "Two frames."):
        expect(p.locator("main")).to_contain_text(want, use_inner_text=True)
    expect(p.locator("img.still")).to_be_visible()  # all frames, since nobody slides on paper
    for gone in (".top", "#contents", ".copy", ".neighbors", '.player [role="group"]'):
        expect(p.locator(gone).first).to_be_hidden()
    assert p.evaluate("getComputedStyle(document.querySelector('.text a[href^=http]'), '::after').content").strip('"').endswith("https://example.org/>")
    p.evaluate("dispatchEvent(new Event('afterprint'))")
    p.emulate_media(media="screen")
    expect(p.locator("#cell-plot .input code")).to_be_hidden()
    p.close()


def deck(browser, site, name, **options):
    """A deck of slides that is ready, without motion."""
    p = opened(browser, site, f"slides/{name}.html", reduced_motion="reduce", **options)
    p.set_viewport_size({"width": 1280, "height": 720})
    p.wait_for_selector("html[data-ready]", state="attached")
    return p


def test_slides(browser, site):
    p = deck(browser, site, "N01-lines")
    shown = p.locator("section.present > section.present")
    expect(shown.locator("h1")).to_have_text("Lines")
    p.keyboard.press("ArrowRight")
    expect(shown.locator("h2")).to_have_text("1. Points")
    p.keyboard.press("ArrowRight")
    expect(shown.locator(".running")).to_have_text("1. Points")
    expect(shown.locator(".katex-display")).to_be_visible()
    p.keyboard.press("ArrowRight")  # the code, then what it returns
    expect(shown.locator("pre.code")).to_contain_text("stat.LinearRegression")
    expect(shown.locator(".output")).to_have_css("opacity", "0")
    p.keyboard.press("ArrowRight")
    expect(shown.locator(".output")).to_have_css("opacity", "1")
    p.keyboard.press("ArrowRight")
    expect(shown.locator("figcaption")).to_contain_text("Three points")
    if directory := os.environ.get("SCREENSHOTS"):
        p.screenshot(path=pathlib.Path(directory, "site-slide.png"))
    assert shown.locator("img").evaluate("i => i.decode().then(() => i.getBoundingClientRect().height)") > 400
    p.keyboard.press("o")
    expect(p.locator(".reveal.overview")).to_be_visible()
    p.keyboard.press("Escape")
    p.keyboard.press("End")
    expect(shown.locator("h2")).to_have_text("2. Frames")
    p.keyboard.press("ArrowRight")
    expect(shown.locator(".running")).to_have_text("Two of them")
    p.close()


def test_speaker_view(browser, site):
    """The speaker sees the slide, the next one, a clock, and the text that is not on the slides."""
    p = deck(browser, site, "N01-lines")
    p.evaluate("deck.slide(1, 3)")  # the figure
    with p.expect_popup() as popup:
        p.keyboard.press("s")
    view = popup.value
    expect(view.frame_locator("#current-slide iframe").locator("section.present > section.present figcaption")).to_contain_text("Three points")
    expect(view.frame_locator("#upcoming-slide iframe").locator("section.present > section.present h2")).to_have_text("2. Frames")
    expect(view.locator(".speaker-controls-notes")).to_contain_text("Figure 1 comes back in section 2")
    expect(view.locator(".clock-value")).to_be_visible()
    p.keyboard.press("ArrowRight")
    expect(view.frame_locator("#current-slide iframe").locator("section.present > section.present h2")).to_have_text("2. Frames")
    view.close()
    p.close()


# The elements of a slide that are not completely in its room, and its scale.
OVERFLOW = """() => {
  const slide = deck.getCurrentSlide(), room = slide.querySelector(":scope > .screen > .room");
  if (!room) return {zoom: 1, out: []};
  const box = room.getBoundingClientRect(), out = [];
  for (const e of room.firstElementChild.querySelectorAll("pre, p, li, tr, img, figcaption, .katex-html, .output")) {
    const b = e.getBoundingClientRect();
    if (b.height && (b.bottom > box.bottom + 2 || b.top < box.top - 2)) out.push(e.localName + ": " + (e.textContent || e.alt).slice(0, 60));
  }
  return {zoom: +slide.dataset.zoom, out};
}"""


def overflowing(p):
    """What is out of each slide of a deck, or smaller than half its size, by the number of the slide."""
    bad, n = {}, 0
    while True:
        p.evaluate("deck.getCurrentSlide().querySelectorAll('.fragment').forEach(f => f.classList.add('visible'))")
        found = p.evaluate(OVERFLOW)
        if found["out"] or found["zoom"] < 0.5 and not p.evaluate("[...deck.getCurrentSlide().querySelectorAll('table')].some(t => t.rows[0].cells.length > 12)"):
            bad[n] = found
        if p.evaluate("deck.isLastSlide()"):
            return bad
        p.evaluate("((h, v) => { while (deck.getIndices().h === h && deck.getIndices().v === v) deck.next(); })(deck.getIndices().h, deck.getIndices().v)")
        n += 1


def test_slides_fit(browser, site):
    """Nothing is lost at the edges of a screen: long code goes on on the next slide."""
    for name in ("N01-lines", "N02-clusters"):
        p = deck(browser, site, name)
        assert overflowing(p) == {}, name
        p.close()
    p = deck(browser, site, "N02-clusters")
    code = p.locator(".text pre")
    assert code.count() == 3
    expect(code.last).to_contain_text("The last line of the code")
    p.close()


def test_slips_fold(browser, site):
    """Boxes about mistakes of the notes are folded; a button and a link to one open them."""
    p = opened(browser, site, "lectures/N01-lines.html")
    box = p.locator("details.slip")
    expect(box).to_have_count(1)
    said = box.get_by_text("the line is no curve")
    expect(said).to_be_hidden()
    p.get_by_role("button", name="Show slips of the notes").click()
    expect(said).to_be_visible()
    p.get_by_role("button", name="Fold slips of the notes").click()
    expect(said).to_be_hidden()
    p.goto(p.url + "#slip-1")
    expect(said).to_be_visible()
    p.close()


def test_again(source, site, tmp_path):
    """A second site runs nothing and is the same."""
    said = make(source, tmp_path / "again")
    assert "0 notebooks run" in said
    files = sorted(f.relative_to(site) for f in site.rglob("*") if f.is_file())
    assert files == sorted(f.relative_to(tmp_path / "again") for f in (tmp_path / "again").rglob("*") if f.is_file())
    for f in files:
        assert (site / f).read_bytes() == (tmp_path / "again" / f).read_bytes(), f


def test_pdf(source, tmp_path):
    make(source, tmp_path / "site", "--pdf")
    assert (tmp_path / "site" / "downloads" / "N02-clusters.pdf").read_bytes().startswith(b"%PDF")
    assert 'href="../downloads/N02-clusters.pdf"' in (tmp_path / "site" / "lectures" / "N02-clusters.html").read_text()
