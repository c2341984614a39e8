"""Generalized linear models, robust regression and ridge regression with a chosen penalty by scikit-learn; writes glm.json beside this file.

scikit-learn 1.9.1. Run: python testdata/oracles/glm.py
"""
import json
import pathlib

import numpy as np
import sklearn
from sklearn.datasets import load_diabetes, make_friedman1, make_regression
from sklearn.linear_model import GammaRegressor, HuberRegressor, PoissonRegressor, RidgeCV

assert sklearn.__version__ == "1.9.1"
rng = np.random.default_rng(31)
X, y = load_diabetes(return_X_y=True)
sets = {"diabetes": (X[:90] * 20, y[:90] / 50)}
for i in range(3):
    X, y = make_regression(60 + 10 * i, 3 + i, noise=10., bias=3., random_state=i)
    sets[f"made{i}"] = (X, y / 20)
X, y = make_friedman1(80, 5, noise=1., random_state=3)
sets["friedman"] = (X * 2, y)
X = rng.normal(size=(50, 3)) * [1e-2, 1., 1e2] + [0, 50, 0]
sets["sizes"] = (X, X @ [100., 1., .01] + rng.normal(size=50))


def told(m):
    return {"coef": m.coef_.tolist(), "intercept": float(np.ravel(m.intercept_)[0])}


out = []
for name, (X, y) in sets.items():
    X, y = X.round(4), y.round(4)
    w = rng.uniform(.3, 3, len(y)).round(2)
    w[::8] = 0
    z = (y - y.mean()) / y.std()
    counts, costs = rng.poisson(np.exp(1 + .5 * z)), (rng.gamma(2., np.exp(1 + .5 * z)) + .01).round(4)
    wild = y + np.where(rng.random(len(y)) < .1, 30., 0).round(4)
    e = {"name": name, "x": X.tolist(), "y": y.tolist(), "w": w.tolist(), "counts": counts.tolist(), "costs": costs.tolist(), "wild": wild.tolist()}
    for key, M, t in [("poisson", PoissonRegressor, counts), ("gamma", GammaRegressor, costs)]:
        tight = {"solver": "newton-cholesky", "tol": 1e-10, "max_iter": 1000}
        e[key] = {"one": told(M(**tight).fit(X, t)), "none": told(M(alpha=0, **tight).fit(X, t)), "weighted": told(M(alpha=.3, **tight).fit(X, t, sample_weight=w)),
                  "through0": told(M(alpha=.3, fit_intercept=False, **tight).fit(X / np.abs(X).max(0), t))}
    if name != "sizes":  # scikit-learn's L-BFGS does not converge there
        e["huber"] = {}
        for key, kw, t, sw in [("one", {}, wild, None), ("weighted", {"epsilon": 1.8, "alpha": .5}, wild, w), ("through0", {"fit_intercept": False}, wild, None)]:
            m = HuberRegressor(**kw, tol=1e-10, max_iter=100000).fit(X, t, sample_weight=sw)
            e["huber"][key] = {**told(m), "sigma": float(m.scale_), "outliers": m.outliers_.tolist()}
    alphas = [.01, .1, 1., 10., 100.]
    e["ridge"] = {}
    for key, kw, sw in [("one", {}, None), ("weighted", {}, w), ("through0", {"fit_intercept": False}, None)]:
        kept = w > 0 if sw is not None else w >= 0
        m = RidgeCV(alphas, store_cv_results=True, gcv_mode="svd", **kw).fit(X[kept], y[kept], sample_weight=None if sw is None else sw[kept])
        errors = m.cv_results_.reshape(kept.sum(), -1)
        e["ridge"][key] = {**told(m), "lambda": float(m.alpha_), "errors": (errors.sum(0) / (kept.sum() if sw is None else sw.sum())).tolist()}
    out.append(e)
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(out))
print(path.stat().st_size, "bytes")
