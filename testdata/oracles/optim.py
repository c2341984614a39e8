"""Losses, penalties, schedules and optimizers by scikit-learn, SciPy and NumPy; writes optim.json beside this file.

scikit-learn 1.9.1, SciPy 1.17.1. Run: python testdata/oracles/optim.py
"""
import json
import pathlib

import numpy as np
import scipy.optimize
import scipy.special
import sklearn
from sklearn import datasets, metrics
from sklearn.linear_model import LinearRegression, Ridge, SGDClassifier, SGDRegressor
from sklearn.preprocessing import StandardScaler

assert sklearn.__version__ == "1.9.1"
rng = np.random.default_rng(23)
EPOCHS = 4


def subset(X, y, n, cols):
    keep = rng.choice(len(y), min(n, len(y)), replace=False)
    return StandardScaler().fit_transform(X[keep][:, cols]).round(3), y[keep]


iris, wine, cancer, digits = datasets.load_iris(), datasets.load_wine(), datasets.load_breast_cancer(), datasets.load_digits()
binary = {
    "iris": subset(iris.data[50:], (iris.target[50:] == 2).astype(int), 40, [0, 1, 2]),
    "wine": subset(wine.data, (wine.target == 1).astype(int), 40, [0, 1, 2]),
    "cancer": subset(cancer.data, cancer.target, 40, [0, 1, 4, 5]),
    "digits": subset(digits.data, (digits.target % 2).astype(int), 40, [10, 20, 29, 43]),
    "made": tuple(v.round(3) if i == 0 else v for i, v in enumerate(datasets.make_classification(40, 5, flip_y=.2, random_state=2))),
}
diabetes = datasets.load_diabetes()
real = {
    "diabetes": subset(diabetes.data, diabetes.target / 50, 40, [1, 2, 3, 8]),
    "iris": subset(iris.data[:, [0, 1, 2]], iris.data[:, 3], 40, [0, 1, 2]),
    "wine": subset(wine.data[:, 1:5], wine.data[:, 0] - 13, 40, [0, 1, 3]),
    "friedman": tuple(v.round(3) for v in datasets.make_friedman1(40, 5, noise=.5, random_state=1)),
    "made": tuple(v.round(3) / (1 + 9 * i) for i, v in enumerate(datasets.make_regression(40, 4, noise=5, random_state=2))),
}


def sgd(kind, X, y, **kw):
    kw = dict({"penalty": None, "learning_rate": "constant", "eta0": .05, "shuffle": False, "tol": None, "max_iter": EPOCHS}, **kw)
    m = kind(**kw).fit(X, y)
    return np.r_[np.ravel(m.coef_), m.intercept_].tolist()


out = {"classification": [], "regression": [], "norms": []}
for name, (X, y) in binary.items():
    e = {"name": name, "x": X.tolist(), "y": (2 * y - 1).tolist()}
    e["losses"] = {loss: sgd(SGDClassifier, X, y, loss=loss, penalty="l2", alpha=.1) for loss in ("hinge", "log_loss", "perceptron", "squared_hinge")}
    e["sqrt"] = sgd(SGDClassifier, X, y, loss="hinge", learning_rate="invscaling", power_t=.5, eta0=.3)
    e["inverse"] = sgd(SGDClassifier, X, y, loss="hinge", learning_rate="invscaling", power_t=1., eta0=.9)
    e["average"] = sgd(SGDClassifier, X, y, loss="log_loss", penalty="l2", alpha=.01, average=True)
    out["classification"].append(e)
for name, (X, y) in real.items():
    e = {"name": name, "x": X.tolist(), "y": y.tolist()}
    e["losses"] = {loss: sgd(SGDRegressor, X, y, loss=loss, epsilon=.3, eta0=.02, penalty="l2", alpha=.05) for loss in ("squared_error", "huber", "epsilon_insensitive")}
    # Batch descent with momentum, mini-batches and AdaGrad (Duchi et al. 2011), restated.
    A, w, step, path = np.c_[X, np.ones(len(X))], np.zeros(X.shape[1] + 1), 0., []
    for _ in range(10):
        step = -.1 * A.T @ (A @ w - y) / len(y) + .6 * step
        w = w + step
        path.append(w.tolist())
    e["momentum"] = path
    w = np.zeros(A.shape[1])
    for _ in range(EPOCHS):
        for at in range(0, len(y), 7):
            B, t = A[at:at + 7], y[at:at + 7]
            w = w - .1 * B.T @ (B @ w - t) / len(t)
    e["minibatch"] = w.tolist()
    w, G, rates = np.zeros(A.shape[1]), np.zeros(A.shape[1]), []
    for _ in range(EPOCHS):
        for x, t in zip(A, y):
            g = (x @ w - t) * x
            G += g * g
            w = w - .5 * g / (np.sqrt(G) + 1e-8)
    e["adagrad"] = {"w": w.tolist(), "rates": (.5 / (np.sqrt(G) + 1e-8)).tolist()}
    e["minimum"] = {"ols": np.r_[(m := LinearRegression().fit(X, y)).coef_, m.intercept_].tolist(),
                    "ridge": np.r_[(m := Ridge(alpha=.2 * len(y), solver="svd").fit(X, y)).coef_, m.intercept_].tolist()}
    # A smooth convex function that is not quadratic: logistic losses of the signs of y plus a penalty.
    s = np.sign(y - np.median(y) + 1e-9)
    f = lambda w: np.mean(np.logaddexp(0, -s * (X @ w))) + .05 * w @ w
    jac = lambda w: -(s * scipy.special.expit(-s * (X @ w))) @ X / len(s) + .1 * w
    e["signs"] = s.tolist()
    e["convex"] = scipy.optimize.minimize(f, np.zeros(X.shape[1]), jac=jac, method="BFGS", options={"gtol": 1e-10}).x.tolist()
    e["gradient"] = {"at": (at := rng.normal(size=X.shape[1])).tolist(), "g": jac(at).tolist(), "value": float(f(at)),
                     "numeric": scipy.optimize.approx_fprime(at, f, 1e-7).tolist()}
    q = rng.normal(size=len(y)).round(3)
    e["risk"] = {"q": q.tolist(), "squared": metrics.mean_squared_error(y, q) / 2, "absolute": metrics.mean_absolute_error(y, q),
                 "huber": float(np.mean(scipy.special.huber(.7, y - q))), "hinge": metrics.hinge_loss(s, q),
                 "zero_one": metrics.zero_one_loss(s, np.sign(q)), "logistic": metrics.log_loss(s, np.c_[scipy.special.expit(-q), scipy.special.expit(q)])}
    out["regression"].append(e)
for name, v in [("mixed", [3., -4., 0.]), ("huge", [1e200, -1e200, 1.]), ("tiny", [1e-200, 2e-200]), ("ones", [1.] * 7), ("random", rng.normal(size=9).tolist())]:
    out["norms"].append({"name": name, "w": v, "norms": [[p, float(np.linalg.norm(np.array(v) / max(np.abs(v)), p) * max(np.abs(v)))] for p in (1, 2, 3, .5)] +
                         [[-1, float(np.linalg.norm(v, np.inf))], [0, float(np.linalg.norm(v, 0))]]})
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(out))
print(path.stat().st_size, "bytes")
