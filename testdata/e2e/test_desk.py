"""The page of `gokernel grade --serve`, on which a teacher grades answers by hand: with the keyboard,
with rubrics, in light and dark, and again after the next run of the grader. If the variable
SCREENSHOTS names a directory, screenshots are left there."""

import csv
import json
import os
import pathlib
import re
import subprocess

import pytest
from playwright.sync_api import expect

RUBRIC = "<!-- BEGIN SOLUTION -->\nBecause of the margin $\\gamma$.\n\nRubric:\n\n- 1: names the margin\n- 1: says that XOR has none\n- -0.5: confuses it with the radius\n<!-- END SOLUTION -->"
ANSWERS = {
    "ann": "The bound needs a **margin** $\\gamma>0$, and XOR has none.",
    "bob": "The radius is too large. <img src=x onerror=\"parent.document.title='stolen'\">",
    "cy": "",
}


# Outputs of a hostile student. A script that runs sets data-hit.
HOSTILE = [
    {"output_type": "stream", "name": "stdout", "text": "<script>document.body.dataset.hit = 1</script> printed"},
    {"output_type": "display_data", "metadata": {}, "data": {"text/html": """<b>shown</b>
        <script>document.body.dataset.hit = 2</script><img src=x onerror="document.body.dataset.hit = 3">
        <svg onload="document.body.dataset.hit = 4"></svg>
        <iframe srcdoc="<script>parent.document.body.dataset.hit = 5</script>"></iframe>
        <a href="javascript:document.body.dataset.hit = 6">link</a>
        <form action="/undo" method="post"><button>button</button></form>
        <meta http-equiv="refresh" content="0;url=/undo"><img src="http://192.0.2.1/seen.png">"""}},
    {"output_type": "display_data", "metadata": {}, "data": {"application/javascript": "document.body.dataset.hit = 7"}},
    {"output_type": "display_data", "metadata": {}, "data": {"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg'><script>document.body.dataset.hit = 8</script></svg>"}},
    {"output_type": "error", "ename": "<script>document.body.dataset.hit = 9</script>", "evalue": "", "traceback": ["<img src=x onerror='document.body.dataset.hit = 10'>"]},
]


# Ways in which an answer could hide its words or cover the rest of the page.
HIDING = {
    "style": "<style>body { display: none } * { font-size: 0 !important }</style>The words",
    "unclosed style": "The words\n\n<style>.cell { opacity: 0 }",
    "comment": "The words\n\n<!-- never closed",
    "attributes": '<p style="position:fixed;inset:0;background:#fff;z-index:9">cover</p><p hidden>The words</p>',
    "class": '<span class="unseen">The words</span>',
    "folded": "<details><summary>more</summary>The words</details>",
    "template": "<template><p>The words</p></template>",
    "dialog": "<dialog>The words</dialog>",
    "end tags": "The words</section></main></body><div style='position:fixed;inset:0;background:#fff'>",
    "drawing": "The words\n\n<svg style='position:fixed;inset:0' overflow='visible'><rect width='9999' height='9999'/></svg>",
    "formula": "The words $\\smash{\\rule[-90em]{90em}{180em}}$",
}


def covered(frame, text):
    """Whether something covers these words of a frame, which is scrolled to them."""
    words = frame.get_by_text(text).last
    words.scroll_into_view_if_needed()
    return words.evaluate("""e => {
        const r = document.createRange();
        r.selectNodeContents(e);
        const b = r.getClientRects()[0], top = document.elementFromPoint(b.left + 3, b.top + b.height / 2);
        return !(e === top || e.contains(top) || top?.contains(e)) || b.width < 20 || b.height < 8;
    }""")


def notebook(answer, drawn=()):
    graded = lambda id, kind, source, outputs=(), **flags: {
        "id": id, "cell_type": kind, "source": source, "metadata": {"nbgrader": {"grade_id": id, **flags}},
        **({"outputs": outputs, "execution_count": None} if kind == "code" else {})}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
        graded("f", "code", "func f() int {\n\t// BEGIN SOLUTION\n\treturn 1\n\t// END SOLUTION\n}", solution=True),
        graded("f-check", "code", "Check(f).Is(1).Points(2)", grade=True, locked=True, points=2),
        {"id": "text", "cell_type": "markdown", "metadata": {}, "source": "## 2. Why? (2 points)\n\nWhy does the bound not stop the perceptron on XOR?"},
        graded("why", "markdown", answer, grade=True, solution=True, points=2),
        *([graded("draw", "code", "fmt.Println(1)", drawn, grade=True, solution=True, points=1)] if drawn else []),
    ]})


@pytest.fixture
def course(tmp_path):
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "xor.ipynb").write_text(notebook(RUBRIC))
    for student, answer in ANSWERS.items():
        (tmp_path / "submitted" / student).mkdir(parents=True)
        (tmp_path / "submitted" / student / "xor.ipynb").write_text(notebook(answer))
    return tmp_path


@pytest.fixture
def serve(program, course):
    """Starts the page; gives its address."""
    running = []

    def start():
        p = subprocess.Popen([*grade(program), "--serve"], cwd=course, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        running.append(p)
        address = p.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), address
        return address

    def stop():
        while running:
            p = running.pop()
            p.send_signal(2)
            assert p.wait(30) == 0

    start.stop = stop
    yield start
    stop()


def grade(program):
    return [program, "grade", "submitted", "--source", "source/xor.ipynb", "-o", "grades.csv"]


def rows(course):
    return {r["student"]: r for r in csv.DictReader((course / "grades.csv").open())}


def shot(page, name):
    if directory := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=pathlib.Path(directory, f"desk-{name}.png"))


def test_grading_by_hand(program, course, serve, browser, axe):
    page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme="light")
    errors = []
    page.on("pageerror", lambda e: errors.append(str(e)))
    page.goto(serve())
    assert "token" not in page.url
    expect(page.locator("#progress")).to_have_text("0 of 3 marked")
    expect(page.locator("#who")).to_have_text("Submission 1")
    assert "ann" not in page.locator("nav").inner_text()
    answer = page.frame_locator("#answer")
    expect(answer.locator("body")).to_contain_text("The bound needs a margin")
    expect(answer.locator(".katex").first).to_be_visible()
    expect(answer.locator("body")).to_contain_text("names the margin")
    # The keyboard chooses two criteria, and Enter saves.
    page.keyboard.press("1")
    page.keyboard.press("2")
    expect(page.locator("#points")).to_have_value("2")
    page.locator("#comment").fill("Well argued.")
    shot(page, "light")
    assert not axe(page)
    page.locator("#points").press("Enter")
    expect(page.locator("#who")).to_have_text("Submission 2")
    expect(page.locator("#progress")).to_have_text("1 of 3 marked")
    # No script of a student runs.
    expect(answer.locator("body")).to_contain_text("The radius is too large")
    assert page.title() == "xor: grade by hand"
    page.emulate_media(color_scheme="dark")
    page.keyboard.press("3")
    expect(page.locator("#points")).to_have_value("0")
    page.locator("#points").fill("5")
    page.locator("#save").click()
    expect(page.locator("#error")).to_have_text("Points must be a number between 0 and 2.")
    page.locator("#points").fill("0,5")
    shot(page, "dark")
    assert not axe(page)
    page.locator("#save").click()
    expect(answer.locator("body")).to_contain_text("The answer is empty.")
    # Undo removes the mark of bob, which is given again with the keyboard alone. Keys that are
    # pressed in the answer go to the page.
    page.locator("#who").click()
    page.keyboard.press("u")
    expect(page.locator("#who")).to_have_text("Submission 2")
    expect(page.locator("#progress")).to_have_text("1 of 3 marked")
    assert {s: r["why"] for s, r in rows(course).items()} == {"ann": "2", "bob": "", "cy": ""}
    answer.get_by_text("The radius is too large").click()
    page.keyboard.press("k")
    expect(page.locator("#who")).to_have_text("Submission 1")
    expect(answer.locator("body")).to_contain_text("The bound needs a margin")
    page.keyboard.press("j")
    expect(answer.locator("body")).to_contain_text("The radius is too large")
    page.keyboard.press("1")
    expect(page.locator("#points")).to_have_value("1")
    page.keyboard.press("c")
    page.keyboard.type("j, k and 1 are letters here.")
    page.keyboard.press("Shift+Tab")
    page.keyboard.type("0.5")
    page.keyboard.press("Control+Enter")
    expect(answer.locator("body")).to_contain_text("The answer is empty.")
    page.locator("#hide").uncheck()
    expect(page.locator("#who")).to_have_text("cy")
    page.keyboard.press("k")
    expect(page.locator("#who")).to_have_text("bob")
    expect(page.locator("#points")).to_have_value("0.5")
    marks = {s: (r["why"], r["points"]) for s, r in rows(course).items()}
    assert marks == {"ann": ("2", "4"), "bob": ("0.5", "2.5"), "cy": ("", "2")}
    page.set_viewport_size({"width": 400, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    assert not errors
    page.close()

    # ann hands in again, and the class is graded again: marks and remarks stay.
    serve.stop()
    (course / "submitted" / "ann" / "xor.ipynb").write_text(notebook("Another answer."))
    said = subprocess.run([*grade(program), "--html", "feedback"], cwd=course, check=True, capture_output=True, text=True).stderr
    assert "kept the marks that were entered by hand in grades.csv: 2" in said
    assert {s: r["why"] for s, r in rows(course).items()} == {"ann": "2", "bob": "0.5", "cy": ""}
    feedback = re.sub(r"<[^>]*>", "", (course / "feedback" / "ann.html").read_text())
    assert "graded by hand: names the margin; says that XOR has none; Well argued." in feedback
    feedback = re.sub(r"<[^>]*>", "", (course / "feedback" / "bob.html").read_text())
    assert "graded by hand: names the margin; j, k and 1 are letters here." in feedback
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(serve())
    expect(page.locator("#progress")).to_have_text("2 of 3 marked")
    page.locator("#students button").first.click()
    expect(page.locator("#notice")).to_have_text("The answer has changed since it was marked.")
    expect(page.locator("#comment")).to_have_value("Well argued.")
    expect(page.frame_locator("#answer").locator("body")).to_contain_text("Another answer.")
    shot(page, "changed")
    page.locator("#clear").click()
    expect(page.locator("#progress")).to_have_text("1 of 3 marked")
    assert rows(course)["ann"]["why"] == ""
    page.close()


def test_nothing_of_a_submission_runs(course, serve, browser):
    (course / "source" / "xor.ipynb").write_text(notebook(RUBRIC, HOSTILE[:1]))
    for student in ANSWERS:
        (course / "submitted" / student / "xor.ipynb").write_text(notebook("An answer.", HOSTILE))
    context = browser.new_context()
    page = context.new_page()
    requests = []
    page.on("request", lambda r: requests.append(r.url))
    address = serve()
    page.goto(address)
    origin = address.split("/?")[0]
    page.locator("#task").select_option("draw")
    answer = page.frame_locator("#answer")
    expect(answer.locator("body")).to_contain_text("<script>document.body.dataset.hit = 1</script> printed")
    expect(answer.locator("body")).to_contain_text("shown")
    answer.get_by_text("link", exact=True).last.click()
    expect(answer.get_by_role("button", name="button")).to_have_count(0)
    shot(page, "hostile")

    # In a tab of its own, the answer can't read what the teacher's page reads.
    tab = context.new_page()
    tab.goto(f"{origin}/answer?task=draw&student=ann")
    expect(tab.locator("body")).to_contain_text("shown")
    assert tab.evaluate("origin") == "null"
    assert tab.evaluate("fetch('/state').then(() => 'read', () => 'refused')") == "refused"
    for frame in (page.main_frame, page.frames[1], tab.main_frame):
        assert frame.evaluate("document.body.dataset.hit") is None
    assert page.frames[1].url.startswith(f"{origin}/answer?")
    assert [r for r in requests if not r.startswith((origin, "data:", "blob:"))] == []
    assert not [r for r in requests if "undo" in r]
    context.close()


def test_answers_hide_nothing(course, serve, browser):
    """Styles and other markup of an answer neither hide its words nor cover the solution. The outputs of code
    are treated alike."""
    for student in ANSWERS:
        (course / "submitted" / student / "xor.ipynb").unlink()
    for i, answer in enumerate(HIDING.values()):
        (course / "submitted" / f"s{i:02}").mkdir()
        output = {"output_type": "display_data", "metadata": {}, "data": {"text/html": answer}}
        (course / "submitted" / f"s{i:02}" / "xor.ipynb").write_text(notebook(answer, [output]))
    (course / "source" / "xor.ipynb").write_text(notebook(RUBRIC, [HOSTILE[0]]))
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(serve())
    answer = page.frame_locator("#answer")
    for task in ("why", "draw"):
        page.locator("#task").select_option(task)
        for i, way in enumerate(HIDING):
            page.locator("#students button").nth(i).click()
            expect(answer.get_by_text("The words").last).to_be_visible()
            assert not covered(answer, "The words"), (task, way)
            solution = "Because of the margin" if task == "why" else "Solution"
            expect(answer.get_by_text(solution)).to_be_visible()
            assert not covered(answer, solution), (task, way)
            if way == "drawing":
                shot(page, f"hiding-{task}")
    page.close()
