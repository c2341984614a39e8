"""What README.md shows is what a reader gets.

`make pictures` leaves the pictures of README.md in docs/images.
"""

import io
import os
import pathlib
import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from PIL import Image
from playwright.sync_api import expect
from test_lab import cell, command, idle, open_notebook

README = pathlib.Path(__file__).resolve().parents[2] / "README.md"


def snippets():
    return re.findall(r"^```go\n(.*?)\n```$", README.read_text(), flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_cell_of_the_readme(lab, lab_directory, browser, theme):
    (source,) = snippets()
    nb = new_notebook(metadata={"kernelspec": {"name": "gokernel", "display_name": "Go (gokernel)", "language": "go"}})
    nb.cells = [new_code_cell(source)]
    nbformat.write(nb, lab_directory / f"iris-{theme.lower()}.ipynb")
    page = open_notebook(browser, lab, theme, f"iris-{theme.lower()}", scale=2)
    idle(page)
    command(page, "notebook:run-all-cells")
    figure = cell(page, 0).locator(".jp-OutputArea-output img")
    expect(figure).to_be_visible()
    assert figure.evaluate("i => i.decode().then(() => i.naturalWidth > 100)")
    output = cell(page, 0).locator(".jp-OutputArea-executeResult .jp-OutputArea-output")
    expect(output).to_have_text(re.search(r"// Out: (\S+)", source)[1])
    idle(page)
    if directory := os.environ.get("SCREENSHOTS"):
        command(page, "application:toggle-left-area")
        page.set_viewport_size({"width": 980, "height": 660})
        page.wait_for_timeout(1000)  # the bars around the notebook find their places
        shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        shot.quantize(128).save(pathlib.Path(directory, f"lab-{theme.lower()}.png"), optimize=True)
    page.close()
