"""Runs a twin and prints its statements, questions and answers as JSON.

A line "# %% 3. What grows?" begins question 3. The last expression of a question is its answer.
"""
import ast
import contextlib
import json
import math
import re
import sys
import warnings

import matplotlib

matplotlib.use("Agg")
import numpy as np
import pandas as pd

warnings.simplefilter("ignore")


def plain(v):
    if v is None or v is pd.NaT or v is pd.NA:
        return None
    if isinstance(v, (bool, np.bool_)):
        return bool(v)
    if isinstance(v, (int, np.integer)):
        return int(v)
    if isinstance(v, (float, np.floating)):
        v = float(v)
        return None if math.isnan(v) else {math.inf: "+Inf", -math.inf: "-Inf"}.get(v, v)
    if isinstance(v, (pd.Timestamp, np.datetime64)):
        return pd.Timestamp(v).strftime("%Y-%m-%dT%H:%M:%S")
    if isinstance(v, pd.Period):
        return v.start_time.strftime("%Y-%m-%dT%H:%M:%S")
    return str(v)


def columns(frame):
    return [[plain(v) for v in frame.iloc[:, i]] for i in range(frame.shape[1])]


def table(v):
    """Returns the columns of a value, or None for a figure or a summary."""
    if isinstance(v, pd.DataFrame):
        return columns(v if isinstance(v.index, pd.RangeIndex) or v.index.name is None and v.index.nlevels == 1 else v.reset_index())
    if isinstance(v, pd.Series):
        return table(v.to_frame("value"))
    if isinstance(v, (list, np.ndarray)) and not any(hasattr(x, "plot") for x in np.ravel(np.asarray(v, dtype=object))):
        return [[plain(x) for x in v]]
    if isinstance(v, (bool, int, float, str, np.generic, pd.Timestamp)):
        return [[plain(v)]]
    return None


path = sys.argv[1]
source = open(path).read()
statements = sum(isinstance(n, ast.stmt) and not isinstance(n, (ast.Import, ast.ImportFrom)) for n in ast.walk(ast.parse(source)))
parts = re.split(r"(?m)^# %% (\d+)\. (.+)$", source)
scope = {"__name__": "__main__"}
questions, answers = [], []
with contextlib.redirect_stdout(sys.stderr):
    exec(compile(parts[0], path, "exec"), scope)
    for number, title, code in zip(parts[1::3], parts[2::3], parts[3::3]):
        questions.append(title)
        body = ast.parse(code).body
        last = body.pop()
        if not isinstance(last, ast.Expr):
            sys.exit(f"{path}: question {number} does not end in an expression")
        exec(compile(ast.Module(body, []), f"{path}, question {number}", "exec"), scope)
        value = eval(compile(ast.Expression(last.value), f"{path}, question {number}", "eval"), scope)
        tables = [table(v) for v in (value if isinstance(value, tuple) else (value,))]
        answers.append({"Question": int(number), "Tables": None if None in tables else tables})
json.dump({"Statements": statements, "Questions": questions, "Answers": answers}, sys.stdout)
