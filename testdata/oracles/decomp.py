"""Decompositions of scikit-learn 1.9.1 on the classic data sets, thinned and on one scale. Writes decomp.json beside this file.
Run: python testdata/oracles/decomp.py
"""
import json, os, warnings
import numpy as np
import sklearn
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.decomposition import NMF, PCA, FactorAnalysis, FastICA, IncrementalPCA, TruncatedSVD
from sklearn.feature_extraction import FeatureHasher
from sklearn.random_projection import johnson_lindenstrauss_min_dim

assert sklearn.__version__ == "1.9.1"
warnings.simplefilter("ignore")
loads = {"Iris": load_iris(), "Wine": load_wine(), "BreastCancer": load_breast_cancer(), "Digits": load_digits(), "Diabetes": load_diabetes(scaled=False)}
keep = {"Iris": [0, 1, 2, 3], "Wine": [0, 1, 2, 5, 6, 9, 11, 12], "BreastCancer": [0, 1, 4, 5, 8, 9, 20, 21, 24, 27],
        "Digits": [10, 18, 20, 21, 28, 36, 42, 43, 44, 54, 60], "Diabetes": [0, 2, 3, 8]}


def rnd(a):
    return np.round(np.asarray(a, float), 12).tolist()


out = []
for name, s in loads.items():
    x = s.data[:, keep[name]]
    x = x[:: max(1, len(x) // 60)][:60]
    x = np.round((x - x.mean(0)) / x.std(0), 6)
    p = PCA().fit(x)
    w = PCA(2, whiten=True).fit(x)
    inc = IncrementalPCA(3)
    for part in (x[:20], x[20:45], x[45:]):
        inc.partial_fit(part)
    t = TruncatedSVD(2, algorithm="arpack", random_state=0).fit(x)
    pos = np.round((x - x.min(0)) / (x.max(0) - x.min(0)), 6)
    nmf = []
    for loss, solver, init in (("frobenius", "cd", "nndsvd"), ("frobenius", "mu", "nndsvda"), ("kullback-leibler", "mu", "nndsvda")):
        steps = []
        for n in (1, 20):
            m = NMF(2, beta_loss=loss, solver=solver, init=init, max_iter=n, tol=0, random_state=0)
            m.fit_transform(pos)
            steps.append({"Iter": n, "Parts": rnd(m.components_), "Error": float(m.reconstruction_err_)})
        nmf.append({"Loss": loss, "Solver": solver, "Steps": steps})
    ica = []
    for fun, algorithm in [(f, a) for a in ("parallel", "deflation") for f in ("logcosh", "exp", "cube")]:
        m = FastICA(2, fun=fun, algorithm=algorithm, whiten="unit-variance", tol=1e-13, max_iter=5000, random_state=0).fit(x)
        ica.append({"Fun": fun, "Deflation": algorithm == "deflation", "Unmixing": rnd(m.components_), "Mixing": rnd(m.mixing_), "Steps": int(m.n_iter_)})
    factors = []
    for y, steps, rotation in [(x, 2, None), (x, 40, None), (x, 40, "varimax"), (x, 40, "quartimax"), (x[:30].T, 10, None)]:
        start = dict(rotation=rotation, svd_method="lapack", noise_variance_init=y.var(0), tol=0)
        m, before = FactorAnalysis(2, max_iter=steps, **start).fit(y), FactorAnalysis(2, max_iter=steps - 1, **start).fit(y)
        m.noise_variance_ = before.noise_variance_  # that of which the loadings are
        factors.append({"Rotation": rotation or "", "Wide": len(y) < len(x), "Steps": steps, "Loadings": rnd(m.components_), "Uniqueness": rnd(m.noise_variance_),
                        "LogLikelihood": float(m.loglike_[-1]), "Z": rnd(m.transform(y[:4])), "Density": rnd(m.score_samples(y[:4]))})
    lindenstrauss = [{"N": n, "Epsilon": e, "K": int(johnson_lindenstrauss_min_dim(n, eps=e))} for n in (len(s.data), 10**6) for e in (0.1, 0.5, 0.9)]
    names = list(getattr(s, "feature_names", []))
    hashed = FeatureHasher(16, input_type="string").transform([names, names[::2]]).toarray()
    out.append({"Data": name, "X": x.tolist(),
                "PCA": {"Mean": rnd(p.mean_), "Axes": rnd(p.components_), "Variance": rnd(p.explained_variance_), "Ratio": rnd(p.explained_variance_ratio_),
                        "Singular": rnd(p.singular_values_), "Z": rnd(p.transform(x[:5]))},
                "White": {"Z": rnd(w.transform(x[:5])), "Noise": float(w.noise_variance_), "Back": rnd(w.inverse_transform(w.transform(x[:5])))},
                "Incremental": {"Mean": rnd(inc.mean_), "Axes": rnd(inc.components_), "Variance": rnd(inc.explained_variance_), "Ratio": rnd(inc.explained_variance_ratio_),
                                "Noise": float(inc.noise_variance_)},
                "Truncated": {"Axes": rnd(t.components_), "Singular": rnd(t.singular_values_), "Variance": rnd(t.explained_variance_), "Ratio": rnd(t.explained_variance_ratio_)},
                "Positive": pos.tolist(), "NMF": nmf, "ICA": ica, "Factors": factors, "Lindenstrauss": lindenstrauss,
                "Hash": {"Words": [names, names[::2]], "Counts": hashed.tolist()}})
json.dump({"sklearn": sklearn.__version__, "Sets": out}, open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "decomp.json"), "w"))
