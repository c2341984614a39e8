"""Isotonic regression, calibration, permutation importance and partial dependence by scikit-learn; writes inspect_models.json beside this file.

scikit-learn 1.9.1. Reads the data sets of scoring.json. Run: python testdata/oracles/inspect_models.py
"""
import json
import pathlib

import numpy as np
import sklearn
from gorand import Rand
from sklearn import metrics
from sklearn.calibration import CalibratedClassifierCV
from sklearn.inspection import partial_dependence
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier

assert sklearn.__version__ == "1.9.1"
here = pathlib.Path(__file__)
sets = json.loads(here.with_name("scoring.json").read_text())
tight = dict(solver="newton-cholesky", tol=1e-10, max_iter=1000)
repeats, seed = 3, 5


def permuted(X, j, r):
    out, column = X.copy(), X[:, j].tolist()
    Rand(seed, j * repeats + r).shuffle(column)
    out[:, j] = column
    return out


def dependence(m, X, features, method, size=7):
    r = partial_dependence(m, X, features, grid_resolution=size, kind="both", response_method=method)
    outputs = r["average"].shape[0]
    return {"grid": [g.tolist() for g in r["grid_values"]], "mean": r["average"].reshape(outputs, -1).T.tolist(),
            "first": r["individual"][:, 0].reshape(outputs, -1).tolist()}


cls, real = [], []
for s in sets["classification"]:
    X, y, w = np.array(s["x"]), np.array(s["y"]), np.array(s["w"])
    m = LogisticRegression(C=.5, **tight)
    e = {"name": s["name"]}
    for name, est in ("logistic", m), ("neighbors", KNeighborsClassifier(5, algorithm="brute")):
        for method in "sigmoid", "isotonic":
            c = CalibratedClassifierCV(est, method=method, cv=StratifiedKFold(3))
            e[name + "_" + method] = c.fit(X, y).predict_proba(X).tolist()
    e["weighted"] = CalibratedClassifierCV(m, cv=StratifiedKFold(3)).fit(X, y, sample_weight=w).predict_proba(X).tolist()
    m.fit(X, y)
    loss = metrics.log_loss(y, m.predict_proba(X))
    e["accuracy"] = [[m.score(X, y) - m.score(permuted(X, j, r), y) for r in range(repeats)] for j in range(X.shape[1])]
    e["loss"] = [[metrics.log_loss(y, m.predict_proba(permuted(X, j, r))) - loss for r in range(repeats)] for j in range(X.shape[1])]
    e["one"], e["two"] = dependence(m, X, [1], "predict_proba"), dependence(m, X, [0, X.shape[1] - 1], "predict_proba", 4)
    cls.append(e)
for s in sets["regression"]:
    X, y, w = np.array(s["x"]), np.array(s["y"]), np.array(s["w"])
    v, query = X[:, 0].round(1), np.linspace(X[:, 0].min() - 1, X[:, 0].max() + 1, 25)
    e = {"name": s["name"], "v": v.tolist(), "query": query.tolist(), "isotonic": []}
    for up in True, False:
        for weights in None, w:
            i = IsotonicRegression(increasing=up, out_of_bounds="clip").fit(v, y, sample_weight=weights)
            e["isotonic"].append({"up": up, "weighted": weights is not None, "knots": i.X_thresholds_.tolist(), "values": i.y_thresholds_.tolist(),
                                  "predicted": i.predict(query).tolist()})
    m = Ridge().fit(X, y)
    e["r2"] = [[m.score(X, y) - m.score(permuted(X, j, r), y) for r in range(repeats)] for j in range(X.shape[1])]
    e["one"], e["two"] = dependence(m, X, [1], "auto"), dependence(m, X, [0, X.shape[1] - 1], "auto", 4)
    real.append(e)
here.with_suffix(".json").write_text(json.dumps({"classification": cls, "regression": real}))
