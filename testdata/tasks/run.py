"""Runs the twins and writes what their cells show: python run.py [--check] [task ...]

With --check it compares instead with what expected.json has, numbers to nine digits.

A cell shows its last line if that is an expression; a tuple shows its parts. A table
is a list of columns, each a name and its values. An index that has a name is a column,
and one without is none. Times are written in UTC, and those without a zone are taken as
UTC.
"""
import ast
import json
import os
import sys
from pathlib import Path

import numpy as np
import pandas as pd


def plain(v):
    if isinstance(v, (pd.Timestamp, pd.Period)):
        v = v.start_time if isinstance(v, pd.Period) else v
        if v is pd.NaT:
            return None
        return (v.tz_convert("UTC") if v.tzinfo else v).strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(v, pd.Timedelta):
        return v.total_seconds()
    if isinstance(v, pd.Interval):
        return str(v)
    if isinstance(v, np.generic):
        v = v.item()
    if v is None or v is pd.NA or v is pd.NaT or v != v:
        return None
    return v


def shown(v):
    if isinstance(v, pd.Series):
        v = v.to_frame(v.name if v.name is not None else "value")
    if not isinstance(v, pd.DataFrame):
        return plain(v)
    if any(name is not None for name in v.index.names):
        v = v.reset_index()
    return [[str(plain(name)), [plain(x) for x in v[name]]] for name in v.columns]


def run(path):
    names, out = {}, []
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] != "code":
            continue
        body = ast.parse("".join(cell["source"])).body
        last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), path, "exec"), names)
        if last:
            value = eval(compile(ast.Expression(last.value), path, "eval"), names)
            out.append([shown(v) for v in (value if isinstance(value, tuple) else (value,))])
    return out


def differs(got, want):
    if isinstance(want, list):
        return not isinstance(got, list) or len(got) != len(want) or any(map(differs, got, want))
    if isinstance(want, float) or isinstance(got, float):
        return got is None or want is None or abs(got - want) > 1e-9 * max(1, abs(want))
    return got != want


here = Path(__file__).resolve().parent
names = sys.argv[1:]
check = "--check" in names
tasks = [here / name for name in names if name != "--check"] or sorted(p.parent for p in here.glob("*/twin.ipynb"))
for task in tasks:
    os.chdir(task)
    cells = [json.dumps(cell, ensure_ascii=False) for cell in run(task / "twin.ipynb")]
    if not check:
        (task / "expected.json").write_text("[\n" + ",\n".join(cells) + "\n]\n")
    elif differs([json.loads(cell) for cell in cells], json.loads((task / "expected.json").read_text())):
        sys.exit(f"{task.name}: the twin shows something else than expected.json")
    print(task.name)
