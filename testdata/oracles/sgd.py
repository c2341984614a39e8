"""Stochastic gradient descent by scikit-learn; writes sgd.json beside this file.

scikit-learn 1.9.1. Run: python testdata/oracles/sgd.py
"""
import json
import pathlib

import numpy as np
import sklearn
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine, make_classification, make_friedman1, make_regression
from sklearn.linear_model import SGDClassifier, SGDRegressor
from sklearn.preprocessing import StandardScaler

assert sklearn.__version__ == "1.9.1"
rng = np.random.default_rng(43)
still = {"shuffle": False, "tol": None, "max_iter": 4}
cls, reg = [], []
sets = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True), "cancer": load_breast_cancer(return_X_y=True),
        "made": make_classification(150, 6, random_state=2), "four": make_classification(120, 5, n_informative=4, n_redundant=0, n_classes=4, random_state=3)}
for name, (X, y) in sets.items():
    keep = rng.choice(len(y), min(len(y), 70), replace=False)
    X, y = StandardScaler().fit_transform(X[keep][:, :6]).round(3), y[keep]
    w = rng.uniform(.2, 2, len(y)).round(3)
    e = {"name": name, "x": X.tolist(), "y": y.tolist(), "w": w.tolist()}
    for key, kw, sw in [("log", {"loss": "log_loss"}, None), ("hinge", {"loss": "hinge", "alpha": .01}, None),
                        ("squaredHinge", {"loss": "squared_hinge", "learning_rate": "constant", "eta0": .01}, None),
                        ("l1", {"loss": "log_loss", "penalty": "l1", "alpha": .02, "learning_rate": "constant", "eta0": .05}, None),
                        ("net", {"loss": "hinge", "penalty": "elasticnet", "l1_ratio": .3, "alpha": .05, "learning_rate": "invscaling", "eta0": .1, "power_t": .5}, None),
                        ("average", {"loss": "log_loss", "alpha": .01, "average": True}, None),
                        ("weighted", {"loss": "log_loss", "alpha": .001, "fit_intercept": False}, w)]:
        m = SGDClassifier(**kw, **still).fit(X, y, sample_weight=sw)
        e[key] = {"coef": m.coef_.tolist(), "intercept": m.intercept_.tolist() if m.fit_intercept else [0.] * len(m.coef_),
                  "pred": m.predict(X).tolist(), "proba": m.predict_proba(X[:10]).tolist() if kw["loss"] == "log_loss" else []}
    m = SGDClassifier(loss="log_loss", shuffle=False)
    for part in (slice(0, 30), slice(30, 50), slice(50, 70)):
        m.partial_fit(X[part], y[part], classes=np.unique(y))
    e["parts"] = {"coef": m.coef_.tolist(), "intercept": m.intercept_.tolist(), "pred": m.predict(X).tolist(), "proba": m.predict_proba(X[:10]).tolist()}
    cls.append(e)
X, y = load_diabetes(return_X_y=True)
sets = {"diabetes": (X[:97], y[:97])}
for i in range(3):
    sets[f"made{i}"] = make_regression(50, 4 + i, noise=10., bias=3., random_state=i)
sets["friedman"] = make_friedman1(80, 7, noise=1., random_state=3)
for name, (X, y) in sets.items():
    X, y = StandardScaler().fit_transform(X).round(3), ((y - y.mean()) / y.std() + 1).round(3)
    w = rng.uniform(.2, 2, len(y)).round(3)
    e = {"name": name, "x": X.tolist(), "y": y.tolist(), "w": w.tolist()}
    for key, kw, sw in [("squared", {}, None), ("huber", {"loss": "huber", "epsilon": .3, "alpha": .01}, None),
                        ("insensitive", {"loss": "epsilon_insensitive", "epsilon": .1, "learning_rate": "constant", "eta0": .02}, None),
                        ("l1", {"penalty": "l1", "alpha": .05}, None), ("average", {"average": True, "learning_rate": "constant", "eta0": .05}, None),
                        ("weighted", {"alpha": .1, "fit_intercept": False}, w)]:
        m = SGDRegressor(**kw, **still).fit(X, y, sample_weight=sw)
        e[key] = {"coef": m.coef_.tolist(), "intercept": float(np.ravel(m.intercept_)[0])}
    m = SGDRegressor(shuffle=False)
    for part in (slice(0, 20), slice(20, 25), slice(25, 50)):
        m.partial_fit(X[part], y[part])
    e["parts"] = {"coef": m.coef_.tolist(), "intercept": float(m.intercept_[0])}
    reg.append(e)
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps({"classification": cls, "regression": reg}))
print(path.stat().st_size, "bytes")
