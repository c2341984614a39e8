"""Chosen and sparse penalties and regression of quantiles by scikit-learn; writes penalty.json beside this file.

scikit-learn 1.9.1. Run: python testdata/oracles/penalty.py
"""
import json
import pathlib
import warnings

import numpy as np
import sklearn
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine, make_classification, make_friedman1, make_regression
from sklearn.linear_model import ElasticNetCV, LassoCV, LogisticRegression, QuantileRegressor
from sklearn.preprocessing import StandardScaler

assert sklearn.__version__ == "1.9.1"
warnings.filterwarnings("ignore")
rng = np.random.default_rng(41)
X, y = load_diabetes(return_X_y=True)
sets = {"diabetes": (X[:97] * 20, y[:97] / 50)}
for i in range(3):
    X, y = make_regression(40 + 10 * i, [4, 12, 70][i], n_informative=4, noise=10., bias=3., random_state=i)
    sets[f"made{i}"] = (X, y / 20)
X, y = make_friedman1(80, 7, noise=1., random_state=3)
sets["friedman"] = (X * 2, y)


def told(m):
    return {"coef": m.coef_.tolist(), "intercept": float(np.ravel(m.intercept_)[0])}


reg = []
for name, (X, y) in sets.items():
    X, y = X.round(3), y.round(3)
    tight = {"tol": 1e-10, "max_iter": 200000}
    lasso = LassoCV(cv=5, **tight).fit(X, y)
    zero = LassoCV(cv=4, alphas=[.01, .1, .5, 2.], fit_intercept=False, **tight).fit(X, y)
    net = ElasticNetCV(cv=5, l1_ratio=[.2, .7, 1.], **tight).fit(X, y)
    e = {"name": name, "x": X.tolist(), "y": y.tolist(),
         "lasso": {**told(lasso), "lambda": float(lasso.alpha_), "path": lasso.alphas_.tolist(), "errors": lasso.mse_path_.mean(axis=1).tolist()},
         "zero": {**told(zero), "lambda": float(zero.alpha_), "path": zero.alphas_.tolist(), "errors": zero.mse_path_.mean(axis=1).tolist()},
         "net": {**told(net), "lambda": float(net.alpha_), "ratio": float(net.l1_ratio_), "errors": net.mse_path_.mean(axis=2).tolist()},
         "quantile": []}
    w = rng.uniform(.3, 3, len(y)).round(2)
    w[::7] = 0
    for q, alpha, weights, intercept in [(.5, 0., False, True), (.9, 0., False, True), (.25, 0., True, True), (.5, .05, False, True), (.8, .1, True, True), (.3, .02, False, False)]:
        if X.shape[1] >= len(y) and alpha == 0:
            continue
        kept = w > 0 if weights else w >= 0
        m = QuantileRegressor(quantile=q, alpha=alpha, fit_intercept=intercept, solver="highs").fit(X[kept], y[kept], sample_weight=w[kept] if weights else None)
        r = (y - m.predict(X))[kept]
        c = w[kept] if weights else np.ones(len(r))
        loss = (c * np.where(r >= 0, q * r, (q - 1) * r)).sum() / c.sum() + alpha * np.abs(m.coef_).sum()
        e["quantile"].append({**told(m), "q": q, "alpha": alpha, "weighted": weights, "none": not intercept, "loss": float(loss)})
    e["w"] = w.tolist()
    reg.append(e)

cls = []
sets = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True), "cancer": load_breast_cancer(return_X_y=True),
        "made": make_classification(150, 8, random_state=2), "wide": make_classification(50, 80, n_informative=5, random_state=4)}
for name, (X, y) in sets.items():
    keep = rng.choice(len(y), min(len(y), 90), replace=False)
    X, y = X[keep][:, :80 if name == "wide" else 8], y[keep]
    X = StandardScaler().fit_transform(X).round(3)
    w = rng.uniform(.2, 2, len(y)).round(3)
    e = {"name": name, "x": X.tolist(), "y": y.tolist(), "w": w.tolist()}
    for key, kw, sw in [("lasso", {"C": 1., "l1_ratio": 1.}, None), ("strong", {"C": .1, "l1_ratio": 1.}, None), ("net", {"C": .5, "l1_ratio": .4}, None),
                        ("weighted", {"C": .7, "l1_ratio": .8}, w), ("through0", {"C": .5, "l1_ratio": 1., "fit_intercept": False}, None)]:
        m = LogisticRegression(solver="saga", tol=1e-11, max_iter=300000, **kw).fit(X, y, sample_weight=sw)
        c = sw if sw is not None else np.ones(len(y))
        loss = -(c * m.predict_log_proba(X)[np.arange(len(y)), np.searchsorted(m.classes_, y)]).sum()
        a = np.abs(m.coef_)
        loss += (kw["l1_ratio"] * a.sum() + (1 - kw["l1_ratio"]) / 2 * (a**2).sum()) / kw["C"]
        e[key] = {"coef": m.coef_.tolist(), "intercept": m.intercept_.tolist() if m.fit_intercept else [0.] * len(m.coef_),
                  "proba": m.predict_proba(X).tolist(), "loss": float(loss)}
    cls.append(e)
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps({"regression": reg, "classification": cls}))
print(path.stat().st_size, "bytes")
