"""The scikit-learn side of docs/reference/scikit-learn-idioms.md; writes scikit_idioms.json beside
this file.

scikit-learn 1.9.1. Run: python testdata/oracles/scikit_idioms.py
"""
import importlib
import json
import pathlib

import numpy as np
import sklearn
from sklearn.datasets import load_diabetes, load_wine

assert sklearn.__version__ == "1.9.1"
here = pathlib.Path(__file__).resolve()
page = (here.parents[2] / "docs/reference/scikit-learn-idioms.md").read_text()

world = {"wine": load_wine(), "sugar": load_diabetes(scaled=False)}
for module in ["decomposition", "discriminant_analysis", "feature_selection", "linear_model", "metrics", "metrics.pairwise",
               "model_selection", "naive_bayes", "neighbors", "pipeline", "preprocessing", "svm"]:
    world |= vars(importlib.import_module("sklearn." + module))


def digest(v):
    """The numbers of a result; of more than 20, their count, mean and mean square, and twenty of them."""
    v = np.asarray(v, dtype=float).ravel()
    if len(v) <= 20:
        return v.tolist()
    return [len(v), v.mean(), (v * v).mean(), *v[:: len(v) // 20][:20].tolist()]


out = []
for line in page.splitlines():
    cells = [c.strip() for c in line.strip().strip("|").split(" | ")]
    if not line.startswith("| ") or cells[0] == "Idiom":
        continue
    name, code, ours = cells[0], cells[1].strip("`"), cells[2].strip("`")
    out.append({"idiom": name, "here": ours, "numbers": digest(eval(code, world))})
assert len(out) == 30, len(out)
here.with_suffix(".json").write_text(json.dumps(out, separators=(",", ":"), ensure_ascii=False) + "\n")
