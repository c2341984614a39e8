# Breast cancer in Germany: the twin of cancer.ipynb.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
from lifelines import CoxPHFitter, KaplanMeierFitter
from lifelines.statistics import multivariate_logrank_test
from scipy import stats

# %% 1. How many women took part, and how many had a relapse?
women = pd.read_csv("data/gbsg2.csv")
len(women), women["cens"].sum(), women["time"].median()

# %% 2. How do the treated and the untreated differ?
women.groupby("horTh", as_index=False).agg(n=("age", "size"), age=("age", "mean"), size=("tsize", "median"), nodes=("pnodes", "mean"), sd=("pnodes", "std"))

# %% 3. Which share had a relapse, by grade and therapy?
women.pivot_table(index="tgrade", columns="horTh", values="cens").reset_index()

# %% 4. Do therapy and menopause depend on each other?
table = pd.crosstab(women["menostat"], women["horTh"])
table.reset_index(), stats.contingency.association(table, correction=False)

# %% 5. Draw the ages of the treated and the untreated
fig, ax = plt.subplots()
ax.violinplot([group for _, group in women.groupby("horTh")["age"]])
ax.set(xlabel="hormone therapy", ylabel="age")
fig

# %% 6. Do the numbers of nodes differ between the grades, by ranks?
kruskal = stats.kruskal(*[group for _, group in women.groupby("tgrade")["pnodes"]])
kruskal.statistic, kruskal.pvalue

# %% 7. How many are free of a relapse after 1, 3 and 5 years?
km = KaplanMeierFitter().fit(women["time"], women["cens"])
km.predict(365), km.predict(1095), km.predict(1825), km.median_survival_time_

# %% 8. Draw the curves by grade
fig, ax = plt.subplots()
for grade, group in women.groupby("tgrade"):
    KaplanMeierFitter().fit(group["time"], group["cens"]).plot(ax=ax, label=grade)
fig

# %% 9. Do therapies and grades differ, by the log-rank test?
therapy, grade = multivariate_logrank_test(women["time"], women["horTh"], women["cens"]), multivariate_logrank_test(women["time"], women["tgrade"], women["cens"])
therapy.test_statistic, therapy.p_value, grade.test_statistic, grade.p_value

# %% 10. What changes the hazard? [1e-3]
cox = CoxPHFitter().fit(women, "time", "cens", formula="horTh + tgrade + age + tsize + pnodes + np.log(progrec + 1)")
cox.summary[["coef", "se(coef)", "p"]].reset_index(drop=True)

# %% 11. How good is the model, and what is the hazard ratio of the therapy? [1e-5]
cox.concordance_index_, cox.log_likelihood_ratio_test().test_statistic, cox.hazard_ratios_.iloc[0]

# %% 12. What goes with the number of nodes, by a negative binomial model? [1e-4]
nodes = smf.negativebinomial("pnodes ~ tgrade + tsize + age", women).fit(disp=False, maxiter=500)
nodes.params[:5].to_frame(), nodes.llf
