# Arrests after prison: the twin of rossi.ipynb.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from lifelines import CoxPHFitter, KaplanMeierFitter
from lifelines.statistics import logrank_test
from scipy import stats

# %% 1. How many men were there, and how many were arrested?
men = pd.read_csv("data/rossi.csv")
len(men), men["arrest"].sum(), men["week"].median()

# %% 2. Which share was arrested, with and without aid, by age?
men["years"] = pd.qcut(men["age"], 3, labels=["[17, 21]", "(21, 25]", "(25, 44]"])
men.pivot_table(index="years", columns="fin", values="arrest", observed=True).reset_index()

# %% 3. Are aid and arrest independent?
table = pd.crosstab(men["fin"], men["arrest"])
chi2 = stats.chi2_contingency(table)
table.reset_index(), chi2.pvalue

# %% 4. How do arrests add up over the weeks?
weeks = men[men["arrest"] == 1].groupby("week").size().reset_index(name="n")
weeks["sum"] = weeks["n"].cumsum()
weeks.tail(5)

# %% 5. What is the survival function?
km = KaplanMeierFitter().fit(men["week"], men["arrest"])
km.predict(26), km.predict(52)

# %% 6. What are its bands after 52 weeks, of men with and without aid? [1e-5]
curves = {fin: KaplanMeierFitter().fit(g["week"], g["arrest"]) for fin, g in men.groupby("fin")}
pd.DataFrame([[str(fin), km.predict(52), *km.confidence_interval_.iloc[-1]] for fin, km in curves.items()])

# %% 7. Draw both curves
fig, ax = plt.subplots()
for fin, km in curves.items():
    km.plot(ax=ax, label=f"aid {fin}")
fig

# %% 8. Do the curves differ, by the log-rank test?
fin = men["fin"] == 1
rank = logrank_test(men.loc[fin, "week"], men.loc[~fin, "week"], men.loc[fin, "arrest"], men.loc[~fin, "arrest"])
rank.test_statistic, rank.p_value

# %% 9. What changes the hazard? [1e-5]
cox = CoxPHFitter().fit(men.drop(columns="years"), "week", "arrest")
cox.summary[["coef", "se(coef)", "p", "coef lower 95%", "coef upper 95%"]].rename_axis("name").reset_index()

# %% 10. How good is the model? [1e-5]
lr = cox.log_likelihood_ratio_test()
cox.log_likelihood_, lr.test_statistic, lr.p_value, cox.concordance_index_

# %% 11. Draw the hazard ratios
fig, ax = plt.subplots()
cox.plot(ax=ax)
fig

# %% 12. How likely are the first five men to stay free for 26 weeks? [1e-5]
cox.predict_survival_function(men.head(5), times=[26]).iloc[0].to_numpy()

# %% 13. Do age and earlier convictions differ between those arrested and others?
young, prior = [g for _, g in men.groupby("arrest")["age"]], [g for _, g in men.groupby("arrest")["prio"]]
age, convictions = stats.mannwhitneyu(*young), stats.mannwhitneyu(*prior)
age.statistic, age.pvalue, convictions.statistic, convictions.pvalue
