"""Widgets in JupyterLab, on one page of it, and in saved pages."""

import json
import re
import subprocess
import time
import urllib.parse

import nbformat
import pytest
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import expect
from test_lab import both_themes, cell, command, idle, open_notebook, picture

# Each control: its name in Go, what makes it, its value in Go, what the user does, the
# value then, a statement that sets it from Go, and what the page shows of that.
CONTROLS = [
    ("whole", "widget.Slider(0, 10)", "Value()", ("drag", ".noUi-handle", 0.3), "3", "Set(8)", (".widget-readout", "text", "8")),
    ("real", "widget.FloatSlider(0, 1)", "Value()", ("keys", ".noUi-handle", ["End"]), "1", "Set(0.25)", (".widget-readout", "text", "0.25")),
    ("logarithmic", "widget.LogSlider(0.01, 100)", "Value()", ("keys", ".noUi-handle", ["End"]), "100", "Set(1)", (".widget-readout", "text", "1.00")),
    ("ends", "widget.RangeSlider(0, 10)", "Trait(\"value\")", ("keys", ".noUi-handle-upper", ["ArrowLeft"] * 2), "[0 8]", "Set(2, 3)", (".widget-readout", "text", "2 – 3")),
    ("reals", "widget.FloatRangeSlider(0, 1)", "Trait(\"value\")", ("keys", ".noUi-handle-lower", ["ArrowRight"]), "[0.01 1]", "Set(0.5, 0.75)", (".widget-readout", "text", "0.50 – 0.75")),
    ("box", "widget.Checkbox(false)", "Value()", ("click", "input", None), "true", "Set(false)", ("input", "checked", False)),
    ("toggle", "widget.Toggle(false)", "Value()", ("click", "xpath=.", None), "true", "Set(false)", ("xpath=.", "class", re.compile("^(?!.*mod-active)"))),
    ("list", "widget.Dropdown(\"a\", \"b\", \"c\")", "Value()", ("option", "select", "b"), "b", "Set(\"c\")", ("select", "value", "c")),
    ("lines", "widget.Select(\"a\", \"b\", \"c\")", "Value()", ("option", "select", "b"), "b", "Set(\"c\")", ("select", "value", "c")),
    ("radio", "widget.Radio(\"a\", \"b\", \"c\")", "Value()", ("click", "input >> nth=1", None), "b", "Set(\"c\")", ("input >> nth=2", "checked", True)),
    ("buttons", "widget.ToggleButtons(\"a\", \"b\", \"c\")", "Value()", ("click", "button >> nth=1", None), "b", "Set(\"c\")", ("button >> nth=2", "class", re.compile("mod-active"))),
    ("steps", "widget.SelectionSlider(\"a\", \"b\", \"c\")", "Value()", ("keys", ".noUi-handle", ["ArrowRight"]), "b", "Set(\"c\")", (".widget-readout", "text", "c")),
    ("stretch", "widget.SelectionRange(\"a\", \"b\", \"c\")", "Value()", ("keys", ".noUi-handle-lower", ["ArrowRight"]), "[b c]", "Set(\"a\", \"b\")", (".widget-readout", "text", re.compile("a.*b"))),
    ("several", "widget.SelectMultiple(\"a\", \"b\", \"c\")", "Value()", ("option", "select", ["a", "c"]), "[a c]", "Set(\"b\")", ("select", "value", "b")),
    ("line", "widget.Text(\"\")", "Value()", ("fill", "input", "hé"), "hé", "Set(\"go\")", ("input", "value", "go")),
    ("area", "widget.Textarea(\"\")", "Value()", ("fill", "textarea", "two"), "two", "Set(\"go\")", ("textarea", "value", "go")),
    ("secret", "widget.Password()", "Value()", ("fill", "input[type=password]", "s3"), "s3", "Set(\"go\")", ("input", "value", "go")),
    ("proposed", "widget.Combobox(\"x\", \"y\")", "Value()", ("fill", "input", "x"), "x", "Set(\"y\")", ("input", "value", "y")),
    ("number", "widget.Number(1)", "Value()", ("fill", "input", "42"), "42", "Set(7)", ("input", "value", "7")),
    ("between", "widget.BoundedNumber(0, 9)", "Value()", ("fill", "input", "42"), "9", "Set(7)", ("input", "value", "7")),
    ("decimal", "widget.FloatNumber(1)", "Value()", ("fill", "input", "2.5"), "2.5", "Set(0.5)", ("input", "value", "0.5")),
    ("share", "widget.BoundedFloat(0, 1)", "Value()", ("fill", "input", "0.75"), "0.75", "Set(0.5)", ("input", "value", "0.5")),
    ("day", "widget.DatePicker(time.Time{})", "Value().Format(time.DateOnly)", ("fill", "input", "2026-02-28"), "2026-02-28", "Set(time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC))", ("input", "value", "2024-02-29")),
    ("moment", "widget.DatetimePicker(time.Time{})", "Value().Local().Format(time.DateTime)", ("fill", "input", "2026-02-28T13:05"), "2026-02-28 13:05:00", "Set(time.Date(2024, 2, 29, 7, 30, 0, 0, time.Local))", ("input", "value", re.compile("^2024-02-29T07:30"))),
    ("clock", "widget.TimePicker(time.Time{})", "Value().Format(\"15:04\")", ("fill", "input", "13:05"), "13:05", "Set(time.Date(0, 1, 1, 7, 30, 0, 0, time.UTC))", ("input", "value", re.compile("^07:30"))),
    ("color", "widget.ColorPicker(\"#000000\")", "Value()", ("fill", "input[type=color]", "#ff8800"), "#ff8800", "Set(\"#00ff00\")", ("input[type=color]", "value", "#00ff00")),
    ("tags", "widget.TagsInput(\"a\")", "Value()", ("tag", "input", "b"), "[a b]", "Set(\"go\", \"ml\")", (".jupyter-widget-tag", "text", re.compile("go"))),
    ("colors", "widget.ColorsInput(\"red\")", "Value()", ("tag", "input", "#00ff00"), "[red #00ff00]", "Set(\"blue\")", (".jupyter-widget-colortag", "style", re.compile("background-color: blue"))),
    ("tabs", "widget.Tabs(widget.Label(\"one\"), widget.Label(\"two\")).Titles(\"1st\", \"2nd\")", "Selected()", ("click", ".lm-TabBar-tab >> nth=1", None), "1", "Select(0)", (".lm-TabBar-tab >> nth=0", "class", re.compile("mod-current"))),
    ("folds", "widget.Accordion(widget.Label(\"one\")).Titles(\"fold\")", "Selected()", ("click", ".jupyter-widget-Collapse-header", None), "0", "Select(-1)", (".jupyter-widget-Collapse", "class", re.compile("^(?!.*Collapse-open)"))),
    ("play", "widget.Play(0, 2)", "Value()", ("click", "button >> nth=0", None), "2", "Set(1)", None),
]

# The others in the grid: what makes them.
OTHERS = [
    'press',
    'files',
    'bar',
    'mirror',
    'widget.Valid(true)',
    'widget.Image(drawing.Bytes())',
    'widget.HTMLMath("<b>html</b> $x^2$")',
    'widget.Label("a label")',
    'widget.HTML("<i>html</i>")',
    'widget.FloatProgress(1)',
    'widget.Audio(sound.Bytes())',
    'widget.Video([]byte("\\x1aE\\xdf\\xa3"))',
    'shown',
    'widget.HBox(widget.Label("beside"), widget.VBox(widget.Label("above"), widget.Label("below")))',
    'widget.Stack(widget.Label("first"), widget.Label("second"))',
]

# Half a second of silence, 8000 samples a second.
SOUND = """var sound bytes.Buffer
sound.WriteString("RIFF")
binary.Write(&sound, binary.LittleEndian, uint32(4036))
sound.WriteString("WAVEfmt ")
binary.Write(&sound, binary.LittleEndian, []uint32{16, 0x10001, 8000, 8000, 0x80001})
sound.WriteString("data")
binary.Write(&sound, binary.LittleEndian, uint32(4000))
sound.Write(bytes.Repeat([]byte{128}, 4000))
"""

BOUNDARY = """moons := ml.TwoMoons(200, 0.25, 1)
Interact(func(k int, metric ml.Metric) any {
	return Regions(ml.Fit(&ml.KNN{K: k, Metric: metric}, moons), moons).Title(fmt.Sprint("k = ", k))
}, Range(1, 30), Options(ml.Euclidean, ml.Manhattan).Names("euclidean", "manhattan"))"""

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

# The cells of the notebook, by what the tests call them.
CELLS = {
    "controls": "\n".join(f"{c[0]} := {c[1]}" for c in CONTROLS)
    + """
clicks := 0
press := widget.Button("press").OnClick(func() { clicks++ })
files := widget.Upload()
bar := widget.Progress(10)
mirror := widget.FloatSlider(0, 2)
widget.Link(play, mirror)
var drawing bytes.Buffer
png.Encode(&drawing, image.NewGray(image.Rect(0, 0, 16, 16)))
shown := widget.Output()
shown.Show(Table([][]int{{1, 2}, {3, 4}}))
"""
    + SOUND
    + "widget.Grid(3, "
    + ", ".join([c[0] for c in CONTROLS] + OTHERS)
    + ")",
    "values": "fmt.Println(" + ', "|", '.join(f"{c[0]}.{c[2]}" for c in CONTROLS) + ")",
    "set": "\n".join(f"{c[0]}.{c[5]}" for c in CONTROLS)
    + "\nbar.Set(7)\nfmt.Println(files.Value()[0].Name, string(files.Value()[0].Content), clicks)",
    "boundary": BOUNDARY,
    "stop": 'stop := widget.Checkbox(false).Label("stop")\nstop.OnChange(func(bool) { fmt.Println("the function") })\nstop',
    "loop": 'for !stop.Value() { time.Sleep(10 * time.Millisecond) }\nfmt.Println("stopped")',
    "questions": 'name := Input("Your name?")\nsure := Confirm("Sure?")\nkind := Choose("Which?", "ridge", "lasso")\n'
    + 'file, content := ChooseFile("Your data?", ".csv")\nfmt.Println(name, sure, kind, file, len(content))',
    "counter": COUNTER,
    "read": 'counter.Value("n")',
    "write": 'counter.Set("n", 10)',
    "library": 'other := widget.Custom("@jupyter-widgets/controls", "2.0.0", "Text", map[string]any{"value": "from Go"})\nother',
    "read other": 'other.Value("value")',
    "write other": 'other.Set("value", "again")',
}


def write_notebook(directory, name, *cells):
    nb = new_notebook(metadata={"kernelspec": {"name": "gokernel", "display_name": "Go (gokernel)", "language": "go"}})
    nb.cells = [new_code_cell(c) for c in cells]
    nbformat.write(nb, directory / f"{name}.ipynb")


@pytest.fixture(scope="module")
def page(lab, lab_directory, browser):
    """The notebook of all cells, of which each test runs those that it is about."""
    write_notebook(lab_directory, "widgets", *CELLS.values())
    page = open_notebook(browser, lab, "Light", "widgets")
    idle(page)
    yield page
    page.close()


def at(page, name):
    return cell(page, list(CELLS).index(name))


def start(page, name):
    at(page, name).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")


def run(page, name):
    """Runs a cell and waits for its end."""
    prompt = at(page, name).locator(".jp-InputPrompt")
    before = prompt.text_content()
    start(page, name)
    expect(prompt).not_to_have_text(before)
    expect(prompt).to_have_text(re.compile(r"\[\d+\]:"))


def shown(page, name):
    return at(page, name).locator(".jp-OutputArea-output").last


def move(page, control, how, where, what):
    """Does with a control what a user does."""
    part = control.locator(where).first
    if how == "click":
        part.click()
    elif how == "fill":
        part.fill(what)
        part.dispatch_event("change")
        part.blur()
    elif how == "tag":
        control.click()
        page.keyboard.type(what)
        page.keyboard.press("Enter")
    elif how == "option":
        part.select_option(what)
    elif how == "drag":
        (left, right) = (part.bounding_box(), control.locator(".noUi-base").bounding_box())
        page.mouse.move(left["x"] + left["width"] / 2, left["y"] + left["height"] / 2)
        page.mouse.down()
        page.mouse.move(right["x"] + right["width"] * what, right["y"] + right["height"] / 2, steps=5)
        page.mouse.up()
    else:
        part.focus()
        for key in what:
            page.keyboard.press(key)


def see(control, where, what, want):
    """Waits for what a control shows."""
    part = expect(control.locator(where).first)
    match what:
        case "text":
            part.to_have_text(want)
        case "checked":
            part.to_be_checked(checked=want)
        case "value":
            part.to_have_value(want)
        case "class":
            part.to_have_class(want)
        case "style":
            part.to_have_attribute("style", want)


def test_controls(page):
    """Each control is moved by the user, which Go sees, and set in Go, which the user sees."""
    run(page, "controls")
    grid = at(page, "controls").locator(".jp-OutputArea-output .widget-gridbox > *")
    expect(grid).to_have_count(len(CONTROLS) + len(OTHERS))
    for i, c in enumerate(CONTROLS):
        move(page, grid.nth(i), *c[3])
    mirror = grid.nth(len(CONTROLS) + OTHERS.index("mirror"))
    see(mirror, ".widget-readout", "text", "2.00")  # what plays has played to its end
    sound, film, area, boxes, stack = (grid.nth(len(CONTROLS) + len(OTHERS) + i) for i in range(-5, 0))
    assert sound.evaluate("a => new Promise(done => a.readyState ? done(a.duration) : a.onloadedmetadata = () => done(a.duration))") == 0.5
    assert film.evaluate("async v => [...new Uint8Array(await (await fetch(v.src)).arrayBuffer())]") == [0x1A, 0x45, 0xDF, 0xA3]
    expect(area.locator("table td")).to_contain_text(["1", "2", "3", "4"])
    expect(boxes).to_have_text(re.compile("beside.*above.*below", re.S))
    expect(stack).to_have_text("first")
    grid.nth(len(CONTROLS)).click()
    with page.expect_file_chooser() as chooser:
        grid.nth(len(CONTROLS) + 1).click()
    chooser.value.set_files([{"name": "a.csv", "mimeType": "text/csv", "buffer": b"1,2"}])
    idle(page)
    run(page, "values")
    values = [v.strip() for v in shown(page, "values").inner_text().split("|")]
    assert dict(zip([c[0] for c in CONTROLS], values)) == {c[0]: c[4] for c in CONTROLS}
    run(page, "set")
    expect(shown(page, "set")).to_have_text(re.compile("a.csv 1,2 1"))
    for i, c in enumerate(CONTROLS):
        if c[6]:
            see(grid.nth(i), *c[6])
    see(mirror, ".widget-readout", "text", "1.00")
    grid.first.evaluate("e => e.scrollIntoView()")
    right = max(part["x"] + part["width"] for part in (grid.nth(i).bounding_box() for i in range(grid.count())))
    box = at(page, "controls").locator(".jp-OutputArea").first.bounding_box()
    assert right <= box["x"] + box["width"], "the last column is cut off"
    both_themes(page, "widgets")


def test_interact(page):
    """A boundary follows its slider, also when the page has been loaded anew."""
    run(page, "boundary")
    boundary = at(page, "boundary")
    image = boundary.locator(".widget-output img")
    expect(image).to_be_visible()
    boundary.locator(".noUi-handle").focus()
    for _ in range(29):
        page.keyboard.press("ArrowRight")
    expect(image).to_have_attribute("src", titled("k = 30"))
    boundary.locator("select").select_option("manhattan")
    idle(page)
    command(page, "docmanager:save")
    expect(page.locator(".jp-mod-dirty")).to_have_count(0)
    page.reload()
    expect(boundary.locator(".widget-readout")).to_have_text("30")
    expect(boundary.locator("select")).to_have_value("manhattan")
    expect(image).to_have_attribute("src", titled("k = 30"))
    idle(page)
    boundary.locator(".noUi-handle").focus()
    page.keyboard.press("Home")
    expect(image).to_have_attribute("src", titled("k = 1"))
    both_themes(page, "interact")


def test_interact_keeps_up(page, record_property):
    """A slider is moved twenty times a second: the last value is shown, soon behind the last move."""
    run(page, "boundary")
    boundary = at(page, "boundary")
    boundary.locator(".noUi-handle").focus()
    page.keyboard.press("Home")
    expect(boundary.locator(".widget-output img")).to_have_attribute("src", titled("k = 1"))
    boundary.evaluate(FRAMES)
    started = time.monotonic()
    for move in range(58):
        page.keyboard.press("ArrowRight" if move < 29 else "ArrowLeft")
        time.sleep(max(0, started + (move + 1) / 20 - time.monotonic()))
    for key in ["ArrowRight"] * 6:
        page.keyboard.press(key)
    last = page.evaluate("performance.now()")
    expect(boundary.locator(".widget-output img")).to_have_attribute("src", titled("k = 7"))
    times = [t for t, k in page.evaluate("window.frames_shown")]
    record_property("frames", len(times))
    record_property("milliseconds behind the last move", round(times[-1] - last))
    assert times[-1] - last < 10_000  # 200 on a machine that does nothing else


# Notes when which drawing was shown.
FRAMES = """cell => {
    window.frames_shown = []
    const note = () => {
        const image = cell.querySelector(".widget-output img")
        const k = image && decodeURIComponent(image.src).match(/k = \\d+/)
        const shown = window.frames_shown
        if (k && (!shown.length || shown[shown.length - 1][1] !== k[0])) shown.push([performance.now(), k[0]])
    }
    new MutationObserver(note).observe(cell, { subtree: true, childList: true, attributes: true })
}"""


def titled(text):
    """Matches the address of a drawing that says so."""
    return re.compile(re.escape(text) + "<|" + re.escape(urllib.parse.quote(text + "<")))


def test_while_a_cell_runs(page):
    """A value that the user changes is seen by the cell that runs; functions wait for its end."""
    run(page, "stop")
    start(page, "loop")
    expect(at(page, "loop").locator(".jp-InputPrompt")).to_have_text("[*]:")
    at(page, "stop").locator("input[type=checkbox]").click()
    expect(shown(page, "loop")).to_have_text(re.compile("stopped"))
    expect(shown(page, "stop")).to_have_text(re.compile("the function"))


def test_questions(page):
    """A cell asks by controls and waits: what is typed goes into the field at once."""
    start(page, "questions")
    output = at(page, "questions").locator(".jp-OutputArea")
    expect(output.locator("input[type=text]")).to_be_focused()
    page.keyboard.type("Ada")
    both_themes(page, "question-line")
    output.locator("input[type=text]").press("Enter")
    expect(output).to_contain_text("Your name? Ada")
    both_themes(page, "question-confirm")
    output.get_by_role("button", name="No").click()
    expect(output.get_by_role("button", name="lasso")).to_be_visible()
    both_themes(page, "question-choose")
    output.get_by_role("button", name="lasso").click()
    expect(output.get_by_role("button", name="Upload")).to_be_visible()
    both_themes(page, "question-file")
    with page.expect_file_chooser() as chooser:
        output.get_by_role("button", name="Upload").click()
    chooser.value.set_files([{"name": "a.csv", "mimeType": "text/csv", "buffer": b"1,2"}])
    expect(output).to_contain_text("Ada false lasso a.csv 3")
    expect(output).to_contain_text("Sure? No")
    idle(page)


def test_a_widget_of_ones_own(page):
    run(page, "counter")
    button = at(page, "counter").locator("button.counter")
    expect(button).to_have_text("count 3")
    button.click()
    expect(button).to_have_text("count 4")
    idle(page)
    run(page, "read")
    expect(shown(page, "read")).to_have_text("4")
    run(page, "write")
    expect(button).to_have_text("count 10")
    picture(page, "own")


def test_a_widget_of_a_library(page):
    """A module that Go does not know is named, with the model and its state."""
    run(page, "library")
    field = at(page, "library").locator("input")
    expect(field).to_have_value("from Go")
    move(page, at(page, "library").locator(".jp-OutputArea"), "fill", "input", "from the page")
    idle(page)
    run(page, "read other")
    expect(shown(page, "read other")).to_have_text('"from the page"')
    run(page, "write other")
    expect(field).to_have_value("again")


def test_saved_pages(program, tmp_path, browser):
    """What `gokernel run` saves has the widgets, for nbconvert too; in its own page the controls move, and with --trust
    the widgets that bring their script along."""
    write_notebook(tmp_path, "saved", BOUNDARY, COUNTER)
    subprocess.run([program, "run", "saved.ipynb", "-o", "done.ipynb", "--html", "page.html", "--trust"], cwd=tmp_path, check=True)
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
    frame = page.locator(".output.interact .frame img")
    page.get_by_label("k", exact=True).focus()
    page.keyboard.press("End")
    expect(frame).to_have_attribute("alt", re.compile("^k = 30[.]"))
    # All positions of both controls are too much for a page: the other one goes back.
    page.get_by_label("metric").select_option("manhattan")
    expect(frame).to_have_attribute("alt", re.compile("^k = 1[.]"))
    expect(page.get_by_label("k", exact=True)).to_have_value("0")
    expect(page.locator(".note")).to_contain_text("one control moves at a time")
    button = page.locator("button.counter")
    expect(button).to_have_text("count 3")
    button.click()
    expect(button).to_have_text("count 4")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        picture(page, f"saved-{theme}")
    page.close()
