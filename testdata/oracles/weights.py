"""Weighted fits of regressors by scikit-learn 1.9.1; writes weights.json beside this file.

Reads the data sets of linear.json. Run: python testdata/oracles/weights.py
"""
import json
import pathlib

import numpy as np
import sklearn
from sklearn.linear_model import ElasticNet, Lasso, LinearRegression, Ridge

assert sklearn.__version__ == "1.9.1"
here, rng, out = pathlib.Path(__file__), np.random.default_rng(6), []
for e in json.loads(here.with_name("linear.json").read_text())["regression"]:
    if e["awkward"]:
        continue
    X, y = np.array(e["x"]), np.array(e["y"])
    w = rng.uniform(0, 3, len(y)).round(2)
    w[::7] = 0
    r = {"name": e["name"], "w": w.tolist()}
    for key, m in {"ols": LinearRegression(), "ridge": Ridge(alpha=2.5, solver="svd"), "through0": Ridge(alpha=2.5, solver="svd", fit_intercept=False),
                   "lasso": Lasso(alpha=.3, tol=1e-12, max_iter=200000), "net": ElasticNet(alpha=.2, l1_ratio=.4, tol=1e-12, max_iter=200000)}.items():
        m.fit(X, y, sample_weight=w)
        r[key] = {"coef": m.coef_.tolist(), "intercept": float(m.intercept_)}
    out.append(r)
path = here.with_suffix(".json")
path.write_text(json.dumps(out))
print(path.stat().st_size, "bytes")
