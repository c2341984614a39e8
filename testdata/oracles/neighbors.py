"""Nearest neighbors of scikit-learn 1.9.1, trained on the even rows of the classic data sets and asked about the odd
ones; local regression, editing and condensing restated in NumPy on the orders that the library draws. Writes
neighbors.json beside this file. Run: python testdata/oracles/neighbors.py
"""
import json, os
import numpy as np
import sklearn
from sklearn.datasets import load_iris, load_wine, load_breast_cancer, load_digits, load_diabetes
from sklearn.cluster import KMeans
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import KDTree, KNeighborsClassifier, KNeighborsRegressor, NearestCentroid

from gorand import Rand

assert sklearn.__version__ == "1.9.1"
dia = load_diabetes(scaled=False)
sets = {"Iris": load_iris(), "Wine": load_wine(), "BreastCancer": load_breast_cancer(), "Digits": load_digits()}
data = {k: (v.data, v.target) for k, v in sets.items()}
data["Diabetes"] = (dia.data, (dia.target > 140).astype(int))
classifiers = []
for name, (x, y) in data.items():
    for k in (1, 4, 15):
        for metric, p in (("euclidean", 2), ("manhattan", 1), ("chebyshev", 2), ("minkowski", 3)):
            for weights in ("uniform", "distance"):
                if (metric != "euclidean" and k != 4):
                    continue
                m = KNeighborsClassifier(k, weights=weights, metric=metric, p=p, algorithm="brute").fit(x[::2], y[::2])
                q = x[1::2][:150]
                d, _ = m.kneighbors(q)
                # A tie at the border of the neighborhood is broken by the order of the search.
                d1, _ = m.kneighbors(q, n_neighbors=k + 1)
                clear = d1[:, k] > d1[:, k - 1] * (1 + 1e-9)
                classifiers.append({"data": name, "k": k, "metric": metric, "p": p, "weights": weights,
                                    "predict": m.predict(q).tolist(), "clear": clear.astype(int).tolist(),
                                    "distance_sum": float(d.sum()), "proba0": [round(float(v), 10) for v in m.predict_proba(q)[:, 0]]})

# --- regression: the target is a column, predicted by others on one scale

rng = np.random.default_rng(3)
columns = {"Iris": ([0, 1, 2], 3), "Wine": ([1, 2, 5, 6, 9], 0), "BreastCancer": ([1, 4, 5, 8], 3), "Digits": ([18, 19, 21, 28], 20), "Diabetes": ([2, 3, 8], None)}
regressors = []


def local(X, y, q, rows, h):
    """The value at q of the weighted least squares fit, that of the shortest slope where they are many."""
    d2 = ((X[rows] - q) ** 2).sum(1)
    w = np.exp(-(d2 - d2.min()) / (2 * h * h)) if h else np.ones(len(rows))
    mx, my, r = np.average(X[rows], axis=0, weights=w), np.average(y[rows], weights=w), np.sqrt(w)
    return my + np.linalg.lstsq((X[rows] - mx) * r[:, None], (y[rows] - my) * r, rcond=1e-10)[0] @ (q - mx)


for name, (cols, target) in columns.items():
    x, y = data[name]
    y = dia.target if target is None else x[:, target]
    keep = np.arange(0, len(y), max(1, len(y) // 100))[:100]
    x = x[keep][:, cols]
    x = ((x - x.mean(0)) / x.std(0) + rng.normal(scale=1e-3, size=x.shape)).round(4)  # no two distances are equal
    y = y[keep].round(3)
    e = {"data": name, "x": x.tolist(), "y": y.tolist(), "knn": [], "local": []}
    tr, ty, q = x[::2], y[::2], x[1::2]
    for k in (1, 5, 12):
        for metric, p in (("euclidean", 2), ("manhattan", 1), ("minkowski", 3)):
            for weights in ("uniform", "distance", "square"):
                if metric != "euclidean" and (k != 5 or weights == "square"):
                    continue
                how = weights if weights != "square" else lambda d: d ** -2.
                m = KNeighborsRegressor(k, weights=how, metric=metric, p=p).fit(tr, ty)
                e["knn"].append({"k": k, "metric": metric, "p": p, "weights": weights, "pred": m.predict(q).tolist()})
    D = pairwise_distances(q, tr)
    for k, h in ((8, 0), (0, .8), (15, .5), (3, 0), (0, 1e6)):
        rows = np.argsort(D, axis=1, kind="stable")[:, :k or len(ty)]
        e["local"].append({"k": k, "h": h, "pred": [float(local(tr, ty, q[i], rows[i], h)) for i in range(len(q))]})
    d, i = KDTree(tr, leaf_size=2).query(q, 4)
    dm, im = KDTree(tr, leaf_size=2, metric="manhattan").query(q, 4)
    e["tree"] = {"rows": i.tolist(), "distances": d.round(12).tolist(), "manhattanRows": im.tolist()}
    regressors.append(e)

# --- prototypes, editing and condensing

subsets = []


def edited(D, y, order):
    """Gates 1972: drop a row when the rest still classifies all that were right."""
    kept = np.ones(len(y), bool)
    nearest = lambda: np.where(kept[None], D, np.inf).argmin(1)
    right = y[nearest()] == y
    for r in order:
        if kept.sum() == 1:
            break
        kept[r] = False
        kept[r] = not np.all(y[nearest()][right] == y[right])
    return np.flatnonzero(kept)


def condensed(D, y, order):
    """Hart 1968: add what the rows so far get wrong, until a pass adds nothing."""
    kept, grown = np.zeros(len(y), bool), True
    kept[order[0]] = True
    while grown:
        grown = False
        for i in order:
            if not kept[i] and y[np.where(kept, D[i], np.inf).argmin()] != y[i]:
                kept[i] = grown = True
    return np.flatnonzero(kept)


for name, (x, y) in data.items():
    keep = np.arange(0, len(y), max(1, len(y) // 90))[:90]
    x, y = x[keep], y[keep]
    x = ((x - x.mean(0)) / np.where(x.std(0) > 0, x.std(0), 1))[:, :8]
    x = (x + rng.normal(scale=1e-3, size=x.shape)).round(4)
    D, D1 = pairwise_distances(x), pairwise_distances(x, metric="manhattan")
    order = Rand(4, 0).perm(len(y))
    m = NearestCentroid().fit(x, y)
    inertia = sum(min(KMeans(3, n_init=40, random_state=s).fit(x[y == c]).inertia_ for s in range(2)) for c in np.unique(y))
    subsets.append({"data": name, "x": x.tolist(), "y": y.tolist(), "edited": edited(D, y, order).tolist(), "condensed": condensed(D, y, order).tolist(),
                    "condensedManhattan": condensed(D1, y, order).tolist(), "centroids": m.centroids_.tolist(), "pred": m.predict(x).tolist(), "inertia": float(inertia)})
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "neighbors.json")
with open(path, "w") as f:
    json.dump({"classifiers": classifiers, "regressors": regressors, "subsets": subsets}, f, separators=(",", ":"))
print(os.path.getsize(path), len(classifiers), sum(sum(o["clear"]) for o in classifiers) / sum(len(o["clear"]) for o in classifiers))
