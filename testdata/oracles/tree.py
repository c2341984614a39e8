"""Decision and regression trees of scikit-learn 1.9.1 on the classic data sets.

Writes tree.json beside this file. Equal best splits are broken at random by
scikit-learn, so that below a tie two correct trees differ; the quantities kept
are those of the first levels, and of the pruning path, where none occurs.
"""
import json, os
import numpy as np
import sklearn
from sklearn.datasets import load_iris, load_wine, load_breast_cancer, load_digits, load_diabetes
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
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tree.json")
with open(path, "w") as f:
    json.dump(out, f)
print(os.path.getsize(path), sum(s["unique"] for s in out["classification"]), len(out["classification"]),
      sum(s["unique"] for s in out["regression"]), len(out["regression"]), [p["unique"] for p in out["paths"]])
