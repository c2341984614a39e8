"""Clusterings of scikit-learn 1.9.1, SciPy and kmedoids on the classic data sets, thinned and on one scale, and the metrics
of clusterings; k-modes and purity restated in NumPy. Writes cluster.json beside this file.
Run: python testdata/oracles/cluster.py
"""
import json, os
import kmedoids
import numpy as np
import sklearn
from scipy.cluster.hierarchy import cophenet, fcluster, linkage
from scipy.sparse.csgraph import laplacian
from scipy.spatial.distance import pdist, squareform
from sklearn import metrics as M
from sklearn.cluster import (DBSCAN, HDBSCAN, AgglomerativeClustering, KMeans, MeanShift, MiniBatchKMeans,
                             SpectralClustering, estimate_bandwidth)
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.neighbors import kneighbors_graph

import sklearn.cluster._hdbscan.hdbscan as module


class Stable:
    """NumPy whose argsort leaves equal values in their order: mutual reachability distances are often equal, and a sort that
    shuffles them makes other trees of them on other machines."""

    def __getattr__(self, name):
        return getattr(np, name)

    @staticmethod
    def argsort(a):
        return np.argsort(a, kind="stable")


module.np = Stable()
assert sklearn.__version__ == "1.9.1"
rng = np.random.default_rng(5)
dia = load_diabetes(scaled=False)
sets = {k: (s.data, s.target) for k, s in {"Iris": load_iris(), "Wine": load_wine(), "BreastCancer": load_breast_cancer(), "Digits": load_digits()}.items()}
sets["Diabetes"] = (dia.data, (dia.target > 140).astype(int))
columns = {"Iris": [0, 1, 2, 3], "Wine": [0, 1, 2, 5, 6, 9, 11, 12], "BreastCancer": [0, 1, 4, 5, 8, 9, 20, 21, 24, 27],
           "Digits": [10, 18, 20, 21, 28, 36, 42, 43, 44, 54, 60], "Diabetes": [2, 3, 8]}
eps = {"Iris": .5, "Wine": 1.8, "BreastCancer": 1.8, "Digits": 2.2, "Diabetes": .6}


def modes(x, centers):
    """K-modes in turns, as the library makes them."""
    centers, labels = centers.copy(), None
    while True:
        d = (x[:, None, :] != centers[None]).sum(2)
        new = d.argmin(1)
        if labels is not None and (new == labels).all():
            return labels, centers, int(d.min(1).sum())
        labels = new
        if len(set(labels)) < len(centers):
            return None  # the library would take another row
        for c in range(len(centers)):
            for j in range(x.shape[1]):
                values, counts = np.unique(x[labels == c, j], return_counts=True)
                centers[c, j] = values[counts.argmax()]


out = []
for name, (x, y) in sets.items():
    keep = np.arange(0, len(y), max(1, len(y) // 120))
    x, y = x[keep][:, columns[name]], y[keep]
    x = ((x - x.mean(0)) / x.std(0) + rng.normal(scale=1e-3, size=x.shape)).round(4)  # no two distances are equal
    n = len(x)
    e = {"data": name, "x": x.tolist(), "y": y.tolist()}
    starts = [0, n // 2, n - 1, n // 3, n // 5]
    e["kmeans"] = []
    for k in (2, 3, 5):
        m = KMeans(k, init=x[starts[:k]], n_init=1, tol=0, algorithm="lloyd").fit(x)
        e["kmeans"].append({"start": starts[:k], "labels": m.labels_.tolist(), "centers": m.cluster_centers_.tolist(), "inertia": m.inertia_,
                            "predict": m.predict(x[::3] * 1.1).tolist(), "distances": m.transform(x[:5]).tolist(), "steps": m.n_iter_})
    mb = MiniBatchKMeans(3, init=x[starts[:3]], n_init=1, reassignment_ratio=0)
    for b in range(4):
        mb.partial_fit(x[b * 25:(b + 1) * 25])
    e["minibatch"] = {"start": starts[:3], "size": 25, "batches": 4, "centers": mb.cluster_centers_.tolist()}
    e["medoids"] = []
    for metric in ("euclidean", "cityblock"):
        D = squareform(pdist(x, metric))
        for k in (2, 3, 6):
            pam = kmedoids.pam(D, k)
            fast = kmedoids.fasterpam(D, np.array((starts + [7])[:k], dtype=np.uint64))
            e["medoids"].append({"metric": metric, "k": k, "start": (starts + [7])[:k], "pam": pam.loss, "pamMedoids": sorted(map(int, pam.medoids)),
                                 "fast": fast.loss, "fastMedoids": sorted(map(int, fast.medoids))})
    coarse = np.floor(x * .9).astype(float)
    found = None
    while found is None:
        first = rng.choice(n, 3, replace=False).tolist()
        found = modes(coarse, coarse[first])
    labels, centers, loss = found
    e["modes"] = {"x": coarse.tolist(), "start": first, "labels": labels.tolist(), "centers": centers.tolist(), "loss": loss}
    e["linkage"] = []
    for method in ("single", "complete", "average", "ward"):
        Z = linkage(x, method)
        c, d = cophenet(Z, pdist(x))
        h = float(Z[-8, 2] + Z[-7, 2]) / 2
        e["linkage"].append({"method": method, "merges": Z.tolist(), "correlation": float(c), "cophenetic": float(d.sum()),
                             "cut": AgglomerativeClustering(4, linkage=method).fit_predict(x).tolist(),
                             "height": h, "atHeight": (fcluster(Z, h, "distance") - 1).tolist()})
    Z = linkage(pdist(x, "cityblock"), "average")
    e["manhattan"] = Z[:, 2].tolist()
    e["dbscan"] = []
    for f, least in ((1, 5), (.8, 4), (1.3, 10)):
        m = DBSCAN(eps=eps[name] * f, min_samples=least).fit(x)
        e["dbscan"].append({"eps": eps[name] * f, "least": least, "labels": m.labels_.tolist(), "core": m.core_sample_indices_.tolist()})
    e["hdbscan"] = []
    for size, least, single in ((5, 5, False), (4, 2, False), (10, 6, False), (8, 3, True)):
        m = HDBSCAN(min_cluster_size=size, min_samples=least, allow_single_cluster=single, copy=True).fit(x)
        e["hdbscan"].append({"size": size, "least": least, "single": single, "labels": m.labels_.tolist(), "strengths": m.probabilities_.tolist()})
    band = estimate_bandwidth(x, quantile=.3)
    m = MeanShift().fit(x)
    narrow = MeanShift(bandwidth=band * .6).fit(x)
    e["meanshift"] = {"bandwidth": band, "labels": m.labels_.tolist(), "centers": m.cluster_centers_.tolist(),
                      "narrow": band * .6, "narrowLabels": narrow.labels_.tolist()}
    W = np.exp(-.3 * squareform(pdist(x)) ** 2)
    C = kneighbors_graph(x, 10, include_self=True).toarray()
    e["spectral"] = []
    for what, A in (("rbf", W), ("neighbors", (C + C.T) / 2)):
        L = laplacian(A, normed=True)
        m = SpectralClustering(3, affinity="precomputed", n_init=20, random_state=0).fit(A)
        e["spectral"].append({"affinity": what, "values": np.linalg.eigvalsh(L)[:3].tolist(), "labels": m.labels_.tolist()})
    e["metrics"] = []
    for labels in (e["kmeans"][1]["labels"], e["linkage"][1]["cut"], e["linkage"][0]["cut"], (np.arange(n) % 7 - 1).tolist()):
        table = M.cluster.contingency_matrix(y, labels)
        e["metrics"].append({
            "labels": labels, "silhouettes": M.silhouette_samples(x, labels).tolist(), "silhouette": M.silhouette_score(x, labels),
            "manhattan": float(M.silhouette_samples(squareform(pdist(x, "cityblock")), labels, metric="precomputed").mean()),
            "daviesBouldin": M.davies_bouldin_score(x, labels), "calinskiHarabasz": M.calinski_harabasz_score(x, labels),
            "rand": M.rand_score(y, labels), "adjustedRand": M.adjusted_rand_score(y, labels),
            "mutual": M.mutual_info_score(y, labels), "normalized": M.normalized_mutual_info_score(y, labels),
            "adjusted": M.adjusted_mutual_info_score(y, labels), "homogeneity": M.homogeneity_score(y, labels),
            "completeness": M.completeness_score(y, labels), "v": M.v_measure_score(y, labels),
            "fowlkesMallows": M.fowlkes_mallows_score(y, labels), "purity": float(table.max(0).sum() / n), "table": table.tolist()})
    out.append(e)

texts = {
    "weather": ["rain and wind", "wind from the north", "sun and no rain", "sun sun sun", "north wind and rain"],
    "kitchen": ["salt pepper salt", "bread and butter", "butter the bread", "pepper in the soup", "soup with bread"],
    "space": ["the moon and the earth", "earth and mars", "a moon of mars", "stars", "stars and the moon"],
    "games": ["chess is a game", "go is a game", "a game of chess", "cards", "a game of cards and chess"],
    "empty": ["x", "y", "x y", "", "y y y x"],
}
docs = []
for name, t in texts.items():
    v = TfidfVectorizer(tokenizer=str.split, token_pattern=None)
    w = v.fit_transform(t).toarray()
    docs.append({"data": name, "texts": t, "words": v.get_feature_names_out().tolist(), "weights": w.tolist(), "mean": w.mean(0).tolist()})
with open(os.path.splitext(os.path.abspath(__file__))[0] + ".json", "w") as f:
    json.dump({"sets": out, "documents": docs}, f, separators=(",", ":"))
    f.write("\n")
