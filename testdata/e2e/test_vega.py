"""Interactive charts, drawn by Vega itself, show what the drawings show.

TestInteractiveAsDrawn of display/chart writes the specification of a chart of each kind,
on axes of numbers, names and dates, its marks alone as SVG on axes of the same length, and
the texts that the drawing has beside its marks. Vega of the version in package-lock.json
draws all specifications on one page:

- without axes and legends, to compare the marks. Where one of the two has ink, the other
  must have some, too: what is joined over a gap, empty, in another order, on another side
  or left out is seen by that.
- whole, to compare titles, names and their order, legends, notes and the second axis.
"""

import base64
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PICTURES = "SCREENSHOTS" in os.environ
DRAW = pathlib.Path(__file__).with_name("vega.js").read_text()


@pytest.fixture(scope="module")
def vega(tmp_path_factory):
    """The scripts of vega and vega-lite."""
    npm = shutil.which("npm") or pytest.fail("no npm: install it, for vega and vega-lite")
    directory = tmp_path_factory.mktemp("vega")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(pathlib.Path(__file__).parent / name, directory)
    subprocess.run([npm, "ci", "--silent", "--no-audit", "--no-fund"], cwd=directory, check=True)
    return [directory / "node_modules" / name / "build" / f"{name}.min.js" for name in ("vega", "vega-lite")]


@pytest.fixture(scope="module")
def specs(tmp_path_factory):
    """The directory of the specifications."""
    directory = tmp_path_factory.mktemp("specs")
    subprocess.run(
        ["go", "test", "./display/chart", "-count=1", "-run", "Test(Interactive|Panels)AsDrawn", "-args", "-specs", directory],
        cwd=ROOT, check=True, stdout=subprocess.DEVNULL,
    )
    return directory


@pytest.fixture(scope="module")
def charts(specs):
    """The specifications by their names, each with the drawing of its marks and its texts."""
    found = sorted(f.name.removesuffix(".svg") for f in specs.glob("*.svg"))
    assert len(found) > 100

    def read(name, suffix):
        return (specs / (name + suffix)).read_text()

    def drawing(name):
        """The drawing, whose texts have the widths of this machine's fonts, as in Vega."""
        return re.sub(r' textLength="[^"]*" lengthAdjust="[^"]*"', "", read(name, ".svg"))

    return {name: (json.loads(read(name, ".vl.json")), drawing(name), json.loads(read(name, ".texts.json"))) for name in found}


def bare(spec):
    """The specification without axes, legends and titles."""
    if isinstance(spec, list):
        return [bare(s) for s in spec]
    if not isinstance(spec, dict):
        return spec
    out = {k: bare(v) for k, v in spec.items() if k not in ("title", "usermeta") or "field" in spec}
    for channel, what in out.get("encoding", {}).items():
        if channel in ("x", "y"):
            what["axis"] = None
        elif channel not in ("x2", "y2", "detail", "order", "tooltip", "text") and isinstance(what, dict) and "field" in what:
            what["legend"] = None
    return out


def plain(text):
    """The text without spaces, at which lines are broken."""
    return "".join(text.split())


def in_order(some, names):
    """Whether some are names, in their order; axes with many names leave some out."""
    rest = iter(plain(n) for n in names)
    return all(plain(s) in rest for s in some)


def differences(texts, drawn):
    """How the texts that Vega draws differ from the texts of the drawing."""
    note = plain(" ".join(drawn["titles"] + drawn["subtitles"]))
    if plain(texts["Title"]) not in plain(" ".join(drawn["titles"])):
        yield f"the title is {drawn['titles']}, not {texts['Title']!r}"
    if plain(texts["Note"]) not in note:
        yield f"the note is {drawn['subtitles']}, not {texts['Note']!r}"
    if drawn["legend"] != (texts["Legend"] or []) and not (drawn["sampled"] and not drawn["legend"]):
        yield f"the legend has {drawn['legend']}, not {texts['Legend']}"
    if plain(texts["LegendTitle"]) not in plain(" ".join(drawn["legendTitles"])):
        yield f"the title of the legend is {drawn['legendTitles']}, not {texts['LegendTitle']!r}"
    for side, axis in (("bottom", texts["X"]), ("left", texts["Y"])):
        there = drawn["axes"].get(side, {"labels": [], "titles": []})
        if axis["Hidden"]:
            if there["labels"]:
                yield f"the hidden axis at the {side} has labels"
            continue
        if plain(axis["Title"]) not in plain(" ".join(there["titles"])):
            yield f"the axis at the {side} is called {there['titles']}, not {axis['Title']!r}"
        if axis["Names"] and not (there["labels"] and in_order(there["labels"], axis["Names"])):
            yield f"the axis at the {side} has {there['labels']}, not {axis['Names']}"
        if not there["labels"]:
            yield f"the axis at the {side} has the labels {there['labels']}"
    right = drawn["axes"].get("right", {"labels": [], "titles": []})
    if plain(texts["Right"]) != plain(" ".join(right["titles"])) or texts["Right"] and not right["labels"]:
        yield f"the axis on the right is called {right['titles']}, not {texts['Right']!r}"


@pytest.fixture(scope="module")
def page(vega, browser):
    page = browser.new_page()
    page.set_content('<!doctype html><meta charset="utf-8">')
    for script in vega:
        page.add_script_tag(path=script)
    page.evaluate(DRAW)
    return page


def save(name, drawn):
    """Keep a picture in the directory that SCREENSHOTS names."""
    if PICTURES:
        pathlib.Path(os.environ["SCREENSHOTS"], f"vega-{name}.png").write_bytes(base64.b64decode(drawn["picture"].split(",")[1]))


def test_interactive_panels_show_what_is_drawn(specs, page):
    faults, found = [], sorted(specs.glob("*.panels.json"))
    for file in found:
        name, panels = file.name.removesuffix(".panels.json"), json.loads(file.read_text())
        drawn = page.evaluate("([spec, picture]) => written(spec, picture)", [json.loads(file.with_name(name + ".vl.json").read_text()), PICTURES])
        save(f"{name}-whole", drawn)
        faults += [f"{name}: {said}" for said in drawn["said"] if said]
        if drawn["panels"] != len(panels):
            faults.append(f"{name}: {drawn['panels']} panels have marks, not {len(panels)}")
        titles, rest = [plain(t) for t in drawn["titles"]], plain(" ".join(drawn["titles"] + drawn["subtitles"]))
        if not in_order([p["Title"] for p in panels if p["Title"]], titles):
            faults.append(f"{name}: the titles are {drawn['titles']}, not {[p['Title'] for p in panels]}")
        for i, p in enumerate(panels):
            if plain(p["Note"]) not in rest:
                faults.append(f"{name}: panel {i + 1} has no note {p['Note']!r}")
            if not in_order(p["Legend"] or [], drawn["legend"]):
                faults.append(f"{name}: panel {i + 1} has the legend {drawn['legend']}, not {p['Legend']}")
    assert not faults, "\n".join(faults)
    assert len(found) >= 5


def test_interactive_charts_show_what_is_drawn(charts, page):
    faults = []
    for name, (whole, svg, texts) in charts.items():
        spec = bare(whole)
        spec["padding"], spec["autosize"] = 0, {"type": "none"}
        spec["config"]["background"] = "white"
        # Of very many points some are drawn, and the chart says so.
        sampled = "interactive:" in json.dumps(whole.get("title", ""))
        try:
            marks = page.evaluate("([spec, svg, picture]) => compared(spec, svg, picture)", [spec, svg, PICTURES])
            drawn = page.evaluate("([spec, picture]) => written(spec, picture)", [whole, PICTURES])
        except Exception as e:
            faults.append(f"{name}: {str(e).splitlines()[0]}")
            continue
        for said in filter(None, marks["said"] + drawn["said"]):
            faults.append(f"{name}: {said}")
        if not marks["drawn"] and marks["ink"]:
            faults.append(f"{name}: no mark is drawn")
        lost, added, off = marks["lost"], marks["added"], marks["off"]
        if not sampled and (lost > 0.02 or off > 10) or added > 0.02:
            faults.append(f"{name}: {lost:.1%} of the drawing is missing, {added:.1%} is not in it, colors are off by {off:.1f}")
        faults += [f"{name}: {fault}" for fault in differences(texts, drawn | {"sampled": sampled})]
        save(f"{name}-marks", marks)
        save(f"{name}-whole", drawn)
    assert not faults, "\n".join(faults)
