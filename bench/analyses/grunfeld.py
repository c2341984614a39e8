# Investment of eleven firms: the twin of grunfeld.ipynb.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy import stats
from statsmodels.stats.outliers_influence import variance_inflation_factor
from statsmodels.stats.stattools import durbin_watson, jarque_bera

# %% 1. How many firms and years are there?
firms = pd.read_csv("data/grunfeld.csv")
len(firms), firms["firm"].nunique(), firms["year"].nunique()

# %% 2. What are mean and deviation of each firm's investment?
firms.groupby("firm", as_index=False).agg(mean=("invest", "mean"), sd=("invest", "std"), capital=("capital", "max")).sort_values("mean", ascending=False)

# %% 3. How fast did investment grow in each firm?
firms["growth"] = firms.groupby("firm")["invest"].pct_change()
firms.groupby("firm", as_index=False)["growth"].agg(["median", "min"])

# %% 4. What did the three largest firms invest in the last years?
wide = firms[firms["firm"].isin(["General Motors", "US Steel", "General Electric"])].pivot(index="year", columns="firm", values="invest").reset_index()
wide.tail(4)

# %% 5. Draw the investments
fig, ax = plt.subplots()
for firm, group in firms.groupby("firm"):
    ax.plot(group["year"], group["invest"], label=firm)
ax.set(yscale="log", ylabel="invest")
ax.legend()
fig

# %% 6. Which share of the year's investment did the largest firm have?
firms["share"] = firms["invest"] / firms.groupby("year")["invest"].transform("sum")
firms.loc[firms.groupby("year")["share"].idxmax(), ["year", "firm", "share"]].head(5)

# %% 7. What explains investment, without regard to firms?
pooled = smf.ols("invest ~ value + capital", firms).fit()
pd.DataFrame({"b": pooled.params, "se": pooled.bse, "p": pooled.pvalues}).rename_axis("name").reset_index(), pooled.rsquared, pooled.fvalue

# %% 8. What do the residuals look like?
checks = jarque_bera(pooled.resid)
durbin_watson(pooled.resid), checks[0], checks[2], checks[3]

# %% 9. What are the standard errors if the errors of a firm depend on each other?
clustered = pooled.get_robustcov_results("cluster", groups=firms["firm"].factorize()[0], use_t=True)
pd.DataFrame({"se": clustered.bse, "p": clustered.pvalues})

# %% 10. What are the effects within firms?
within = smf.ols("invest ~ firm + value + capital", firms).fit()
within.params["value"], within.params["capital"], within.bse["capital"], within.aic

# %% 11. Do the firms differ?
differ = within.compare_f_test(pooled)
differ[0], differ[1]

# %% 12. What is the analysis of variance of type I?
sm.stats.anova_lm(within, typ=1).rename_axis("term").reset_index()[["term", "df", "sum_sq", "F", "PR(>F)"]]

# %% 13. What does a random intercept of each firm give? [1e-3]
random = smf.mixedlm("invest ~ value + capital", firms, groups="firm").fit()
random.fe_params.to_numpy(), random.scale, random.cov_re.iloc[0, 0]

# %% 14. How much do value and capital inflate the variances?
x = sm.add_constant(firms[["value", "capital"]])
pd.DataFrame({"name": ["value", "capital"], "vif": [variance_inflation_factor(x, 1), variance_inflation_factor(x, 2)]})
