"""Fixtures of the end-to-end tests.

GOKERNEL names the program to test; `make e2e` builds and names it. The kernel
is installed into a directory of its own, so no other Jupyter is touched. A
test that is skipped counts as failed.
"""

import os
import pathlib
import subprocess
import tempfile

import pytest

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

_skipped = []


@pytest.fixture
def program():
    return PROGRAM


def pytest_runtest_logreport(report):
    if report.skipped:
        _skipped.append(report.nodeid)


def pytest_sessionfinish(session, exitstatus):
    if _skipped and exitstatus == 0:
        session.exitstatus = 1


def pytest_terminal_summary(terminalreporter):
    if _skipped:
        terminalreporter.write_line("skipped, which counts as failed: " + ", ".join(_skipped), red=True)
