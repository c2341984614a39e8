"""The site of the whole course, made of the notebooks as `gokernel run` leaves them: its pages are looked
at with axe-core, on a phone and in the dark."""

import os
import re
import subprocess

import pytest
from conftest import PROGRAM, ROOT, wait_until
from test_site import deck, looked_at, opened, overflowing

LECTURES = sorted((ROOT / "notebooks").glob("*.ipynb"))
HOMEWORK = sorted((ROOT / "notebooks" / "homework").glob("*.ipynb"))


@pytest.fixture(scope="session")
def course_site(course, executed, tmp_path_factory):
    for notebook in reversed(LECTURES + HOMEWORK):  # from the end that other tests have not come to
        executed(notebook)
    out = tmp_path_factory.mktemp("whole") / "site"
    subprocess.run([PROGRAM, "site", course / "notebooks", "-o", out, "--stored"], check=True)
    return out


def smallest_text(file):
    """The smallest font of a picture that is above 9: what is smaller labels marks. None where there is none."""
    return min((float(s) for s in re.findall(r' font-size="([\d.]+)"', file.read_text()) if float(s) > 9), default=None)


@pytest.mark.parametrize("name", [n.stem for n in LECTURES])
def test_lecture(browser, course_site, axe, name):
    page = opened(browser, course_site, f"lectures/{name}.html")
    wait_until(page, "[...document.querySelectorAll('.output.chart')].every(o => o.matches('.drawn'))")
    assert looked_at(page, axe, (("light", 1280), ("dark", 400)), f"course-{name}") == []
    for f in page.evaluate("""[...document.querySelectorAll('.output.figure > img')].map(i =>
            ({file: i.getAttribute('src'), alt: i.alt, drawn: i.getBoundingClientRect().width, width: +i.getAttribute('width')}))"""):
        assert len(f["alt"]) > 10 and "\n" not in f["alt"], f["alt"]
        if f["drawn"] and f["file"].endswith(".svg") and (size := smallest_text(course_site / "lectures" / f["file"])):
            assert size * f["drawn"] / f["width"] >= 8.39, f["alt"]
    page.close()


@pytest.mark.parametrize("name", [n.stem for n in LECTURES])
def test_deck(browser, course_site, name):
    """Each slide shows everything that it has at 1280 by 720."""
    page = deck(browser, course_site, name)
    assert overflowing(page) == {}
    page.close()


def sample(site, every):
    """All pages but lectures; of the library's names and the slides, which are alike, one in so many."""
    pages = sorted(p.relative_to(site).as_posix() for p in site.rglob("*.html"))
    alike = [p for p in pages if p.startswith(("api/", "slides/")) and p != "api/index.html"]
    return [p for p in pages if not p.startswith("lectures/") and p not in alike] + alike[::every]


def test_other_pages(browser, course_site, axe):
    """AXE_EVERY=1 looks at each of the 1400 pages, AXE_EVERY=40 at one in forty of those that are alike."""
    pages = sample(course_site, int(os.environ.get("AXE_EVERY", "40")))
    assert len(pages) > 15
    bad = {}
    for i, name in enumerate(pages):
        page = opened(browser, course_site, name)
        if found := looked_at(page, axe, [(("light", 1280), ("dark", 400))[i % 2]]):
            bad[name] = found
        page.close()
    assert bad == {}
