"""Kernel methods and support vector machines by scikit-learn; writes kernel.json beside this file.

scikit-learn 1.9.1. Run: python testdata/oracles/kernel.py
"""
import json
import pathlib

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine, make_friedman1, make_moons, make_regression
from sklearn.decomposition import KernelPCA
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.kernel_ridge import KernelRidge
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC

rng = np.random.default_rng(5)


def reduced(X, y, n, d):
    keep = np.sort(rng.choice(len(y), min(n, len(y)), replace=False))
    X, y = X[keep], y[keep]
    X = X[:, X.std(0) > 0][:, :d]
    return StandardScaler().fit_transform(X).round(4), y


cls, reg = [], []
sets = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True), "cancer": load_breast_cancer(return_X_y=True),
        "digits": load_digits(return_X_y=True), "moons": make_moons(90, noise=.25, random_state=1)}
for name, (X, y) in sets.items():
    X, y = reduced(X, y, 90, 6)
    w = rng.uniform(.2, 2, len(y)).round(3)
    e = {"name": name, "x": X.tolist(), "y": y.tolist(), "weights": w.tolist()}
    for key, m, sw in [("rbf", SVC(C=1, gamma="scale", tol=1e-9), None),
                       ("poly", SVC(C=.7, kernel="poly", degree=2, gamma=.5, coef0=1, tol=1e-9), None),
                       ("linear", SVC(C=2, kernel="linear", tol=1e-9), None),
                       ("weighted", SVC(C=1, gamma=.3, tol=1e-9), w)]:
        m.decision_function_shape = "ovo"
        m.fit(X, y, sample_weight=sw)
        pairs = m.decision_function(X[:8])
        m.decision_function_shape = "ovr"
        e[key] = {"pred": m.predict(X).tolist(), "support": np.sort(m.support_).tolist(),
                  "pairs": np.atleast_2d(pairs.T).T.tolist() if pairs.ndim > 1 else [[v] for v in pairs],
                  "scores": m.decision_function(X[:8]).reshape(8, -1).tolist()}
    for key, m in [("squaredHinge", LinearSVC(C=.5, tol=1e-12, max_iter=1000000, random_state=0)),
                   ("hinge", LinearSVC(C=.5, loss="hinge", tol=1e-9, max_iter=1000000, random_state=0))]:
        m.fit(X, y)
        e[key] = {"coef": m.coef_.tolist(), "bias": m.intercept_.tolist(), "pred": m.predict(X).tolist()}
    for key, m in [("pca", KernelPCA(3, kernel="rbf", gamma=.1, eigen_solver="dense")),
                   ("pcaPoly", KernelPCA(3, kernel="poly", degree=2, gamma=1, coef0=1, eigen_solver="dense"))]:
        z = m.fit_transform(X)
        e[key] = {"eigenvalues": m.eigenvalues_.tolist(), "z": np.abs(z[:5]).tolist()}
    cls.append(e)
sets = {"diabetes": load_diabetes(return_X_y=True), "friedman": make_friedman1(80, random_state=1)}
for i, (n, d, noise) in enumerate([(60, 4, 1.), (50, 2, 5.), (40, 3, .1)]):
    sets[f"made{i}"] = make_regression(n, d, n_informative=d, noise=noise, random_state=i)
for name, (X, y) in sets.items():
    X, y = reduced(X, y, 80, 6)
    y = ((y - y.mean()) / y.std()).round(4)
    e = {"name": name, "x": X.tolist(), "y": y.tolist()}
    for key, m in [("svr", SVR(C=1, epsilon=.1, gamma="scale", tol=1e-9)), ("svrLinear", SVR(C=.5, epsilon=.3, kernel="linear", tol=1e-9)),
                   ("ridge", KernelRidge(alpha=.5, kernel="rbf", gamma=.2)),
                   ("ridgePoly", KernelRidge(alpha=2, kernel="poly", degree=2, gamma=1, coef0=1))]:
        m.fit(X, y)
        e[key] = {"pred": m.predict(X).tolist(), "support": m.support_.tolist() if hasattr(m, "support_") else []}
    m = GaussianProcessRegressor(RBF(1.5), alpha=.1, optimizer=None, normalize_y=True).fit(X, y)
    mean, std = m.predict(X[:8] + .3, return_std=True)
    e["gp"] = {"mean": mean.tolist(), "std": std.tolist(), "likelihood": float(m.log_marginal_likelihood_value_)}
    reg.append(e)
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps({"classification": cls, "regression": reg}))
print(path.stat().st_size, "bytes")
