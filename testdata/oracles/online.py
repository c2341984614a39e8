"""On-line learners: those of scikit-learn without shuffling, and the published updates restated in NumPy
for those that it does not have; writes online.json beside this file.

scikit-learn 1.9.1. Run: python testdata/oracles/online.py
"""
import json
import pathlib

import numpy as np
import sklearn
from sklearn import datasets
from sklearn.calibration import calibration_curve
from sklearn.linear_model import LogisticRegression, Perceptron, SGDClassifier
from sklearn.preprocessing import StandardScaler

assert sklearn.__version__ == "1.9.1"
rng = np.random.default_rng(17)
EPOCHS = 3


def subset(X, y, n, cols):
    keep = rng.choice(len(y), min(n, len(y)), replace=False)
    return StandardScaler().fit_transform(X[keep][:, cols]).round(3), y[keep]


iris, wine, cancer, digits = datasets.load_iris(), datasets.load_wine(), datasets.load_breast_cancer(), datasets.load_digits()
binary = {
    "iris": subset(iris.data[50:], (iris.target[50:] == 2).astype(int), 50, [0, 1, 2]),
    "wine": subset(wine.data, (wine.target == 1).astype(int), 50, [0, 1, 2]),
    "cancer": subset(cancer.data, cancer.target, 50, [0, 1, 4, 5]),
    "digits": subset(digits.data, (digits.target % 2).astype(int), 60, [10, 20, 29, 43, 51]),
    "moons": tuple(v.round(3) if i == 0 else v for i, v in enumerate(datasets.make_moons(50, noise=.4, random_state=1))),
    "made": tuple(v.round(3) if i == 0 else v for i, v in enumerate(datasets.make_classification(50, 6, flip_y=.2, random_state=2))),
}


def sgd(X, y, **kw):
    """The model, and whether every pass changed something: ours stops when none does."""
    kw = dict({"loss": "perceptron", "penalty": None, "learning_rate": "constant", "eta0": 1., "shuffle": False, "tol": None, "max_iter": EPOCHS}, **kw)
    m = SGDClassifier(**kw).fit(X, y)
    return {"w": m.coef_[0].tolist(), "b": float(m.intercept_[0])}


def additive(X, y, step, mistake, epochs=EPOCHS, w=None):
    """w <- w + tau y x, with the bias as a constant feature; gives the weights after each example."""
    X, s = np.c_[X, np.ones(len(X))], 2 * y - 1
    w, path, mistakes = np.zeros(X.shape[1]) if w is None else np.array(w, float), [], []
    for _ in range(epochs):
        wrong = 0
        for x, t in zip(X, s):
            wrong += mistake(t, w @ x)
            w = w + step(t, w @ x, x @ x) * t * x
            path.append(w)
        mistakes.append(int(wrong))
    return np.array(path), mistakes


def aggressive(t, v, q):
    return (1 - t * v) / q if t * v <= 1 else 0.


def voted(X, y, epochs=EPOCHS):
    """Freund & Schapire 1999, figure 1, with a constant feature."""
    X, s = np.c_[X, np.ones(len(X))], 2 * y - 1
    v, c, rules = np.zeros(X.shape[1]), 0, []
    for _ in range(epochs):
        for x, t in zip(X, s):
            if t * (v @ x) > 0:
                c += 1
            else:
                rules.append((v, c))
                v, c = v + t * x, 1
    return rules + [(v, c)]


two = []
for name, (X, y) in binary.items():
    e = {"name": name, "x": X.tolist(), "y": y.tolist()}
    m = Perceptron(shuffle=False, tol=None, max_iter=EPOCHS).fit(X, y)
    e["perceptron"] = {"w": m.coef_[0].tolist(), "b": float(m.intercept_[0]), "pred": m.predict(X).tolist(), "score": m.decision_function(X).tolist()}
    e["rate"] = sgd(X, y, eta0=.3)
    e["through0"] = sgd(X, y, fit_intercept=False)
    e["averaged"] = sgd(X, y, average=True)
    e["margin"] = sgd(X, y, loss="hinge")  # the hinge without a penalty: the perceptron with margin 1
    # The bias is part of the norm: scikit-learn leaves it out, so it gets a constant column.
    one = np.c_[X, np.ones(len(X))]
    for key, kind, c in [("pa1", "pa1", 1.), ("pa1Small", "pa1", .05), ("pa2", "pa2", .5)]:
        m = sgd(one, y, loss="hinge", learning_rate=kind, eta0=c, fit_intercept=False)
        e[key] = {"w": m["w"][:-1], "b": m["w"][-1]}
    e["paAveraged"] = sgd(X, y, loss="hinge", learning_rate="pa1", eta0=.1, fit_intercept=False, average=True)
    path, mistakes = additive(X, y, aggressive, lambda t, v: t * v <= 0)
    e["aggressive"] = {"w": path[-1][:-1].tolist(), "b": path[-1][-1], "mistakes": mistakes}
    start = rng.normal(size=X.shape[1] + 1).round(2)
    path, mistakes = additive(X, y, lambda t, v, q: .5 * (t * v <= 0), lambda t, v: t * v <= 0, w=start)
    e["start"] = {"from": start.tolist(), "w": path[-1][:-1].tolist(), "b": path[-1][-1], "mistakes": mistakes,
                  "mean": path.mean(axis=0).tolist()}
    path, mistakes = additive(X, y, lambda t, v, q: .2 * ((v > 0) != (t > 0)), lambda t, v: (v > 0) != (t > 0))
    e["threshold"] = {"w": path[-1][:-1].tolist(), "b": path[-1][-1], "mistakes": mistakes}
    rules, q = voted(X, y), np.c_[X, np.ones(len(X))]
    n = sum(c for _, c in rules)
    e["voted"] = {"counts": [c for _, c in rules], "votes": (sum(c * np.sign(q @ v) for v, c in rules) / n).tolist(),
                  "scores": (sum(c * (q @ v) for v, c in rules) / n).tolist()}
    # Calibration of the averaged perceptron's scores, blurred so that some are wrong.
    s = (X @ e["averaged"]["w"] + e["averaged"]["b"] + rng.normal(scale=3, size=len(y))).round(4)
    p = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-12, solver="newton-cg", max_iter=1000).fit(s[:, None], y)
    e["sigmoid"] = {"a": float(p.coef_[0, 0]), "score": s.tolist(), "p": p.predict_proba(s[:, None])[:, 1].tolist()}
    prob = rng.random(len(y)).round(4)
    true, predicted = calibration_curve(y, prob, n_bins=6)
    e["reliability"] = {"p": prob.tolist(), "true": true.tolist(), "predicted": predicted.tolist()}
    two.append(e)


def multiclass(X, y, tau, epochs=EPOCHS):
    """Crammer & Singer 2003, with the most violated class as the only rival."""
    X = np.c_[X, np.ones(len(X))]
    W, path = np.zeros((y.max() + 1, X.shape[1])), []
    for _ in range(epochs):
        for x, k in zip(X, y):
            s = W @ x
            rival = int(np.argmax(np.where(np.arange(len(s)) == k, -np.inf, s)))
            t = tau(s[k] - s[rival], x @ x)
            W = W.copy()
            W[k] += t * x
            W[rival] -= t * x
            path.append(W)
    return path


many = []
for name, (X, y) in {
    "iris": subset(iris.data, iris.target, 60, [0, 1, 2]), "wine": subset(wine.data, wine.target, 60, [0, 1, 2]),
    "digits": subset(digits.data, digits.target, 80, [10, 20, 29, 43, 51]),
    "blobs": tuple(v.round(3) if i == 0 else v for i, v in enumerate(datasets.make_blobs(50, 2, centers=4, random_state=1))),
    "made": tuple(v.round(3) if i == 0 else v for i, v in enumerate(datasets.make_classification(50, 6, n_informative=4, n_classes=3, random_state=2))),
}.items():
    e = {"name": name, "x": X.tolist(), "y": y.tolist()}
    for key, tau in [("perceptron", lambda gap, q: float(gap <= 0)), ("margin", lambda gap, q: float(gap <= .5)),
                     ("aggressive", lambda gap, q: min(.3, (1 - gap) / (2 * q)) if gap < 1 else 0.)]:
        path = multiclass(X, y, tau)
        e[key] = {"w": path[-1].tolist(), "mean": np.mean(path, axis=0).tolist()}
    many.append(e)


def winnow(X, y, alpha, theta, balanced=False, eliminate=False, margin=0., epochs=EPOCHS):
    """Littlestone 1988: Winnow2, Winnow1 with eliminate, and the balanced form."""
    s = 2 * y - 1
    up, down, path, mistakes = np.ones(X.shape[1]), np.ones(X.shape[1]) * balanced, [], []
    for _ in range(epochs):
        wrong = 0
        for x, t in zip(X, s):
            v = (up - down) @ x - theta
            miss = (v >= 0) != (t > 0)
            wrong += miss
            if miss or (margin > 0 and t * v <= margin):
                f = alpha ** (t * x)
                up = up * np.where((x > 0) & eliminate & (t < 0), 0, f)
                down = down / f
            path.append(up - down)
        mistakes.append(int(wrong))
    return {"w": path[-1].tolist(), "mean": np.mean(path, axis=0).tolist(), "mistakes": mistakes}


boolean = []
bits = (digits.data[:70, [10, 20, 29, 36, 43, 51]] > 7).astype(float)
for name, X, y in [
    ("digits", bits, (digits.target[:70] > 4).astype(int)),
    ("disjunction", *(lambda X: (X, X[:, [0, 3]].max(axis=1).astype(int)))((rng.random((60, 12)) < .2).astype(float))),
    ("conjunction", *(lambda X: (X, X[:, [1, 2]].min(axis=1).astype(int)))((rng.random((60, 8)) < .5).astype(float))),
    ("negated", *(lambda X: (X, (X[:, 0] > X[:, 1]).astype(int)))((rng.random((60, 8)) < .5).astype(float))),
    ("noise", (rng.random((60, 7)) < .4).astype(float), rng.integers(0, 2, 60)),
    ("real", *(lambda X: (X, (X[:, 0] + X[:, 1] > 1).astype(int)))(rng.random((50, 5)).round(3))),
]:
    n = X.shape[1]
    boolean.append({"name": name, "x": X.tolist(), "y": y.tolist(), "plain": winnow(X, y, 2, n), "mild": winnow(X, y, 1.3, .4 * n),
                    "eliminate": winnow(X, y, 2, n, eliminate=True), "balanced": winnow(X, y, 1.5, 1, balanced=True), "margin": winnow(X, y, 1.4, n, margin=.5)})

# Weighted majority (Littlestone & Warmuth 1994) over single features and their negations as experts.
for e in boolean:
    X, s = np.array(e["x"]), 2 * np.array(e["y"]) - 1
    w, mistakes, expert = np.ones(2 * X.shape[1]), 0, np.c_[np.where(X > .5, 1, -1), np.where(X > .5, -1, 1)]
    for v, t in zip(expert, s):
        mistakes += (1 if w @ v > 0 else -1) != t
        w = np.where(v != t, w * .75, w)  # sums of such weights are exact, so that ties are ties
    e["majority"] = {"w": w.tolist(), "mistakes": int(mistakes)}
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps({"two": two, "many": many, "boolean": boolean}))
print(path.stat().st_size, "bytes")
