"""Reductions to binary problems by scikit-learn, with logistic regression as the base learner; those that it does not
have are restated in NumPy over the same base learner. Writes reduce.json beside this file.

scikit-learn 1.9.1. Run: python testdata/oracles/reduce.py
"""
import json
import pathlib

import numpy as np
import sklearn
from sklearn import datasets
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from sklearn.preprocessing import StandardScaler

from gorand import Rand

assert sklearn.__version__ == "1.9.1"
rng = np.random.default_rng(11)


def logistic(C=1., intercept=True):
    return LogisticRegression(C=C, fit_intercept=intercept, tol=1e-12, max_iter=10000, solver="newton-cholesky")


def subset(X, y, n, cols):
    keep = rng.choice(len(y), min(n, len(y)), replace=False)
    return StandardScaler().fit_transform(X[keep][:, cols]).round(3), y[keep]


iris, wine, digits, cancer = datasets.load_iris(), datasets.load_wine(), datasets.load_digits(), datasets.load_breast_cancer()
many = {
    "iris": subset(iris.data, iris.target, 70, [0, 1, 2]), "wine": subset(wine.data, wine.target, 70, [0, 1, 2, 3]),
    "digits": subset(digits.data[digits.target < 5], digits.target[digits.target < 5], 90, [10, 20, 29, 36, 43, 51]),
    "blobs": subset(*datasets.make_blobs(80, 2, centers=5, cluster_std=1.5, random_state=1), 80, [0, 1]),
    "made": subset(*datasets.make_classification(80, 5, n_informative=4, n_redundant=0, n_classes=4, n_clusters_per_class=1, flip_y=.1, random_state=2), 80, range(5)),
}
two = {
    "cancer": subset(cancer.data, cancer.target, 80, [0, 1, 4, 8]),
    "virginica": subset(iris.data[50:], (iris.target[50:] == 2).astype(int), 80, [0, 1, 3]),
    "odd digits": subset(digits.data, digits.target % 2, 80, [10, 20, 29, 36, 43]),
    "moons": subset(*datasets.make_moons(80, noise=.3, random_state=3), 80, [0, 1]),
    "imbalanced": subset(*datasets.make_classification(120, 4, weights=[.85], flip_y=.05, random_state=4), 120, range(4)),
}
out = {"many": [], "two": [], "ranking": [], "graph": []}


def classTree(X, y, classes):
    """Predictions by halves of the classes, the greater half as the positive class."""
    if len(classes) == 1:
        return lambda Q: np.full(len(Q), classes[0])
    low, high = classes[:len(classes) // 2], classes[len(classes) // 2:]
    rows = np.isin(y, classes)
    m = logistic().fit(X[rows], np.isin(y[rows], high))
    left, right = classTree(X, y, low), classTree(X, y, high)
    return lambda Q: np.where(m.predict(Q), right(Q), left(Q))


for name, (X, y) in many.items():
    e = {"name": name, "x": X.tolist(), "y": y.tolist()}
    m = OneVsRestClassifier(logistic()).fit(X, y)
    e["rest"] = {"score": m.decision_function(X).tolist(), "pred": m.predict(X).tolist()}
    m = OneVsOneClassifier(logistic()).fit(X, y)
    e["pairs"] = {"score": m.decision_function(X).tolist(), "pred": m.predict(X).tolist()}
    m = OutputCodeClassifier(logistic(), code_size=2, random_state=0).fit(X, y)
    e["code"] = {"bits": (m.code_book_ > 0).tolist(), "pred": m.predict(X).tolist()}
    bits = m.code_book_ > 0
    answers = np.array([est.predict(X) for est in m.estimators_]).T > 0
    e["code"]["hard"] = [int(np.argmin((bits != a).sum(1))) for a in answers]
    e["tree"] = {"pred": classTree(X, y, np.unique(y))(X).tolist()}
    out["many"].append(e)


def coefficients(m):
    return [*m.coef_[0].tolist(), float(m.intercept_[0])]


for name, (X, y) in two.items():
    e = {"name": name, "x": X.tolist(), "y": y.tolist()}
    alpha = 3.
    m = logistic().fit(X, y, sample_weight=np.where(y == 1, alpha, 1))
    e["cost"] = coefficients(m)  # by weights and, because alpha is a whole number, by copies
    negatives = np.flatnonzero(y == 0).tolist()
    Rand(7, 0).shuffle(negatives)
    keep = np.sort(np.r_[np.flatnonzero(y == 1), negatives[:int(len(negatives) / alpha + .5)]])
    e["subsample"] = {"rows": keep.tolist(), "coef": coefficients(logistic().fit(X[keep], y[keep]))}
    w = rng.uniform(.2, 2, len(y)).round(3)
    votes, rowsOf = np.zeros(len(y)), []
    for s in range(5):
        g = Rand(3 + 20 * s, 0)
        rows = [i for i in range(len(y)) if g.float64() < w[i] / w.max()]
        rowsOf.append(rows)
        votes += logistic().fit(X[rows], y[rows]).predict(X)
    e["costing"] = {"weights": w.tolist(), "rows": rowsOf[0], "pred": (votes > 2).astype(int).tolist()}
    out["two"].append(e)

diabetes = datasets.load_diabetes()
real = {"diabetes": (diabetes.data[:40, [2, 3, 8]], diabetes.target[:40])}
for i, make in enumerate([datasets.make_friedman1, datasets.make_friedman2, datasets.make_friedman3]):
    real[f"friedman{i + 1}"] = make(n_samples=40, random_state=i)
real["made"] = datasets.make_regression(40, 4, noise=10., random_state=3)
for name, (X, y) in real.items():
    X = StandardScaler().fit_transform(X).round(3)
    y = np.searchsorted(np.quantile(y, [.2, .4, .6, .8]), y)
    diff, label = [], []
    for u in range(len(y)):
        for v in range(len(y)):
            if y[u] != y[v]:
                diff.append(X[u] - X[v])
                label.append(y[u] > y[v])
    m = logistic(.1, False).fit(np.array(diff), np.array(label))
    # The mean confidence of winning against the training items.
    score = (X - X.mean(0)) @ m.coef_[0]
    wins = (X[:, None] - X[None]) @ m.coef_[0] > 0
    out["ranking"].append({"name": name, "x": X.tolist(), "y": y.tolist(), "coef": m.coef_[0].tolist(), "score": score.tolist(),
                           "rank": np.argsort(-(X @ m.coef_[0]), kind="stable").tolist(), "first": wins[0].astype(int).tolist()})

# --- a graph of neighbors: every example is linked to its nearest two


def counts(X, g, label, k):
    return np.c_[X, [[sum(label[j] == c for j in ns) for c in range(k)] for ns in g]]


for name, (X, y) in many.items():
    d = ((X[:, None] - X[None]) ** 2).sum(-1) + 1e9 * np.eye(len(X))
    near = np.argsort(d, axis=1, kind="stable")[:, :2]
    g = [sorted({*near[i].tolist(), *[j for j in range(len(X)) if i in near[j]]}) for i in range(len(X))]
    k, F = y.max() + 1, X[:, :1]  # one feature: the neighbors know more
    e = {"name": name, "graph": g}
    for key, folds in [("naive", 1), ("stacked", 4)]:
        label, models, inside = y, [], F
        for r in range(3):
            if r > 0:
                inside = counts(F, g, label, k)
            models.append(logistic().fit(inside, y))
            if folds == 1:
                label = models[-1].predict(inside)
                continue
            perm, label = np.array(Rand(2, 0).perm(len(y))), np.zeros(len(y), int)
            for f in range(folds):
                test = np.sort(perm[f::folds])
                train = np.setdiff1d(np.arange(len(y)), test)
                label[test] = logistic().fit(inside[train], y[train]).predict(inside[test])
        label, rounds = models[0].predict(F), []
        rounds.append(label.tolist())
        for m in models[1:]:
            label = m.predict(counts(F, g, label, k))
            rounds.append(label.tolist())
        e[key] = rounds
    first, second = logistic().fit(F, y), logistic().fit(counts(F, g, y, k), y)
    label = first.predict(F)
    for _ in range(30):
        label = second.predict(counts(F, g, label, k))
        e.setdefault("iterative", []).append(label.tolist())
    e["iterative"] = [first.predict(F).tolist(), *e["iterative"][:11]]
    out["graph"].append(e)
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(out))
print(path.stat().st_size, "bytes")
