"""Linear mixed models by statsmodels; writes mixed.json beside this file.

statsmodels 0.15.0. Run: python testdata/oracles/mixed.py
"""
import json
import pathlib
import warnings

import numpy as np
import pandas as pd
import statsmodels
import statsmodels.api as sm
import statsmodels.formula.api as smf

assert statsmodels.__version__ == "0.15.0"
warnings.simplefilter("ignore")
rng = np.random.default_rng(343)
# 18 subjects over 10 days, as in the study of sleep of lme4's paper, but drawn: its model and its parameters.
subject, day = np.repeat(np.arange(18), 10), np.tile(np.arange(10.), 18)
b = rng.multivariate_normal([0, 0], [[600, 10], [10, 35]], 18)
sleep = pd.DataFrame({"subject": [f"s{i:02d}" for i in subject], "days": day, "reaction": (251.4 + 10.47 * day + b[subject, 0] + b[subject, 1] * day + 25.6 * rng.normal(size=180)).round(4)})
uneven = sleep.sample(90, random_state=1).reset_index(drop=True)
uneven["drug"] = np.where(rng.uniform(size=90) < .5, "a", "b")
grunfeld = sm.datasets.grunfeld.load_pandas().data[["invest", "value", "capital", "firm"]]
plots = pd.DataFrame({"plot": np.repeat([f"p{i}" for i in range(12)], 4), "dose": np.tile([0, 1, 2, 4.], 12)})
plots["weight"] = (3 + .5 * plots.dose + np.repeat(rng.normal(0, .8, 12), 4) + .4 * rng.normal(size=48)).round(5)
flat = plots.assign(weight=(3 + .5 * plots.dose + rng.normal(size=48)).round(5))
sets = {"sleep": sleep, "uneven": uneven, "grunfeld": grunfeld, "plots": plots, "flat": flat}
out = {"data": {k: {c: (v.astype(str).tolist() if not np.issubdtype(v.dtype, np.number) else v.tolist()) for c, v in d.items()} for k, d in sets.items()}, "fits": []}
for name, fixed, random, group in [("sleep", "reaction ~ days", "1", "subject"), ("sleep", "reaction ~ days", "days", "subject"), ("uneven", "reaction ~ days*drug", "1", "subject"),
                                   ("uneven", "reaction ~ days + drug", "days", "subject"), ("grunfeld", "invest ~ value + capital", "1", "firm"),
                                   ("plots", "weight ~ dose", "1", "plot"), ("plots", "weight ~ dose", "0 + dose", "plot"), ("flat", "weight ~ dose", "1", "plot")]:
    for reml in [True, False]:
        m = smf.mixedlm(fixed, sets[name], groups=group, re_formula="~" + random)
        fits = []
        for k in ["lbfgs", "nm"]:
            try:
                fits.append(m.fit(reml=reml, method=k, maxiter=2000))
            except np.linalg.LinAlgError:  # a variance of 0
                pass
        r = max((r for r in fits if np.isfinite(r.llf)), key=lambda r: r.llf)
        try:
            re = {str(k): v.tolist() for k, v in r.random_effects.items()}
        except ValueError:  # of a singular covariance, which statsmodels does not predict
            re = {}
        re = {k: v for k, v in re.items() if np.isfinite(v).all()}
        # statsmodels inverts the curvature by all parameters; the errors here are lme4's, given the variances.
        x, z, g, v = np.asarray(m.exog), np.asarray(m.exog_re), np.asarray(m.groups), np.asarray(r.cov_re)
        info = sum(x[g == k].T @ np.linalg.solve(r.scale * np.eye((g == k).sum()) + z[g == k] @ v @ z[g == k].T, x[g == k]) for k in np.unique(g))
        se = np.sqrt(np.diag(np.linalg.inv(info))).tolist()
        out["fits"].append({"name": name, "formula": f"{fixed} + ({random} | {group})", "reml": reml, "names": list(r.fe_params.index), "coef": list(r.fe_params), "se": se,
                            "cov": np.asarray(r.cov_re).tolist(), "scale": r.scale, "llf": r.llf, "effects": re})
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(out, default=float, separators=(",", ":"), allow_nan=False) + "\n")
