"""The language server, used by the clients of Neovim, Emacs and VS Code."""

import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

HERE = pathlib.Path(__file__).parent

SCRIPT = """// %%
x := 10

func  area(r float64) float64 { return math.Pi*r*r }
// %% [markdown]
// An area.
// %%
area(2)
strings.To
"""


def recipe(language):
    """The configuration that docs/how-to/editors.md tells its readers to write."""
    page = (HERE.parents[1] / "docs" / "how-to" / "editors.md").read_text()
    [text] = re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    return text


def run(tmp_path, program, *command):
    if not shutil.which(command[0]):
        pytest.fail(f"no {command[0]}: install it, for the tests of the language server")
    (tmp_path / "s.go").write_text(SCRIPT)
    out = tmp_path / "out.json"
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "gokernel").symlink_to(program)
    env = {**os.environ, "OUT": str(out), "HOME": str(tmp_path), "PATH": f"{tmp_path}/bin:{os.environ['PATH']}"}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=180)
    assert out.exists(), done.stdout + done.stderr
    result = json.loads(out.read_text())
    assert "error" not in result, result["error"]
    return result


def test_neovim(tmp_path, program):
    (tmp_path / "init.lua").write_text(recipe("lua"))
    got = run(tmp_path, program, "nvim", "--headless", "-u", "init.lua", "-c", f"luafile {HERE / 'lsp.lua'}", "s.go")
    assert got["diagnostics"] == [[8, "undefined: strings.To\nstrings? lists the names of the package"]]
    assert "func area(r float64) float64" in got["hover"]
    assert got["definition"] == {"line": 3, "character": 6}
    assert "ToUpper" in got["completion"]
    assert got["signature"] == "area(r float64) float64"
    assert got["renamed"][3] == "func  circle(r float64) float64 { return math.Pi*r*r }"
    assert got["renamed"][7] == "circle(2)"
    assert got["formatted"][3] == "func circle(r float64) float64 { return math.Pi * r * r }"
    assert got["fixed"] == []


def test_emacs(tmp_path, program):
    (tmp_path / "init.el").write_text(recipe("lisp"))
    got = run(tmp_path, program, "emacs", "--batch", "-f", "package-activate-all", "-l", "./init.el", "-l", str(HERE / "lsp.el"), "s.go")
    assert got["server"] == "gokernel"
    assert got["diagnostics"] == ["gokernel: undefined: strings.To"]
    assert "func area(r float64) float64" in got["hover"]
    assert got["definition"] == 4
    assert got["renamed"] == SCRIPT.replace("area(", "circle(")
    assert got["completion"] == "RandomForest"


def test_vscode_protocol(tmp_path, program):
    """The library under VS Code's client: notebook documents."""
    npm = shutil.which("npm") or pytest.fail("no npm: install it, for vscode-languageserver-protocol")
    for name in ("package.json", "package-lock.json", "lsp.js"):
        shutil.copy(HERE / name, tmp_path)
    subprocess.run([npm, "ci", "--silent", "--no-audit", "--no-fund"], cwd=tmp_path, check=True)
    (tmp_path / "shape").mkdir()
    (tmp_path / "go.mod").write_text("module here\ngo 1.24\nrequire example.com/shape v1.0.0\nreplace example.com/shape => ./shape\n")
    (tmp_path / "shape" / "go.mod").write_text("module example.com/shape\n")
    (tmp_path / "shape" / "shape.go").write_text("package shape\nfunc Area(side float64) float64 { return side * side }\n")
    done = subprocess.run(["node", "lsp.js", program, str(tmp_path)], cwd=tmp_path, capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stderr
    got = json.loads(done.stdout)
    cell = "vscode-notebook-cell:/work/n.ipynb#c"
    assert got["diagnostics"] == [[], ["invalid operation: total / len(xs) (mismatched types float64 and int)"], ["undefined: ar"], []]
    assert [e["newText"] for e in got["fix"]] == ["float64(len(xs))"]
    assert got["completion"] == ["area", "area($0)"]
    assert "func area(r float64) float64" in got["documentation"] and "func area" in got["hover"]
    assert got["signature"] == ["area(r float64) float64", 0]
    assert got["definition"] == [{"uri": cell + "2", "range": {"start": {"line": 0, "character": 5}, "end": {"line": 0, "character": 9}}}]
    assert [r[0] for r in got["references"]] == [cell + "0", cell + "1", cell + "1"]
    assert got["rename"] == [[cell + "0", 1], [cell + "1", 2]]
    assert got["refused"] == "rename: xs is already declared in cell [1]"
    assert got["symbols"] == ["xs", "total"]
    # Deltas of line and column, length, type (3 is function, 5 is variable) and modifiers.
    assert got["tokens"] == [0, 0, 2, 5, 1, 0, 8, 7, 1, 4, 1, 0, 5, 5, 1]
    assert got["hints"] == ["[]float64", "float64"]
    assert got["folds"] == [[0, 2]]
    assert got["deleted"][:2] == ["undefined: xs", "undefined: total"]
    start = {"line": 0, "character": 0}
    added = {"range": {"start": start, "end": start}, "newText": 'import "example.com/shape"\n'}
    assert got["package"] == ["example.com/shape", "shape", [added]]
    assert got["exit"] == 0
