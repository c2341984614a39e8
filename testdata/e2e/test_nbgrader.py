"""Homework through nbgrader's whole cycle, with the configuration of docs/how-to/homework.md, and
through `gokernel grade`: both give the same submissions the same points for each task."""

import csv
import json
import os
import pathlib
import pwd
import re
import shutil
import subprocess
import sys

import pytest
from nbgrader.api import Gradebook

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "notebooks" / "homework" / "perceptron.ipynb"
STRICT = "func mistake(w []float64, b float64, x []float64, y float64) bool { return y*score(w, b, x) < 0 }"
CHANGES = "func update(w []float64, b float64, x []float64, y float64) ([]float64, float64) {\n\tfor i := range w {\n\t\tw[i] += y*x[i]\n\t}\n\treturn w, b + y\n}"
ENDLESS = "func train(rows [][]float64, y []float64, passes int) (w []float64, b float64, made int) {\n\tfor {\n\t\tmade++\n\t}\n}"
ZERO = "func score(w []float64, b float64, x []float64) float64 { return 0 }"
ME = pwd.getpwuid(os.getuid())[0]

# What students hand in: their answers where they are not those of the source, and the points of
# the tasks that are graded by checks.
TASKS = ("score-check", "mistake-check", "update-check", "train-check", "train-hidden", "picture-check")
RIGHT = (2, 2, 2, 2, 2, 1)
FIRST_LOST = (0, 2, 2, 2, 2, 1)
SUBMISSIONS = {
    ME: ({}, RIGHT),  # 11 of 12: one point is given by hand
    "careless": ({"t2": STRICT, "t3": CHANGES}, (2, 0.4, 0, 2, 2, 1)),
    "endless": ({"t4": ENDLESS}, (2, 2, 2, 0, 0, 0)),
    "offbyone": ({"t1": ZERO.replace("return 0", "s := b; for i := 1; i < len(w); i++ { s += w[i]*x[i] }; return s")}, FIRST_LOST),
    "nocompile": ({"t1": ZERO.replace("return 0", "return b +\n")}, FIRST_LOST),
    "otherorder": ({"t1": "func score(x, w []float64, b float64) float64 { return b }"}, FIRST_LOST),
    "cheat": ({"t1": ZERO + "\nfunc Check(f any, args ...any) int { return 2 }\nfunc Checks(checks ...any) int { return 2 }"}, FIRST_LOST),
    "prints": ({"t1": ZERO.replace("return 0", 'fmt.Println(2); Show(Text("2")); return 0')}, FIRST_LOST),
    "untouched": (None, (0, 0, 0, 0, 0, 0)),
}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    directory = tmp_path_factory.mktemp("nbgrader")
    text = (ROOT / "docs" / "how-to" / "homework.md").read_text()
    config = re.search(r"```python\n(.*?)```", text[text.index("## Use nbgrader"):], re.DOTALL)[1]
    (directory / "exchange").mkdir()
    (directory / "nbgrader_config.py").write_text(config + f"""
c.CourseDirectory.course_id = "course"
c.CourseDirectory.root = {str(directory)!r}
c.Exchange.root = {str(directory / "exchange")!r}
c.Exchange.cache = {str(directory / "cache")!r}
c.ExecutePreprocessor.timeout = 10
c.Execute.timeout = 10
""")
    source = directory / "source" / "hw1" / SOURCE.name
    source.parent.mkdir(parents=True)
    shutil.copy(SOURCE, source)
    return directory


def nbgrader(directory, *args, **env):
    done = subprocess.run([sys.executable, "-m", "nbgrader", *args], cwd=directory, capture_output=True, text=True, env={**os.environ, **env})
    assert done.returncode == 0, done.stderr
    return done.stderr


def answered(released, answers):
    """The notebook of a student who has the solutions of the source but for some answers."""
    nb = json.loads(released.read_text())
    solved = {c["id"]: c["source"] for c in json.loads(SOURCE.read_text())["cells"]}
    for cell in nb["cells"]:
        text = "".join(cell["source"])
        assert "SOLUTION" not in text and "HIDDEN" not in text, text
        if answers is not None and cell["metadata"].get("nbgrader", {}).get("solution") and cell["cell_type"] == "code":
            cell["source"] = answers.get(cell["id"], solved[cell["id"]])
    return json.dumps(nb)


@pytest.fixture(scope="module")
def graded(course):
    """Everything up to the grades: one student goes through the exchange, the others' notebooks lie where collect puts them."""
    nbgrader(course, "generate_assignment", "hw1")
    nbgrader(course, "release_assignment", "hw1")
    home = course / "student"
    home.mkdir()
    shutil.copy(course / "nbgrader_config.py", home)
    nbgrader(home, "fetch_assignment", "hw1")
    mine = home / "hw1" / SOURCE.name
    mine.write_text(answered(mine, {}))
    nbgrader(home, "submit", "hw1")
    nbgrader(course, "collect", "hw1")
    assert [f.name for f in (course / "submitted").iterdir()] == [ME]
    for student, (answers, _) in SUBMISSIONS.items():
        if student != ME:
            to = course / "submitted" / student / "hw1" / SOURCE.name
            to.parent.mkdir(parents=True)
            to.write_text(answered(course / "release" / "hw1" / SOURCE.name, answers))
    nbgrader(course, "autograde", "hw1", GOKERNEL_GRADED="1")
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "course") as gradebook:
        return {s.student.id: {g.name: g.auto_score for n in s.notebooks for g in n.grades} for s in gradebook.assignment_submissions("hw1")}


def test_points(graded):
    got = {student: tuple(points[t] for t in TASKS) for student, points in graded.items()}
    assert got == {student: want for student, (_, want) in SUBMISSIONS.items()}


def test_graders_agree(graded, course, program):
    table = course / "grades.csv"
    subprocess.run([program, "grade", str(course / "submitted"), "--source", str(SOURCE), "-o", str(table), "--timeout", "10s"], check=True, capture_output=True)
    ours = {row["student"]: tuple(float(row[t]) for t in TASKS) for row in csv.DictReader(table.open())}
    assert ours == {student: tuple(points[t] for t in TASKS) for student, points in graded.items()}
    assert float(next(row["points"] for row in csv.DictReader(table.open()) if row["student"] == ME)) == 11


def test_feedback(graded, course):
    nbgrader(course, "generate_feedback", "hw1")
    pages = {f.parts[-3]: f.read_text() for f in (course / "feedback").glob("*/hw1/perceptron.html")}
    assert pages.keys() == SUBMISSIONS.keys()
    assert "is -1.5, expected 1.5" in pages["offbyone"] and "is -1.5" not in pages[ME]
    for page in pages.values():
        assert "(Score: " in page
