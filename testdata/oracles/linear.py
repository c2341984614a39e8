"""Linear models by scikit-learn; writes linear.json beside this file.

scikit-learn 1.9.1. Run: python testdata/oracles/linear.py
"""
import json
import pathlib

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine, make_classification, make_regression, load_digits
from sklearn.linear_model import ElasticNet, Lasso, LinearRegression, LogisticRegression, Ridge
from sklearn.preprocessing import StandardScaler

rng = np.random.default_rng(3)
reg, cls = [], []
X, y = load_diabetes(return_X_y=True)
sets = {"diabetes": (X[:120] * 20, y[:120] / 50)}
for i, (n, d, noise) in enumerate([(60, 4, 1.), (40, 8, 5.), (30, 3, .1), (25, 30, 2.)]):
    X, y = make_regression(n, d, n_informative=min(d, 5), noise=noise, bias=3., random_state=i)
    sets[f"made{i}"] = (X, y / 10)
for name, (X, y) in sets.items():
    X, y = X.round(4), y.round(4)
    e = {"name": name, "x": X.tolist(), "y": y.tolist()}
    for key, m in {"ols": LinearRegression(), "ridge": Ridge(alpha=2.5, tol=1e-12, solver="svd"),
                   "lasso": Lasso(alpha=.3, tol=1e-12, max_iter=200000),
                   "net": ElasticNet(alpha=.2, l1_ratio=.4, tol=1e-12, max_iter=200000),
                   "through0": LinearRegression(fit_intercept=False)}.items():
        m.fit(X, y)
        e[key] = {"coef": m.coef_.tolist(), "intercept": float(m.intercept_), "pred": m.predict(X[:5]).tolist()}
    reg.append(e)
sets = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True),
        "cancer": load_breast_cancer(return_X_y=True), "digits": load_digits(return_X_y=True),
        "made": make_classification(150, 5, random_state=2)}
for name, (X, y) in sets.items():
    keep = rng.choice(len(y), min(len(y), 90), replace=False)
    X, y = X[keep][:, :6], y[keep]
    X = X[:, X.std(0) > 0]
    X = StandardScaler().fit_transform(X).round(4)
    w = rng.uniform(.2, 2, len(y)).round(3)
    e = {"name": name, "x": X.tolist(), "y": y.tolist(), "weights": w.tolist()}
    for key, m, sw in [("c1", LogisticRegression(C=1, tol=1e-10, max_iter=20000), None),
                       ("c01", LogisticRegression(C=.1, tol=1e-10, max_iter=20000), None),
                       ("weighted", LogisticRegression(C=1, tol=1e-10, max_iter=20000), w),
                       ("through0", LogisticRegression(C=1, tol=1e-10, max_iter=20000, fit_intercept=False), None)]:
        m.fit(X, y, sample_weight=sw)
        e[key] = {"coef": m.coef_.tolist(), "intercept": m.intercept_.tolist() if m.fit_intercept else [0.] * len(m.coef_),
                  "proba": m.predict_proba(X[:5]).tolist(), "pred": m.predict(X).tolist()}
    cls.append(e)
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps({"regression": reg, "classification": cls}))
print(path.stat().st_size, "bytes")
