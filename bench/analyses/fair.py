# Fair's survey of marriages: the twin of fair.ipynb.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy import stats

# %% 1. How many women answered, and how many had an affair?
fair = pd.read_csv("data/fair.csv")
fair["affair"] = (fair["affairs"] > 0).astype(int)
len(fair), fair["affair"].sum()

# %% 2. Which share had an affair, by the rating of the marriage?
ratings = fair.groupby("rate_marriage", as_index=False)["affair"].agg(["size", "mean"])
ratings

# %% 3. Draw these shares
fig, ax = plt.subplots()
ax.bar(ratings["rate_marriage"], ratings["mean"])
ax.set(xlabel="rating of the marriage", ylabel="share with an affair")
fig

# %% 4. Which share had an affair, by religion and years of marriage?
fair["married"] = pd.cut(fair["yrs_married"], [0, 3, 10, 24], right=False, labels=["short", "middle", "long"])
fair.pivot_table(index="religious", columns="married", values="affair", aggfunc="mean", observed=True).reset_index()

# %% 5. What are mean and quartiles of the age in both groups?
fair.groupby("affair")["age"].describe().reset_index(drop=True)[["count", "mean", "std", "25%", "50%", "75%"]]

# %% 6. How do the answers correlate by ranks?
fair[["rate_marriage", "yrs_married", "religious", "affairs"]].corr("spearman").reset_index()

# %% 7. Do the ages of both groups differ?
ages = [group for _, group in fair.groupby("affair")["age"]]
t, ks = stats.ttest_ind(ages[1], ages[0]), stats.ks_2samp(ages[0], ages[1])
t.statistic, t.pvalue, t.confidence_interval().low, t.confidence_interval().high, ks.statistic

# %% 8. What changes the odds of an affair? [1e-5]
odds = smf.logit("affair ~ C(occupation) + rate_marriage + age + yrs_married + religious + educ", fair).fit(disp=False)
pd.DataFrame({"b": odds.params, "se": odds.bse, "p": odds.pvalues}).rename(index=lambda s: s.replace(".0]", "]")).rename_axis("name").reset_index(), odds.llf, odds.aic

# %% 9. What are the odds ratios with their intervals? [1e-5]
np.exp(pd.concat([odds.params, odds.conf_int()], axis=1))

# %% 10. What are the average marginal effects? [1e-5]
odds.get_margeff().summary_frame().iloc[-5:, :2]

# %% 11. Does occupation matter, by a likelihood ratio? [1e-5]
small = smf.logit("affair ~ rate_marriage + age + yrs_married + religious + educ", fair).fit(disp=False)
2 * (odds.llf - small.llf), stats.chi2.sf(2 * (odds.llf - small.llf), odds.df_model - small.df_model)

# %% 12. What does a probit model say? [1e-5]
probit = smf.glm("affair ~ rate_marriage + age + yrs_married + religious", fair, family=sm.families.Binomial(sm.families.links.Probit())).fit()
pd.DataFrame({"b": probit.params, "se": probit.bse}), probit.llf

# %% 13. How does the number of children depend on the marriage, with robust errors? [1e-5]
children = smf.glm("children ~ yrs_married + religious + educ", fair, family=sm.families.Poisson()).fit(cov_type="HC0")
pd.DataFrame({"b": children.params, "se": children.bse}), children.deviance
