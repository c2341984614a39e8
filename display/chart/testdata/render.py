"""Render Vega-Lite specifications with the real vega-embed in Chromium.

    npm install vega@5 vega-lite@5 vega-embed@6
    go test ./display/chart -run Specifications -args -specs DIR
    python display/chart/testdata/render.py --specs DIR --modules node_modules --out DIR [--dark] [--chromium PATH]

Fails when a specification does not render, draws nothing, or makes vega-embed
warn. Needs Python with playwright. Writes a picture of each specification.
"""

import argparse
import json
import pathlib
import sys

from playwright.sync_api import sync_playwright

PAGE = '<!doctype html><meta charset="utf-8"><body style="margin:8px;background:%s"><div id="vis"></div></body>'
EMBED = """async ([spec, theme]) => {
  const result = await vegaEmbed('#vis', spec, {actions: false, renderer: 'svg', theme: theme || undefined});
  const svg = document.querySelector('#vis svg');
  return {marks: svg.querySelectorAll('.mark-symbol path, .mark-line path, .mark-rect path, .mark-area path, .mark-rule line, .mark-text text').length};
}"""


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--specs", required=True, type=pathlib.Path)
    args.add_argument("--modules", required=True, type=pathlib.Path)
    args.add_argument("--out", required=True, type=pathlib.Path)
    args.add_argument("--chromium")
    args.add_argument("--dark", action="store_true")
    args = args.parse_args()
    files = sorted(args.specs.glob("*.vl.json"))
    if not files:
        sys.exit(f"no *.vl.json in {args.specs}")
    failed = 0
    with sync_playwright() as p:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
        browser = p.chromium.launch(executable_path=args.chromium, args=flags)
        for file in files:
            page = browser.new_page(viewport={"width": 1100, "height": 900})
            said = []
            page.on("console", lambda m, said=said: said.append(m.text) if m.type in ("warning", "error") else None)
            page.on("pageerror", lambda e, said=said: said.append(str(e)))
            page.set_content(PAGE % ("#111" if args.dark else "#fff"))
            for name in ("vega", "vega-lite", "vega-embed"):
                page.add_script_tag(path=args.modules / name / "build" / f"{name}.min.js")
            try:
                drawn = page.evaluate(EMBED, [json.loads(file.read_text()), "dark" if args.dark else ""])
                if not drawn["marks"]:
                    said.append("nothing is drawn")
                page.locator("#vis").screenshot(path=args.out / (file.name.removesuffix(".vl.json") + ".png"))
            except Exception as e:  # the next specification may render
                said.append(str(e).splitlines()[0])
            page.close()
            if said:
                failed += 1
                print(f"{file.name}: " + "; ".join(dict.fromkeys(said)))
        browser.close()
    print(f"{len(files) - failed} of {len(files)} specifications rendered")
    sys.exit(1 if failed else 0)


main()
