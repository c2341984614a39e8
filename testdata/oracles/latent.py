"""Mixtures of scikit-learn 1.9.1 and hidden Markov models of hmmlearn 0.3.3; mixtures of bits and counts restated in NumPy.
Writes latent.json beside this file.
Run: python testdata/oracles/latent.py
"""
import json, os, warnings
import hmmlearn, numpy as np, sklearn
from hmmlearn.hmm import CategoricalHMM, GaussianHMM, GMMHMM
from scipy.special import logsumexp
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.mixture import GaussianMixture

warnings.filterwarnings("ignore")
assert sklearn.__version__ == "1.9.1" and hmmlearn.__version__ == "0.3.3"
rng = np.random.default_rng(8)
raw = {"Iris": load_iris().data, "Wine": load_wine().data, "BreastCancer": load_breast_cancer().data, "Digits": load_digits().data,
       "Diabetes": load_diabetes(scaled=False).data}
columns = {"Iris": [0, 1, 2, 3], "Wine": [0, 1, 2, 6, 9], "BreastCancer": [0, 1, 4, 8], "Digits": [10, 18, 21, 28, 43, 60], "Diabetes": [2, 3, 8]}
sets = []
for name, x in raw.items():
    x = x[::max(1, len(x) // 110)]
    bits = (x > np.median(x, 0)).astype(float)[:, :8]
    counts = np.floor(np.abs(x[:, :8]) / (np.abs(x[:, :8]).mean(0) + 1e-9) * 3)
    x = x[:, columns[name]]
    x = ((x - x.mean(0)) / x.std(0) + rng.normal(scale=1e-3, size=x.shape)).round(4)
    n, d = x.shape
    means = x[[0, n // 2, n - 1]]
    weights = np.array([.5, .3, .2])
    e = {"data": name, "x": x.tolist(), "means": means.tolist(), "weights": weights.tolist(), "forms": []}
    base = np.cov(x.T, bias=True) + .1 * np.eye(d)
    for form, cov in (("full", np.array([base] * 3)), ("tied", base), ("diag", np.array([np.diag(base)] * 3)), ("spherical", np.ones(3))):
        prec = np.linalg.inv(cov) if cov.ndim > 1 and form != "diag" else 1 / cov
        runs = []
        for iters in (1, 12):
            m = GaussianMixture(3, covariance_type=form, tol=0, max_iter=iters, weights_init=weights, means_init=means, precisions_init=prec,
                                random_state=0).fit(x)
            runs.append({"iterations": iters, "weights": m.weights_.tolist(), "means": m.means_.tolist(), "covariances": m.covariances_.tolist(),
                         "score": m.score(x), "bic": m.bic(x), "aic": m.aic(x), "labels": m.predict(x).tolist(),
                         "proba": m.predict_proba(x[:6]).tolist(), "density": m.score_samples(x[:6] * 1.5).tolist()})
        e["forms"].append({"form": form, "start": cov.tolist(), "runs": runs})

    def discrete(v, words, alpha, iters=15):
        share = lambda a: (a + .5) / (a + .5).sum(-1, keepdims=True) if words else (a * .8 + .1)
        theta = share(v[[1, n // 2, n - 2]])
        first, w = theta.copy(), np.ones(3) / 3
        for _ in range(iters + 1):
            lj = np.log(w) + (v @ np.log(theta).T if words else v @ np.log(theta).T + (1 - v) @ np.log1p(-theta).T)
            ll = logsumexp(lj, axis=1)
            q = np.exp(lj - ll[:, None])
            last = theta, w
            w = q.mean(0)
            s = q.T @ v + alpha
            theta = s / s.sum(1, keepdims=True) if words else s / (q.sum(0)[:, None] + 2 * alpha)
        theta, w = last
        return {"x": v.tolist(), "start": first.tolist(), "alpha": alpha, "iterations": iters, "weights": w.tolist(), "theta": theta.tolist(),
                "likelihood": float(ll.sum()), "q": q.tolist()}

    e["bits"] = discrete(bits, False, 1)
    e["counts"] = discrete(counts, True, .5)
    sets.append(e)


def rows(k, c, sharp):
    a = rng.random((k, c)) + .1
    for i in range(k):
        a[i, i % c] += sharp
    return a / a.sum(1, keepdims=True)


def cut(a, l):
    out, at = [], 0
    for v in l:
        out.append(a[at:at + v].tolist())
        at += v
    return out


chains = []
for name, k, s, d, lengths in (("weather", 2, 2, 1, [40]), ("casino", 2, 6, 2, [60, 30]), ("long", 3, 4, 2, [400]), ("many", 4, 3, 1, [7, 1, 20, 33]),
                               ("five", 5, 8, 3, [100, 80])):
    start, trans, emit = rows(1, k, 1)[0], rows(k, k, 2), rows(k, s, 1.5)
    true = CategoricalHMM(k)
    true.startprob_, true.transmat_, true.emissionprob_, true.n_features = start, rows(k, k, 3), rows(k, s, 3), s
    x = np.concatenate([true.sample(l, random_state=int(rng.integers(1 << 30)))[0] for l in lengths])

    def categorical(iters):
        m = CategoricalHMM(k, n_iter=iters, tol=-np.inf, init_params="")
        m.startprob_, m.transmat_, m.emissionprob_, m.n_features = start.copy(), trans.copy(), emit.copy(), s
        return m

    m = categorical(1)
    e = {"data": name, "lengths": lengths, "symbols": cut(x[:, 0], lengths), "start": start.tolist(), "trans": trans.tolist(), "emit": emit.tolist(),
         "logProb": [m.score(x[sum(lengths[:i]):sum(lengths[:i + 1])]) for i in range(len(lengths))],
         "posterior": m.predict_proba(x, lengths).tolist(), "viterbi": [], "learned": []}
    for i in range(len(lengths)):
        lp, path = m.decode(x[sum(lengths[:i]):sum(lengths[:i + 1])])
        e["viterbi"].append({"logProb": lp, "path": path.tolist()})
    for iters in (1, 8):
        m = categorical(iters).fit(x, lengths)
        e["learned"].append({"iterations": iters, "start": m.startprob_.tolist(), "trans": m.transmat_.tolist(), "emit": m.emissionprob_.tolist(),
                             "logProb": m.score(x, lengths)})
    means = rng.normal(scale=2, size=(k, d)).round(3)
    z = rng.integers(0, k, sum(lengths))
    g = (means[z] + rng.normal(size=(len(z), d))).round(4)
    covs = np.array([np.eye(d) * (1 + .2 * i) + .1 for i in range(k)])
    e["rows"], e["means"], e["covariances"], e["gaussian"] = cut(g, lengths), means.tolist(), covs.tolist(), []

    def gaussian(iters):
        m = GaussianHMM(k, "full", n_iter=iters, tol=-np.inf, init_params="", covars_prior=0, covars_weight=0, min_covar=0)
        m.startprob_, m.transmat_, m.means_, m.covars_ = start.copy(), trans.copy(), means.copy(), covs.copy()
        return m

    m = gaussian(1)
    lp, path = m.decode(g[:lengths[0]])
    e["gaussianScore"], e["gaussianPath"], e["gaussianPathScore"] = m.score(g, lengths), path.tolist(), lp
    for iters in (1, 6):
        m = gaussian(iters).fit(g, lengths)
        e["gaussian"].append({"iterations": iters, "start": m.startprob_.tolist(), "trans": m.transmat_.tolist(), "means": m.means_.tolist(),
                              "covariances": m.covars_.tolist(), "logProb": m.score(g, lengths)})
    mix = np.array([[.6, .4]] * k)
    both = np.stack([means - .5, means + .7], 1)
    wide = np.stack([covs, covs * 1.5], 1)
    m = GMMHMM(k, 2, covariance_type="full", init_params="")
    m.startprob_, m.transmat_, m.weights_, m.means_, m.covars_ = start, trans, mix, both, wide
    m.n_features = d
    lp, path = m.decode(g[:lengths[0]])
    e["mixture"] = {"weights": mix.tolist(), "means": both.tolist(), "covariances": wide.tolist(), "logProb": m.score(g, lengths), "path": path.tolist(),
                    "pathScore": lp, "posterior": m.predict_proba(g, lengths).tolist()}
    chains.append(e)
with open(os.path.splitext(os.path.abspath(__file__))[0] + ".json", "w") as f:
    json.dump({"sets": sets, "chains": chains}, f, separators=(",", ":"))
    f.write("\n")
