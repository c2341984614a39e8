"""The debugger in JupyterLab, by the clicks of a person who looks for a mistake."""

import re
import time

import pytest
from playwright.sync_api import expect
from test_lab import both_themes, cell, idle, open_notebook
from test_widgets import write_notebook

PERCEPTRON = """type Perceptron struct {
	w []float64
	b float64
}

// update learns from one example.
func (p *Perceptron) update(x []float64, y float64) bool {
	s := p.b
	for i, v := range x {
		s += p.w[i] * v
	}
	if y*s > 0 {
		return false
	}
	for i, v := range x {
		p.w[i] += y * v
	}
	p.b += y
	return true
}"""

TRAIN = """p := &Perceptron{w: make([]float64, 2)}
mistakes := 0
for _, x := range [][]float64{{1, 2}, {2, 1}} {
	if p.update(x, 1) {
		mistakes++
	}
}
fmt.Println("mistakes:", mistakes)"""

FAULT = """list := []int{1, 2}
sum := 0
for i := range 3 {
	sum += list[i]
}"""

LOOP = """turns := 0
for turns >= 0 {
	turns++
	time.Sleep(time.Millisecond)
}
"ended"
"""

CELLS = [PERCEPTRON, TRAIN, FAULT, LOOP]


talked = [0.0]  # when the last message of the debugger came or went


@pytest.fixture(scope="module")
def page(lab, lab_directory, browser):
    write_notebook(lab_directory, "debugger", *CELLS)
    page = open_notebook(browser, lab, "Light", "debugger")
    page.set_viewport_size({"width": 1440, "height": 1100})

    def listen(socket):
        socket.on("framesent", heard)
        socket.on("framereceived", heard)

    def heard(frame):
        if isinstance(frame, bytes) and b'"debug_' in frame:
            talked[0] = time.monotonic()

    page.on("websocket", listen)
    page.reload()
    idle(page)
    yield page
    page.close()


def settle(page):
    """Puts the focus into the notebook and waits until its debugger has been silent for a second.

    JupyterLab asks the kernel for the state of the debugger when the focus comes from
    elsewhere, and again when a cell has run. What is clicked meanwhile may be undone by
    the answer: the bug pressed and no gutters, or a second gutter that is deaf.
    """
    cell(page, 0).locator(".cm-content").click()
    begun = talked[0] = time.monotonic()
    while time.monotonic() - talked[0] < 1:
        assert time.monotonic() - begun < 120, "the debugger never falls silent: does a cell still run?"
        page.wait_for_timeout(100)


def switch(page, on):
    """Clicks the bug of the toolbar, unless the debugger is so already."""
    settle(page)
    bug = page.locator(".jp-DebuggerBugButton")
    expect(bug).to_have_attribute("aria-disabled", "false")
    if bug.get_attribute("aria-pressed") != str(on).lower():
        bug.click()
    expect(bug).to_have_attribute("aria-pressed", str(on).lower())
    expect(gutter(page, 0)).to_have_count(1 if on else 0)


def gutter(page, n):
    """Where breakpoints stand beside a cell; its first element is for its width."""
    return cell(page, n).locator(".cm-gutter.cm-breakpoint-gutter")


def line_of(n, text):
    """The number of the first line of a cell that has the text."""
    return next(i for i, line in enumerate(CELLS[n].split("\n"), 1) if text in line)


def click_gutter(page, n, text):
    """Clicks beside the line of a cell that has the text."""
    gutter(page, n).locator(".cm-gutterElement").nth(line_of(n, text)).click()


def toggle(page, n, text, want):
    """Clicks beside a line, so that so many breakpoints are listed.

    JupyterLab may set up the gutter of a cell twice when it opens a notebook on a busy
    machine, and clicks on the older one do nothing: then the page is loaded again.
    """
    listed = page.locator(".jp-DebuggerBreakpoint")
    click_gutter(page, n, text)
    for _ in range(2):
        try:
            expect(listed).to_have_count(want, timeout=20_000)
            return
        except AssertionError:
            page.reload()
            expect(gutter(page, n)).to_have_count(1)
            settle(page)
            if listed.count() != want:
                click_gutter(page, n, text)
    expect(listed).to_have_count(want)


def run(page, n):
    cell(page, n).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")


def declare(page):
    """Runs the first cell, unless another test has done so."""
    if cell(page, 0).locator(".jp-InputPrompt").inner_text().strip() == "[ ]:":
        run(page, 0)
        expect(cell(page, 0).locator(".jp-InputPrompt")).to_have_text(re.compile(r"\[\d+\]:"))
        idle(page)


def button(page, title):
    page.locator(f"#jp-debugger-sidebar jp-button[title^='{title}']").click()


def stopped(page, n, text, *calls):
    """Waits for a stop: the line that is marked, and the calls in the panel."""
    expect(cell(page, n).locator(".jp-DebuggerEditor-highlight")).to_have_text(re.compile(re.escape(text)))
    frames = page.locator(".jp-DebuggerCallstackFrame")
    expect(frames).to_have_text([re.compile(re.escape(c)) for c in calls])


def variables(page, **want):
    """Waits for values in the panel of variables."""
    expect(page.get_by_label("Scope")).to_have_value("Locals")
    for name, value in want.items():
        expect(variable(page, name)).to_contain_text(value)


def variable(page, name):
    """A row of the panel."""
    of = page.locator(".jp-DebuggerVariables-name", has_text=re.compile(f"^{name}$"))
    return page.locator(".jp-DebuggerVariables-body .jp-TreeItem", has=of).first


def test_steps_through_a_perceptron(page):
    """A breakpoint in a function of a cell that has not run yet, steps, values, the state after a reload."""
    switch(page, True)
    toggle(page, 0, "if y*s > 0", 1)
    run(page, 0)
    idle(page)
    run(page, 1)
    stopped(page, 0, "if y*s > 0", "(*Perceptron).update", "cell")
    variables(page, p="&Perceptron{w: []float64{0, 0}, b: 0}", x="[]float64{1, 2}", y="1", s="0")
    button(page, "Next")
    stopped(page, 0, "for i, v := range x", "(*Perceptron).update", "cell")
    button(page, "Next")
    stopped(page, 0, "p.w[i] += y * v", "(*Perceptron).update", "cell")
    variables(page, i="0", v="1")
    button(page, "Next")
    stopped(page, 0, "p.w[i] += y * v", "(*Perceptron).update", "cell")
    variables(page, i="1", v="2")
    calls = page.locator(".jp-DebuggerCallstackFrame")
    expect(calls).to_have_text([re.compile(r"update\s*Cell \[1\]:"), re.compile(r"cell\s*Cell \[\*\]:")])
    expect(page.locator(".jp-DebuggerBreakpoint")).to_contain_text("Cell [")
    both_themes(page, "debugger")
    button(page, "Step Out")
    stopped(page, 1, "mistakes++", "cell")
    page.reload()
    stopped(page, 1, "mistakes++", "cell")
    toggle(page, 0, "if y*s > 0", 0)
    button(page, "Continue")
    idle(page)
    expect(page.get_by_label("Scope")).to_have_value("Globals")
    expect(variable(page, "mistakes")).to_contain_text("1")


def evaluate(page, code):
    """Types code into the console of Evaluate, which stays open."""
    console = page.locator(".jp-DebugConsole")
    if console.count() == 0:
        button(page, "Evaluate")
    console.locator(".jp-CodeConsole-promptCell .cm-content").click()
    page.keyboard.insert_text(code)
    page.keyboard.press("Shift+Enter")


def test_evaluates_steps_in_and_copies(page):
    declare(page)
    switch(page, True)
    toggle(page, 1, "if p.update", 1)
    run(page, 1)
    stopped(page, 1, "if p.update", "cell")
    button(page, "Step In")
    stopped(page, 0, "s := p.b", "(*Perceptron).update", "cell")
    variables(page, x="[]float64{1, 2}", y="1")
    evaluate(page, "y = -3")
    variables(page, y="-3")
    variable(page, "x").click(button="right")
    page.get_by_role("menuitem", name="Copy Variable to Globals").click()
    page.get_by_label("Scope").select_option("Globals")
    expect(variable(page, "x")).to_contain_text("[]float64{1, 2}")
    page.get_by_label("Scope").select_option("Locals")
    toggle(page, 1, "if p.update", 0)
    button(page, "Continue")
    idle(page)


def test_pauses_a_loop(page):
    """What runs without a breakpoint is paused; an assignment there ends it."""
    switch(page, True)
    run(page, 3)
    expect(cell(page, 3).locator(".jp-InputPrompt")).to_have_text("[*]:")
    button(page, "Pause (")
    expect(cell(page, 3).locator(".jp-DebuggerEditor-highlight")).to_be_visible()
    expect(page.locator(".jp-DebuggerCallstackFrame")).to_have_text([re.compile("cell")])
    evaluate(page, "turns = -1000")
    page.get_by_label("Scope").select_option("Globals")
    expect(variable(page, "turns")).to_contain_text("-1000")
    page.get_by_label("Scope").select_option("Locals")
    button(page, "Continue")
    idle(page)
    expect(cell(page, 3).locator(".jp-OutputArea-output").last).to_have_text(re.compile("ended"))


def test_stops_at_a_panic(page):
    switch(page, False)
    idle(page)
    switch(page, True)  # a page that was loaded anew does not know what panics there are
    page.locator("jp-button.jp-PauseOnExceptions").click()
    page.locator(".jp-PauseOnExceptions-menu").get_by_text("uncaught").click()
    run(page, 2)
    stopped(page, 2, "sum += list[i]", "cell")
    variables(page, i="2")
    both_themes(page, "debugger-panic")
    button(page, "Continue")
    expect(cell(page, 2).locator(".jp-OutputArea-output").last).to_contain_text("index out of range")
    idle(page)


def test_switched_off_while_stopped(page):
    declare(page)
    switch(page, True)
    toggle(page, 1, "mistakes := 0", 1)
    run(page, 1)
    stopped(page, 1, "mistakes := 0", "cell")
    switch(page, False)
    idle(page)
    expect(cell(page, 1).locator(".jp-OutputArea-output").last).to_have_text(re.compile("mistakes: 1"))
    expect(gutter(page, 1)).to_have_count(0)
