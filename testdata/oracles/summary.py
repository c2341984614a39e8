"""Summaries of least squares by statsmodels; writes summary.json beside this file.

statsmodels 0.15.0. Reads the data sets of linear.json. Run: python testdata/oracles/summary.py
"""
import json
import pathlib

import numpy as np
import statsmodels
import statsmodels.api as sm

assert statsmodels.__version__ == "0.15.0"
here = pathlib.Path(__file__)
rng = np.random.default_rng(21)
out = []


def told(fit, Z):
    p = fit.get_prediction(Z)
    mean, new = p.conf_int(alpha=.1), p.conf_int(obs=True, alpha=.1)
    return {"coef": fit.params.tolist(), "err": fit.bse.tolist(), "t": fit.tvalues.tolist(), "p": fit.pvalues.tolist(),
            "low": fit.conf_int()[:, 0].tolist(), "high90": fit.conf_int(.1)[:, 1].tolist(),
            "whole": [fit.scale ** .5, fit.rsquared, fit.rsquared_adj, fit.fvalue, fit.f_pvalue, fit.llf, fit.aic, fit.bic],
            "pred": np.c_[p.predicted, p.se, mean, new].tolist()}


for e in json.loads(here.with_name("linear.json").read_text())["regression"]:
    X, y = np.array(e["x"]), np.array(e["y"])
    A = sm.add_constant(X, has_constant="add")
    if np.linalg.matrix_rank(A) < A.shape[1] or len(y) <= A.shape[1] or np.ptp(y) == 0:
        continue
    w = rng.uniform(.2, 3, len(y)).round(2)
    Z = X[:4] + 1
    out.append({"name": e["name"], "w": w.tolist(), "plain": told(sm.OLS(y, A).fit(), np.c_[np.ones(4), Z]), "weighted": told(sm.WLS(y, A, w).fit(), np.c_[np.ones(4), Z]),
                "through0": told(sm.OLS(y, X, hasconst=False).fit(), Z)})
# More data sets of the same kind: polynomials are ill conditioned, large numbers far from 0.
x = np.linspace(1, 3, 40)
for name, X in {"cubic": np.c_[x, x ** 2, x ** 3], "years": np.c_[1980 + np.arange(40.), rng.normal(size=40).round(3)]}.items():
    y = (X @ rng.normal(size=X.shape[1]) + rng.normal(scale=.3, size=40)).round(4)
    w = rng.uniform(.2, 3, 40).round(2)
    A, Z = sm.add_constant(X, has_constant="add"), X[:4] + 1
    out.append({"name": name, "x": X.tolist(), "y": y.tolist(), "w": w.tolist(), "plain": told(sm.OLS(y, A).fit(), np.c_[np.ones(4), Z]),
                "weighted": told(sm.WLS(y, A, w).fit(), np.c_[np.ones(4), Z]), "through0": told(sm.OLS(y, X, hasconst=False).fit(), Z)})
path = here.with_suffix(".json")
path.write_text(json.dumps(out))
print(path.stat().st_size, "bytes", [e["name"] for e in out])
