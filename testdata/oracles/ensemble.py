"""Ensembles by scikit-learn, on the bootstrap samples that the library draws; writes ensemble.json beside this file.

scikit-learn 1.9.1. Run: python testdata/oracles/ensemble.py

Questions of equal gain are broken by seed in scikit-learn, so only fits are kept whose predictions do not depend on it.
"""
import json
import pathlib

import numpy as np
import sklearn
from sklearn import datasets, ensemble
from sklearn.dummy import DummyClassifier
from sklearn.metrics import ndcg_score, r2_score
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from gorand import Rand

assert sklearn.__version__ == "1.9.1"
rng = np.random.default_rng(5)
KEPT = 30  # rows of which scores and probabilities are written


def jittered(X, y, n=80, cols=None):
    """Some rows and columns, with a little noise that makes all values of a column different."""
    keep = rng.choice(len(y), min(n, len(y)), replace=False)
    X = X[keep][:, cols if cols is not None else range(X.shape[1])]
    return (X + rng.normal(scale=.01 * X.std(0), size=X.shape)).round(4), y[keep]


iris, wine, cancer, digits = datasets.load_iris(), datasets.load_wine(), datasets.load_breast_cancer(), datasets.load_digits()
xor = rng.normal(size=(80, 3))
skewed = datasets.make_classification(90, 4, weights=[.75], flip_y=.2, random_state=6)
two = {
    "virginica": jittered(iris.data[50:], (iris.target[50:] == 2).astype(int), cols=[0, 1, 3]),
    "cancer": jittered(cancer.data, cancer.target, cols=[0, 1, 4, 8]),
    "odd digits": jittered(digits.data, digits.target % 2, cols=[10, 20, 29, 43, 51]),
    "moons": jittered(*datasets.make_moons(80, noise=.35, random_state=1)),
    "xor": (xor.round(4), ((xor[:, 0] > 0) ^ (xor[:, 1] > 0) ^ (rng.random(80) < .1)).astype(int)),
    "imbalanced": jittered(*skewed),
}
many = {
    "iris": jittered(iris.data, iris.target, cols=[0, 1, 2]),
    "wine": jittered(wine.data, wine.target, cols=[1, 2, 3, 4]),
    "digits": jittered(digits.data[digits.target < 4], digits.target[digits.target < 4], cols=[10, 20, 29, 36, 43]),
    "made": jittered(*datasets.make_classification(80, 4, n_informative=3, n_redundant=0, n_classes=3, n_clusters_per_class=1, flip_y=.2, random_state=5)),
    "blobs": jittered(*datasets.make_blobs(80, 3, centers=4, cluster_std=5., random_state=1)),
}
diabetes = datasets.load_diabetes()
real = {"diabetes": jittered(diabetes.data * 20, diabetes.target / 50, 90, [2, 3, 8, 9])}
for i in range(3):
    real[f"friedman{i + 1}"] = jittered(*[lambda **k: datasets.make_friedman1(n_features=5, **k), datasets.make_friedman2, datasets.make_friedman3][i](n_samples=80, noise=.3, random_state=i))
X, y = datasets.make_regression(80, 4, noise=20., random_state=8)
real["outliers"] = (X.round(4), (y + np.where(np.random.default_rng(8).random(80) < .08, 500., 0)).round(3))


def unique(name, what, result):
    """What result(seed) gives, which must not depend on the seed."""
    first = result(0)
    for seed in range(1, 6):
        for a, b in zip(first, result(seed)):
            assert np.allclose(a, b, rtol=1e-9, atol=1e-9), f"{name}: {what} depends on the seed"
    return first


def longest(name, what, rounds, result):
    """The most rounds, from the given number down to 1, for which result(rounds, seed) does not depend on the seed."""
    for n in range(rounds, 0, -1):
        try:
            return n, unique(name, what, lambda seed: result(n, seed))
        except AssertionError:
            continue
    raise AssertionError(f"{name}: {what} depends on the seed from the beginning")


def search(name, what, result):
    """The first of the library's seeds for which result(draws, seed) does not depend on scikit-learn's."""
    for draws in range(1, 60):
        try:
            return draws, unique(name, what, lambda seed: result(draws, seed))
        except AssertionError:
            continue
    raise AssertionError(f"{name}: {what} depends on the seed for all draws")


def tree(depth, seed, criterion="gini"):
    return DecisionTreeClassifier(max_depth=depth, criterion=criterion, random_state=seed)


# --- boosting by weights


def m1(X, y, depth, w, rounds, seed):
    """AdaBoost.M1 of Freund & Schapire 1996, figure 1."""
    p, says, errs, votes = w / w.sum(), [], [], np.zeros((len(y), y.max() + 1))
    for _ in range(rounds):
        h = tree(depth, seed).fit(X, y, sample_weight=p).predict(X)
        eps = p[h != y].sum()
        assert 1e-9 < eps < .5
        beta = eps / (1 - eps)
        p = np.where(h == y, p * beta, p)
        p /= p.sum()
        says.append(np.log(1 / beta))
        errs.append(eps)
        votes[np.arange(len(y)), h] += says[-1]
    return [np.array(says), np.array(errs), votes]


def boosted(name, X, y, depth, weights, rounds=10):
    def fit(rounds, seed):
        m = ensemble.AdaBoostClassifier(tree(depth, seed), n_estimators=rounds, random_state=seed).fit(X, y, sample_weight=weights)
        staged = [np.mean(p != y) for p in m.staged_predict(X)]
        return [m.estimator_weights_[:len(m.estimators_)], m.estimator_errors_[:len(m.estimators_)], np.array(staged), m.decision_function(X)]
    rounds, (says, errs, staged, score) = longest(name, f"boosting at depth {depth}", rounds, fit)
    assert errs.min() > 1e-9, f"{name}: a member without mistakes ends boosting in scikit-learn with another say"
    return {"rounds": rounds, "say": says.tolist(), "error": errs.tolist(), "staged": staged.tolist(), "score": score[:KEPT].round(11).tolist()}


def bootstrap(n, index, seed, m):
    g = Rand(seed, m)
    while True:
        rows = [g.intn(n) for _ in range(n)]
        if index is None or len(set(index[rows])) > 1:
            return np.array(rows)


def bagged(X, y, members, seed, make, weights=None):
    """Bagging on the library's samples: the votes or means, and those out of the bag."""
    classify = isinstance(make(0), DecisionTreeClassifier)
    width = y.max() + 1 if classify else 1
    total, hard, out, outHard = (np.zeros((len(y), width)) for _ in range(4))
    count = np.zeros(len(y))
    for m in range(members):
        rows = bootstrap(len(y), y if classify else None, seed, m)
        w = np.bincount(rows, minlength=len(y)).astype(float)
        t = make(m).fit(X, y, sample_weight=w)
        p = np.zeros((len(y), width))
        if classify:
            p[:, t.classes_] = t.predict_proba(X)
        else:
            p[:, 0] = t.predict(X)
        vote = np.zeros_like(p)
        vote[np.arange(len(y)), p.argmax(1)] = 1
        total, hard = total + p / members, hard + vote / members
        out[w == 0] += p[w == 0]
        outHard[w == 0] += vote[w == 0]
        count += w == 0
    seen = count > 0
    if classify:
        return [total, hard, np.mean(out[seen].argmax(1) == y[seen]), np.mean(outHard[seen].argmax(1) == y[seen])]
    return [total[:, 0], r2_score(y[seen], out[seen, 0] / count[seen])]


def spread(values):
    return {"mean": float(np.mean(values)), "sd": float(np.std(values, ddof=1))}


def forests(X, y, make, score, seeds=12):
    """How well forests with random features do on the odd rows, and out of the bag, over seeds."""
    test, oob, imp = [], [], []
    for s in range(seeds):
        m = make(s).fit(X[::2], y[::2])
        test.append(score(m, X[1::2], y[1::2]))
        oob.append(m.oob_score_)
        imp.append(m.feature_importances_)
    return {"test": spread(test), "oob": spread(oob), "importances": np.mean(imp, 0).tolist(), "deviation": np.std(imp, 0, ddof=1).tolist()}


out = {"two": [], "many": [], "real": [], "ndcg": [], "ranking": []}
for name, (X, y) in {**two, **many}.items():
    w = rng.uniform(.2, 2, len(y)).round(3)
    e = {"name": name, "x": X.tolist(), "y": y.tolist(), "weights": w.tolist()}
    if name in two:
        e["stumps"], e["depth2"], e["weighted"] = boosted(name, X, y, 1, None), boosted(name, X, y, 2, None, 6), boosted(name, X, y, 1, w)
    else:
        e["samme"], e["weighted"] = boosted(name, X, y, 2, w, 8), boosted(name, X, y, 1, w, 8)
        rounds, (says, errs, votes) = longest(name, "M1", 8, lambda rounds, seed: m1(X, y, 2, w, rounds, seed))
        e["m1"] = {"rounds": rounds, "say": says.tolist(), "error": errs.tolist(), "votes": votes[:KEPT].round(11).tolist()}
    draws, (soft, hard, oob, oobHard) = search(name, "bagging", lambda draws, seed: bagged(X, y, 8, draws, lambda m: DecisionTreeClassifier(
        max_depth=2, min_samples_leaf=1, criterion="entropy", random_state=seed)))
    e["bagged"] = {"seed": draws, "soft": soft[:KEPT].round(11).tolist(), "hard": hard[:KEPT].round(11).tolist(), "oob": oob, "oobHard": oobHard}
    e["forest"] = forests(X, y, lambda s: ensemble.RandomForestClassifier(100, oob_score=True, criterion="entropy", random_state=s), lambda m, X, y: m.score(X, y))

    def boostedTrees(rounds, seed, **kw):
        m = ensemble.GradientBoostingClassifier(random_state=seed, n_estimators=rounds, max_depth=2, **kw).fit(X, y)
        return [m.predict_proba(X), m.train_score_]
    half = 2 if name in two else 1  # scikit-learn traces twice the divergence of two classes
    start = DummyClassifier(strategy="prior").fit(X, y).predict_proba(X)[np.arange(len(y)), y]
    for key, rate, leaves in [("gradient", .1, [1, 2, 3, 4, 5]), ("fast", .5, [5, 3, 4, 6, 7, 8, 2, 1])]:
        for leaf in leaves:
            try:
                rounds, (p, loss) = longest(name, "gradient boosting", 12, lambda rounds, seed: boostedTrees(rounds, seed, learning_rate=rate, min_samples_leaf=leaf))
                break
            except AssertionError:
                continue
        else:
            raise AssertionError(f"{name}: gradient boosting depends on the seed")
        e[key] = {"rounds": rounds, "minLeaf": leaf, "proba": p[:KEPT].round(11).tolist(), "loss": [-np.log(start).mean(), *(loss / half)]}
    out["two" if name in two else "many"].append(e)

# --- regression

# Both weigh the residuals of a leaf alike, so that the median of an even number may be any value between the middle
# two: scikit-learn takes the lower, the library their mean, as NumPy does.
for module in (sklearn._loss.loss, sklearn.ensemble._gb):
    module._weighted_percentile = lambda array, sample_weight, percentile_rank=50, **_: np.percentile(array, percentile_rank)


def stochastic(X, y, seed, draws, trees=10, share=.6):
    """Friedman 2002 with the squared loss: each tree sees a sample alone."""
    f, losses = np.full(len(y), y.mean()), []
    for m in range(trees):
        rows = np.sort(Rand(draws, m).perm(len(y))[:int(share * len(y))])
        f = f + .1 * DecisionTreeRegressor(max_depth=2, random_state=seed).fit(X[rows], (y - f)[rows]).predict(X)
        losses.append(np.mean((y - f) ** 2) / 2)
    return [f, np.array(losses)]


for name, (X, y) in real.items():
    e = {"name": name, "x": X.tolist(), "y": y.tolist()}
    for key, kw in [("squared", {}), ("fast", {"learning_rate": 1., "max_depth": 3}),
                    ("absolute", {"loss": "absolute_error", "learning_rate": .3}),
                    ("huber", {"loss": "huber", "alpha": .8, "learning_rate": .3})]:
        def fit(rounds, seed):
            m = ensemble.GradientBoostingRegressor(random_state=seed, n_estimators=rounds, **dict({"max_depth": 2, "min_samples_leaf": leaf}, **kw)).fit(X, y)
            return [m.predict(X), m.train_score_]
        for leaf in [1, *range(3, 12)]:  # residuals that are all 1 or -1 make for ties
            try:
                # Ties between thresholds of one column do not depend on the seed; they become likely with signs for targets.
                rounds, (pred, loss) = longest(name, key, 4 if key == "absolute" else 15, fit)
                break
            except AssertionError:
                continue
        else:
            raise AssertionError(f"{name}: {key} depends on the seed")
        # scikit-learn traces twice the loss for the squared error
        e[key] = {"rounds": rounds, "minLeaf": leaf, "pred": pred.tolist(), "loss": (loss / (2 if key in ("squared", "fast") else 1)).tolist()}
    draws, (pred, loss) = search(name, "stochastic boosting", lambda draws, seed: stochastic(X, y, seed, draws))
    e["stochastic"] = {"seed": draws, "pred": pred.tolist(), "loss": loss.tolist()}
    draws, (mean, oob) = search(name, "bagging", lambda draws, seed: bagged(X, y, 12, draws, lambda m: DecisionTreeRegressor(max_depth=3, min_weight_fraction_leaf=4.5 / len(y), random_state=seed)))
    e["bagged"] = {"seed": draws, "soft": mean.tolist(), "oob": oob}
    e["forest"] = forests(X, y, lambda s: ensemble.RandomForestRegressor(100, oob_score=True, max_features=2, min_samples_leaf=3, random_state=s), lambda m, X, y: m.score(X, y))
    out["real"].append(e)

# --- ranking


def lambdamart(X, rel, query, pairwise, at, trees, seed, depth=2):
    """Burges 2010, section 7: gradients of pairs, one Newton step a leaf."""
    s, rate, path = np.zeros(len(rel)), .1, []

    def dcg(order, r):
        return sum((2. ** r[i] - 1) / np.log2(k + 2) for k, i in enumerate(order) if not at or k < at)

    for _ in range(trees):
        g, h = np.zeros(len(rel)), np.zeros(len(rel))
        for q in np.unique(query):
            rows = np.flatnonzero(query == q)
            order = rows[np.argsort(-s[rows], kind="stable")]
            place = {i: k for k, i in enumerate(order)}
            ideal = dcg(rows[np.argsort(-rel[rows], kind="stable")], rel)
            for u in rows:
                for v in rows:
                    if rel[u] > rel[v]:
                        w = 1.
                        if not pairwise:
                            disc = [1 / np.log2(place[i] + 2) if not at or place[i] < at else 0. for i in (u, v)]
                            w = abs((2. ** rel[u] - 2. ** rel[v]) * (disc[0] - disc[1])) / ideal
                        rho = 1 / (1 + np.exp(s[u] - s[v]))
                        g[u] += w * rho
                        g[v] -= w * rho
                        h[u] += w * rho * (1 - rho)
                        h[v] += w * rho * (1 - rho)
        t = DecisionTreeRegressor(max_depth=depth, random_state=seed).fit(X, g)
        leaf = t.apply(X)
        for a in np.unique(leaf):
            own = leaf == a
            if h[own].sum() > 0:
                s[own] += rate * g[own].sum() / h[own].sum()
        # Documents with equal scores share their places; rounded, since scikit-learn asks for equality too.
        path.append(1 - np.mean([ndcg_score([2. ** rel[rows] - 1], [s[rows].round(9)], k=at or None)
                                 for q in np.unique(query) for rows in [np.flatnonzero(query == q)] if rel[rows].max() > 0]))
    return [s.copy(), np.array(path)]


for name, (X, y) in real.items():
    rel = np.searchsorted(np.quantile(y, [.4, .7, .9]), y).astype(float)
    query = (np.arange(len(y)) // 10).astype(int)
    e = {"name": name, "x": X.tolist(), "y": rel.tolist(), "query": query.tolist()}
    for key, kw in [("lambda", {"pairwise": False, "at": 0}), ("top", {"pairwise": False, "at": 4}), ("pairs", {"pairwise": True, "at": 0})]:
        rounds, (s, path) = longest(name, key, 6, lambda rounds, seed: lambdamart(X, rel, query, trees=rounds, seed=seed, **kw))
        e[key] = {"rounds": rounds, "pred": s.tolist(), "loss": path.tolist()}
    s = y.round(1)
    e["ndcg"] = {"score": s.tolist(), "all": ndcg_score([2. ** rel - 1], [X[:, 0]]), "at3": ndcg_score([2. ** rel - 1], [X[:, 0]], k=3)}
    out["ranking"].append(e)
del out["ndcg"]
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(out))
print(path.stat().st_size, "bytes")
