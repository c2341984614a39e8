# Survival with lung cancer: the twin of lung.ipynb.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from lifelines import CoxPHFitter, KaplanMeierFitter
from lifelines.statistics import multivariate_logrank_test
from scipy import stats

# %% 1. How many patients are there, how many died, and which values are missing?
lung = pd.read_csv("data/lung.csv").rename(columns={"ph.ecog": "ecog", "ph.karno": "karno", "wt.loss": "loss"})
len(lung), lung["status"].sum(), lung["loss"].isna().sum(), lung["meal.cal"].isna().sum()

# %% 2. What are age and weight loss of men and women?
lung["sex"] = lung["sex"].map({1: "male", 2: "female"})
lung.groupby("sex", as_index=False).agg(n=("age", "size"), mean=("age", "mean"), sd=("age", "std"), loss=("loss", "median"))

# %% 3. How many of each ECOG score died?
pd.crosstab(lung["ecog"], lung["status"]).reset_index()

# %% 4. How many were followed in each clinic, and for how long?
lung.groupby("inst", as_index=False)["time"].agg(["size", "max"]).sort_values(["size", "inst"], ascending=[False, True]).head(4)

# %% 5. What is the median survival, with its interval? [1e-5]
curves = {sex: KaplanMeierFitter().fit(g["time"], g["status"]) for sex, g in lung.groupby("sex")}
"female", curves["female"].median_survival_time_, "male", curves["male"].median_survival_time_

# %% 6. How many survive a year, two years? [1e-5]
curves["female"].predict(365), curves["male"].predict(365), curves["female"].predict(730), curves["male"].predict(730)

# %% 7. Draw the curves of men and women
fig, ax = plt.subplots()
for sex, curve in curves.items():
    curve.plot(ax=ax, label=sex)
fig

# %% 8. Do men and women differ, and the ECOG scores?
scored = lung.dropna(subset=["ecog"])
sex, ecog = multivariate_logrank_test(lung["time"], lung["sex"], lung["status"]), multivariate_logrank_test(scored["time"], scored["ecog"], scored["status"])
sex.test_statistic, sex.p_value, ecog.test_statistic, ecog.degrees_of_freedom, ecog.p_value

# %% 9. What changes the hazard? [1e-4]
columns = ["time", "status", "age", "sex", "ecog", "loss"]
cox = CoxPHFitter().fit(lung[columns].dropna(), "time", "status", formula="age + sex + ecog + loss")
cox.summary[["coef", "se(coef)", "p"]].rename_axis("name").reset_index(), len(lung[columns].dropna()), len(lung) - len(lung[columns].dropna())

# %% 10. How well does the model order the patients? [1e-5]
cox.concordance_index_, cox.log_likelihood_, cox.log_likelihood_ratio_test().test_statistic

# %% 11. What are the relative hazards of the first patients? [1e-5]
ranked = lung.dropna(subset=["age", "ecog", "loss"]).head(4)
ranked["risk"] = cox.predict_partial_hazard(ranked)
ranked["risk"] / ranked["risk"].iloc[0]

# %% 12. Do the doctor's and the patient's Karnofsky scores agree?
both = lung.dropna(subset=["karno", "pat.karno"])
paired, spearman = stats.ttest_rel(both["karno"], both["pat.karno"]), stats.spearmanr(both["karno"], both["pat.karno"])
paired.statistic, paired.pvalue, spearman.statistic
