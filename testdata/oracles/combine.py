"""Votes and stacks of several kinds of models by scikit-learn; writes combine.json beside this file.

scikit-learn 1.9.1. Reads the data sets of ensemble.json. Run: python testdata/oracles/combine.py
"""
import json
import pathlib

import numpy as np
import sklearn
from sklearn.ensemble import StackingClassifier, StackingRegressor, VotingClassifier, VotingRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.preprocessing import StandardScaler

assert sklearn.__version__ == "1.9.1"
here = pathlib.Path(__file__)
sets = json.loads(here.with_name("ensemble.json").read_text())
tight = dict(solver="newton-cholesky", tol=1e-10, max_iter=1000)
weights = [1., 2., .5]
out = {"classified": [], "real": []}
for s in sets["two"][:4] + sets["many"]:
    X, y = StandardScaler().fit_transform(s["x"]).round(4), np.array(s["y"])
    named = [("logistic", LogisticRegression(**tight)), ("strict", LogisticRegression(C=.01, **tight)), ("near", KNeighborsClassifier(5, algorithm="brute"))]
    e = {"name": s["name"], "x": X.tolist(), "y": y.tolist()}
    e["soft"] = VotingClassifier(named, voting="soft", weights=weights).fit(X, y).predict_proba(X).tolist()
    e["hard"] = VotingClassifier(named, weights=weights).fit(X, y).predict(X).tolist()
    for name, through in ("stacked", False), ("passed", True):
        st = StackingClassifier(named, LogisticRegression(**tight), cv=StratifiedKFold(4), passthrough=through)
        e[name] = st.fit(X, y).predict_proba(X).tolist()
    w = np.random.default_rng(2).integers(1, 4, len(y)) / 2
    two = named[:2]
    e["weights"] = w.tolist()
    e["weightedSoft"] = VotingClassifier(two, voting="soft").fit(X, y, sample_weight=w).predict_proba(X).tolist()
    out["classified"].append(e)
for s in sets["real"]:
    X, y = StandardScaler().fit_transform(s["x"]).round(4), np.array(s["y"])
    named = [("line", LinearRegression()), ("ridge", Ridge(50.)), ("near", KNeighborsRegressor(5, algorithm="brute"))]
    e = {"name": s["name"], "x": X.tolist(), "y": y.tolist(), "mean": VotingRegressor(named, weights=weights).fit(X, y).predict(X).tolist()}
    for name, through in ("stacked", False), ("passed", True):
        e[name] = StackingRegressor(named, Ridge(1.), cv=KFold(4), passthrough=through).fit(X, y).predict(X).tolist()
    w = np.random.default_rng(2).integers(1, 4, len(y)) / 2
    two = named[:2]
    e["weights"] = w.tolist()
    e["weightedMean"] = VotingRegressor(two).fit(X, y, sample_weight=w).predict(X).tolist()
    e["weightedStacked"] = StackingRegressor(two, Ridge(1.), cv=KFold(4)).fit(X, y, sample_weight=w).predict(X).tolist()
    out["real"].append(e)
here.with_suffix(".json").write_text(json.dumps(out))
