"""Support vector machines by scikit-learn, and the primal learners restated in NumPy on the examples that the library
draws; writes svm.json beside this file. kernel.py has more of SVC, SVR and LinearSVC.

scikit-learn 1.9.1. Run: python testdata/oracles/svm.py
"""
import json
import pathlib
import warnings

import numpy as np
import sklearn
from sklearn import datasets
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, NuSVC, NuSVR

from gorand import Rand

assert sklearn.__version__ == "1.9.1"
warnings.filterwarnings("ignore", category=FutureWarning)  # SVC's own probabilities are kept for the sake of the coupling
rng = np.random.default_rng(23)


def subset(X, y, n, cols):
    keep = np.sort(rng.choice(len(y), min(n, len(y)), replace=False))
    return StandardScaler().fit_transform(X[keep][:, cols]).round(3), y[keep]


iris, wine, digits, cancer = datasets.load_iris(), datasets.load_wine(), datasets.load_digits(), datasets.load_breast_cancer()
xor = rng.normal(size=(60, 2)).round(3)
two = {
    "cancer": subset(cancer.data, cancer.target, 60, [0, 1, 4, 8]),
    "virginica": subset(iris.data[50:], (iris.target[50:] == 2).astype(int), 60, [0, 1, 3]),
    "moons": subset(*datasets.make_moons(60, noise=.3, random_state=1), 60, [0, 1]),
    "xor": (xor, ((xor[:, 0] > 0) ^ (xor[:, 1] > 0)).astype(int)),
    "imbalanced": subset(*datasets.make_classification(80, 4, weights=[.8], flip_y=.1, random_state=4), 80, range(4)),
    "collinear": subset(*(lambda X, y: (np.c_[X, X @ [1., 2.]], y))(*datasets.make_blobs(60, 2, centers=2, cluster_std=4., random_state=5)), 60, range(3)),
    "ties": ((rng.integers(0, 4, (60, 3)) * .37).round(2), rng.integers(0, 2, 60)),
}
many = {
    "iris": subset(iris.data, iris.target, 60, [0, 1, 2]), "wine": subset(wine.data, wine.target, 60, [0, 1, 2, 3]),
    "digits": subset(digits.data[digits.target < 4], digits.target[digits.target < 4], 70, [10, 20, 29, 36, 43]),
    "blobs": subset(*datasets.make_blobs(60, 2, centers=4, cluster_std=2., random_state=1), 60, [0, 1]),
    "made": subset(*datasets.make_classification(70, 4, n_informative=3, n_redundant=0, n_classes=3, n_clusters_per_class=1, flip_y=.1, random_state=2), 70, range(4)),
}
TOL = 1e-10


def scale(X):
    return 1 / (X.shape[1] * X.var())


def calibrated(X, y, folds, seed):
    """Platt's sigmoid of one pair over held-out scores, on the library's folds."""
    order = np.array(Rand(seed, 0).perm(len(y)))
    cv = [(np.setdiff1d(np.arange(len(y)), order[f::folds]), np.sort(order[f::folds])) for f in range(folds)]
    m = CalibratedClassifierCV(SVC(gamma=scale(X), tol=TOL), method="sigmoid", ensemble=False, cv=cv).fit(X, y)
    return m, m.calibrated_classifiers_[0].calibrators[0]


def subgradient(X, y, lam, steps, rate=None):
    Z, s = np.c_[X, np.ones(len(X))], 2 * y - 1
    theta, best, least, losses = np.zeros(Z.shape[1]), None, np.inf, []
    for t in range(1, steps + 1):
        margin = s * (Z @ theta)
        loss = np.maximum(0, 1 - margin).mean() + lam / 2 * theta @ theta
        losses.append(loss)
        if loss < least:
            least, best = loss, theta
        eta = rate or 1 / (lam * t)
        theta = (1 - eta * lam) * theta + eta * (s * (margin < 1)) @ Z / len(X)
    return {"theta": best.tolist(), "loss": losses}


def pegasos(X, y, lam, epochs, project, seed):
    """Shalev-Shwartz et al. 2007, figure 1 with one example a step."""
    Z, s, g = np.c_[X, np.ones(len(X))], 2 * y - 1, Rand(seed, 0)
    theta, losses, t = np.zeros(Z.shape[1]), [], 0
    for _ in range(epochs):
        for _ in range(len(y)):
            i = g.intn(len(y))
            t += 1
            hit = s[i] * (Z[i] @ theta) < 1
            theta = (1 - 1 / t) * theta + hit * s[i] * Z[i] / (lam * t)
            if project:
                theta = theta * min(1, 1 / np.sqrt(lam) / max(np.linalg.norm(theta), 1e-300))
        losses.append(np.maximum(0, 1 - s * (Z @ theta)).mean() + lam / 2 * theta @ theta)
    return {"theta": theta.tolist(), "loss": losses}


out = {"two": [], "many": [], "separable": [], "real": []}
for name, (X, y) in two.items():
    w = rng.uniform(.2, 2, len(y)).round(3)
    e = {"name": name, "x": X.tolist(), "y": y.tolist(), "weights": w.tolist()}
    K = rbf_kernel(X, gamma=.4)
    m = SVC(C=2, gamma=.4, tol=TOL).fit(X, y)
    a = m.dual_coef_[0]
    e["svc"] = {"score": m.decision_function(X).tolist(), "objective": float(np.abs(a).sum() - a @ K[np.ix_(m.support_, m.support_)] @ a / 2),
                "bias": float(m.intercept_[0]), "alpha": np.bincount(m.support_, np.abs(a), len(y)).tolist()}
    for key, nu, kw, sw in [("nu", .53, {"gamma": .4}, None), ("nuLinear", 1., {"kernel": "linear"}, None), ("nuWeighted", .4, {"gamma": 1.}, w)]:
        share = 2 * min(np.bincount(y, sw)) / (len(y) if sw is None else w.sum())
        if key == "nuLinear":  # the share of C = 0.1; with less some of these have no margin at all, which the library refuses
            c = SVC(C=.1, kernel="linear", tol=TOL).fit(X, y)
            nu = round(float(np.abs(c.dual_coef_).sum() / .1 / len(y)), 4)
        nu = min(nu, round((.9999 if key == 'nuLinear' else .937) * share, 4))  # no whole number of multipliers at their bounds: then the bias is not unique
        m = NuSVC(nu=nu, tol=TOL, **kw).fit(X, y, sample_weight=sw)
        e[key] = {"nu": nu, "score": m.decision_function(X).tolist(), "support": np.sort(m.support_).tolist()}
    m, c = calibrated(X, y, 4, 6)
    e["platt"] = {"proba": m.predict_proba(X)[:, 1].tolist(), "a": float(c.a_), "b": float(c.b_)}
    e["subgradient"], e["rate"] = subgradient(X, y, .05, 40), subgradient(X, y, .1, 30, .2)
    e["pegasos"], e["projected"] = pegasos(X, y, .05, 5, False, 8), pegasos(X, y, .1, 3, True, 9)
    out["two"].append(e)
for name, (X, y) in many.items():
    e = {"name": name, "x": X.tolist(), "y": y.tolist()}
    m = NuSVC(nu=.3, gamma=.4, tol=TOL, decision_function_shape="ovo").fit(X, y)
    e["nu"] = {"nu": .3, "pairs": m.decision_function(X).tolist(), "pred": m.predict(X).tolist(), "support": np.sort(m.support_).tolist()}
    # The coupling of pairs is only in SVC's own probabilities, whose folds cannot be chosen: its sigmoids are handed over.
    m = SVC(gamma=scale(X), tol=TOL, probability=True, random_state=0).fit(X, y)
    e["coupled"] = {"a": m.probA_.tolist(), "b": m.probB_.tolist(), "proba": m.predict_proba(X).tolist()}
    sig, k = [], 0
    for a in range(y.max() + 1):
        for b in range(a + 1, y.max() + 1):
            rows = (y == a) | (y == b)
            order = np.array(Rand(6, k).perm(rows.sum()))
            held = np.zeros(rows.sum())
            for f in range(4):
                test = np.sort(order[f::4])
                train = np.setdiff1d(np.arange(rows.sum()), test)
                held[test] = SVC(gamma=scale(X), tol=TOL).fit(X[rows][train], y[rows][train]).decision_function(X[rows][test])
            c = sklearn.calibration._SigmoidCalibration().fit(held, (y[rows] == b).astype(int))
            sig.append([float(c.a_), float(c.b_)])
            k += 1
    e["sigmoids"] = sig
    out["many"].append(e)

separable = {
    "setosa": subset(iris.data, (iris.target == 0).astype(int), 60, [0, 1, 2, 3]),
    "wine": subset(wine.data[wine.target != 1], wine.target[wine.target != 1] // 2, 60, [0, 6, 9, 11]),
    "digits": subset(digits.data[digits.target < 2], digits.target[digits.target < 2], 40, [10, 20, 28, 36, 43, 51]),
    "blobs": subset(*datasets.make_blobs(60, 2, centers=[[0, 0], [6, 6]], random_state=1), 60, [0, 1]),
    "wide": (rng.normal(size=(12, 20)).round(3), rng.permutation([0, 1] * 6)),
}
for name, (X, y) in separable.items():
    m = SVC(C=1e8, kernel="linear", tol=1e-12).fit(X, y)
    assert m.score(X, y) == 1
    out["separable"].append({"name": name, "x": X.tolist(), "y": y.tolist(), "w": m.coef_[0].tolist(), "b": float(m.intercept_[0]),
                             "margin": 1 / float(np.linalg.norm(m.coef_))})

diabetes = datasets.load_diabetes()
real = {"diabetes": (diabetes.data[:60, [2, 3, 8]], diabetes.target[:60]), "made": datasets.make_regression(60, 4, noise=20., random_state=3)}
for i, make in enumerate([datasets.make_friedman1, datasets.make_friedman2, datasets.make_friedman3]):
    real[f"friedman{i + 1}"] = make(n_samples=60, noise=.1, random_state=i)
for name, (X, y) in real.items():
    X, y = StandardScaler().fit_transform(X).round(3), ((y - y.mean()) / y.std()).round(4)
    w = rng.uniform(.2, 2, len(y)).round(3)
    e = {"name": name, "x": X.tolist(), "y": y.tolist(), "weights": w.tolist()}
    for key, kw, sw in [("rbf", {"nu": .43, "gamma": .3}, None), ("linear", {"nu": .63, "C": .5, "kernel": "linear"}, None), ("weighted", {"nu": .5, "C": 2., "gamma": .3}, w)]:
        m = NuSVR(tol=TOL, **kw).fit(X, y, sample_weight=sw)
        e[key] = {"pred": m.predict(X).tolist(), "support": np.sort(m.support_).tolist()}
    out["real"].append(e)
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(out))
print(path.stat().st_size, "bytes")
