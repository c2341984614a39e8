"""Semi-supervised learning of scikit-learn 1.9.1, graphs of SciPy, and naive Bayes with expectation maximization restated in NumPy.
Writes semi.json beside this file.
Run: python testdata/oracles/semi.py
"""
import json, os, warnings
import numpy as np, sklearn
from scipy.sparse.csgraph import connected_components, laplacian
from scipy.special import logsumexp
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import kneighbors_graph
from sklearn.semi_supervised import LabelPropagation, LabelSpreading, SelfTrainingClassifier

warnings.filterwarnings("ignore")
assert sklearn.__version__ == "1.9.1"
rng = np.random.default_rng(9)
dia = load_diabetes(scaled=False)
raw = {k: (s.data, s.target) for k, s in {"Iris": load_iris(), "Wine": load_wine(), "BreastCancer": load_breast_cancer(), "Digits": load_digits()}.items()}
raw["Diabetes"] = (dia.data, (dia.target > 140).astype(int))
columns = {"Iris": [0, 1, 2, 3], "Wine": [0, 1, 2, 6, 9], "BreastCancer": [0, 1, 4, 8], "Digits": [10, 18, 21, 28, 43, 60], "Diabetes": [2, 3, 8]}
sets = []
for name, (x, y) in raw.items():
    step = max(1, len(x) // 110)
    x, y = x[::step], y[::step]
    order = rng.permutation(len(x))
    x, y = x[order], y[order]
    bits = (x > np.median(x, 0)).astype(float)[:, :8]
    x = x[:, columns[name]]
    x = ((x - x.mean(0)) / x.std(0) + rng.normal(scale=1e-3, size=x.shape)).round(4)
    n, classes = len(x), np.unique(y)
    n_labeled = 40 if name == "Digits" else 24
    known = np.where(np.arange(n) < n_labeled, y, -1)
    assert set(known[:n_labeled]) == set(classes)
    e = {"data": name, "x": x.tolist(), "y": y.tolist(), "labeled": n_labeled}
    for what, cls, extra in (("propagation", LabelPropagation, {}), ("spreading", LabelSpreading, {"alpha": .3})):
        m = cls(kernel="rbf", gamma=.8, tol=1e-13, max_iter=200000, **extra).fit(x, known)
        e[what] = {"f": m.label_distributions_.tolist(), "predict": m.predict_proba(x[:9] * 1.2).tolist()}
    A = kneighbors_graph(x, 5, include_self=False).toarray()
    W = np.maximum(A, A.T)
    L = laplacian(W)
    count, comp = connected_components(W)
    reached = np.isin(comp, comp[:n_labeled])
    U = np.where(reached & (np.arange(n) >= n_labeled))[0]
    F = np.full((n, len(classes)), 1 / len(classes))
    F[:n_labeled] = (y[:n_labeled, None] == classes)
    F[U] = np.linalg.solve(L[np.ix_(U, U)], W[np.ix_(U, range(n_labeled))] @ F[:n_labeled])
    e["graph"] = {"edges": int(W.sum() / 2), "components": int(count), "harmonic": F.tolist(), "degrees": W.sum(1).tolist(),
                  "combinatorial": np.linalg.eigvalsh(L)[:6].tolist(), "normalized": np.linalg.eigvalsh(laplacian(W, normed=True))[:6].tolist(),
                  "quadratic": float(x[:, 0] @ L @ x[:, 0])}
    e["selfTraining"] = []
    for kw in ({"threshold": .9, "max_iter": 4}, {"criterion": "k_best", "k_best": 12, "max_iter": 5}):
        m = SelfTrainingClassifier(GaussianNB(var_smoothing=4 if "k_best" in kw else 1e-9), **kw)  # broad: no two are equally sure
        m.fit(x, known)
        e["selfTraining"].append({"labels": m.transduction_[n_labeled:].tolist(), "round": m.labeled_iter_[n_labeled:].tolist(),
                                  "proba": m.predict_proba(x[:9]).tolist(), "kind": "best" if "k_best" in kw else "threshold"})

    def nb(v, words, alpha, weight, iters):
        q = np.zeros((n, len(classes)))
        q[:n_labeled] = y[:n_labeled, None] == classes
        w = np.where(np.arange(n) < n_labeled, 1, weight)
        w0 = np.where(np.arange(n) < n_labeled, 1, 0)
        for i in range(iters + 1):
            r = q * (w if i else w0)[:, None]
            prior = r.sum(0) / r.sum()
            s = r.T @ v + alpha
            theta = s / s.sum(1, keepdims=True) if words else s / (r.sum(0)[:, None] + 2 * alpha)
            lj = np.log(prior) + v @ np.log(theta).T + (0 if words else (1 - v) @ np.log1p(-theta).T)
            q[n_labeled:] = np.exp(lj - logsumexp(lj, axis=1)[:, None])[n_labeled:]
        return {"prior": prior.tolist(), "theta": theta.tolist(), "q": q[n_labeled:].tolist(), "weight": weight, "alpha": alpha, "iterations": iters}

    counts = np.floor(np.abs(x) * 2)
    e["bits"], e["counts"] = bits.tolist(), counts.tolist()
    e["bayes"], e["words"] = nb(bits, False, 1, .5, 10), nb(counts, True, .5, 1, 10)
    sets.append(e)
with open(os.path.splitext(os.path.abspath(__file__))[0] + ".json", "w") as f:
    json.dump({"sets": sets}, f, separators=(",", ":"))
    f.write("\n")
