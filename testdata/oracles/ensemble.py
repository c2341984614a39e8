"""Ensembles by scikit-learn; writes ensemble.json beside this file.

scikit-learn 1.9.1. Run: python testdata/oracles/ensemble.py
"""
import json
import pathlib

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine, make_classification, make_friedman1, make_moons
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor, RandomForestClassifier
from sklearn.metrics import ndcg_score

rng = np.random.default_rng(5)
out = {"regression": [], "classification": [], "ndcg": []}
X, y = load_diabetes(return_X_y=True)
sets = {"diabetes": (X[:90] * 20, y[:90] / 50)}
for i in range(4):
    X, y = make_friedman1(70, 5, noise=.5, random_state=i)
    sets[f"friedman{i}"] = (X, y)
for name, (X, y) in sets.items():
    X, y = X.round(3), y.round(3)
    e = {"name": name, "x": X.tolist(), "y": y.tolist()}
    for key, kw in {"squared": {}, "fast": {"learning_rate": 1., "max_depth": 2}}.items():
        m = GradientBoostingRegressor(n_estimators=20, random_state=0, **kw).fit(X, y)
        e[key] = {"pred": m.predict(X).tolist(), "loss": m.train_score_.tolist()}
    out["regression"].append(e)
sets = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True), "cancer": load_breast_cancer(return_X_y=True),
        "moons": make_moons(100, noise=.3, random_state=1), "made": make_classification(100, 5, n_classes=3, n_informative=4, n_redundant=0, random_state=2)}
for name, (X, y) in sets.items():
    keep = rng.choice(len(y), min(len(y), 100), replace=False)
    X, y = X[keep][:, :5].round(3), y[keep]
    m = GradientBoostingClassifier(n_estimators=15, random_state=0).fit(X, y)
    half = len(y) // 2
    oob = np.mean([RandomForestClassifier(100, oob_score=True, random_state=s, criterion="entropy").fit(X, y).oob_score_ for s in range(5)])
    out["classification"].append({"name": name, "x": X.tolist(), "y": y.tolist(), "proba": m.predict_proba(X).round(9).tolist(),
                                  "loss": m.train_score_.tolist(), "oob": oob})
for n in (3, 5, 10):
    y, s = rng.integers(0, 4, n), rng.normal(size=n).round(3)
    out["ndcg"].append({"y": y.astype(float).tolist(), "score": s.tolist(),
                        "all": ndcg_score([2. ** y - 1], [s]), "at3": ndcg_score([2. ** y - 1], [s], k=3)})
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(out))
print(path.stat().st_size, "bytes")
