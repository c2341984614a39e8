"""Embeddings of scikit-learn 1.9.1 on the classic data sets, thinned and on one scale. Writes manifold.json beside this file.
Run: python testdata/oracles/manifold.py
"""
import json, os, warnings
import numpy as np
import scipy.linalg
import sklearn
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.manifold import TSNE, ClassicalMDS, Isomap, LocallyLinearEmbedding, _locally_linear, _t_sne, smacof, trustworthiness
from sklearn.metrics import pairwise_distances

assert sklearn.__version__ == "1.9.1"
warnings.simplefilter("ignore")
loads = {"Iris": load_iris(), "Wine": load_wine(), "BreastCancer": load_breast_cancer(), "Digits": load_digits(), "Diabetes": load_diabetes(scaled=False)}
keep = {"Iris": [0, 1, 2, 3], "Wine": [0, 1, 2, 5, 6, 9, 11, 12], "BreastCancer": [0, 1, 4, 5, 8, 9, 20, 21, 24, 27],
        "Digits": [10, 18, 20, 21, 28, 36, 42, 43, 44, 54, 60], "Diabetes": [0, 2, 3, 8]}


def rnd(a):
    return np.round(np.asarray(a, float), 12).tolist()


def joint(x, perplexity):
    """P of t-SNE over the nearest rows, with the entropies found by halving to the last digit."""
    n = len(x)
    k = min(n - 1, int(3 * perplexity + 1))
    d2 = pairwise_distances(x) ** 2
    p = np.zeros((n, n))
    for i in range(n):
        near = [j for j in np.argsort(d2[i], kind="stable") if j != i][:k]
        s, lo, hi = d2[i, near] - d2[i, near].min(), 0.0, 1e6
        for _ in range(200):
            beta = (lo + hi) / 2
            e = np.exp(-beta * s)
            lo, hi = (beta, hi) if np.log(e.sum()) + beta * (e @ s) / e.sum() > np.log(perplexity) else (lo, beta)
        p[i, near] = e / e.sum()
    p = (p + p.T) / (2 * n)
    return p[np.triu_indices(n, 1)]


# The paper's Hessian estimator has a column for each second derivative; scikit-learn takes
# those of the full orthogonal matrix, which adds all other directions.
_locally_linear.qr = lambda y: scipy.linalg.qr(y, mode="economic")


def steps(x, start, perplexity, count):
    """The first steps of scikit-learn's descent with exact gradients."""
    n = len(x)
    p, _, _ = _t_sne._gradient_descent(
        _t_sne._kl_divergence, start.ravel(), it=0, max_iter=count, n_iter_check=1000, momentum=0.5, learning_rate=50,
        args=[12 * joint(x, perplexity), 1, n, 2])
    return p.reshape(n, 2)


out = []
for name, s in loads.items():
    x = s.data[:, keep[name]]
    x = x[:: max(1, len(x) // 60)][:60]
    x = np.round((x - x.mean(0)) / x.std(0), 6)
    start = np.round(np.random.default_rng(len(out)).normal(size=(len(x), 2)) * 0.1, 6)
    t = TSNE(perplexity=10, random_state=0).fit(x)
    u = np.array(sorted(set(map(tuple, x))))  # each row once: smacof takes distances of 0 for missing ones
    u, unseen = u[::2], u[1::2][:6]
    delta = pairwise_distances(u)
    first = np.round(np.random.default_rng(9).normal(size=(len(u), 2)), 6)
    scaled = []
    for metric in (True, False):
        for count in (1, 2, 30):
            y, stress = smacof(delta, metric=metric, init=first, n_init=1, max_iter=count, eps=0, normalized_stress=True)
            scaled.append({"Metric": metric, "Count": count, "Y": rnd(y), "Stress": float(stress)})
    classical = ClassicalMDS(n_components=2).fit(u)
    isomap = []
    for near in (4, 8):
        m = Isomap(n_neighbors=near, n_components=2, eigen_solver="dense").fit(u)
        isomap.append({"Neighbors": near, "Y": rnd(m.embedding_), "Unseen": rnd(m.transform(unseen))})
    local, variants = [], []
    for near in (12, 16):
        m = LocallyLinearEmbedding(n_neighbors=near, n_components=2, eigen_solver="dense").fit(u)
        local.append({"Neighbors": near, "Y": rnd(m.embedding_), "Unseen": rnd(m.transform(unseen)), "Error": float(m.reconstruction_error_)})
    for near, method in ((12, "modified"), (16, "modified"), (13, "hessian"), (16, "hessian")):
        m = LocallyLinearEmbedding(n_neighbors=near, n_components=2, method=method, eigen_solver="dense").fit(u)
        variants.append({"Neighbors": near, "Method": method, "Y": rnd(m.embedding_), "Error": float(m.reconstruction_error_)})
    out.append({"Data": name, "Variants": variants, "X": x.tolist(),
                "U": u.tolist(), "Unseen": unseen.tolist(), "First": first.tolist(), "Scaled": scaled, "Isomap": isomap, "LLE": local,
                "Classical": {"Y": rnd(classical.embedding_), "Eigenvalues": rnd(classical.eigenvalues_)},
                "TSNE": {"Start": start.tolist(), "Steps": [{"Count": c, "Y": rnd(steps(x, start, 10, c))} for c in (1, 5, 10)],
                         "KL": float(t.kl_divergence_), "Points": np.asarray(t.embedding_, float).tolist(), "Trust": float(trustworthiness(x, t.embedding_, n_neighbors=5))}})
json.dump({"sklearn": sklearn.__version__, "Sets": out}, open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "manifold.json"), "w"))
