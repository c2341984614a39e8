"""The package that pip installs, in an environment of its own."""

import json
import os
import pathlib
import platform
import subprocess
import sys
import sysconfig
import venv

import nbformat
import pytest

from conftest import PROGRAM, ROOT

ARCHITECTURE = {"x86_64": "amd64", "aarch64": "arm64", "arm64": "arm64"}[platform.machine()]


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """A fresh environment in which the wheel is installed. It also sees Jupyter as the tests have it."""
    dist = tmp_path_factory.mktemp("dist")
    subprocess.run(
        ["go", "run", "./install/wheel", "-version", "0.0.1", "-program", PROGRAM, "-platform", f"{sys.platform}/{ARCHITECTURE}", "-o", dist],
        cwd=ROOT, check=True,
    )
    [wheel] = dist.glob("*.whl")
    here = tmp_path_factory.mktemp("venv")
    venv.create(here, with_pip=True)
    python = here / "bin" / "python"

    def run(*args):
        done = subprocess.run([python, *args], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    before = files(here)
    run("-m", "pip", "install", "--no-index", "--no-deps", "--disable-pip-version-check", wheel)
    site = pathlib.Path(run("-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (site / "jupyter-of-the-tests.pth").write_text(sysconfig.get_path("purelib") + "\n")
    yield here, run
    (site / "jupyter-of-the-tests.pth").unlink()
    run("-m", "pip", "uninstall", "--yes", "--disable-pip-version-check", "gokernel")
    left = {f for f in files(here) - before if "__pycache__" not in f.parts}
    assert not left, f"uninstalling leaves {left}"


def files(directory):
    return {f.relative_to(directory) for f in directory.rglob("*") if f.is_file()}


def test_jupyter_finds_the_kernel(environment):
    here, run = environment
    specs = json.loads(run("-m", "jupyter_client.kernelspecapp", "list", "--json"))["kernelspecs"]
    assert pathlib.Path(specs["gokernel"]["resource_dir"]).resolve() == (here / "share/jupyter/kernels/gokernel").resolve()


def test_the_command(environment):
    here, _ = environment
    said = subprocess.run([here / "bin" / "gokernel", "version"], capture_output=True, text=True, check=True).stdout
    assert said.startswith("gokernel ")
    failed = subprocess.run([here / "bin" / "gokernel", "run", "missing.ipynb"], capture_output=True, text=True)
    assert failed.returncode != 0 and "missing.ipynb" in failed.stdout + failed.stderr


def notebook(path, *sources):
    nb = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "gokernel", "display_name": "Go", "language": "go"}, "language_info": {"name": "go"}})
    nb.cells = [nbformat.v4.new_code_cell(s) for s in sources]
    nb.cells[0].metadata["tags"] = ["parameters"]
    nbformat.write(nb, path)


def test_a_notebook_runs(environment, tmp_path):
    _, run = environment
    notebook(tmp_path / "a.ipynb", "x := 6", "x * 7")
    run("-m", "nbconvert", "--to", "notebook", "--execute", "--inplace", str(tmp_path / "a.ipynb"))
    done = nbformat.read(tmp_path / "a.ipynb", 4)
    assert done.cells[1].outputs[0]["data"]["text/plain"] == "42"


def test_papermill(environment, tmp_path):
    _, run = environment
    notebook(
        tmp_path / "a.ipynb",
        'rate := 0.5 // how fast\nname := "x"\nxs := []int{1}\nby := map[string]float64{}\nrows := [][]int{}\nfast := false',
        'fmt.Printf("%T %v|%T %s|%T %v|%T %v|%T %v|%T %v", rate, rate, name, name, xs, xs, by, by, rows, rows, fast, fast)',
    )
    (tmp_path / "p.yaml").write_text('rate: 0.25\nname: "a \\"b\\" \\\\ ü\\n"\nxs: [3, 4]\nby: {a: 1, b: 2.5}\nrows: [[1, 2], [3]]\nfast: true\n')
    run("-m", "papermill", str(tmp_path / "a.ipynb"), str(tmp_path / "b.ipynb"), "-f", str(tmp_path / "p.yaml"), "--log-level", "ERROR")
    done = nbformat.read(tmp_path / "b.ipynb", 4)
    said = "".join(o["text"] for o in done.cells[-1].outputs if o["output_type"] == "stream")
    assert said == 'float64 0.25|string a "b" \\ ü\n|[]int [3 4]|map[string]float64 map[a:1 b:2.5]|[][]int [[1 2] [3]]|bool true'
    assert "how fast" in run("-m", "papermill", "--help-notebook", str(tmp_path / "a.ipynb"))


def test_a_script_is_a_program(environment, tmp_path, monkeypatch):
    _, run = environment
    monkeypatch.setenv("JUPYTER_PATH", f"{sys.prefix}/share/jupyter")  # nbconvert's templates
    notebook(tmp_path / "a.ipynb", 'n := strconv.Atoi("6")', "n * 7 // the answer")
    run("-m", "nbconvert", "--to", "script", str(tmp_path / "a.ipynb"))
    assert "// the answer" in (tmp_path / "a.go").read_text()
    done = subprocess.run(["go", "run", "a.go"], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "42\n", done.stderr
