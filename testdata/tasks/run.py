"""Runs the twins and writes what their cells show: python run.py [task ...]

A cell begins with "# %%" and shows its last line if that is an expression; a tuple
shows its parts. A table is a list of columns, each a name and its values. An index
that has a name is a column, and one without is none. Times are written in UTC, and
those without a zone are taken as UTC.
"""
import ast
import json
import os
import re
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
    for cell in re.split(r"(?m)^# %%.*$", path.read_text()):
        body = ast.parse(cell).body
        last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), path, "exec"), names)
        if last:
            value = eval(compile(ast.Expression(last.value), path, "eval"), names)
            out.append([shown(v) for v in (value if isinstance(value, tuple) else (value,))])
    return out


here = Path(__file__).resolve().parent
tasks = [here / name for name in sys.argv[1:]] or sorted(p.parent for p in here.glob("*/twin.py"))
for task in tasks:
    os.chdir(task)
    cells = ",\n".join(json.dumps(cell, ensure_ascii=False) for cell in run(task / "twin.py"))
    (task / "expected.json").write_text(f"[\n{cells}\n]\n")
    print(task.name)
