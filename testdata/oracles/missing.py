"""Trees on data with gaps by scikit-learn; writes missing.json beside this file.

scikit-learn 1.9.1. Run: python testdata/oracles/missing.py
"""
import json
import pathlib

import numpy as np
import sklearn
from sklearn import datasets
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

assert sklearn.__version__ == "1.9.1"
rng = np.random.default_rng(8)


def noisy(load, cols, n=90):
    """Rows of a classic set; a little noise, so that no two questions are equally good."""
    d = load()
    rows = np.sort(rng.choice(len(d.data), n, replace=False))
    x = d.data[rows][:, cols]
    return x + rng.normal(size=x.shape) * 0.01 * x.std(axis=0), d.target[rows]


def informative():
    x = rng.normal(size=(80, 3))
    return x, (x[:, 0] > 0.8).astype(int) + (x[:, 1] > 0)


def made():
    x = rng.normal(size=(100, 4))
    return x, (x[:, 0] + x[:, 1] > 0).astype(int) + (x[:, 2] > 1)


def row(v):
    return [None if np.isnan(a) else float(a) for a in v]


def settled(trees, predict, x):
    """What the trees say of the rows of x; null where two questions were equally good, so that it depends on the seed."""
    all = np.array([getattr(t, predict)(x) for t in trees])
    same = (all == all[0]).reshape(len(trees), len(x), -1).all(axis=(0, 2))
    if same.mean() < 0.6:
        raise ValueError("too many ties")
    return [p.tolist() if s else None for p, s in zip(all[0].reshape(len(x), -1), same)]


def fits(name, x, y):
    x = np.round(x, 6)
    gaps = rng.random(x.shape) < 0.15
    if name == "informative":  # that a value is missing says something
        gaps[:, 0] = x[:, 0] > 0.8
    x = np.where(gaps, np.nan, x)
    asked = np.where(rng.random(x.shape) < 0.2, np.nan, np.round(x + rng.normal(size=x.shape) * 0.1, 6))
    target = y.astype(float) + 0.01 * rng.normal(size=len(y))
    e = {"name": name, "x": [row(v) for v in x], "asked": [row(v) for v in asked], "target": target.tolist()}
    trees = [DecisionTreeRegressor(max_depth=3, random_state=s).fit(x, target) for s in range(10)]
    e["regression"], e["regression_asked"] = settled(trees, "predict", x), settled(trees, "predict", asked)
    if name == "diabetes":
        return e
    e["y"] = [int(v) for v in y]
    trees = [DecisionTreeClassifier(max_depth=3, random_state=s).fit(x, y) for s in range(10)]
    e["proba"], e["proba_asked"] = settled(trees, "predict_proba", x), settled(trees, "predict_proba", asked)
    return e


sets = {
    "iris": lambda: noisy(datasets.load_iris, [0, 1]),
    "made": made,
    "cancer": lambda: noisy(datasets.load_breast_cancer, [0, 3, 14, 23]),
    "diabetes": lambda: noisy(datasets.load_diabetes, [2, 3, 4, 8]),
    "informative": informative,
}
results = []
for name, draw in sets.items():
    for _ in range(40):
        try:
            results.append(fits(name, *draw()))
            break
        except ValueError:
            continue
assert len(results) == len(sets), [e["name"] for e in results]
pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(results, separators=(",", ":")) + "\n")
