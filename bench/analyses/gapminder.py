# Life expectancy and income: the twin of gapminder.ipynb.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
from scipy import stats

# %% 1. How many rows, countries and years are there?
world = pd.read_csv("data/gapminder.csv")
len(world), world["country"].nunique(), world["year"].nunique()

# %% 2. What are the means by continent in 2007?
now = world[world["year"] == 2007].reset_index(drop=True)
now.groupby("continent", as_index=False).agg(n=("pop", "size"), life=("lifeExp", "mean"), gdp=("gdpPercap", "median"), pop=("pop", "sum"))

# %% 3. What is the life expectancy of a person instead of a country?
now["years"] = now["lifeExp"] * now["pop"]
people = now.groupby("continent", as_index=False)[["years", "pop"]].sum()
people["life"] = people["years"] / people["pop"]
people[["continent", "life"]]

# %% 4. Which incomes grew fastest from 1952 to 2007?
growth = world.sort_values("year").groupby("country", as_index=False)["gdpPercap"].agg(["first", "last"])
growth["factor"] = growth["last"] / growth["first"]
growth.nlargest(5, "factor")[["country", "factor"]]

# %% 5. What is the median life expectancy by year and continent?
median = world.pivot_table(index="year", columns="continent", values="lifeExp", aggfunc="median").reset_index()
median

# %% 6. Draw these medians
fig, ax = plt.subplots()
median.plot(x="year", ax=ax)
ax.set(ylabel="median life expectancy")
fig

# %% 7. Where did life expectancy fall most within five years?
world["change"] = world.groupby("country")["lifeExp"].diff()
world.nsmallest(5, "change")[["country", "year", "change"]]

# %% 8. How many countries of each continent had such a fall?
world[world["change"] < 0].groupby("continent", as_index=False)["country"].nunique()

# %% 9. Which country of each continent is the richest in 2007?
now.loc[now.groupby("continent")["gdpPercap"].idxmax(), ["continent", "country", "gdpPercap"]]

# %% 10. Which share of its continent's people does a large country have?
now["share"] = now["pop"] / now.groupby("continent")["pop"].transform("sum")
now.nlargest(6, "share")[["country", "share"]]

# %% 11. Draw life expectancy over income in 2007
fig, ax = plt.subplots()
for continent, group in now.groupby("continent"):
    ax.scatter(group["gdpPercap"], group["lifeExp"], s=group["pop"] / 2e6, label=continent)
ax.set(xscale="log", xlabel="income per person ($)", ylabel="life expectancy")
ax.legend()
fig

# %% 12. How do income and life expectancy correlate, by values and by ranks?
pearson, spearman = stats.pearsonr(now["gdpPercap"], now["lifeExp"]), stats.spearmanr(now["gdpPercap"], now["lifeExp"])
pearson.statistic, pearson.pvalue, spearman.statistic, spearman.pvalue

# %% 13. What does the logarithm of income explain?
life = smf.ols("lifeExp ~ continent + np.log(gdpPercap)", now).fit()
pd.DataFrame({"estimate": life.params, "se": life.bse, "p": life.pvalues, "low": life.conf_int()[0], "high": life.conf_int()[1]}), life.rsquared_adj

# %% 14. Which countries live longest beyond the prediction?
now["beyond"] = life.resid
now.nlargest(5, "beyond")[["country", "beyond"]]

# %% 15. What are the standard errors of all years, clustered by country?
smf.ols("lifeExp ~ C(year) + np.log(gdpPercap)", world).fit(cov_type="cluster", cov_kwds={"groups": world["country"].factorize()[0]}).bse.to_numpy()

# %% 16. How do the countries' trends differ, by a mixed model? [1e-3]
world["decade"] = (world["year"] - 1980) / 10
trend = smf.mixedlm("lifeExp ~ decade", world, groups="country", re_formula="~ decade").fit()
trend.fe_params.to_numpy(), trend.cov_re.iloc[0, 0], trend.cov_re.iloc[1, 1], trend.scale
