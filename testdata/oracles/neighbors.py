"""k nearest neighbors of scikit-learn 1.9.1: trained on the even rows of the
classic data sets, asked about the odd ones. Writes neighbors.json."""
import json, os
import numpy as np
import sklearn
from sklearn.datasets import load_iris, load_wine, load_breast_cancer, load_digits, load_diabetes
from sklearn.neighbors import KNeighborsClassifier

assert sklearn.__version__ == "1.9.1"
dia = load_diabetes(scaled=False)
sets = {"Iris": load_iris(), "Wine": load_wine(), "BreastCancer": load_breast_cancer(), "Digits": load_digits()}
data = {k: (v.data, v.target) for k, v in sets.items()}
data["Diabetes"] = (dia.data, (dia.target > 140).astype(int))
out = []
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
                out.append({"data": name, "k": k, "metric": metric, "p": p, "weights": weights,
                            "predict": m.predict(q).tolist(), "clear": clear.astype(int).tolist(),
                            "distance_sum": float(d.sum()), "proba0": [round(float(v), 10) for v in m.predict_proba(q)[:, 0]]})
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "neighbors.json")
with open(path, "w") as f:
    json.dump(out, f, separators=(",", ":"))
print(os.path.getsize(path), len(out), sum(sum(o["clear"]) for o in out) / sum(len(o["clear"]) for o in out))
