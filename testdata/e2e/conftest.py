"""Fixtures of the end-to-end tests.

GOKERNEL names the program to test; `make e2e` builds and names it. The kernel
is installed into a directory of its own, so no other Jupyter is touched. A
test that is skipped counts as failed.
"""

import fcntl
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect, sync_playwright

# JupyterLab and VS Code are slow on a busy machine.
expect.set_options(timeout=60_000)

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("GOKERNEL", "")

if not PROGRAM:
    raise pytest.UsageError("GOKERNEL is not set: run these tests with `make e2e`")

_dir = tempfile.TemporaryDirectory(prefix="gokernel-e2e-")
_env = {
    "JUPYTER_DATA_DIR": f"{_dir.name}/data",
    "JUPYTER_RUNTIME_DIR": f"{_dir.name}/run",
    "JUPYTER_CONFIG_DIR": f"{_dir.name}/config",
    "IPYTHONDIR": f"{_dir.name}/ipython",
    "XDG_DATA_HOME": f"{_dir.name}/xdg",
    "JUPYTER_PLATFORM_DIRS": "1",
}
os.environ.update(_env)
os.environ.pop("JUPYTER_PATH", None)
subprocess.run([PROGRAM, "install", "--user"], check=True, stdout=subprocess.DEVNULL)


@pytest.fixture
def program():
    return PROGRAM


def chromium():
    for name in (os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"):
        if name and (path := shutil.which(name)):
            return path
    pytest.fail("no browser: install chromium or name one with CHROMIUM")


@pytest.fixture(scope="session")
def lab_directory(tmp_path_factory):
    """The directory whose notebooks JupyterLab shows."""
    return tmp_path_factory.mktemp("lab")


@pytest.fixture(scope="session")
def lab(lab_directory):
    """A running JupyterLab; gives its address."""
    directory = lab_directory
    settings = directory / "settings" / "@jupyterlab"
    for name, text in {
        "apputils-extension/notification": '{"fetchNews": "false", "checkForUpdates": false}',
        # Cells that are not on the screen are rendered too.
        "notebook-extension/tracker": '{"windowingMode": "none"}',
        # On a busy machine a second is not enough for completions.
        "completer-extension/manager": '{"providerTimeout": 60000}',
    }.items():
        file = settings / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True)
        file.write_text(text)
    server = subprocess.Popen(
        [PROGRAM, "lab", "--no-browser", str(directory), "--",
         "--ServerApp.token=t", "--LabApp.expose_app_in_browser=True"],
        stdout=subprocess.DEVNULL, stderr=(directory / "log").open("w"), start_new_session=True,
        env={**os.environ, "XDG_CACHE_HOME": str(directory / "cache"), "JUPYTERLAB_SETTINGS_DIR": str(directory / "settings"), "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"},
    )
    try:
        url, specs = answer(server, directory / "log", pathlib.Path(os.environ["JUPYTER_RUNTIME_DIR"]), "api/kernelspecs")
        assert specs["kernelspecs"]["gokernel"]["spec"]["display_name"] == "Go (gokernel)"
        yield url
    finally:
        server.terminate()
        server.wait(60)


def answer(server, log, runtime, path):
    """Waits for a Jupyter server that has just been started: its address, and what it answers to a path. It takes
    a free port and writes the port to a file; nothing announces that it listens."""
    deadline = time.monotonic() + 180
    while True:
        assert server.poll() is None and time.monotonic() < deadline, log.read_text()
        time.sleep(0.2)
        for file in runtime.glob("jpserver-*.json"):
            try:
                url = f"http://127.0.0.1:{json.loads(file.read_text())['port']}"
                return url, json.load(urllib.request.urlopen(f"{url}/{path}?token=t", timeout=60))
            except (ValueError, urllib.error.URLError):
                pass  # the file is not complete, or the server does not listen yet


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as p:
        b = p.chromium.launch(
            executable_path=chromium(),
            args=["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
        )
        yield b
        b.close()


@pytest.fixture(scope="session")
def axe(tmp_path_factory):
    """Reports the violations that axe-core, of the version in package-lock.json, finds on a page: serious ones, or all.
    It takes a header cell with only a formula for empty, although screen readers read the MathML of the formula."""
    npm = shutil.which("npm") or pytest.fail("no npm: install it, for axe-core")
    directory = tmp_path_factory.mktemp("axe")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(pathlib.Path(__file__).parent / name, directory)
    subprocess.run([npm, "ci", "--silent", "--no-audit", "--no-fund"], cwd=directory, check=True)
    script = (directory / "node_modules" / "axe-core" / "axe.min.js").read_text()

    def look(page, all=False):
        if not page.evaluate("'axe' in window"):
            page.evaluate(script)
        # A page reacts to a change of its width before the next frame.
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.filter(v => "
                              "v.id !== 'empty-table-header' || v.nodes.some(n => !document.querySelector(n.target[0]).querySelector('math'))))")
        return [f"{v['impact']} {v['id']}: {v['nodes'][0]['html'][:200]}" for v in found if all or v["impact"] in ("serious", "critical")]

    return look


@pytest.fixture(scope="session")
def course(tmp_path_factory):
    """A directory like the repository, for its executed notebooks: `gokernel site --stored` makes a site of
    it. Processes that share the tests share it too."""
    base = tmp_path_factory.getbasetemp()
    directory = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "course"
    (directory / "notebooks" / "homework").mkdir(parents=True, exist_ok=True)
    for beside in ("docs", "testdata", "notebooks/course.json", "notebooks/data", "notebooks/projects", "notebooks/self-test", "notebooks/homework/policy.md"):
        try:
            (directory / beside).symlink_to(ROOT / beside)
        except FileExistsError:
            pass
    return directory


@pytest.fixture(scope="session")
def executed(course):
    """Gives a notebook of the repository as `gokernel run` leaves it, with its page beside it; each is run
    once for all tests. Beside it are also the seconds that the processor worked for it, which hardly depend
    on what else the machine does."""

    def run(notebook):
        done = course / notebook.relative_to(ROOT)
        with done.with_suffix(".lock").open("w") as lock, done.with_suffix(".log").open("w+") as log:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (seconds := done.with_suffix(".seconds")).exists():
                child = subprocess.Popen([PROGRAM, "run", notebook.name, "-o", done, "--html", done.with_suffix(".html"), "--solutions"], cwd=notebook.parent, stderr=log)
                _, status, used = os.wait4(child.pid, 0)
                child.returncode = os.waitstatus_to_exitcode(status)
                assert child.returncode == 0, pathlib.Path(log.name).read_text()
                seconds.write_text(str(used.ru_utime + used.ru_stime))
        return done

    return run


def wait_until(page, script, arg=None, seconds=60):
    """Waits until a script of the page is true. Playwright's own waiting evaluates text within the page, which
    the policy of a page forbids."""
    end = time.monotonic() + seconds
    while not page.evaluate(script, arg):
        assert time.monotonic() < end, f"not within {seconds} seconds: {script}"
        page.wait_for_timeout(50)


def _count_as_failed(report):
    if report.skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"skipped, which counts as failed: {reason}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    return _count_as_failed((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    return _count_as_failed((yield))
