"""Tails of distributions by SciPy and by whole numbers; writes tails.json beside this file.

SciPy 1.17.1. Run: python testdata/oracles/tails.py
"""
import json
import pathlib
from fractions import Fraction
from math import comb

import scipy
from scipy import stats

assert scipy.__version__ == "1.17.1"

# What is below the smallest normal float64 has not all digits.
LEAST = 1e-300


def rows(values):
    return [[float(v) for v in r] for r in values if r[-1] > LEAST]


f = rows((a, b, x, stats.f.sf(x, a, b)) for a in (1, 2, 5, 30, 400) for b in (1, 2, 4, 17, 395, 5000, 10**6)
         for x in (1e-12, 1e-6, .1, .5, .9, 1, 1.5, 4, 20, 98.54, 1000, 1e6))
below = rows((a, b, x, stats.f.cdf(x, a, b)) for a in (1, 2, 5, 30) for b in (1, 4, 17, 395) for x in (1e-12, 1e-6, .1, .9, 1.5, 4))
t = rows((nu, x, 2 * stats.t.sf(x, nu)) for nu in (.5, 1, 2, 3.7, 10, 148, 1e3, 1e6) for x in (.001, .1, .7, 1, 2.5, 6, 15, 38, 200, 1e6, 1e20))
chi = rows((k, x, stats.chi2.sf(x, k)) for k in (1, 2, 3, 5, 10, 41, 100, 400, 1e4) for x in (1e-6, .01, .5, 1, 3, 10, 30, 100, 400, 1300, 9000, 10600, 12000))
beta = rows((a, b, x, stats.beta.cdf(x, a, b)) for a in (.01, .3, 1, 2.5, 40, 3000) for b in (.02, .5, 1, 7, 500) for x in (1e-200, 1e-9, .01, .3, .5, .9, .999))


t_quantiles = [[nu, p, float(stats.t.isf(p, nu))] for nu in (1, 2, 3.7, 10, 149, 1e4, 1e6) for p in (.4, .05, .025, 1e-4, 1e-8, 1e-12, 1e-100)]
beta_quantiles = [[a, b, p, float(stats.beta.ppf(p, a, b))] for a in (.3, 1, 2.5, 40, 3000, 500000) for b in (.5, 1, 7, 500) for p in (1e-12, 1e-4, .025, .3, .9, .999)]


def binomial(n, p):
    p = Fraction(p)
    return [comb(n, k) * p**k * (1 - p)**(n - k) for k in range(n + 1)]


trials = []
for n, p in ((1, .5), (10, .5), (60, .25), (400, .5), (400, .0078125), (1000, .75)):
    q = binomial(n, p)
    for k in sorted({0, 1, n // 20, n // 3, n // 2, n - n // 10, n - 1}):
        if k < n and float(q[k]) > LEAST and float(sum(q[k + 1:])) > LEAST:
            trials.append([n, p, k, float(q[k]), float(sum(q[:k + 1])), float(sum(q[k + 1:]))])
tests = []  # of TestOracleExactTests of package eval, as are the last two columns of the draws
for n, p in ((10, .5), (60, .25), (400, .5), (400, .0625)):
    q = binomial(n, p)
    for k in sorted({0, 1, n // 4, n // 2, n - n // 10, n}):
        two = float(sum(v for v in q if v <= q[k]))
        if two > LEAST:
            tests.append([n, p, k, two])
draws = []
for drawn, marked, whole in ((4, 4, 8), (10, 30, 100), (200, 300, 1000), (1500, 700, 4000), (1, 3, 5), (5, 5, 9)):
    low, high = max(0, drawn + marked - whole), min(drawn, marked)
    q = {k: Fraction(comb(marked, k) * comb(whole - marked, drawn - k), comb(whole, drawn)) for k in range(low, high + 1)}
    for k in sorted({low, low + (high - low) // 9, low + (high - low) // 3, low + (high - low) // 2, high}):
        two, one = float(sum(v for v in q.values() if v <= q[k])), float(sum(v for j, v in q.items() if j >= k))
        if float(q[k]) > LEAST and two > LEAST and one > LEAST:
            draws.append([drawn, marked, whole, k, float(q[k]), two, one])
out = {"f": f, "below f": below, "t": t, "chi squared": chi, "beta": beta, "t quantiles": t_quantiles, "beta quantiles": beta_quantiles, "binomial": trials, "binomial tests": tests, "hypergeometric": draws}
pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(out, separators=(",", ":")) + "\n")
