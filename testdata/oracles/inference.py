"""Tests, corrections and power by SciPy and statsmodels; writes inference.json beside this file.

SciPy 1.17.1, statsmodels 0.15.0. Run: python testdata/oracles/inference.py
"""
import json
import pathlib
import warnings

import numpy as np
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.diagnostic import normal_ad
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.oneway import anova_oneway
from statsmodels.stats.power import FTestAnovaPower, NormalIndPower, TTestIndPower, TTestPower
from statsmodels.stats.proportion import proportions_ztest

assert scipy.__version__ == "1.17.1" and statsmodels.__version__ == "0.15.0"
warnings.simplefilter("ignore")
rng = np.random.default_rng(341)
SIDES = ["two-sided", "less", "greater"]

sets = {
    "gauss": [rng.normal(5, 2, 21).round(5), rng.normal(6, 2, 21).round(5), rng.normal(5.5, 3, 21).round(5)],
    "ties": [rng.integers(0, 6, 30).astype(float), rng.integers(1, 7, 30).astype(float), rng.integers(0, 9, 30).astype(float)],
    "skewed": [rng.exponential(2, 40).round(6), rng.exponential(3, 40).round(6), rng.exponential(2.5, 40).round(6)],
    "small": [np.array([1.1, 2.3, 3.2, 4.8]), np.array([2.2, 3.9, 5.1, 7.7]), np.array([.4, 1.2, 9.5, 3.3])],
    "large": [rng.normal(0, 1, 300), rng.normal(.8, 1.5, 300), rng.normal(0, 1, 300)],
    "uneven": [rng.normal(10, 1, 9).round(4), rng.normal(11, 4, 31).round(4), rng.normal(12, 2, 17).round(4)],
}
out = {"samples": [], "counts": [], "fit": [], "adjust": [], "tukey": [], "power": [], "kolmogorov": [], "range": [], "nct": [], "ncf": [], "proportions": [], "bca": []}


def res(r):
    return [float(r.statistic), float(r.pvalue)]


for name, (a, b, c) in sets.items():
    d = {"name": name, "a": a.tolist(), "b": b.tolist(), "c": c.tolist()}
    d["one"] = [res(stats.ttest_1samp(a, 5, alternative=s)) for s in SIDES]
    d["one_ci"] = list(stats.ttest_1samp(a, 5).confidence_interval())
    d["t"] = [res(stats.ttest_ind(a, b, alternative=s)) for s in SIDES]
    d["t_ci"] = list(stats.ttest_ind(a, b).confidence_interval())
    d["mw"] = [res(stats.mannwhitneyu(a, b, alternative=s, method="exact" if name in ("gauss", "small", "skewed", "uneven") else "asymptotic")) for s in SIDES]
    d["kw"] = res(stats.kruskal(a, b, c))
    d["f"] = res(stats.f_oneway(a, b, c))
    d["welch"] = [anova_oneway([a, b, c], use_var="unequal").statistic, anova_oneway([a, b, c], use_var="unequal").pvalue]
    d["levene"] = res(stats.levene(a, b, c))
    d["bartlett"] = res(stats.bartlett(a, b, c))
    d["shapiro"] = [res(stats.shapiro(v)) for v in (a, b, c)]
    d["ad"] = list(map(float, normal_ad(np.asarray(b)))) if len(b) >= 8 else None
    d["jb"] = res(stats.jarque_bera(b))
    d["ks"] = res(stats.ks_1samp(a, stats.norm(5, 2).cdf, method="exact"))
    d["ks2"] = res(stats.ks_2samp(a, b, method="exact"))
    if len(a) == len(b):
        d["wilcoxon"] = [[float(v) for v in res(stats.wilcoxon(a, b, alternative=s, correction=False))] for s in SIDES]
        d["friedman"] = res(stats.friedmanchisquare(a, b, c))
        p = stats.pearsonr(a, b)
        d["pearson"] = [p.statistic, p.pvalue, *p.confidence_interval()]
        d["spearman"] = res(stats.spearmanr(a, b))
        d["kendall"] = res(stats.kendalltau(a, b))
    out["samples"].append(d)
    groups = [a, b, c]
    t = stats.tukey_hsd(*groups)
    ci = t.confidence_interval(.95)
    out["tukey"].append({"name": name, "p": t.pvalue.tolist(), "diff": t.statistic.tolist(), "low": ci.low.tolist(), "high": ci.high.tolist()})

for t in [[[12, 5], [3, 9]], [[20, 30, 11], [15, 25, 9]], [[100, 3], [4, 200]], [[5, 1, 0, 4], [2, 7, 3, 3], [9, 9, 1, 2]], [[0, 10], [10, 0]], [[1000, 1], [2, 2000]]]:
    r = stats.chi2_contingency(np.array(t))
    out["counts"].append({"table": t, "chi": float(r.statistic), "p": float(r.pvalue), "df": float(r.dof),
                          "v": float(stats.contingency.association(np.array(t), method="cramer"))})
for c, p in [([16, 18, 16, 14, 12, 12], None), ([29, 60, 11], [.25, .5, .25]), ([1000, 10], [.5, .5])]:
    c = np.array(c)
    r = stats.chisquare(c, None if p is None else np.array(p) * c.sum())
    out["fit"].append({"counts": c.tolist(), "probabilities": p or [], "result": res(r)})
for p in [[.01, .02, .03, .04, .05], [.9, 1e-10, .04, .2, .04, .011, .5, 1e-300], [.5], [1, 1, .3], rng.uniform(size=40).tolist()]:
    out["adjust"].append({"p": p, **{m: multipletests(p, method=k)[1].tolist() for m, k in
                                      [("bonferroni", "bonferroni"), ("holm", "holm"), ("bh", "fdr_bh"), ("by", "fdr_by")]}})

for d, n, alpha, alt in [(.5, 20, .05, "two-sided"), (.8, 10, .01, "larger"), (.2, 400, .05, "two-sided"), (1.5, 4, .05, "two-sided"), (.3, 100, .05, "larger")]:
    out["power"].append({"kind": "two", "effect": d, "n": n, "alpha": alpha, "one": alt == "larger", "power": float(TTestIndPower().power(d, n, alpha, alternative=alt))})
    out["power"].append({"kind": "paired", "effect": d, "n": n, "alpha": alpha, "one": alt == "larger", "power": float(TTestPower().power(d, n, alpha, alternative=alt))})
    out["power"].append({"kind": "anova", "effect": d, "n": n, "alpha": alpha, "one": False, "power": float(FTestAnovaPower().power(d, 4 * n, alpha, k_groups=4))})
for p1, p2, n in [(.1, .2, 100), (.5, .55, 1000), (.02, .3, 20)]:
    h = 2 * np.arcsin(np.sqrt(p1)) - 2 * np.arcsin(np.sqrt(p2))
    out["power"].append({"kind": "proportions", "effect": p1, "p2": p2, "n": n, "alpha": .05, "one": False,
                         "power": float(NormalIndPower().power(abs(h), n, .05))})

for n in [1, 2, 5, 20, 100, 1000, 3000]:
    for z in [.3, .5, .8, 1.2, 1.7, 1.94, 1.96, 2.5, 4, 9, 18]:
        if 0 < z / n**.5 < 1:
            v = float(stats.kstwo.sf(z / n**.5, n))
            if 1e-300 < v < 1:
                out["kolmogorov"].append([n, z / n**.5, v])
for k in [2, 3, 5, 10, 30]:
    for nu in [2, 5, 12, 60, 400]:
        for q in [.5, 1, 2.5, 4, 6]:
            v = float(stats.studentized_range.sf(q, k, nu))
            if v > 1e-7:
                out["range"].append([k, nu, q, v])
for nu in [3, 10, 58, 500]:
    for delta in [.5, 2, 4]:
        for t in [-1, .5, 2, 3, 8]:
            out["nct"].append([nu, delta, t, float(stats.nct.sf(t, nu, delta))])
for a, b in [(1, 10), (3, 76), (5, 200)]:
    for lam in [.5, 4, 30, 300]:
        for f in [.5, 2.7, 5, 30]:
            out["ncf"].append([a, b, lam, f, float(stats.ncf.sf(f, a, b, lam))])
for k1, n1, k2, n2 in [(20, 100, 35, 110), (3, 40, 12, 41), (500, 1000, 510, 1000)]:
    out["proportions"].append([k1, n1, k2, n2, *map(float, proportions_ztest([k1, k2], [n1, n2]))])
for name in ["skewed", "gauss", "large"]:
    r = stats.bootstrap((sets[name][0],), np.mean, n_resamples=200000, method="BCa", random_state=1, batch=1000)
    out["bca"].append({"name": name, "low": r.confidence_interval.low, "high": r.confidence_interval.high, "se": r.standard_error})

path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(out, default=float, separators=(",", ":"), allow_nan=False) + "\n")
