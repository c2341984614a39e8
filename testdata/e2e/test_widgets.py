"""Widgets in JupyterLab, while a cell runs and with JavaScript of one's own, and in saved pages."""

import json
import re
import subprocess

import nbformat
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import expect
from test_lab import cell, idle, open_notebook, picture

def write_notebook(directory, name, *cells):
    nb = new_notebook(metadata={"kernelspec": {"name": "gokernel", "display_name": "Go (gokernel)", "language": "go"}})
    nb.cells = [new_code_cell(c) for c in cells]
    nbformat.write(nb, directory / f"{name}.ipynb")


def run(page, n):
    """Runs cell n and waits for it."""
    cell(page, n).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    expect(cell(page, n).locator(".jp-InputPrompt")).to_have_text(re.compile(r"\[\d+\]:"))


def shown(page, n):
    return cell(page, n).locator(".jp-OutputArea-output").last


BOUNDARY = """moons := ml.TwoMoons(200, 0.25, 1)
Interact(func(k int, metric ml.Metric) any {
	return Regions(ml.Fit(&ml.KNN{K: k, Metric: metric}, moons), moons).Title(fmt.Sprint("k = ", k))
}, Range(1, 30), Options(ml.Euclidean, ml.Manhattan).Names("euclidean", "manhattan"))"""


def test_while_a_cell_runs(lab, lab_directory, browser):
    """A value that the user changes is seen by the cell that runs; functions wait for its end."""
    write_notebook(
        lab_directory, "running",
        'stop := widget.Checkbox(false).Label("stop")\nstop.OnChange(func(bool) { fmt.Println("the function") })\nstop',
        'for !stop.Value() { time.Sleep(10 * time.Millisecond) }\nfmt.Println("stopped")',
    )
    page = open_notebook(browser, lab, "Light", "running")
    idle(page)
    run(page, 0)
    cell(page, 1).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    expect(cell(page, 1).locator(".jp-InputPrompt")).to_have_text("[*]:")
    cell(page, 0).locator("input[type=checkbox]").click()
    expect(shown(page, 1)).to_have_text(re.compile("stopped"))
    expect(cell(page, 0).locator(".jp-OutputArea-output").last).to_have_text(re.compile("the function"))
    page.close()


COUNTER = """counter := widget.New(`function render({ model, el }) {
	const b = document.createElement("button")
	b.className = "counter"
	const show = () => { b.textContent = "count " + model.get("n") }
	b.onclick = () => { model.set("n", model.get("n") + 1); model.save_changes() }
	model.on("change:n", show)
	show()
	el.append(b)
}
export default { render }`, ".counter { font-weight: bold }", map[string]any{"n": 3})
counter"""


def test_a_widget_of_ones_own(lab, lab_directory, browser):
    write_notebook(lab_directory, "own", COUNTER, 'counter.Value("n")', 'counter.Set("n", 10)')
    page = open_notebook(browser, lab, "Light", "own")
    idle(page)
    run(page, 0)
    button = cell(page, 0).locator("button.counter")
    expect(button).to_have_text("count 3")
    button.click()
    expect(button).to_have_text("count 4")
    idle(page)
    run(page, 1)
    expect(shown(page, 1)).to_have_text("4")
    run(page, 2)
    expect(button).to_have_text("count 10")
    picture(page, "own")
    page.close()


def test_saved_pages(program, tmp_path, browser):
    """What `gokernel run` saves has the widgets, for nbconvert too; its own page has the first frame."""
    write_notebook(tmp_path, "saved", BOUNDARY, COUNTER)
    subprocess.run([program, "run", "saved.ipynb", "-o", "done.ipynb", "--html", "page.html"], cwd=tmp_path, check=True)
    nb = nbformat.read(tmp_path / "done.ipynb", 4)
    state = nb.metadata.widgets["application/vnd.jupyter.widget-state+json"]
    view = nb.cells[0].outputs[0].data["application/vnd.jupyter.widget-view+json"]
    box = state["state"][view["model_id"]]
    assert box["model_name"] == "VBoxModel"
    models = {m["model_name"] for m in state["state"].values()}
    assert {"IntSliderModel", "DropdownModel", "OutputModel", "AnyModel"} <= models
    html, _ = HTMLExporter().from_notebook_node(nb)
    kept = re.search(r'<script type="application/vnd.jupyter.widget-state\+json">(.*?)</script>', html, re.S)
    assert len(json.loads(kept[1])["state"]) == len(state["state"])
    assert html.count('<script type="application/vnd.jupyter.widget-view+json">') == 2
    page = browser.new_page(viewport={"width": 1000, "height": 900})
    page.goto((tmp_path / "page.html").as_uri())
    expect(page.locator("figure img, .figure img").first).to_be_visible()
    expect(page.locator("main")).to_contain_text("k = 1")
    button = page.locator("button.counter")
    expect(button).to_have_text("count 3")
    button.click()
    expect(button).to_have_text("count 4")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        picture(page, f"saved-{theme}")
    page.close()
