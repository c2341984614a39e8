"""Interactive charts, drawn by Vega itself, show what the drawings show.

TestInteractiveAsDrawn of display/chart writes the specification of a chart of each kind,
on axes of numbers, names and dates, and its marks alone as SVG on axes of the same
length. Vega of the version in package-lock.json draws the specification without axes and
legends. Where one of the two has ink, the other must have some, too: what is joined over
a gap, empty, in another order, on another side or left out is seen by that.
"""

import io
import json
import os
import pathlib
import shutil
import subprocess

import numpy as np
import pytest
from PIL import Image, ImageFilter

ROOT = pathlib.Path(__file__).parents[2]
NEAR = 9  # pixels around ink in which the other drawing must have some; odd
PAGE = '<!doctype html><meta charset="utf-8"><body style="margin:0;background:#fff"><div id="at" style="display:inline-block"></div>'
DRAW = """async spec => {
  const said = [];
  const keep = level => (...what) => { said.push(what.join(' ')); return logger; };
  const logger = {level: () => logger, error: keep(), warn: keep(), info: () => logger, debug: () => logger};
  const compiled = vegaLite.compile(spec, {logger});
  const view = new vega.View(vega.parse(compiled.spec), {renderer: 'svg', container: '#at', logger});
  await view.runAsync();
  const counts = {};
  const walk = item => {
    if (item.marktype && item.marktype !== 'group' && item.role === 'mark') {
      const drawn = item.items.filter(i => i.opacity !== 0);
      counts[item.name] = (counts[item.name] || 0) + drawn.length;
    }
    (item.items || []).forEach(walk);
  };
  walk(view.scenegraph().root);
  return {said, counts};
}"""


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
def charts(tmp_path_factory):
    """The specifications by their names, each with the drawing of its marks."""
    directory = tmp_path_factory.mktemp("specs")
    subprocess.run(
        ["go", "test", "./display/chart", "-count=1", "-run", "TestInteractiveAsDrawn", "-args", "-specs", directory],
        cwd=ROOT, check=True, stdout=subprocess.DEVNULL,
    )
    found = {f.name.removesuffix(".vl.json"): json.loads(f.read_text()) for f in sorted(directory.glob("*.vl.json"))}
    assert len(found) > 100
    return {name: (spec, (directory / f"{name}.svg").read_text()) for name, spec in found.items()}


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


def picture(page, width, height):
    shot = page.screenshot(clip={"x": 0, "y": 0, "width": width, "height": height})
    return Image.open(io.BytesIO(shot)).convert("RGB")


def ink(image):
    return np.abs(np.asarray(image, int) - 255).max(axis=2) > 24


def near(mask):
    grown = Image.fromarray((mask * 255).astype("uint8")).filter(ImageFilter.MaxFilter(NEAR))
    return np.asarray(grown) > 0


def missing(mask, other):
    """The share of the ink that has none near it in the other drawing."""
    return (mask & ~near(other)).sum() / max(1, mask.sum())


def test_interactive_charts_show_what_is_drawn(charts, vega, browser):
    page = browser.new_page(viewport={"width": 900, "height": 700})
    faults, drawn = [], 0
    for name, (spec, svg) in charts.items():
        spec = bare(spec)
        spec["padding"], spec["autosize"] = 0, {"type": "none"}
        spec["config"]["background"] = "white"
        width, height = int(spec["width"]), int(spec["height"])
        page.set_content(PAGE)
        for script in vega:
            page.add_script_tag(path=script)
        try:
            result = page.evaluate(DRAW, spec)
        except Exception as e:
            faults.append(f"{name}: {str(e).splitlines()[0]}")
            continue
        there = picture(page, width, height)
        page.set_content(PAGE.replace("</div>", svg + "</div>"))
        here = picture(page, width, height)
        lost, added = missing(ink(here), ink(there)), missing(ink(there), ink(here))
        off = np.abs(np.asarray(here.reduce(8), float) - np.asarray(there.reduce(8), float)).mean()
        said = [s for s in result["said"] if s]
        if said:
            faults.append(f"{name}: {said[0]}")
        if not any(result["counts"].values()) and ink(here).any():
            faults.append(f"{name}: no mark is drawn")
        # Of very many points some are drawn, and the chart says so.
        sampled = "interactive:" in json.dumps(charts[name][0].get("title", ""))
        if not sampled and (lost > 0.02 or off > 10) or added > 0.02:
            faults.append(f"{name}: {lost:.1%} of the drawing is missing, {added:.1%} is not in it, colors are off by {off:.1f}")
        if directory := os.environ.get("SCREENSHOTS"):
            both = Image.new("RGB", (2 * width + 10, height), "gray")
            both.paste(here, (0, 0))
            both.paste(there, (width + 10, 0))
            both.save(pathlib.Path(directory, f"vega-{name}.png"))
        drawn += 1
    assert not faults, "\n".join(faults)
    assert drawn == len(charts)
