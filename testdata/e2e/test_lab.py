"""JupyterLab itself, in headless Chromium.

Pictures of what was on the screen are left in the directory that the variable
SCREENSHOTS names.
"""

import os
import pathlib
import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from playwright.sync_api import expect

CELLS = [
    new_markdown_cell("# A first notebook\n\nThe mean squared error is $\\frac{1}{n}\\sum_i (y_i - \\hat y_i)^2$."),
    new_code_cell("squares := []float64{}\nfor i := range 20 {\n\tsquares = append(squares, float64(i*i))\n}\nsquares[:5]"),
    new_code_cell('fmt.Println("hello, notebook")'),
    new_code_cell('Plot(squares).Title("Squares")'),
    new_code_cell("ml.PlayTennis()"),
    new_code_cell("squares[19"),
]


def picture(page, name):
    if directory := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=pathlib.Path(directory, name + ".png"))


def both_themes(page, name):
    """Takes a picture of the dark theme, then of the light one."""
    for theme in "Dark", "Light":
        change_theme(page, theme)
        expect(page.locator("#jupyterlab-splash")).to_have_count(0)
        picture(page, f"{name}-{theme.lower()}")


@pytest.fixture(scope="module", autouse=True)
def first(lab_directory):
    nb = new_notebook(metadata={"kernelspec": {"name": "gokernel", "display_name": "Go (gokernel)", "language": "go"}})
    nb.cells = CELLS
    nbformat.write(nb, lab_directory / "first.ipynb")


def open_notebook(browser, lab, theme, name="first", scale=1):
    page = browser.new_page(viewport={"width": 1280, "height": 1400}, device_scale_factor=scale)
    page.set_default_timeout(60_000)
    page.goto(f"{lab}/lab/tree/{name}.ipynb?token=t&reset")
    expect(page.locator(".jp-Notebook .jp-Cell").first).to_be_visible()
    change_theme(page, theme)
    return page


def change_theme(page, theme):
    """Waits for the style sheet too, which follows the name."""
    command(page, "apputils:change-theme", {"theme": f"JupyterLab {theme}"})
    expect(page.locator("body")).to_have_attribute("data-jp-theme-name", f"JupyterLab {theme}")
    page.wait_for_function("dark => dark === getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0] < 128", arg=theme == "Dark")


def command(page, name, args=None):
    page.evaluate(
        "([n, a]) => { window.jupyterapp.commands.execute(n, a) }", [name, args or {}]
    )


def idle(page):
    expect(page.get_by_role("button", name="Go (gokernel) | Idle")).to_be_visible()


def cell(page, n):
    return page.locator(".jp-Notebook .jp-Cell").nth(n)


def write(page, n, code):
    """Replaces the code of a cell, and leaves the cursor at its end."""
    cell(page, n).locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(code)


def faint_text(page, cell):
    """What can hardly be read in the output of a cell: its contrast is below 4.5."""
    return cell.locator(".jp-OutputArea-output").last.evaluate("""o => {
        const rgba = s => { const v = s.match(/[\\d.]+/g).map(Number); return v.length === 3 ? [...v, 1] : v }
        const light = c => { const [r, g, b] = c.map(x => (x /= 255, x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)); return 0.2126 * r + 0.7152 * g + 0.0722 * b }
        const over = (top, ground) => [0, 1, 2].map(i => top[i] * top[3] + ground[i] * (1 - top[3]))
        const ground = e => e ? over(rgba(getComputedStyle(e).backgroundColor), ground(e.parentElement)) : [255, 255, 255]
        const found = [], walk = document.createTreeWalker(o, NodeFilter.SHOW_TEXT)
        for (let t = walk.nextNode(); t; t = walk.nextNode()) {
            if (!t.data.trim()) continue
            const paper = ground(t.parentElement)
            const [a, b] = [light(over(rgba(getComputedStyle(t.parentElement).color), paper)), light(paper)].sort((x, y) => y - x)
            if ((a + 0.05) / (b + 0.05) < 4.5) found.push(t.data)
        }
        return found
    }""")


def broken_words(locator):
    """The words of an element, of at most 40 letters, that stand on two lines."""
    return locator.evaluate("""o => {
        const found = [], walk = document.createTreeWalker(o, NodeFilter.SHOW_TEXT), range = document.createRange()
        for (let t = walk.nextNode(); t; t = walk.nextNode())
            for (const m of t.data.matchAll(/[\\p{L}\\p{N}_]{2,40}/gu)) {
                range.setStart(t, m.index)
                range.setEnd(t, m.index + m[0].length)
                if (new Set([...range.getClientRects()].filter(r => r.width).map(r => Math.round(r.top))).size > 1) found.push(m[0])
            }
        return found
    }""")


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_errors_can_be_read(lab, browser, theme):
    page = open_notebook(browser, lab, theme)
    idle(page)
    for code, says in {"squars": "undefined: squars", "a, b := 1, 0\na / b": "hint: ", "[]int{1}[len(os.Args)+5]": "index out of range"}.items():
        write(page, 5, code)
        page.keyboard.press("Control+Enter")
        expect(cell(page, 5).locator(".jp-OutputArea-output").last).to_contain_text(says)
        idle(page)
        assert faint_text(page, cell(page, 5)) == []
    picture(page, f"error-{theme.lower()}")
    page.close()


def test_documentation_is_not_cut_in_words(lab, browser):
    page = open_notebook(browser, lab, "Light")
    idle(page)
    write(page, 5, "http.NewRequestWithContext?")
    page.keyboard.press("Control+Enter")
    shown = cell(page, 5).locator(".jp-OutputArea-output").last
    expect(shown).to_contain_text("NewRequestWithContext returns")
    for width in (1280, 700):
        page.set_viewport_size({"width": width, "height": 1400})
        assert broken_words(shown) == []
    picture(page, "documentation")
    write(page, 5, "http.NewRequestWithContext")
    page.keyboard.press("Shift+Tab")
    tooltip = page.locator(".jp-Tooltip")
    expect(tooltip).to_contain_text("NewRequestWithContext returns")
    assert broken_words(tooltip) == []
    page.close()


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_a_person_at_work(lab, browser, theme):
    page = open_notebook(browser, lab, theme)
    idle(page)

    # Run all: values, text, a figure, data, and an error that is readable.
    command(page, "notebook:restart-run-all")
    dialog = page.locator(".jp-Dialog .jp-mod-accept")
    dialog.click()
    expect(cell(page, 2).locator(".jp-OutputArea-output")).to_contain_text("hello, notebook")
    expect(cell(page, 1).locator(".jp-OutputArea-executeResult")).to_contain_text("16")
    figure = cell(page, 3).locator(".jp-RenderedSVG img, .jp-RenderedImage img")
    expect(figure).to_be_visible()
    assert figure.evaluate("i => i.decode().then(() => i.naturalWidth)") > 100
    expect(cell(page, 4).locator(".jp-OutputArea-output")).to_contain_text("sunny")
    expect(cell(page, 5).locator(".jp-OutputArea-output")).to_contain_text("compile error")
    assert faint_text(page, cell(page, 5)) == []
    idle(page)
    picture(page, f"run-{theme.lower()}")

    # Tab completes.
    write(page, 5, "strings.ToTit")
    page.keyboard.press("Tab")
    items = page.locator(".jp-Completer-item")
    expect(items.filter(has_text="ToTitleSpecial")).to_be_visible()
    picture(page, f"complete-{theme.lower()}")
    page.keyboard.press("Escape")

    # Shift-Tab documents.
    write(page, 5, "fmt.Println")
    page.keyboard.press("Shift+Tab")
    tooltip = page.locator(".jp-Tooltip")
    expect(tooltip).to_contain_text("func Println(a ...any)")
    picture(page, f"inspect-{theme.lower()}")
    page.keyboard.press("Escape")

    # An endless loop is interrupted, and the variables are still there.
    write(page, 5, 'fmt.Println("begun")\nfor {}')
    page.keyboard.press("Control+Enter")
    expect(cell(page, 5).locator(".jp-OutputArea-output")).to_contain_text("begun")
    expect(cell(page, 5).locator(".jp-InputPrompt")).to_have_text("[*]:")
    command(page, "notebook:interrupt-kernel")
    expect(cell(page, 5).locator(".jp-OutputArea-output").last).to_contain_text("interrupted")
    idle(page)
    picture(page, f"interrupt-{theme.lower()}")
    write(page, 5, "len(squares)")
    page.keyboard.press("Control+Enter")
    expect(cell(page, 5).locator(".jp-OutputArea-executeResult")).to_contain_text("20")

    # A restart forgets them.
    command(page, "notebook:restart-kernel")
    page.locator(".jp-Dialog .jp-mod-accept").click()
    idle(page)
    write(page, 5, "squares")
    page.keyboard.press("Control+Enter")
    expect(cell(page, 5).locator(".jp-OutputArea-output")).to_contain_text(re.compile("undefined: squares"))
    picture(page, f"restart-{theme.lower()}")
    page.close()


def test_launcher_shows_the_logo(lab, browser):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{lab}/lab?token=t&reset")
    card = page.locator('.jp-LauncherCard[title^="Go (gokernel)"]').first
    expect(card).to_be_visible(timeout=60_000)
    logo = card.locator("img")
    assert logo.evaluate("e => e.decode().then(() => e.naturalWidth > 0)")
    picture(page, "launcher")
    page.close()


def test_run_all_stops_at_a_cell_that_fails(lab, browser, lab_directory):
    """Also when it fails at once, before the requests for the others have come."""
    nb = new_notebook(metadata={"kernelspec": {"name": "gokernel", "display_name": "Go (gokernel)", "language": "go"}})
    nb.cells = [new_code_cell('fmt.Println("before")'), new_code_cell("undefined"), *(new_code_cell(f'fmt.Println("after {i}")') for i in range(30))]
    nbformat.write(nb, lab_directory / "stops.ipynb")
    page = open_notebook(browser, lab, "Light", "stops")
    idle(page)
    for first, prompt in ((1, "[2]:"), (0, "[3]:")):
        if first == 0:  # now the very first cell fails, in a kernel that has started
            write(page, 0, "undefined")
            command(page, "notebook:run-all-cells")
        else:
            command(page, "notebook:restart-run-all")
            page.locator(".jp-Dialog .jp-mod-accept").click()
        expect(cell(page, first).locator(".jp-OutputArea-output")).to_contain_text("compile error")
        expect(cell(page, first).locator(".jp-InputPrompt")).to_have_text(prompt)
        idle(page)
        for i in range(first + 1, len(nb.cells)):
            expect(cell(page, i).locator(".jp-InputPrompt")).to_have_text("[ ]:")
            expect(cell(page, i).locator(".jp-OutputArea-output")).to_have_count(0)
    page.close()


def test_tab_while_a_cell_runs(lab, browser, lab_directory):
    """The kernel completes and documents while it works, and is still shown as busy."""
    nb = new_notebook(metadata={"kernelspec": {"name": "gokernel", "display_name": "Go (gokernel)", "language": "go"}})
    nb.cells = [new_code_cell('walrusA, walrusB := []int{1, 2}, "b"\nfmt.Println("begun")\ntime.Sleep(time.Hour)'), new_code_cell("")]
    nbformat.write(nb, lab_directory / "busy.ipynb")
    page = open_notebook(browser, lab, "Light", "busy")
    idle(page)
    cell(page, 0).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    expect(cell(page, 0).locator(".jp-OutputArea-output")).to_contain_text("begun")
    for prefix, names in {"walrus": ["walrusA", "walrusB"], "strings.ToTit": ["ToTitle", "ToTitleSpecial"]}.items():
        write(page, 1, prefix)
        page.keyboard.press("Tab")
        for name in names:
            expect(page.locator(".jp-Completer-item").filter(has_text=name).first).to_be_visible()
        page.keyboard.press("Escape")
    write(page, 1, "walrusA")
    page.keyboard.press("Shift+Tab")
    expect(page.locator(".jp-Tooltip")).to_contain_text("[]int")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Go (gokernel) | Busy")).to_be_visible()
    expect(cell(page, 0).locator(".jp-InputPrompt")).to_have_text("[*]:")
    command(page, "notebook:interrupt-kernel")
    expect(cell(page, 0).locator(".jp-OutputArea-output").last).to_contain_text("interrupted")
    idle(page)
    page.close()
