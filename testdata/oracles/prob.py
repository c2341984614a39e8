"""Naive Bayes, discriminant analysis, distributions and entropies by scikit-learn and SciPy; writes prob.json beside this file.

scikit-learn 1.9.1 and the SciPy it brings. Run: python testdata/oracles/prob.py
"""
import json
import pathlib
import warnings

import numpy as np
import sklearn
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_classification
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.metrics import mutual_info_score, normalized_mutual_info_score
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB

assert sklearn.__version__ == "1.9.1"
warnings.filterwarnings("ignore")
rng = np.random.default_rng(11)


def arr(a):
    return np.asarray(a, dtype=float).tolist()


def answers(m, X):
    p = m.predict_log_proba(X)
    return {"log": [[float(f"{v:.12g}") for v in row] for row in np.maximum(p, -1e3)], "class": m.predict(X).tolist()}


# Real columns. The classic sets are those of package data, value for value; every seventh row is asked.
sets = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True), "cancer": load_breast_cancer(return_X_y=True)}
X, y = load_digits(return_X_y=True)
sets["digits"] = (X[:300], y[:300])
X, y = make_classification(120, 6, n_informative=4, n_redundant=0, n_classes=3, class_sep=1.2, random_state=5)
sets["made"] = (X.round(4), y)
X, y = make_classification(60, 20, n_informative=6, n_redundant=0, n_classes=2, weights=[.7], random_state=6)
sets["few rows"] = (X.round(4), y)
real = []
for name, (X, y) in sets.items():
    e = {"name": name}
    if name in ("made", "few rows"):
        e["x"], e["y"] = arr(X), y.tolist()
    Q = X[::7]
    k = len(np.unique(y))
    prior = np.arange(1, k + 1) / np.arange(1, k + 1).sum()
    w = (np.arange(len(y)) % 4 + .5)
    e["weights"] = arr(w)
    g = GaussianNB().fit(X, y)
    e["gaussian"] = {"means": arr(g.theta_), "variances": arr(g.var_), **answers(g, Q)}
    e["gaussianPrior"] = answers(GaussianNB(priors=prior).fit(X, y), Q)
    if name != "digits":  # which has constant columns; smoothing looks at the unweighted variance
        e["gaussianWeights"] = answers(GaussianNB(var_smoothing=0).fit(X, y, w), Q)
    for key, m in {"lda": LinearDiscriminantAnalysis(), "ldaPrior": LinearDiscriminantAnalysis(priors=prior),
                   "ldaShrunk": LinearDiscriminantAnalysis(solver="lsqr", shrinkage=.3),
                   "ldaLedoitWolf": LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto")}.items():
        m.fit(X, y)
        e[key] = {"coef": arr(m.coef_), "intercept": arr(m.intercept_), **answers(m, Q)}
        if key == "lda":
            e[key]["explained"], e[key]["transform"] = arr(m.explained_variance_ratio_), arr(m.transform(Q))
    if name in ("iris", "wine", "cancer", "made", "few rows"):
        if name != "few rows":
            e["qda"] = answers(QuadraticDiscriminantAnalysis(tol=1e-12).fit(X, y), Q)
        e["qdaShrunk"] = answers(QuadraticDiscriminantAnalysis(solver="eigen", tol=1e-12, shrinkage=.2).fit(X, y), Q)
        e["qdaLedoitWolf"] = answers(QuadraticDiscriminantAnalysis(solver="eigen", tol=1e-12, shrinkage="auto").fit(X, y), Q)
    real.append(e)

# Counts, bits and levels.
counts = []
for i, (n, d, k, rate) in enumerate([(60, 8, 2, 1.), (90, 12, 3, .5), (80, 30, 4, .2), (50, 5, 2, 4.), (120, 20, 3, 2.)]):
    y = rng.integers(0, k, n)
    y[:k] = np.arange(k)
    base = rng.gamma(1., 1., (k, d)) * rate
    X = rng.poisson(base[y])
    w = rng.integers(1, 4, n).astype(float)
    e = {"name": f"counts{i}", "x": X.tolist(), "y": y.tolist(), "weights": w.tolist()}
    for key, m in {"multinomial": MultinomialNB(), "multinomialLittle": MultinomialNB(alpha=.1, fit_prior=False),
                   "complement": ComplementNB(), "complementNorm": ComplementNB(norm=True, alpha=.5),
                   "bernoulli": BernoulliNB(), "bernoulliAbove": BernoulliNB(alpha=.3, binarize=1.5),
                   "categorical": CategoricalNB(), "categoricalLittle": CategoricalNB(alpha=.2)}.items():
        e[key] = answers(m.fit(X, y), X)
        e[key + "Weights"] = answers(m.fit(X, y, w), X)
    counts.append(e)

# Distributions: x, log p(x), P(X <= x), P(X > x); quantiles; moments and entropy.
dists = []
ps = [1e-8, .001, .025, .3, .5, .9, .975, .999999]
for name, par, d, xs in [
        ("Gaussian", [0, 1], stats.norm(), [-9., -1.96, 0., .5, 6., 12.]),
        ("Gaussian", [3, 2.5], stats.norm(3, 2.5), [-20., 0., 3., 30.]),
        ("Exponential", [.4], stats.expon(scale=2.5), [0., .1, 5., 200.]),
        ("Uniform", [-1, 3], stats.uniform(-1, 4), [-1., 0., 2.9]),
        ("Laplace", [1, 2], stats.laplace(1, 2), [-40., 0., 1., 3., 60.]),
        ("Gamma", [2.5, .5], stats.gamma(2.5, scale=2), [.01, 1., 5., 80.]),
        ("Gamma", [.3, 2], stats.gamma(.3, scale=.5), [1e-6, .1, 3., 20.]),
        ("ChiSquared", [3], stats.chi2(3), [.01, 1., 7.815, 90.]),
        ("ChiSquared", [30], stats.chi2(30), [5., 30., 43.77, 200.]),
        ("Beta", [2, 2], stats.beta(2, 2), [.001, .3, .8, .9999]),
        ("Beta", [.5, 7.5], stats.beta(.5, 7.5), [1e-6, .05, .5, .99]),
        ("StudentT", [4, 0, 1], stats.t(4), [-50., -2.776, 0., 1., 30.]),
        ("StudentT", [15, 2, 3], stats.t(15, 2, 3), [-60., 0., 2., 9., 70.]),
        ("FisherF", [2, 395], stats.f(2, 395), [.01, 1., 4., 98.54, 500.]),
        ("FisherF", [7, 5], stats.f(7, 5), [.001, .9, 30., 1e6]),
        ("Bernoulli", [.3], stats.bernoulli(.3), [0., 1.]),
        ("Binomial", [20, .3], stats.binom(20, .3), [0., 3., 6., 15., 20.]),
        ("Binomial", [1000, .02], stats.binom(1000, .02), [0., 15., 20., 90.]),
        ("Poisson", [3.5], stats.poisson(3.5), [0., 2., 4., 30.]),
        ("Poisson", [250], stats.poisson(250), [150., 250., 400.])]:
    xs = np.array(xs)
    discrete = hasattr(d, "pmf") and name in ("Bernoulli", "Binomial", "Poisson")
    dists.append({"name": name, "par": arr(par), "x": arr(xs), "log": arr(d.logpmf(xs) if discrete else d.logpdf(xs)),
                  "cdf": arr(d.cdf(xs)), "tail": arr(d.sf(xs)), "p": ps, "quantile": arr(d.ppf(ps)),
                  "mean": float(d.mean()), "variance": float(d.var()), "entropy": float(d.entropy())})

# Maximum likelihood.
fits = []
for i, n in enumerate([15, 40, 200]):
    e = {"normal": rng.normal(2, 3, n).round(6), "gamma": rng.gamma(2.2, 1.5, n).round(6) + 1e-6, "beta": rng.beta(2, 5, n).round(6).clip(1e-6, 1 - 1e-6),
         "t": stats.t(3).rvs(n, random_state=i).round(6), "laplace": rng.laplace(1, 2, n).round(6)}
    a, _, s = stats.gamma.fit(e["gamma"], floc=0, method="MLE")
    want = {"normal": arr(stats.norm.fit(e["normal"])), "gammaLog": float(stats.gamma(a, scale=s).logpdf(e["gamma"]).sum()), "gamma": [a, 1 / s]}
    a, b, _, _ = stats.beta.fit(e["beta"], floc=0, fscale=1)
    want["betaLog"], want["beta"] = float(stats.beta(a, b).logpdf(e["beta"]).sum()), [a, b]
    _, m, s = stats.t.fit(e["t"], f0=3)
    want["tLog"] = float(stats.t(3, m, s).logpdf(e["t"]).sum())
    m, s = stats.laplace.fit(e["laplace"])
    want["laplaceLog"] = float(stats.laplace(m, s).logpdf(e["laplace"]).sum())
    fits.append({"data": {k: arr(v) for k, v in e.items()}, "want": want})

# Many columns.
A = rng.normal(size=(4, 4))
S = A @ A.T + .5 * np.eye(4)
mu = rng.normal(size=4)
B = rng.normal(size=(4, 4))
S2, mu2 = B @ B.T + np.eye(4), rng.normal(size=4)
pts = rng.normal(size=(5, 4)) * 2
alpha = np.array([.7, 2., 3.5])
theta = np.array([[.2, .3, .5], [.01, .9, .09], [.6, .1, .3]])
inv2 = np.linalg.inv(S2)
many = {"mu": arr(mu), "cov": arr(S), "x": arr(pts), "log": arr(stats.multivariate_normal(mu, S).logpdf(pts)),
        "entropy": float(stats.multivariate_normal(mu, S).entropy()), "mu2": arr(mu2), "cov2": arr(S2),
        "kl": float(.5 * (np.trace(inv2 @ S) + (mu2 - mu) @ inv2 @ (mu2 - mu) - 4 + np.log(np.linalg.det(S2) / np.linalg.det(S)))),
        "alpha": arr(alpha), "theta": arr(theta), "dirichlet": [float(stats.dirichlet(alpha).logpdf(t)) for t in theta],
        "dirichletMean": arr(stats.dirichlet(alpha).mean()), "dirichletVar": arr(stats.dirichlet(alpha).var()),
        "counts": [3, 1, 4], "multinomial": float(stats.multinomial(8, [.5, .2, .3]).logpmf([3, 1, 4]))}

# Information, in nats.
info = []
for i, (n, a, b) in enumerate([(30, 3, 4), (100, 5, 5), (12, 6, 2), (500, 10, 3), (40, 2, 2)]):
    x = rng.integers(0, a, n)
    z = np.where(rng.random(n) < .5, x % b, rng.integers(0, b, n))
    c = np.bincount(x, minlength=a).astype(float)
    q = np.bincount(z, minlength=a)[:a] + 1.
    p = c / n
    seen = (c > 0).sum()
    jack = n * stats.entropy(c)
    for k in range(a):
        if c[k] > 0:
            less = c.copy()
            less[k] -= 1
            jack -= (n - 1) * c[k] / n * stats.entropy(less)
    cover = 1 - (c == 1).sum() / n
    pc = cover * p[p > 0]
    lam = min(1., (1 - (p**2).sum()) / ((n - 1) * ((1 / a - p) ** 2).sum()))
    m = .5 * (p + q / q.sum())
    info.append({"name": f"info{i}", "x": x.tolist(), "z": z.tolist(), "counts": arr(c), "q": arr(q), "entropy": float(stats.entropy(c)), "kl": float(stats.entropy(c, q)),
                 "cross": float(stats.entropy(c) + stats.entropy(c, q)), "js": float(.5 * stats.entropy(p, m) + .5 * stats.entropy(q, m)),
                 "mi": float(mutual_info_score(x, z)), "nmi": float(normalized_mutual_info_score(x, z)),
                 "millerMadow": float(stats.entropy(c) + (seen - 1) / (2 * n)), "jackknife": float(jack),
                 "chaoShen": float(-(pc * np.log(pc) / (1 - (1 - pc) ** n)).sum()), "shrinkage": float(stats.entropy(lam / a + (1 - lam) * p))})

out = {"real": real, "counts": counts, "dists": dists, "fits": fits, "many": many, "info": info}
pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(out, separators=(",", ":")).replace("NaN", "null") + "\n")
