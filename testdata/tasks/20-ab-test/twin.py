import pandas as pd
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep

trial = pd.read_csv("trial.csv")
trial.groupby("variant").agg(converted_mean=("converted", "mean"), seconds_median=("seconds", "median"), count=("user", "size"))
# %%
a, b = trial[trial["variant"] == "A"], trial[trial["variant"] == "B"]
hits_a, hits_b = a["converted"].sum(), b["converted"].sum()
test = stats.fisher_exact([[hits_a, len(a) - hits_a], [hits_b, len(b) - hits_b]])
low, high = confint_proportions_2indep(hits_b, len(b), hits_a, len(a), method="wald")
test.pvalue, hits_b / len(b) - hits_a / len(a), low, high
# %%
rate = stats.binomtest(hits_b, len(b)).proportion_ci(method="wilson")
rate.low, rate.high
# %%
speed = stats.ttest_ind(b["seconds"], a["seconds"], equal_var=False)
gap = speed.confidence_interval(0.95)
speed.statistic, speed.df, speed.pvalue, gap.low, gap.high
