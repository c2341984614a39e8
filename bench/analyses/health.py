# Visits to the doctor: the twin of health.ipynb.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy import stats

# %% 1. How many rows are there, and how are the visits distributed?
health = pd.read_csv("data/randhie.csv")
len(health), health["mdvis"].mean(), health["mdvis"].std(), health["mdvis"].median(), health["mdvis"].max()

# %% 2. How many visits do people have, in classes?
health["class"] = pd.cut(health["mdvis"], [0, 1, 3, 6, 12, 80], right=False, labels=["0", "1-2", "3-5", "6-11", "12+"])
health.groupby("class", observed=True, as_index=False)["disea"].agg(["size", "mean"])

# %% 3. Draw the distribution
fig, ax = plt.subplots()
ax.hist(health["mdvis"], bins=40)
ax.set(xlabel="visits in a year")
fig

# %% 4. How do visits depend on the state of health?
health["state"] = np.select([health["hlthp"] == 1, health["hlthf"] == 1, health["hlthg"] == 1], ["poor", "fair", "good"], "excellent")
health.groupby("state", as_index=False)["mdvis"].agg(["size", "mean", lambda v: v.quantile(0.9)])

# %% 5. How do they depend on plan and health?
health.pivot_table(index="state", columns="idp", values="mdvis", aggfunc="mean", margins=True).reset_index()

# %% 6. How do visits correlate with the coinsurance and the diseases?
health[["mdvis", "lncoins", "disea", "physlm"]].corr().reset_index()

# %% 7. What does a Poisson model say? [1e-5]
poisson = smf.glm("mdvis ~ lncoins + idp + lpi + fmde + physlm + disea + hlthg + hlthf + hlthp", health, family=sm.families.Poisson()).fit()
pd.DataFrame({"b": poisson.params, "se": poisson.bse}).rename_axis("name").reset_index(), poisson.llf, poisson.pearson_chi2

# %% 8. What are robust standard errors? [1e-5]
smf.glm("mdvis ~ lncoins + idp + lpi + fmde + physlm + disea + hlthg + hlthf + hlthp", health, family=sm.families.Poisson()).fit(cov_type="HC0").bse.to_numpy()

# %% 9. What are the rate ratios? [1e-5]
np.exp(pd.concat([poisson.params, poisson.conf_int()], axis=1))

# %% 10. What does a negative binomial model say? [1e-4]
nb = smf.negativebinomial("mdvis ~ lncoins + idp + lpi + fmde + physlm + disea + hlthg + hlthf + hlthp", health).fit(disp=False, maxiter=500)
nb.llf, nb.params["lncoins"], nb.bse["lncoins"], nb.params["disea"]

# %% 11. What makes any visit more likely? [1e-5]
health["any"] = (health["mdvis"] > 0).astype(int)
visit = smf.logit("any ~ state + lncoins + lpi + disea", health).fit(disp=False)
pd.DataFrame({"b": visit.params, "se": visit.bse, "p": visit.pvalues}), visit.aic

# %% 12. How often do four kinds of people go? [1e-5]
people = pd.DataFrame({"lncoins": [0, 4.6, 0, 4.6], "idp": [0, 0, 1, 1], "lpi": 5.0, "fmde": 0.0, "physlm": [0, 0, 1, 1], "disea": [5, 5, 20, 20], "hlthg": [0, 0, 1, 1], "hlthf": 0, "hlthp": 0})
poisson.predict(people)
