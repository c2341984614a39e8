"""The steps of README.md and of the pages in docs, as the pages have them.

A step is a block of commands: lines that are indented by four spaces, below a heading. STEPS
says what follows them, so that a page cannot get steps that nobody follows: run as a program, or
by test_newcomer.py, this file names those. It needs the standard library of Python alone.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]

# The blocks of each heading, in their order: the test that follows one, or why none does. Without
# a heading, an entry is about all blocks of a page.
STEPS = {
    ("README.md", "gokernel"): ["test_readme_lab"],
    ("README.md", "Without JupyterLab"): ["test_readme_first_lecture"],
    ("README.md", "For a class"): ["test_wheel_in_jupyterlab"],
    ("docs/tutorial/first-notebook.md", "Install"): ["test_first_notebook"],
    ("docs/tutorial/first-notebook.md", "Keep it"): ["test_first_notebook"],
    ("docs/how-to/browser.md", "JupyterLite"): ["test_jupyterlite"],
    ("docs/how-to/browser.md", "Live pages"): ["test_live_page_on_a_phone"],
    ("docs/how-to/ecosystem.md", "Sphinx"): ["test_sphinx"],
    ("docs/how-to/export.md", "A notebook as a program"): ["test_export"],
    ("docs/how-to/export.md", "Some cells of a session"): ["cells: interp tests %save"],
    ("docs/how-to/homework.md", "Grade answers by hand"): ["test_grading_by_hand", "TestRubric"],
    ("docs/how-to/homework.md", "From the source to the grades"): ["test_homework"],
    ("docs/how-to/grading.md", "Count late days"): ["TestGradeACourse"],
    ("docs/how-to/grading.md", "Grade again"): ["TestGradeACourse"],
    ("docs/how-to/grading.md", "Fill a gradebook"): ["TestGradeACourse"],
    ("docs/how-to/grading.md", "Grade with Gradescope"): ["TestPackageGradescope"],
    ("docs/how-to/grading.md", "Hand in with GitHub"): ["TestPackageGitHub"],
    ("docs/how-to/fork-course.md", "Copy the course"): ["test_fork_course"],
    ("docs/how-to/fork-course.md", "Rename it and leave lectures out"): ["test_fork_course"],
    ("docs/how-to/fork-course.md", "Publish it"): ["test_fork_course"],
    ("docs/how-to/fork-course.md", "Release the homework"): ["test_fork_course"],
    ("docs/how-to/fork-course.md", "Rehearse the grading"): ["test_fork_course", "test_fork_course"],
    ("docs/course/projects.md", "Hand out and grade"): ["TestHomework"],
    ("docs/how-to/exams.md", "Choose questions"): ["TestExamSteps"],
    ("docs/how-to/exams.md", "Give it to students, and grade it"): ["TestExamSteps"],
    ("docs/how-to/homework.md", "Give each student other numbers"): ["TestVariants"],
    ("docs/how-to/release.md", "Publish"): ["publishes: needs the rights to"],
    ("docs/how-to/release.md", "Build by hand"): ["test_release_files"],
    ("docs/how-to/publishing.md", "Publish this course"): ["test_site_of_a_copied_folder", "test_site_of_a_copied_folder"],
    ("docs/how-to/publishing.md", "Write with git"): ["test_git_and_jupytext", "test_git_and_jupytext"],
    ("docs/explanation/security.md", "bubblewrap"): ["bubblewrap: it is not installed, and needs user namespaces"],
    ("docs/explanation/security.md", "The sandbox"): ["test_notebook_of_a_stranger"],
    ("docs/how-to/class.md", "Build and try the image"): ["containers: the page says that the machine has none"],
    ("docs/how-to/troubleshooting.md", "Troubleshooting"): ["test_doctor_by_its_path"],
    ("docs/how-to/outgrow.md", "Use Spark"): ["cells: make engines tests them with a Spark server"],
    ("docs/reference/cell-language.md", None): ["cells: interp tests them"],
    ("docs/reference/figures.md", None): ["cells: the gallery and tests of display draw them", "cells: tests of display set themes"],
    ("docs/reports/figures.md", None): ["developers: measurements"],
    ("docs/reports/frame-benchmarks.md", None): ["developers: measurements"],
    ("docs/reports/scan-benchmarks.md", None): ["developers: measurements"],
}


# The fenced blocks of each page and language: the test that runs them, as name of a test in Go or Python,
# or why none does. Blocks of text are what the cell before them shows.
FENCED = {
    ("README.md", "go"): "test_cell_of_the_readme",
    ("docs/tutorial/first-notebook.md", "go"): "TestPages",
    ("docs/tutorial/go-for-notebooks.md", "go"): "TestPages",
    ("docs/guide/data-frames.md", "go"): "TestPages",
    ("docs/guide/machine-learning.md", "go"): "TestPages",
    ("docs/guide/plotting.md", "go"): "TestPages",
    ("docs/guide/probability.md", "go"): "TestPages",
    ("docs/guide/statistics.md", "go"): "TestPages",
    ("docs/guide/supervised.md", "go"): "TestPages",
    ("docs/guide/unsupervised.md", "go"): "TestPages",
    ("docs/reference/cell-language.md", "go"): "TestPages",
    ("docs/reference/frames.md", "go"): "TestPages",
    ("docs/reference/frames.md", "python"): "not run: pandas, for comparison",
    ("docs/how-to/databases.md", "go"): "TestPages",
    ("docs/how-to/homework.md", "go"): "TestPages",
    ("docs/how-to/larger-than-memory.md", "go"): "TestPages",
    ("docs/how-to/outgrow.md", "go"): "TestPages",
    ("docs/how-to/jit.md", "go"): "TestJITPage",
    ("docs/how-to/grading.md", "json"): "TestPolicy",
    ("docs/how-to/exams.md", "json"): "not run: a fragment of the metadata of a notebook",
    ("docs/how-to/homework.md", "json"): "not run: a fragment of the metadata of a notebook",
    ("docs/how-to/homework.md", "python"): "test_graders_agree",
    ("docs/how-to/ecosystem.md", "python"): "test_sphinx",
    ("docs/how-to/editors.md", "lua"): "test_neovim",
    ("docs/how-to/editors.md", "lisp"): "test_emacs",
    ("docs/how-to/publishing.md", "json"): "TestCourseFileOfThePage",
    ("docs/how-to/publishing.md", "yaml"): "not run: GitHub Pages",
    ("docs/reference/packages.md", "go"): "not run: fetches modules from the network",
}


def blocks(page):
    """The blocks of commands of a page: its heading, the line, and the commands without their comments."""
    found, heading, fence, last = [], "", False, False
    for number, line in enumerate((ROOT / page).read_text().splitlines(), 1):
        if line.startswith("```"):
            fence = not fence
        elif not fence and (title := re.match(r"#+ (.*)", line)):
            heading = title[1]
        if not fence and re.match(r" {4}" if last else r" {4}\S", line) and line.strip():
            if not last:
                found.append((heading, number, []))
            found[-1][2].append(re.sub(r"\s+#\s.*$", "", line[4:]).rstrip())
            last = True
        elif line.strip() or fence:
            last = False
    return found


def steps(page, heading, number=0):
    """The commands of a block below a heading; one that STEPS knows."""
    assert (page, heading) in STEPS, f"{page}, {heading}: add it to STEPS"
    return [commands for title, _, commands in blocks(page) if title == heading][number]


def forking(repository, students=30):
    """The steps of docs/how-to/fork-course.md: for each, its heading and its commands, with another repository."""
    page = "docs/how-to/fork-course.md"
    found = []
    for heading, _, commands in blocks(page):
        text = "\n".join(commands).replace("https://github.com/gokernel/gokernel", str(repository))
        found.append((heading, text.replace("' 30 >", f"' {students} >").split("\n")))
    return found


def inline(page, begin):
    """The code within a sentence of a page that begins so."""
    text = re.sub(r"^```.*?^```", "", (ROOT / page).read_text(), flags=re.M | re.S)
    spans = (" ".join(c.split()) for c in re.findall(r"`([^`]+)`", text))  # a line may break within code
    (code,) = {c for c in spans if c.startswith(begin)}
    return code


def cells(page):
    """The cells of a page: what stands in its blocks of Go, and the text of the block that follows one."""
    found = re.findall(r"^```(\w+)[^\n]*\n(.*?)^```$", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE)
    return [(code.rstrip("\n"), shown if kind == "text" else "")
            for (language, code), (kind, shown) in zip(found, [*found[1:], ("", "")]) if language == "go"]


def fenced(page, language, containing):
    """The one block of code of a language that contains a text."""
    (code,) = [c for c in re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE) if containing in c]
    return code


def pages():
    return ["README.md", *sorted(p.relative_to(ROOT).as_posix() for p in (ROOT / "docs").rglob("*.md"))]


def unfollowed():
    """What is wrong with STEPS: blocks that it does not have, and what it has and pages do not."""
    wrong, seen = [], {}
    for page in pages():
        for heading, line, commands in blocks(page):
            key = (page, None) if (page, None) in STEPS else (page, heading)
            seen.setdefault(key, []).append(line)
            if key not in STEPS or key[1] and len(seen[key]) > len(STEPS[key]):
                wrong.append(f"{page}:{line}: no test follows the steps of {heading!r}: {commands[0]}")
    fenced_blocks = {}
    for page in pages():
        for language in re.findall(r"^```(\w+)[^\n]*\n.*?^```", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE):
            if language not in ("text", "input"):
                fenced_blocks[page, language] = True
    wrong += [f"{page}: no test runs its blocks of {language}: add them to FENCED" for page, language in fenced_blocks if (page, language) not in FENCED]
    wrong += [f"FENCED has {key}, which no page does" for key in FENCED if key not in fenced_blocks]
    known = "\n".join(f.read_text() for pattern in ("interp/*_test.go", "cmd/gokernel/**/*_test.go", "testdata/e2e/**/test_*.py") for f in ROOT.glob(pattern))
    named = [*FENCED.values(), *(test for tests in STEPS.values() for test in tests)]
    wrong += [f"there is no test {test}" for test in named if re.match(r"[Tt]est\w+$", test) and not re.search(rf"\b(?:func|def) {test}\(", known)]
    for key, tests in STEPS.items():
        if len(seen.get(key, [])) < len(tests):
            wrong.append(f"{key[0]} has {len(seen.get(key, []))} blocks of steps below {key[1]!r}, of which tests follow {len(tests)}")
    return wrong


if __name__ == "__main__":
    sys.exit("\n".join(unfollowed()) or 0)
