"""Decision and regression trees of scikit-learn 1.9.1 on the classic data sets, tables of counts by SciPy 1.17.1.

Writes tree.json beside this file. Equal best splits are broken at random by
scikit-learn, so that below a tie two correct trees differ; the quantities kept
are those of the first levels, and of the pruning path, where none occurs.
"""
import json, os
import numpy as np
import scipy.stats
import sklearn
from sklearn.datasets import load_iris, load_wine, load_breast_cancer, load_digits, load_diabetes
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import mutual_info_score
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

assert sklearn.__version__ == "1.9.1"


def importances(make, m, x, y):
    """Empty when another seed breaks a tie between features in another way."""
    for seed in range(1, 12):
        if not np.allclose(make(seed).fit(x, y).feature_importances_, m.feature_importances_):
            return []
    return [float(v) for v in m.feature_importances_]


def summary(m, make, x, y):
    t = m.tree_
    leaf = t.children_left == -1
    w = t.weighted_n_node_samples
    return {
        "leaves": int(leaf.sum()),
        "depth": int(t.max_depth),
        "impurity": float((w * t.impurity)[leaf].sum() / w[0]),
        "root_impurity": float(t.impurity[0]),
        "importances": importances(make, m, x, y),
    }


sets = {"Iris": load_iris(), "Wine": load_wine(), "BreastCancer": load_breast_cancer(), "Digits": load_digits()}
dia = load_diabetes(scaled=False)
out = {"classification": [], "regression": [], "paths": []}
for name in list(sets) + ["Diabetes"]:
    x, y = (sets[name].data, sets[name].target) if name != "Diabetes" else (dia.data, (dia.target > 140).astype(int))
    for criterion in ("entropy", "gini"):
        for depth in (1, 2, 3, 4):
            m = DecisionTreeClassifier(criterion=criterion, max_depth=depth, random_state=0).fit(x, y)
            same = True
            for seed in range(1, 8):  # trees of other seeds differ where there are ties
                o = DecisionTreeClassifier(criterion=criterion, max_depth=depth, random_state=seed).fit(x, y)
                same = same and np.array_equal(o.predict_proba(x), m.predict_proba(x))
            s = summary(m, lambda seed: DecisionTreeClassifier(criterion=criterion, max_depth=depth, random_state=seed), x, y)
            s.update(data=name, criterion=criterion, max_depth=depth, unique=bool(same),
                     min_leaf=1, max_leaves=0, predict="".join(map(str, m.predict(x))) if same else "",
                     proba_sum_sq=float((m.predict_proba(x) ** 2).sum()))
            out["classification"].append(s)
    for kw in (dict(min_samples_leaf=10), dict(max_leaf_nodes=6)):
        m = DecisionTreeClassifier(random_state=0, max_depth=kw.get("min_samples_leaf") and 3, **kw).fit(x, y)
        same = all(np.array_equal(DecisionTreeClassifier(random_state=s, max_depth=kw.get("min_samples_leaf") and 3, **kw).fit(x, y).predict_proba(x), m.predict_proba(x)) for s in range(1, 8))
        s = summary(m, lambda seed: DecisionTreeClassifier(random_state=seed, max_depth=m.max_depth, **kw), x, y)
        s.update(data=name, criterion="gini", max_depth=m.max_depth or 0, unique=bool(same),
                 min_leaf=kw.get("min_samples_leaf", 1), max_leaves=kw.get("max_leaf_nodes", 0),
                 predict="".join(map(str, m.predict(x))) if same else "",
                 proba_sum_sq=float((m.predict_proba(x) ** 2).sum()))
        out["classification"].append(s)
    p = DecisionTreeClassifier(random_state=0, max_depth=3).fit(x, y).cost_complexity_pruning_path(x, y)
    ps = [DecisionTreeClassifier(random_state=s, max_depth=3).fit(x, y).cost_complexity_pruning_path(x, y) for s in range(1, 5)]
    out["paths"].append({"data": name, "max_depth": 3, "alphas": p.ccp_alphas.tolist(), "impurities": p.impurities.tolist(),
                         "unique": all(len(q.ccp_alphas) == len(p.ccp_alphas) and np.allclose(q.ccp_alphas, p.ccp_alphas) for q in ps)})

targets = {"Diabetes": (dia.data, dia.target)}
for name, col in (("Iris", 3), ("Wine", 0), ("BreastCancer", 0), ("Digits", 20)):
    x = sets[name].data
    targets[name] = (np.delete(x, col, axis=1), x[:, col])
for name, (x, y) in targets.items():
    for depth in (1, 2, 3, 4):
        m = DecisionTreeRegressor(max_depth=depth, random_state=0).fit(x, y)
        same = all(np.allclose(DecisionTreeRegressor(max_depth=depth, random_state=s).fit(x, y).predict(x), m.predict(x)) for s in range(1, 8))
        s = summary(m, lambda seed: DecisionTreeRegressor(max_depth=depth, random_state=seed), x, y)
        s.update(data=name, max_depth=depth, unique=bool(same), predict=[float(v) for v in m.predict(x[:20])] if same else [])
        out["regression"].append(s)

# With a weight for every example, and pruned by cost and complexity.
rng = np.random.default_rng(5)
out["weighted"], out["stumps"], out["questions"] = [], [], []
for name in list(sets) + ["Diabetes"]:
    x, y = (sets[name].data, sets[name].target) if name != "Diabetes" else (dia.data, (dia.target > 140).astype(int))
    w = (np.arange(len(y)) * 7 % 10 + 1) / 4  # the Go test makes the same weights
    tx, ty = targets[name]
    forms = [(DecisionTreeClassifier, x, y, dict(max_depth=3, criterion="entropy"), "entropy"), (DecisionTreeClassifier, x, y, dict(max_depth=3), "gini"),
             (DecisionTreeClassifier, x, y, dict(max_depth=5, ccp_alpha=.02), "pruned"), (DecisionTreeRegressor, tx, ty, dict(max_depth=3), "regression"),
             (DecisionTreeRegressor, tx, ty, dict(max_depth=3, min_samples_leaf=12), "large leaves"), (DecisionTreeRegressor, tx, ty, dict(max_leaf_nodes=5), "few leaves"),
             (DecisionTreeClassifier, x, y, dict(min_samples_split=len(y) // 3), "large nodes"), (DecisionTreeRegressor, tx, ty, dict(min_samples_split=len(y) // 3), "large nodes of numbers")]
    for kind, a, b, kw, form in forms:
        sw = w if form in ("entropy", "gini", "pruned", "regression") else None
        fits = [kind(random_state=seed, **kw).fit(a, b, sample_weight=sw) for seed in range(8)]
        value = (lambda m: m.predict_proba(a)) if kind is DecisionTreeClassifier else (lambda m: m.predict(a))
        s = summary(fits[0], lambda seed: kind(random_state=seed, **kw), a, b)
        s.update(data=name, form=form, unique=bool(all(np.allclose(value(f), value(fits[0])) for f in fits)), importances=[],
                 predict=[float(v) for v in fits[0].predict(a[:25])])
        out["weighted"].append(s)
    # One question: by the criteria of scikit-learn, and by the error over every cut of every column, restated.
    w = rng.uniform(.1, 2, len(y)).round(2) if name != "Digits" else np.ones(len(y))
    stump = {"data": name, "weights": w.tolist() if name != "Digits" else [], "gains": {}}
    for criterion in ("entropy", "gini"):
        m = DecisionTreeClassifier(criterion=criterion, max_depth=1, random_state=0).fit(x, y, sample_weight=w)
        t = m.tree_
        children = (t.weighted_n_node_samples[1:] * t.impurity[1:]).sum() / t.weighted_n_node_samples[0]
        stump["gains"][criterion] = float(t.impurity[0] - children)
    best, k = 1., np.eye(y.max() + 1)[y] * w[:, None]
    for j in range(x.shape[1]):
        order = np.argsort(x[:, j], kind="stable")
        left = np.cumsum(k[order], axis=0)[:-1]
        cut = np.diff(x[order, j]) > 0
        if cut.any():
            best = min(best, float(1 - ((left.max(axis=1) + (k.sum(axis=0) - left).max(axis=1)) / w.sum())[cut].max()))
    stump["error"] = best
    prior = DummyClassifier(strategy="prior").fit(x, y, sample_weight=w)
    stump["prior"] = prior.predict_proba(x[:1])[0].tolist()
    stump["majority"] = int(prior.predict(x[:1])[0])
    stump["mean"] = float(np.ravel(DummyRegressor().fit(tx, ty, sample_weight=w).constant_)[0])
    out["stumps"].append(stump)
    # The best question about each column alone, and columns cut in four as nominal ones.
    gains, ginis, nominal = [], [], []
    for j in range(min(x.shape[1], 30)):
        for criterion, dst in (("entropy", gains), ("gini", ginis)):
            t = DecisionTreeClassifier(criterion=criterion, max_depth=1, random_state=0).fit(x[:, [j]], y).tree_
            dst.append(0. if t.node_count == 1 else float(t.impurity[0] - (t.n_node_samples[1:] * t.impurity[1:]).sum() / len(y)))
        lo, hi = x[:, j].min(), x[:, j].max()
        level = np.minimum(np.floor((x[:, j] - lo) * 4 / max(hi - lo, 1e-300)), 3)
        nominal.append([float(mutual_info_score(y, level) / np.log(2)), float(scipy.stats.entropy(np.unique(level, return_counts=True)[1], base=2))])
    out["questions"].append({"data": name, "gains": gains, "ginis": ginis, "nominal": nominal})

def gains(t):
    """What each question lowers the impurity of its own node by; 0 at a leaf."""
    w, i = t.weighted_n_node_samples, t.impurity
    children = np.where(t.children_left < 0, 0, (w[t.children_left] * i[t.children_left] + w[t.children_right] * i[t.children_right]) / w)
    return np.where(t.children_left < 0, 0, i - children)


def cut(t, least):
    """Leaves and their impurity when a question with a smaller gain is not asked, nor those below it."""
    leaves, impurity, stack, g = 0, 0., [0], gains(t)
    while stack:
        n = stack.pop()
        if t.children_left[n] < 0 or g[n] < least:
            leaves, impurity = leaves + 1, impurity + t.weighted_n_node_samples[n] / t.weighted_n_node_samples[0] * t.impurity[n]
        else:
            stack += [t.children_left[n], t.children_right[n]]
    return leaves, float(impurity)


# The least gain of a question. min_impurity_decrease is that times the node's share of the examples: at the root the same.
out["min_gain"] = []
for name in list(sets) + ["Diabetes"]:
    x, y = (sets[name].data, sets[name].target) if name != "Diabetes" else (dia.data, (dia.target > 140).astype(int))
    tx, ty = targets[name]
    for kind, a, b, kw in ((DecisionTreeClassifier, x, y, dict(criterion="entropy")), (DecisionTreeClassifier, x, y, dict(criterion="gini")), (DecisionTreeRegressor, tx, ty, {})):
        trees = [kind(max_depth=4, random_state=seed, **kw).fit(a, b).tree_ for seed in range(8)]
        asked = np.unique(gains(trees[0])[trees[0].children_left >= 0].round(12))
        for k in (len(asked) // 3, 2 * len(asked) // 3):
            least = float((asked[k - 1] + asked[k]) / 2)
            leaves, impurity = cut(trees[0], least)
            out["min_gain"].append({"data": name, "criterion": kw.get("criterion", ""), "least": least, "leaves": leaves, "impurity": impurity,
                                    "unique": bool(all(np.allclose(cut(t, least), (leaves, impurity)) for t in trees))})
        root = float(gains(trees[0])[0])
        for least in (root * (1 - 1e-6), root * (1 + 1e-6)):
            t = kind(max_depth=1, min_impurity_decrease=least, random_state=0, **kw).fit(a, b).tree_
            out["min_gain"].append({"data": name, "criterion": kw.get("criterion", ""), "least": least, "leaves": int(t.n_leaves), "max_depth": 1,
                                    "impurity": cut(t, 0)[1], "unique": True})
out["tables"] = []
for name, t in [("coins", [[1, 0], [1, 2]]), ("play", [[1, 4], [2, 1]]), ("three", [[5, 2, 3], [1, 7, 2]]), ("many", rng.integers(1, 30, (4, 3)).tolist()), ("large", [[900, 100], [850, 150]])]:
    chi = scipy.stats.chi2_contingency(t, correction=False)
    c = np.sum(t, axis=0)
    out["tables"].append({"data": name, "counts": t, "chi2": float(chi.statistic), "p": float(chi.pvalue), "entropy": float(scipy.stats.entropy(c, base=2)),
                          "gini": float(1 - ((c / c.sum()) ** 2).sum()), "error": float(1 - c.max() / c.sum())})
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tree.json")
with open(path, "w") as f:
    json.dump(out, f)
print(os.path.getsize(path), sum(s["unique"] for s in out["classification"]), len(out["classification"]),
      sum(s["unique"] for s in out["regression"]), len(out["regression"]), [p["unique"] for p in out["paths"]])
