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
from sklearn.metrics.pairwise import cosine_similarity, linear_kernel, polynomial_kernel, rbf_kernel, sigmoid_kernel
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC

rng = np.random.default_rng(5)


def reduced(X, y, n, d):
    keep = np.sort(rng.choice(len(y), min(n, len(y)), replace=False))
    X, y = X[keep], y[keep]
    X = X[:, X.std(0) > 0][:, :d]
    return StandardScaler().fit_transform(X).round(4), y


def perceptron(K, s, epochs):
    """Aizerman, Braverman & Rozonoer 1964: alpha counts the mistakes, with their sign."""
    alpha, mistakes = np.zeros(len(s)), []
    for _ in range(epochs):
        wrong = 0
        for i in range(len(s)):
            if s[i] * (alpha @ K[:, i]) <= 0:
                alpha[i] += s[i]
                wrong += 1
        mistakes.append(wrong)
        if wrong == 0:
            break
    return alpha, mistakes


def descent(K, y, rate, steps):
    """Gradient descent on the squared error, in the coefficients of the examples."""
    beta, losses = np.zeros(len(y)), []
    for _ in range(steps):
        r = y - K @ beta
        losses.append(r @ r / 2)
        beta = beta + rate * r
    return beta, losses


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
    k = X[:5]
    e["gram"] = {"linear": linear_kernel(k, X[:9]).tolist(), "poly": polynomial_kernel(k, X[:9], degree=3, gamma=.5, coef0=2).tolist(),
                 "rbf": rbf_kernel(k, X[:9], gamma=.3).tolist(), "sigmoid": sigmoid_kernel(k, X[:9], gamma=.2, coef0=-.5).tolist(),
                 "cosine": cosine_similarity(k, X[:9]).tolist(), "default": rbf_kernel(k, X[:9], gamma=1 / (X.shape[1] * X.var())).tolist()}
    s = np.where(y > 0, 1, -1)
    for key, K in [("perceptron", polynomial_kernel(X, degree=2, gamma=1, coef0=1)), ("perceptronRBF", rbf_kernel(X, gamma=.2))]:
        alpha, mistakes = perceptron(K, s, 6)
        e[key] = {"alpha": alpha.tolist(), "mistakes": mistakes, "score": (alpha @ K[:, :8]).tolist()}
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
    for key, K in [("descent", rbf_kernel(X, gamma=.2)), ("descentLinear", linear_kernel(X))]:
        rate = .9 / np.linalg.eigvalsh(K)[-1]
        beta, losses = descent(K, y, rate, 40)
        e[key] = {"rate": rate, "beta": beta.tolist(), "loss": losses, "pred": (K @ beta).tolist()}
    m = GaussianProcessRegressor(RBF(1.5), alpha=.1, optimizer=None, normalize_y=True).fit(X, y)
    mean, std = m.predict(X[:8] + .3, return_std=True)
    e["gp"] = {"mean": mean.tolist(), "std": std.tolist(), "likelihood": float(m.log_marginal_likelihood_value_)}
    reg.append(e)
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps({"classification": cls, "regression": reg}))
print(path.stat().st_size, "bytes")
