"""Survival curves and hazards by lifelines and statsmodels; writes survival.json beside this file.

lifelines 0.30.3, statsmodels 0.15.0. Run: python testdata/oracles/survival.py
"""
import json
import pathlib
import warnings

import lifelines
import numpy as np
import pandas as pd
import statsmodels
import statsmodels.formula.api as smf
from lifelines import CoxPHFitter, KaplanMeierFitter
from lifelines.datasets import load_gbsg2, load_leukemia, load_lung, load_rossi, load_waltons
from lifelines.statistics import multivariate_logrank_test

assert lifelines.__version__ == "0.30.3" and statsmodels.__version__ == "0.15.0"
warnings.simplefilter("ignore")
rossi = load_rossi()[["week", "arrest", "fin", "age", "prio", "mar"]]
lung = load_lung()[["time", "status", "age", "sex", "ph.ecog"]].dropna().rename(columns={"ph.ecog": "ecog"}).reset_index(drop=True)
lung["status"] = lung.status.astype(int)
leukemia = load_leukemia().rename(columns={"t": "week", "status": "relapse", "Rx": "rx"})[["week", "relapse", "sex", "logWBC", "rx"]]
waltons = load_waltons().rename(columns={"T": "day", "E": "died", "group": "strain"})
gbsg = load_gbsg2()[["time", "cens", "horTh", "age", "menostat", "tsize", "pnodes"]].iloc[::3].reset_index(drop=True)
sets = {"rossi": (rossi, "week", "arrest", "fin", "fin + age + prio"), "lung": (lung, "time", "status", "sex", "age + sex + C(ecog)"),
        "leukemia": (leukemia, "week", "relapse", "rx", "rx + logWBC + sex"), "waltons": (waltons, "day", "died", "strain", "strain"),
        "gbsg": (gbsg, "time", "cens", "menostat", "horTh*age + tsize + pnodes")}
out = {"sets": []}
for name, (d, t, e, g, terms) in sets.items():
    s = {"name": name, "time": t, "event": e, "group": g, "terms": terms,
         "data": {c: (v.astype(str).tolist() if v.dtype == object or str(v.dtype) == "str" else v.astype(float).tolist()) for c, v in d.items()}, "curves": []}
    for key, part in sorted(d.groupby(g), key=lambda kv: str(kv[0])):
        k = KaplanMeierFitter().fit(part[t], part[e])
        ci = k.confidence_interval_survival_function_.iloc[1:].to_numpy()
        sf = k.survival_function_.iloc[1:, 0]
        s["curves"].append({"n": len(part), "time": sf.index.tolist(), "s": sf.tolist(), "low": ci[:, 0].tolist(), "high": ci[:, 1].tolist(),
                            "median": None if np.isinf(k.median_survival_time_) else float(k.median_survival_time_)})
        if s["curves"][-1]["time"][0] == 0 and len(part[t]) and part[t].min() > 0:
            raise SystemExit("time 0")
    r = multivariate_logrank_test(d[t], d[g], d[e])
    s["logrank"] = [float(r.test_statistic), float(r.p_value)]
    m = smf.phreg(f"{t} ~ {terms}", d, status=d[e].to_numpy(), ties="efron").fit()
    s["cox"] = {"names": list(m.model.exog_names), "coef": list(m.params), "se": list(m.bse), "p": list(m.pvalues), "llf": m.llf}
    if "*" not in terms and "C(" not in terms and name != "waltons":
        c = CoxPHFitter().fit(d[[t, e] + terms.split(" + ")], t, e)
        s["lifelines"] = {"llf": c.log_likelihood_, "lr": float(c.log_likelihood_ratio_test().test_statistic), "concordance": c.concordance_index_,
                          "hazard": c.predict_partial_hazard(d.iloc[:5]).tolist(),
                          "baseline_time": c.baseline_cumulative_hazard_.index.tolist(), "baseline": c.baseline_cumulative_hazard_.iloc[:, 0].tolist()}
    out["sets"].append(s)
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(out, default=float, separators=(",", ":"), allow_nan=False) + "\n")
