# Barley in Minnesota: the twin of barley.ipynb.
import matplotlib.pyplot as plt
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy import stats
from statsmodels.stats.multitest import multipletests

# %% 1. How many plots, varieties, sites and years are there?
barley = pd.read_json("data/barley.json")
len(barley), barley["variety"].nunique(), barley["site"].nunique(), barley["year"].nunique()

# %% 2. What did each site yield in each year, with totals?
barley.pivot_table(index="site", columns="year", values="yield", margins=True).reset_index()

# %% 3. Which varieties are the best on average?
barley.groupby("variety", as_index=False)["yield"].agg(["mean", "std", "min"]).nlargest(4, "mean")

# %% 4. Which variety was the best on each site in each year?
barley.loc[barley.groupby(["site", "year"])["yield"].idxmax(), ["site", "year", "variety", "yield"]]

# %% 5. By how much did the yield of a site change from 1931 to 1932?
wide = barley.pivot(index=["site", "variety"], columns="year", values="yield").reset_index()
wide["change"] = wide[1932] - wide[1931]
wide.groupby("site", as_index=False)["change"].agg(["mean", "max"])

# %% 6. Draw the yields by site and year
fig, ax = plt.subplots()
for year, group in barley.groupby("year"):
    ax.scatter(group["site"], group["yield"], label=year)
ax.legend()
fig

# %% 7. What is the rank of each variety within its site?
barley["rank"] = barley.groupby(["site", "year"])["yield"].rank()
barley.groupby("variety", as_index=False)["rank"].mean().sort_values("rank", ascending=False)

# %% 8. Did the yield change between the years, by paired tests?
paired, wilcoxon = stats.ttest_rel(wide[1932], wide[1931]), stats.wilcoxon(wide[1932], wide[1931])
paired.statistic, paired.pvalue, paired.confidence_interval().low, paired.confidence_interval().high, wilcoxon.pvalue

# %% 9. On which sites did it change, corrected by Holm's method?
sites = wide.groupby("site")["change"]
raw = sites.apply(lambda change: stats.ttest_1samp(change, 0).pvalue)
pd.DataFrame({"site": raw.index, "adjusted": multipletests(raw, method="holm")[1]})

# %% 10. Which factors matter, by an analysis of variance?
fit = smf.ols("Q('yield') ~ variety + site * C(year)", barley).fit()
sm.stats.anova_lm(fit, typ=2).rename_axis("term").reset_index()

# %% 11. What is the analysis of type III with contrasts that sum to zero?
sm.stats.anova_lm(smf.ols("Q('yield') ~ C(site, Sum) * C(year, Sum)", barley).fit(), typ=3)

# %% 12. Do the varieties differ on the same plots, by Friedman's test?
plots = barley.pivot(index=["site", "year"], columns="variety", values="yield")
friedman = stats.friedmanchisquare(*plots.to_numpy().T)
friedman.statistic, friedman.pvalue

# %% 13. Is the effect of the site random? [1e-3]
random = smf.mixedlm("Q('yield') ~ variety", barley, groups="site").fit()
random.fe_params.iloc[0], random.scale, random.cov_re.iloc[0, 0], random.llf
