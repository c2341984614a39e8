"""A newcomer follows README.md and the pages in docs to the letter, and gets what they promise.

The commands are taken from the pages (pages.py). Everything is fresh: a home folder, a clone of this
repository with what is not committed yet, environments of Python; no Jupyter is on the PATH. What Go and pip
have fetched and compiled before is shared, so that a run takes minutes; make newcomer-bare does without.
"""

import csv
import io
import json
import os
import pathlib
import platform
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from PIL import Image
from playwright.sync_api import expect

from pages import ROOT, cells, fenced, forking, inline, steps, unfollowed

PLATFORM = "linux/" + {"x86_64": "amd64", "aarch64": "arm64", "arm64": "arm64"}[platform.machine()]
KERNEL = {"kernelspec": {"name": "gokernel", "display_name": "Go (gokernel)", "language": "go"}}

# A machine that is busy takes its time.
expect.set_options(timeout=180_000)


class World:
    """A user with a home folder, and what the tests share in it."""

    def __init__(self, home):
        self.home, self.clone, self.bin = home, home / "gokernel", home / "bin"
        self.venv = home / "venv"  # the environment that has the wheel
        self.bin.mkdir(parents=True)
        for name in ("go", "git"):
            (self.bin / name).symlink_to(shutil.which(name))
        (self.bin / "python3").symlink_to(sys._base_executable)
        ours = ("GOKERNEL", "JUPYTER", "IPYTHON", "XDG", "VIRTUAL_ENV", "CONDA", "PYTHON", "PYENV", "PYTEST", "GOFLAGS", "GOBIN")
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
        go = json.loads(subprocess.run(["go", "env", "-json"], capture_output=True, text=True, check=True).stdout)
        cache = subprocess.run([sys.executable, "-m", "pip", "cache", "dir"], capture_output=True, text=True, check=True).stdout.strip()
        self.env |= {
            "HOME": str(home), "TERM": "dumb",
            "GOCACHE": go["GOCACHE"], "GOMODCACHE": go["GOMODCACHE"], "PIP_CACHE_DIR": cache,
            "GOFLAGS": "-trimpath",  # without it, the clone's folder is part of what Go compiles, and nothing is shared
            "PATH": f"{self.bin}:/usr/local/bin:/usr/bin:/bin",
        }
        assert not self.which("jupyter") and not self.which("jupyter-lab"), "there must be no Jupyter on the PATH"
        # Without a browser of the machine and for root too; the page gives its commands to the tests.
        config = home / ".jupyter"
        config.mkdir()
        (config / "jupyter_server_config.json").write_text(json.dumps({
            "ServerApp": {"token": "t", "open_browser": False, "allow_root": True}, "LabApp": {"expose_app_in_browser": True}}))
        settings = config / "lab" / "user-settings" / "@jupyterlab"
        for name, text in {
            "apputils-extension/notification": '{"fetchNews": "false", "checkForUpdates": false}',
            "notebook-extension/tracker": '{"windowingMode": "none"}',
        }.items():
            file = settings / f"{name}.jupyterlab-settings"
            file.parent.mkdir(parents=True)
            file.write_text(text)

    def which(self, name):
        return shutil.which(name, path=self.env["PATH"])

    def environ(self, active):
        """With the environment that has the wheel, if it is active."""
        if not active:
            return self.env
        return self.env | {"VIRTUAL_ENV": str(self.venv), "PATH": f"{self.venv / 'bin'}:{self.env['PATH']}"}

    def run(self, commands, cwd, active=False, status=0):
        """Runs the commands as one script of bash; gives what they print, errors included."""
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", "\n".join(commands)], cwd=cwd, env=self.environ(active),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == status, f"{commands} ends with {done.returncode}:\n{done.stdout}"
        return done.stdout

    @contextmanager
    def jupyter(self, command, cwd, active=False):
        """Runs a command that starts JupyterLab; gives its address, and a function that reads what it has printed."""
        log = self.home / "jupyter.log"
        runtime = self.home / ".local/share/jupyter/runtime"
        with log.open("w") as out:
            server = subprocess.Popen(["bash", "-c", f"exec {command}"], cwd=cwd, env=self.environ(active), stdout=out, stderr=out, start_new_session=True)
        try:
            end, port = time.monotonic() + 600, None
            while not port:
                assert server.poll() is None and time.monotonic() < end, log.read_text()
                time.sleep(0.2)
                for file in runtime.glob("jpserver-*.json"):
                    try:
                        found = json.loads(file.read_text())["port"]
                        urllib.request.urlopen(f"http://127.0.0.1:{found}/api/kernelspecs?token=t", timeout=60)
                        port = found
                    except (ValueError, OSError):
                        pass  # written by half, or the server does not listen yet
            yield f"http://127.0.0.1:{port}", log.read_text
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            try:
                server.wait(60)
            except subprocess.TimeoutExpired:
                os.killpg(server.pid, signal.SIGKILL)
                server.wait()
            for file in runtime.glob("jpserver-*"):
                file.unlink()


@pytest.fixture(scope="session")
def world(tmp_path_factory):
    home = tmp_path_factory.mktemp("newcomer") / "home"
    world = World(home)
    git = ["git", "-C", ROOT, "-c", "user.name=a", "-c", "user.email=a@example.org"]
    changed = subprocess.run([*git, "stash", "create"], capture_output=True, text=True, check=True).stdout.strip()
    subprocess.run(["git", "clone", "--quiet", ROOT, world.clone], check=True)
    if changed:
        upload = "git -c uploadpack.allowAnySHA1InWant=true upload-pack"
        subprocess.run(["git", "-C", world.clone, "fetch", "--quiet", f"--upload-pack={upload}", ROOT, changed], check=True)
        subprocess.run(["git", "-C", world.clone, "checkout", "--quiet", "FETCH_HEAD"], check=True)
    return world


@pytest.fixture(scope="session", autouse=True)
def lite(request, world):
    """The first step of docs/how-to/browser.md takes long, so it runs while other tests wait for the network; gives a
    function that waits for its end."""
    if not any("lite" in item.fixturenames for item in request.session.items if item.name in ("test_jupyterlite", "test_live_page_on_a_phone")):
        yield None
        return
    command, log = steps("docs/how-to/browser.md", "JupyterLite")[0], world.home / "lite.log"
    with log.open("w") as out:
        process = subprocess.Popen(["bash", "-c", command], cwd=world.clone, env=world.env, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)

    def built():
        assert process.wait() == 0, log.read_text()
        return world.clone / ".build/lite"

    yield built
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


@pytest.fixture(scope="session")
def environment(world):
    """A fresh environment of Python, in which the wheel is installed as README.md says it."""
    subprocess.run([world.bin / "python3", "-m", "venv", world.venv], env=world.env, check=True)
    build, install, start = steps("README.md", "For a class")
    said = world.run([build.replace("linux/amd64", PLATFORM), install], world.clone, active=True)
    assert "building gokernel for " in said and "jupyterlab_widgets" in said
    return start


@pytest.fixture
def page(browser):
    page = browser.new_page(viewport={"width": 1280, "height": 1400})
    page.set_default_timeout(180_000)
    yield page
    page.close()


def picture(page, name):
    if directory := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=pathlib.Path(directory, f"newcomer-{name}.png"))


def write(path, *cells):
    nb = new_notebook(metadata=KERNEL)
    nb.cells = [new_code_cell(c) if isinstance(c, str) else c for c in cells]
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(nb, path)
    return path


def idle(page):
    expect(page.get_by_role("button", name="Go (gokernel) | Idle")).to_be_visible()


def command(page, name, args=None):
    """Has JupyterLab do something, and waits until it has."""
    page.evaluate("([n, a]) => window.jupyterapp.commands.execute(n, a).then(() => null)", [name, args or {}])


def cell(page, n):
    return page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook .jp-Cell").nth(n)


def run_all(page, address, name):
    """Opens a notebook and runs its cells; gives the errors that it shows."""
    page.goto(f"{address}/lab/tree/{name}?token=t&reset")
    expect(cell(page, 0)).to_be_visible()
    idle(page)
    command(page, "notebook:run-all-cells")
    idle(page)
    return page.locator('[data-mime-type="application/vnd.jupyter.stderr"], [data-mime-type="application/vnd.jupyter.error"]')


def in_new_notebook(page, code):
    """Makes a notebook with the kernel of new ones, types the code, and runs it."""
    command(page, "notebook:create-new", {"kernelName": "gokernel"})
    # The notebook before it is idle, too.
    page.wait_for_function("""() => {
        const panel = jupyterapp.shell.currentWidget
        return panel?.context?.path.includes("Untitled") && panel.sessionContext.session?.kernel?.status === "idle"
    }""")
    cell(page, 0).locator(".cm-content").click()
    page.keyboard.insert_text(code)
    page.keyboard.press("Shift+Enter")
    return cell(page, 0).locator(".jp-OutputArea-output")


# ---------------------------------------------------------------------------------------------------------------


def test_tests_follow_all_steps():
    assert unfollowed() == []


def test_readme_first_lecture(world, page):
    """With Go alone: the program speaks, and what it writes is whole."""
    said = world.run(steps("README.md", "Without JupyterLab"), world.clone)
    assert re.search(r"\[ 1/\d+\] ", said) and re.search(r"all \d+ cells ran in", said), said
    executed = world.clone / "notebooks/N02-decision-trees.executed.ipynb"
    assert all(c.outputs == [] or c.execution_count for c in nbformat.read(executed, 4).cells if c.cell_type == "code")
    page.goto((world.clone / "notebooks/N02-decision-trees.html").as_uri())
    expect(page.locator("img").first).to_be_visible()
    assert page.evaluate("[...document.images].every(i => i.naturalWidth > 0)")
    picture(page, "first-lecture")
    # The program is there now: it starts at once, and says nothing but what it is.
    assert world.run(["go run ./cmd/start version"], world.clone).startswith("gokernel ")


def commands_in_the_clone(world, commands):
    """The commands of a page after those that clone the repository: the clone is there, of this machine's folder."""
    clone = "git clone https://github.com/gokernel/gokernel"
    assert commands[0].startswith(clone) and "cd gokernel" in " ".join(commands[:2])
    return commands[1:] if commands[0] != clone else commands[2:]


def test_readme_lab(world, page):
    """No Jupyter is installed: lab sets one up, says what it is at, and the cell of the page shows its figure and value."""
    (start,) = commands_in_the_clone(world, steps("README.md", "gokernel"))
    code = fenced("README.md", "go", "Regions")
    with world.jupyter(start, world.clone) as (address, printed):
        errors = run_all(page, address, "N02-decision-trees.ipynb")
        expect(errors).to_have_count(0)
        outputs = in_new_notebook(page, code)
        expect(outputs.locator("img")).to_be_visible()
        assert outputs.locator("img").evaluate("i => i.decode().then(() => i.naturalWidth > 100)")
        expect(outputs.last).to_have_text(re.search(r"// Out: (\S+)", code)[1])
        idle(page)
        picture(page, "lab")
    (world.clone / "notebooks/Untitled.ipynb").unlink()
    for line in ("There is no JupyterLab yet", "1/2 making a Python environment", "2/2 installing JupyterLab: done in ", "Starting JupyterLab in "):
        assert line in printed(), f"{line!r} is missing in\n{printed()}"
    assert world.run([inline("README.md", "go run ./cmd/start doctor")], world.clone)


def test_first_notebook(world, page):
    """Types every cell of docs/tutorial/first-notebook.md into JupyterLab, saves the notebook, and makes a page of it."""
    name = "docs/tutorial/first-notebook.md"
    make, start = commands_in_the_clone(world, steps(name, "Install"))
    world.run([make], world.clone)
    typed = cells(name)
    assert len(typed) >= 14
    with world.jupyter(start, world.clone) as (address, _):
        page.goto(f"{address}/lab?token=t&reset")
        page.get_by_title("Go (gokernel)").first.click()
        expect(cell(page, 0)).to_be_visible()
        idle(page)
        for i, (code, shown) in enumerate(typed):
            cell(page, i).locator(".cm-content").click()
            page.keyboard.insert_text(code)
            page.keyboard.press("Shift+Enter")
            output = cell(page, i).locator(".jp-OutputArea-output")
            # Figures and tables are richer than the text that the page has of them.
            if "Scatter(" in code or "Plot(" in code:
                expect(output.locator("img")).to_be_visible()
            elif "──" in shown:
                expect(output.locator("table")).to_be_visible()
            else:
                expect(output.first).to_contain_text(shown.splitlines()[0])
            idle(page)
        if directory := os.environ.get("SCREENSHOTS"):
            tutorial_picture(page, pathlib.Path(directory))
        for i, (code, shown) in reversed(list(enumerate(typed))):
            if "cell [" in shown:
                cell(page, i).locator(".jp-InputPrompt").click()
                page.keyboard.press("d")
                page.keyboard.press("d")
        page.keyboard.press("Control+s")
        dialog = page.locator(".jp-Dialog")
        dialog.locator("input[type=text], input:not([type])").first.fill("planets.ipynb")
        dialog.get_by_role("button", name="Rename").click()
        saved = world.clone / "first/planets.ipynb"
        page.wait_for_function("() => { const c = jupyterapp.shell.currentWidget.context; return c.path.endsWith('planets.ipynb') && !c.model.dirty }")
        assert len(nbformat.read(saved, 4).cells) >= 10
    said = world.run(steps(name, "Keep it"), world.clone)
    assert re.search(r"all \d+ cells ran in", said), said
    page.goto((world.clone / "first/planets.html").as_uri())
    expect(page.locator("img")).to_have_count(2)


def tutorial_picture(page, directory):
    """The picture of the tutorial: its plot, without the folders beside it and the menus above."""
    command(page, "application:toggle-left-area")
    page.set_viewport_size({"width": 900, "height": 640})
    cell(page, 3).scroll_into_view_if_needed()
    shot = Image.open(io.BytesIO(page.screenshot(clip={"x": 0, "y": 28, "width": 900, "height": 612}))).convert("RGB")
    shot.quantize(64).save(directory / "tutorial-lab.png", optimize=True)


def test_kernel_of_a_clone(world):
    """The row "a clone" of docs/how-to/install.md, and nothing is left of it."""
    kernels = world.home / ".local/share/jupyter/kernels"
    there = set(kernels.glob("*")) if kernels.exists() else set()
    world.run([inline("docs/how-to/install.md", "go run ./cmd/start install --uninstall").removesuffix(" --uninstall")], world.clone)
    program = json.loads((kernels / "gokernel/kernel.json").read_text())["argv"][0]
    assert pathlib.Path(program).is_relative_to(kernels), "the kernel is gone when the clone is"
    world.run([inline("docs/how-to/install.md", "go run ./cmd/start install --uninstall")], world.clone)
    assert (set(kernels.glob("*")) if kernels.exists() else set()) == there


def test_doctor_by_its_path(world, environment):
    """The environment is not active."""
    said = world.run([f"{world.venv}/bin/gokernel doctor"], world.home)
    for check in (f"installed {world.venv}", f"lab       {world.venv}/bin/jupyter-lab", "widgets   this JupyterLab shows"):
        assert re.search("^ok +" + re.escape(check), said, re.MULTILINE), said
    assert "does not stay" not in said


WIDGETS = [
    "k := widget.Slider(0, 10).Label(\"k\")\nk",
    "fmt.Sprint(\"k is \", k.Value())",
    "Interact(func(n int) any {\n\treturn Plot(Linspace(0, float64(n), 5)).Title(fmt.Sprint(\"n = \", n))\n}, Range(1, 30))",
    "rows := make([][]string, 40)\nfor i := range rows {\n\tfor j := range 20 {\n\t\trows[i] = append(rows[i], fmt.Sprint(\"column \", j, \" of row \", i))\n\t}\n}\nTable(rows).Rows(0)",
]


def test_wheel_in_jupyterlab(world, environment, page):
    """A slider moves, Interact draws again, a wide table scrolls."""
    write(world.home / "work/widgets.ipynb", *WIDGETS)
    with world.jupyter(environment, world.home / "work", active=True) as (address, _):
        expect(run_all(page, address, "widgets.ipynb")).to_have_count(0)
        handle = cell(page, 0).locator(".noUi-handle")
        handle.focus()
        page.keyboard.press("End")
        expect(cell(page, 0).locator(".widget-readout")).to_have_text("10")
        # JupyterLab sends the value and the request to two shells, so the kernel may see the request first.
        for _ in range(50):
            cell(page, 1).locator(".cm-content").click()
            page.keyboard.press("Control+Enter")
            expect(cell(page, 1).locator(".jp-InputPrompt")).to_have_text(re.compile(r"\[\d+\]:"))
            if cell(page, 1).locator(".jp-OutputArea-output").inner_text() == '"k is 10"':
                break
        expect(cell(page, 1).locator(".jp-OutputArea-output")).to_have_text('"k is 10"')

        drawn = cell(page, 2).locator(".jp-OutputArea-output img").last
        expect(drawn).to_be_visible()
        before = drawn.get_attribute("src")
        cell(page, 2).locator(".noUi-handle").focus()
        page.keyboard.press("End")
        expect(drawn).not_to_have_attribute("src", before)
        expect(cell(page, 2)).not_to_contain_text("jupyterlab_widgets")

        table = cell(page, 3).locator("table")
        table.scroll_into_view_if_needed()
        last = table.locator("td").nth(19)
        assert not visible(last)
        table.hover(position={"x": 30, "y": 60})
        page.mouse.wheel(20_000, 0)
        page.wait_for_function("td => { const r = td.getBoundingClientRect(); return r.right <= innerWidth }", arg=last.element_handle())
        picture(page, "wheel")


def visible(locator):
    return locator.evaluate("e => e.getBoundingClientRect().right <= innerWidth")


def test_without_widgets(world, environment, page):
    """Where the extension is missing, the cells, the doctor and lab say what to install."""
    write(world.home / "plain/widgets.ipynb", WIDGETS[0], WIDGETS[2])
    world.run(["pip uninstall --yes jupyterlab_widgets"], world.home, active=True)
    try:
        said = world.run([f"{world.venv}/bin/gokernel doctor"], world.home)
        remedy = re.search(r"-> (\S+ -m pip install jupyterlab_widgets)", said)[1]
        with world.jupyter(f"{world.venv}/bin/gokernel lab", world.home / "plain") as (address, printed):
            expect(run_all(page, address, "widgets.ipynb")).to_have_count(0)
            for i in 0, 1:
                expect(cell(page, i).locator(".jp-OutputArea-output")).to_contain_text("pip install jupyterlab_widgets")
            expect(cell(page, 1).locator("img")).to_be_visible()
            picture(page, "without-widgets")
            assert "because jupyterlab_widgets is missing: " + remedy in printed()
    finally:
        world.run([remedy], world.home)
    page_of_run = world.home / "plain/widgets.html"
    world.run(["gokernel run widgets.ipynb"], world.home / "plain", active=True)
    assert "jupyterlab_widgets" not in page_of_run.read_text()


def test_papermill(world, environment):
    work = world.home / "papermill"
    write(work / "in.ipynb", new_code_cell("rate := 0.5 // of change", metadata={"tags": ["parameters"]}), 'fmt.Sprintf("%T %v", rate, rate)')
    world.run(["pip install --quiet papermill", inline("docs/how-to/ecosystem.md", "papermill ")], work, active=True)
    assert nbformat.read(work / "out.ipynb", 4).cells[-1].outputs[0].data["text/plain"] == '"float64 0.25"'


def test_export(world, environment):
    """A lecture becomes a program that go run runs."""
    work = world.home / "export"
    work.mkdir()
    shutil.copy(ROOT / "notebooks/N02-decision-trees.ipynb", work / "lecture.ipynb")
    said = world.run(steps("docs/how-to/export.md", "A notebook as a program"), work, active=True)
    assert "wrote lecture" in said
    figures = list((work / "lecture/figures").glob("fig-*.svg"))
    assert len(figures) > 5 and all(f.read_text().startswith("<") for f in figures)


def test_homework(world, environment):
    """From a template to the grades of two students."""
    work = world.home / "homework"
    work.mkdir()
    *before, grade = steps("docs/how-to/homework.md", "From the source to the grades")
    said = world.run(before, work, active=True)
    assert "release/trees.ipynb: 0 of " in said, said
    for student, notebook in {"ann": "source", "bob": "release"}.items():
        (work / "submitted" / student).mkdir(parents=True)
        shutil.copy(work / notebook / "trees.ipynb", work / "submitted" / student)
    world.run([grade], work, active=True)
    rows = {r["student"]: r for r in csv.DictReader((work / "grades.csv").open())}
    assert (rows["ann"]["points"], rows["bob"]["points"], rows["ann"]["of"]) == ("2", "0", "3")
    assert sorted(p.name for p in (work / "feedback").iterdir()) == ["ann.html", "bob.html"]
    assert (work / "similarity.csv").read_text()


def test_site_of_a_copied_folder(world, environment, page):
    """A part of the course, copied and cut down, becomes a site that a disk holds."""
    (whole,) = steps("docs/how-to/publishing.md", "Publish this course", 0)
    part = steps("docs/how-to/publishing.md", "Publish this course", 1)
    assert part[-1] == whole
    work = world.home / "site"
    work.mkdir()
    for name in ("docs", "testdata", "notebooks"):
        (work / name).symlink_to(world.clone / name)
    world.run([c.replace("cp -r ", "cp -rL ") for c in part], work, active=True)
    site = work / "mycourse/site"
    page.goto((site / "index.html").as_uri())
    expect(page.get_by_role("link", name="Decision trees").first).to_be_visible()
    picture(page, "site")
    page.goto((site / "lectures/N02-decision-trees.html").as_uri())
    assert page.evaluate("[...document.images].every(i => i.loading === 'lazy' || i.naturalWidth > 0)")


def test_fork_course(world, environment):
    """The course is copied, renamed, cut, published, released and graded for three students, as the page says.
    To be quick, it keeps three lectures and one homework; fork.py follows the page without that."""
    work = world.home / "fork"
    work.mkdir()
    world.run(["git config --global user.name Ann", "git config --global user.email ann@example.org"], work)
    copy, rename, site, release, submit, grade = (commands for _, commands in forking(world.clone, students=3))
    world.run(copy, work, active=True)
    course = work / "mycourse"
    assert not (course / "cmd").exists()
    world.run(rename, course, active=True)
    described = course / "notebooks/course.json"
    described.write_text(described.read_text().replace('["N16", "N23"]', '["A0?", "N0[3-9]", "N1?", "N2?"]'))
    world.run(["rm notebooks/gallery.ipynb",
               "find notebooks/homework notebooks/projects -type f ! -name policy.md ! -name decision-trees.ipynb ! -name wines.ipynb -delete"], course)
    world.run(site, course, active=True)
    home = (course / "site/index.html").read_text()
    assert "<h1>Learning from data</h1>" in home and "N16" not in home
    world.run(release, course, active=True)
    assert sorted(p.name for p in (course / "release").iterdir()) == ["decision-trees.ipynb", "wines.ipynb"]
    world.run(submit, course, active=True)
    world.run(grade, course, active=True)
    rows = list(csv.DictReader((course / "grades/decision-trees.csv").open()))
    assert [r["student"] for r in rows] == ["student-01", "student-02", "student-03"] and any(float(r["points"]) > 0 for r in rows)
    assert "discrimination" in (course / "statistics/decision-trees.html").read_text()
    assert len(list((course / "feedback/decision-trees").glob("*.html"))) == 3


@contextmanager
def served(world, command, cwd):
    """Runs the server of files that a page names, on a port that is free."""
    server = subprocess.Popen(["bash", "-c", f"exec {command.replace('8000', '0')}"], cwd=cwd, env=world.env | {"PYTHONUNBUFFERED": "1"}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield "http://127.0.0.1:" + re.search(r"port (\d+)", server.stdout.readline())[1]
    finally:
        server.terminate()
        server.wait()


def test_jupyterlite(world, environment, lite, page):
    """The recipe of docs/how-to/browser.md: a cell runs, and a command of the shell says what a browser has not."""
    lite()
    _, *commands, serve = steps("docs/how-to/browser.md", "JupyterLite")
    world.run(commands, world.clone, active=True)
    with served(world, serve.replace("python ", "python3 "), world.clone) as address:
        page.goto(f"{address}/lab/index.html")
        page.get_by_title("Go (gokernel)").first.click()
        expect(cell(page, 0)).to_be_visible()
        idle(page)
        for i, (code, shows) in enumerate([("1 + 2", "3"), ("!ls", "a browser starts no programs")]):
            cell(page, i).locator(".cm-content").click()
            page.keyboard.insert_text(code)
            page.keyboard.press("Shift+Enter")
            expect(cell(page, i).locator(".jp-OutputArea-output")).to_contain_text(shows)
        cell(page, 2).locator(".cm-content").click()
        page.keyboard.insert_text('k := widget.Slider(0, 10)\nk')
        page.keyboard.press("Shift+Enter")
        expect(cell(page, 2).locator(".noUi-handle")).to_be_visible()
        picture(page, "jupyterlite")


def test_live_page_on_a_phone(world, environment, lite, browser):
    """Without a keyboard, a cell is run by its button, and the page says so."""
    lite()
    _, site = steps("docs/how-to/browser.md", "Live pages")
    work = world.home / "live"
    shutil.copytree(ROOT / "notebooks/data", work / "notebooks/data")
    write(work / "notebooks/small.ipynb", new_markdown_cell("# Small\n\nA page."), "x := 20", "x + 1")
    (work / ".build").symlink_to(world.clone / ".build")
    world.run([site], work, active=True)
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, device_scale_factor=2)
    phone = context.new_page()
    phone.set_default_timeout(180_000)
    with served(world, "python3 -m http.server --directory site 8000", work) as address:
        phone.goto(f"{address}/lectures/small.html")
        phone.get_by_role("button", name="Run this page").tap()
        expect(phone.locator(".runner .note")).to_have_text("The cells have run. Change one and press Run beside it.")
        last = phone.locator("section", has=phone.locator("code", has_text="x + 1")).last
        last.get_by_role("button", name="Run", exact=True).tap()
        expect(last.locator(".output")).to_have_text("21")
        picture(phone, "phone")
    context.close()


def test_sphinx(world, environment):
    """MyST-NB makes a page, of which nothing is a warning."""
    book = world.home / "sphinx/book"
    write(book / "page.ipynb", new_markdown_cell("# A page\n\nText with $x^2$."), "6 * 7", "Plot([]float64{1, 4, 9})",
          "Scatter([]float64{1, 4, 9}, []float64{1, 2, 3}).Interactive()", "Table([][]int{{1, 2}, {3, 4}})", "Interact(func(k int) int { return k * k }, Range(1, 30))")
    (book / "conf.py").write_text(fenced("docs/how-to/ecosystem.md", "python", "myst_nb"))
    (book / "index.md").write_text("# Book\n\n```{toctree}\npage\n```\n")
    world.run(steps("docs/how-to/ecosystem.md", "Sphinx"), book.parent, active=True)
    text = (book.parent / "site/page.html").read_text()
    assert "42" in text and text.count(".svg") + text.count(".png") >= 2 and "<table" in text


def test_git_and_jupytext(world, environment):
    work = world.home / "writing"
    write(work / "lecture.ipynb", new_markdown_cell("# A lecture"), "x := 1\nx")
    world.run(["git init --quiet", *steps("docs/how-to/publishing.md", "Write with git", 0)], work)
    before = (work / "lecture.ipynb").read_text()
    world.run(["pip install --quiet jupytext", *steps("docs/how-to/publishing.md", "Write with git", 1)[:2]], work, active=True)
    assert "// %%" in (work / "lecture.go").read_text()
    assert [c.source for c in nbformat.reads(before, 4).cells] == [c.source for c in nbformat.read(work / "lecture.ipynb", 4).cells]
    world.run(["git add .", "git -c user.name=a -c user.email=a@example.org commit --quiet -m lecture"], work)
    write(work / "lecture.ipynb", new_markdown_cell("# A lecture"), "x := 2\nx")
    assert "x := 2" in world.run(["git --no-pager diff"], work, active=True)
    world.run(steps("docs/how-to/publishing.md", "Write with git", 1)[2:], work, active=True)
    assert (work / "lecture.go").read_text().count("x := 2") == 1


def test_notebook_of_a_stranger(world, environment):
    """It reads its own files, and no others."""
    work = world.home / "security"
    write(work / "stranger/notebook.ipynb", 'string(os.ReadFile("own.txt"))', new_code_cell('os.ReadFile("../secret.txt")', metadata={"tags": ["raises-exception"]}))
    (work / "stranger/own.txt").write_text("own")
    (work / "secret.txt").write_text("secret")
    world.run(steps("docs/explanation/security.md", "The sandbox"), work, active=True)
    own, secret = nbformat.read(work / "stranger/notebook.executed.ipynb", 4).cells
    assert own.outputs[0].data["text/plain"] == '"own"' and "permission denied" in "\n".join(secret.outputs[0].traceback)


def test_release_files(world):
    """What a release has beside the program; packages are made by tools that this machine lacks, as the page says."""
    (command,) = [c for c in steps("docs/how-to/release.md", "Build by hand") if c.startswith("go run ./install/release")]
    world.run([command], world.clone)
    assert (world.clone / ".build/release/THIRD_PARTY").stat().st_size and list((world.clone / ".build/release").rglob("gokernel.1*"))


def test_uninstall_with_uv(world, environment):
    (wheel,) = (world.clone / "dist").glob("gokernel-*.whl")
    tools = {"UV_TOOL_DIR": str(world.home / "uv/tools"), "UV_TOOL_BIN_DIR": str(world.home / "uv/bin"), "UV_NATIVE_TLS": "1"}
    install, remove = inline("docs/how-to/install.md", "uv tool install"), inline("docs/how-to/install.md", "uv tool uninstall")
    exports = [f"export {k}='{v}'" for k, v in tools.items()]
    world.run(["pip install --quiet uv", *exports, install.replace("gokernel", str(wheel), 1)], world.home, active=True)
    assert world.run([f"{tools['UV_TOOL_BIN_DIR']}/gokernel version"], world.home).startswith("gokernel ")
    world.run([*exports, remove], world.home, active=True)
    left = [p for p in (world.home / "uv").rglob("*") if "gokernel" in p.name or "widgets" in p.name]
    assert not left


def test_uninstall_with_pip(world, environment):
    """The last test: nothing of the wheel is left in the environment."""
    world.run([inline("README.md", "pip uninstall gokernel jupyterlab_widgets").replace("uninstall", "uninstall --yes")], world.home, active=True)
    left = [p.relative_to(world.venv) for p in world.venv.rglob("*")
            if p.is_file() and any(word in p.as_posix().removeprefix(str(world.venv)) for word in ("gokernel", "jupyter-widgets", "jupyterlab_widgets"))]
    assert not left
