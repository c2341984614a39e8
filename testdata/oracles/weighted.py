"""Ensembles with example weights, and probabilities of boosted and one-against-all classifiers, by scikit-learn; writes weighted.json beside this file.

scikit-learn 1.9.1. Reads the data sets of ensemble.json and reduce.json. Run: python testdata/oracles/weighted.py
"""
import json
import pathlib

import numpy as np
import sklearn
from sklearn.ensemble import AdaBoostClassifier, GradientBoostingClassifier, GradientBoostingRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from gorand import Rand

assert sklearn.__version__ == "1.9.1"
here = pathlib.Path(__file__)
rng = np.random.default_rng(12)
sets = json.loads(here.with_name("ensemble.json").read_text())


def longest(rounds, fit):
    """The most rounds for which the result does not depend on the seed, and the result."""
    for n in range(rounds, 0, -1):
        got = [fit(n, seed) for seed in range(6)]
        if np.ptp(got, axis=0).max() < 1e-10:
            return n, got[0].tolist()
    return 0, None


def first(draws, fit):
    """The first of the library's seeds for which the result does not depend on scikit-learn's, and the result."""
    for d in range(draws):
        got = [fit(d, seed) for seed in range(6)]
        if np.ptp(got, axis=0).max() < 1e-10:
            return d, got[0].tolist()
    raise AssertionError("all depend on the seed")


out = {"classified": [], "real": [], "rest": [], "adaboost": []}
for e in sets["two"] + sets["many"]:
    X, y = np.array(e["x"]), np.array(e["y"])
    w = rng.uniform(.3, 2, len(y)).round(2)
    w[::9] = 0
    rounds, p = longest(8, lambda n, seed: GradientBoostingClassifier(n_estimators=n, max_depth=2, random_state=seed).fit(X[w > 0], y[w > 0], sample_weight=w[w > 0]).predict_proba(X))
    if rounds:
        out["classified"].append({"name": e["name"], "w": w.tolist(), "rounds": rounds, "proba": p})
for e in sets["real"]:
    X, y = np.array(e["x"]), np.array(e["y"])
    w = rng.uniform(.3, 2, len(y)).round(2)
    w[::9] = 0
    kept = w > 0
    rounds, pred = longest(12, lambda n, seed: GradientBoostingRegressor(n_estimators=n, max_depth=2, random_state=seed).fit(X[kept], y[kept], sample_weight=w[kept]).predict(X))

    def forest(draws, seed, trees=5):
        """Trees on the library's bootstrap samples of the examples that count, with all features."""
        total = 0
        for m in range(trees):
            g = Rand(draws, m)
            n = int(kept.sum())
            count = np.bincount([g.intn(n) for _ in range(n)], minlength=n)
            total = total + DecisionTreeRegressor(max_depth=2, random_state=seed).fit(X[kept], y[kept], sample_weight=count * w[kept]).predict(X)
        return total / trees
    draws, f = first(60, forest)
    assert rounds, e["name"]
    pipe = make_pipeline(StandardScaler(), Ridge(alpha=2.5, solver="svd")).fit(X[kept], y[kept], ridge__sample_weight=w[kept])
    out["real"].append({"name": e["name"], "w": w.tolist(), "rounds": rounds, "pred": pred, "seed": draws, "forest": f, "pipeline": pipe.predict(X).tolist()})
for e in sets["two"]:
    X, y = np.array(e["x"]), np.array(e["y"])

    def logits(n, seed):
        # scikit-learn divides the sum by that of the weights first; that is undone here.
        m = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1, random_state=seed), n_estimators=n, random_state=seed).fit(X, y)
        p = m.predict_proba(X)
        return np.log(p[:, 1] / p[:, 0]) * m.estimator_weights_[:len(m.estimators_)].sum() / 2
    rounds, z = longest(10, logits)
    assert rounds, e["name"]
    out["adaboost"].append({"name": e["name"], "rounds": rounds, "logit": z})
for e in json.loads(here.with_name("reduce.json").read_text())["many"]:
    m = OneVsRestClassifier(LogisticRegression(tol=1e-12, max_iter=10000, solver="newton-cholesky")).fit(e["x"], e["y"])
    out["rest"].append({"name": e["name"], "proba": m.predict_proba(e["x"]).tolist()})
assert len(out["classified"]) > 5
path = here.with_suffix(".json")
path.write_text(json.dumps(out))
print(path.stat().st_size, "bytes", [len(v) for v in out.values()])
