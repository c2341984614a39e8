"""Regressions of formulas by statsmodels and SciPy; writes regress.json beside this file.

statsmodels 0.15.0, SciPy 1.17.1, patsy 1.0.3. Run: python testdata/oracles/regress.py
"""
import json
import pathlib
import warnings

import numpy as np
import pandas as pd
import scipy
import statsmodels
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy import stats
from statsmodels.stats.anova import anova_lm
from statsmodels.stats.outliers_influence import OLSInfluence, variance_inflation_factor
from statsmodels.stats.stattools import durbin_watson, jarque_bera

assert scipy.__version__ == "1.17.1" and statsmodels.__version__ == "0.15.0"
warnings.simplefilter("ignore")
rng = np.random.default_rng(34)


def columns(d):
    return {c: (v.astype(str).tolist() if v.dtype == object or str(v.dtype) in ("category", "str") else v.tolist()) for c, v in d.items()}


def grown():
    """120 plants: three fertilizers by two soils, unbalanced; noise grows with light; counts and costs."""
    n = 120
    d = pd.DataFrame({"fert": rng.choice(["none", "low", "high"], n, p=[.5, .3, .2]), "soil": rng.choice(["clay", "sand"], n),
                      "light": rng.uniform(1, 9, n).round(3), "field": rng.choice([f"f{i}" for i in range(14)], n)})
    up = d.fert.map({"none": 0, "low": 1, "high": 2.5}) + (d.soil == "sand") * .7 + up_field(d.field)
    d["height"] = (10 + 2 * up + .8 * d.light + d.light * .4 * rng.normal(size=n)).round(4)
    d["seeds"] = rng.negative_binomial(2, 2 / (2 + np.exp(.2 + .3 * up + .1 * d.light)))
    d["cost"] = (np.exp(.5 + .2 * up) * rng.gamma(3, 1 / 3, n)).round(4) + .001
    d["alive"] = (rng.uniform(size=n) < 1 / (1 + np.exp(-(-1.5 + .5 * up + .2 * d.light)))).astype(int)
    d["trials"] = rng.integers(3, 12, n)
    d["share"] = rng.binomial(d.trials, 1 / (1 + np.exp(-(-1 + .3 * up)))) / d.trials
    d["w"] = rng.uniform(.2, 3, n).round(3)
    return d


def up_field(f):
    return f.map({f"f{i}": .3 * np.sin(i) for i in range(14)})


sets = {
    "longley": sm.datasets.longley.load_pandas().data.rename(columns=str.lower),
    "stackloss": sm.datasets.stackloss.load_pandas().data.rename(columns=str.lower),
    "grunfeld": sm.datasets.grunfeld.load_pandas().data.rename(columns=str.lower),
    "spector": sm.datasets.spector.load_pandas().data.rename(columns=str.lower),
    "scotland": sm.datasets.scotland.load_pandas().data.rename(columns=str.lower),
    "macro": sm.datasets.macrodata.load_pandas().data[["realgdp", "realcons", "tbilrate", "unemp"]],
    "randhie": sm.datasets.randhie.load_pandas().data.iloc[::97].reset_index(drop=True),
    "plants": grown(),
}
sets["grunfeld"] = sets["grunfeld"].astype({"firm": str})
out = {"data": {k: columns(v) for k, v in sets.items()}, "ols": [], "glm": [], "nb": [], "anova": [], "predict": [], "margins": []}


def table(r):
    ci = np.asarray(r.conf_int())
    return {"names": [str(n) for n in r.model.exog_names], "coef": list(r.params), "se": list(r.bse), "stat": list(r.tvalues),
            "p": list(r.pvalues), "low": ci[:, 0].tolist(), "high": ci[:, 1].tolist()}


def asT(r, df):
    """The table of r with tests by t of df degrees of freedom."""
    b, se = np.asarray(r.params), np.asarray(r.bse)
    q = stats.t.ppf(.975, df)
    return {"names": [str(n) for n in r.model.exog_names], "coef": list(b), "se": list(se), "stat": list(b / se),
            "p": list(2 * stats.t.sf(abs(b / se), df)), "low": list(b - q * se), "high": list(b + q * se)}


for name, formula, weights, cluster in [
    ("longley", "totemp ~ gnpdefl + gnp + unemp + armed + pop + year", None, None),
    ("stackloss", "stackloss ~ airflow*watertemp + I(acidconc**2)", None, None),
    ("grunfeld", "invest ~ value + capital", None, "firm"),
    ("grunfeld", "np.log(invest) ~ np.log(value) + C(firm)", "capital", "firm"),
    ("scotland", "yes ~ coutax + unempf*mor - 1", None, None),
    ("macro", "realcons ~ realgdp + tbilrate", None, None),
    ("plants", "height ~ fert*soil + light", None, "field"),
    ("plants", "height ~ 0 + fert + light:soil", "w", "field"),
    ("plants", "height ~ C(fert, Treatment('none')) + np.sqrt(light)", None, "field"),
    ("plants", "height ~ C(fert, Sum)*C(soil, Sum)", None, None),
    ("spector", "gpa ~ 1", None, None),
]:
    d = sets[name]
    model = smf.wls(formula, d, weights=d[weights]) if weights else smf.ols(formula, d)
    r = model.fit()
    infl = OLSInfluence(smf.ols(formula, d).fit()) if not weights else None
    res = np.asarray(r.wresid)
    jb, jbp, skew, kurt = jarque_bera(res)
    x = np.asarray(model.exog)
    row = {"name": name, "formula": formula, "weights": weights or "", "cluster": cluster or "", "plain": table(r),
           "r2": r.rsquared, "adj": r.rsquared_adj, "f": None if np.isnan(r.fvalue or np.nan) else r.fvalue,
           "fp": None if np.isnan(r.fvalue or np.nan) else r.f_pvalue, "llf": r.llf, "aic": r.aic, "bic": r.bic, "df": r.df_resid, "dfm": r.df_model,
           "scale": r.scale, "dw": durbin_watson(res), "jb": [jb, jbp, skew, kurt], "cond": np.linalg.cond(model.wexog),
           "fitted": list(r.fittedvalues), "robust": {}}
    for k in ["HC0", "HC1", "HC2", "HC3"]:
        row["robust"][k] = asT(model.fit(cov_type=k), r.df_resid)
    row["robust"]["NW3"] = asT(model.fit(cov_type="HAC", cov_kwds={"maxlags": 3}), r.df_resid)
    q = r.get_robustcov_results("HC1", use_t=True)
    row["f_hc1"] = None if row["f"] is None or not formula.count("~") or "0 +" in formula or "- 1" in formula else float(np.squeeze(q.fvalue))
    if cluster:
        groups = d[cluster].astype("category").cat.codes
        row["robust"]["cluster"] = asT(model.fit(cov_type="cluster", cov_kwds={"groups": groups}), groups.nunique() - 1)
    if infl is not None:
        row["influence"] = {"hat": list(infl.hat_matrix_diag), "inner": list(infl.resid_studentized_internal),
                            "outer": list(infl.resid_studentized_external), "cook": list(infl.cooks_distance[0])}
        row["vif"] = {n: variance_inflation_factor(x, j) for j, n in enumerate(model.exog_names) if n != "Intercept"} if "Intercept" in model.exog_names and x.shape[1] > 1 else {}
    out["ols"].append(row)

F = sm.families
L = sm.families.links
for name, formula, family, link, fam, offset, weights in [
    ("spector", "grade ~ gpa + tuce + psi", "binomial", "", F.Binomial(), None, None),
    ("spector", "grade ~ gpa + tuce + psi", "binomial", "probit", F.Binomial(L.Probit()), None, None),
    ("spector", "grade ~ gpa + tuce + psi", "binomial", "cloglog", F.Binomial(L.CLogLog()), None, None),
    ("plants", "alive ~ fert*soil + light", "binomial", "", F.Binomial(), None, None),
    ("plants", "alive ~ light", "binomial", "cauchit", F.Binomial(L.Cauchy()), None, None),
    ("plants", "share ~ fert + light", "binomial", "", F.Binomial(), None, "trials"),
    ("plants", "seeds ~ fert + soil + light", "poisson", "", F.Poisson(), None, None),
    ("plants", "seeds ~ fert + offset(log(trials))", "poisson", "", F.Poisson(), "trials", None),
    ("randhie", "mdvis ~ lncoins + idp + physlm + disea + hlthg", "poisson", "", F.Poisson(), None, None),
    ("plants", "seeds ~ fert + light", "negative binomial", "", F.NegativeBinomial(alpha=1), None, None),
    ("scotland", "yes ~ coutax + unempf + mor + act + gdp + age", "gamma", "", F.Gamma(), None, None),
    ("plants", "cost ~ fert + soil", "gamma", "log", F.Gamma(L.Log()), None, "w"),
    ("plants", "cost ~ fert", "inverse gaussian", "log", F.InverseGaussian(L.Log()), None, None),
    ("stackloss", "stackloss ~ airflow + watertemp", "gaussian", "log", F.Gaussian(L.Log()), None, None),
    ("longley", "totemp ~ gnp + year", "gaussian", "", F.Gaussian(), None, None),
]:
    d = sets[name]
    kw = {}
    text = formula
    if offset:
        text, kw["offset"] = formula.split(" + offset")[0], np.log(d[offset])
    if weights:
        kw["var_weights"] = d[weights]
    model = smf.glm(text, d, family=fam, **kw)
    r = model.fit(maxiter=200, tol=1e-14)
    estimated = family in ("gamma", "gaussian", "inverse gaussian")
    w = np.asarray(d[weights]) if weights else np.ones(len(d))
    y, mu = np.asarray(model.endog), np.asarray(r.fittedvalues)
    if family == "binomial" and weights:
        llf = stats.binom.logpmf(np.round(y * w), w, mu).sum()
    elif family == "gamma":
        phi = r.deviance / w.sum()
        llf = stats.gamma.logpdf(y, w / phi, scale=mu * phi / w).sum()
    elif family == "inverse gaussian":
        phi = r.deviance / w.sum()
        llf = stats.invgauss.logpdf(y, mu * phi, scale=1 / phi).sum()
    elif family == "gaussian":
        llf = stats.norm.logpdf(y, mu, np.sqrt(r.deviance / w.sum())).sum()
    elif family == "poisson":
        llf = stats.poisson.logpmf(y, mu).sum()
    elif family == "negative binomial":
        llf = stats.nbinom.logpmf(y, 1, 1 / (1 + mu)).sum()
    else:
        llf = stats.bernoulli.logpmf(y, mu).sum()
    row = {"name": name, "formula": formula, "family": family, "link": link, "weights": weights or "",
           "plain": asT(r, r.df_resid) if estimated else table(r), "deviance": r.deviance, "null": r.null_deviance, "chi2": r.pearson_chi2,
           "scale": r.scale, "llf": llf, "df": r.df_resid, "fitted": list(mu), "robust": {},
           "pearson": list(r.resid_pearson), "dev_resid": list(r.resid_deviance)}
    if not weights and fam.link.__class__ in (L.Logit, L.Log) and family in ("binomial", "poisson"):
        row["robust"]["HC0"] = table(model.fit(maxiter=200, tol=1e-14, cov_type="HC0"))
        # statsmodels' HC1 of a GLM leaves n/(n - k) out; R's sandwich::vcovHC has it.
        h = model.fit(maxiter=200, tol=1e-14, cov_type="HC0")
        b, se = np.asarray(h.params), np.asarray(h.bse) * np.sqrt(len(y) / r.df_resid)
        z = stats.norm.ppf(.975)
        row["robust"]["HC1"] = {"names": list(model.exog_names), "coef": list(b), "se": list(se), "stat": list(b / se),
                                "p": list(2 * stats.norm.sf(abs(b / se))), "low": list(b - z * se), "high": list(b + z * se)}
        if name == "plants":
            g = d.field.astype("category").cat.codes
            row["robust"]["cluster"] = table(model.fit(maxiter=200, tol=1e-14, cov_type="cluster", cov_kwds={"groups": g}))
    out["glm"].append(row)

for name, formula in [("plants", "seeds ~ fert + soil + light"), ("plants", "seeds ~ 1"), ("randhie", "mdvis ~ lncoins + idp + physlm + disea + hlthg")]:
    r = smf.negativebinomial(formula, sets[name]).fit(disp=0, maxiter=500, method="newton")
    out["nb"].append({"name": name, "formula": formula, "plain": table(r), "llf": r.llf, "null": r.llnull, "aic": r.aic, "bic": r.bic})

for name, formula in [("plants", "height ~ C(fert, Sum)*C(soil, Sum) + light"), ("plants", "height ~ C(fert, Sum)*C(soil, Sum)"), ("plants", "height ~ fert + soil"), ("plants", "cost ~ fert*light"),
                      ("stackloss", "stackloss ~ airflow + watertemp"), ("grunfeld", "invest ~ firm + value"), ("longley", "totemp ~ gnp + year")]:
    r = smf.ols(formula, sets[name]).fit()
    for kind in [1, 2, 3]:
        if kind == 1 and formula.endswith("+ light"):
            continue  # patsy has numbers behind interactions of categories, R and we before
        a = anova_lm(r, typ=kind)
        a = a.drop(index="Residual")
        out["anova"].append({"name": name, "formula": formula, "kind": kind, "terms": list(a.index), "df": list(a["df"]), "ss": list(a["sum_sq"]),
                             "f": list(a["F"]), "p": list(a["PR(>F)"])})

for name, formula in [("plants", "height ~ fert*soil + np.log(light)"), ("stackloss", "stackloss ~ airflow + I(watertemp**2)")]:
    d = sets[name]
    r = smf.ols(formula, d.iloc[10:]).fit()
    out["predict"].append({"name": name, "formula": formula, "from": 10, "rows": r.get_prediction(d.iloc[:10]).summary_frame(alpha=.1).to_numpy().tolist()})

for name, formula in [("spector", "grade ~ gpa + tuce + psi"), ("plants", "alive ~ light + C(soil)")]:
    r = smf.logit(formula, sets[name]).fit(disp=0, tol=1e-14)
    m = r.get_margeff()
    out["margins"].append({"name": name, "formula": formula, "effects": list(m.margeff), "se": list(m.margeff_se), "p": list(m.pvalues)})


class Encoder(json.JSONEncoder):
    def default(self, o):
        return o.item() if hasattr(o, "item") else super().default(o)


path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(out, cls=Encoder, separators=(",", ":"), allow_nan=False) + "\n")
