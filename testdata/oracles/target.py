"""Encodings by the mean of the target by scikit-learn; writes target.json beside this file.

scikit-learn 1.9.1. Run: python testdata/oracles/target.py
"""
import json
import pathlib

import numpy as np
import sklearn
from sklearn.preprocessing import TargetEncoder

from gorand import Rand

assert sklearn.__version__ == "1.9.1"
rng = np.random.default_rng(41)


def folds(y, classes, n, k, seed):
    """The parts that the library makes: mixed, by class where there are classes, and dealt."""
    order = Rand(seed, 0).perm(n)
    if classes:
        order = sorted(order, key=lambda i: y[i])  # stable
    return [np.array(order[f::k]) for f in range(k)]


def row(v):
    return [None if np.isnan(a) else float(a) for a in v]


sets = []
for name, n, levels, kind, smooth in [("prices", 90, 7, "continuous", "auto"), ("smooth prices", 80, 12, "continuous", 5.), ("two", 101, 6, "binary", "auto"),
                                      ("two plain", 70, 5, "binary", 0.), ("three", 120, 8, "multiclass", "auto"), ("gaps", 95, 6, "binary", 2.)]:
    x = np.column_stack([rng.integers(0, levels, n), rng.integers(0, 3, n)]).astype(float)
    f = np.sin(x[:, 0] * 2) + .5 * x[:, 1] + rng.normal(size=n)
    y = f.round(3) if kind == "continuous" else np.digitize(f, [.3] if kind == "binary" else [-.2, .9])
    if name == "gaps":
        x[rng.random(x.shape) < .1] = np.nan
    asked = np.column_stack([rng.integers(0, levels + 2, 12), rng.integers(0, 4, 12)]).astype(float)  # also unknown levels
    make = lambda: TargetEncoder(target_type=kind, smooth=smooth)
    full = make().fit(x, y)
    out = np.empty((n, full.transform(x).shape[1]))
    for part in folds(y, kind != "continuous", n, 4, 9):
        rest = np.setdiff1d(np.arange(n), part)
        out[part] = make().fit(x[rest], y[rest]).transform(x[part])
    sets.append({"name": name, "x": [row(v) for v in x], "y": y.tolist(), "kind": kind, "smooth": -1 if smooth == "auto" else smooth,
                 "asked": [row(v) for v in asked], "answer": full.transform(asked).tolist(), "crossed": out.tolist()})
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps({"sets": sets}))
print(path.stat().st_size, "bytes")
