# Deaths by natural disasters: the twin of disasters.ipynb.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy import stats

# %% 1. How many rows and kinds are there, and how many deaths?
every = pd.read_csv("data/disasters.csv")
kinds = every[every["Entity"] != "All natural disasters"].copy()
len(kinds), kinds["Entity"].nunique(), kinds["Deaths"].sum()

# %% 2. Do the kinds add up to the total of each year?
sums = kinds.groupby("Year", as_index=False).agg(sum=("Deaths", "sum")).merge(every[every["Entity"] == "All natural disasters"], on="Year")
len(sums), (sums["sum"] != sums["Deaths"]).sum()

# %% 3. Which kinds were the deadliest?
kinds.groupby("Entity", as_index=False)["Deaths"].agg(["sum", "size", "max"]).sort_values("sum", ascending=False)

# %% 4. Which five years of one kind were the worst?
kinds.nlargest(5, "Deaths")[["Year", "Entity", "Deaths"]]

# %% 5. How many died in each decade, by kind?
kinds["decade"] = kinds["Year"] - kinds["Year"] % 10
decades = kinds.pivot_table(index="decade", columns="Entity", values="Deaths", aggfunc="sum").reset_index()
decades

# %% 6. Draw the deaths of the decades
fig, ax = plt.subplots()
decades.plot(x="decade", y=["Drought", "Earthquake", "Epidemic", "Flood"], logy=True, ax=ax)
ax.set(ylabel="deaths")
fig

# %% 7. Which kind was the deadliest in each decade?
totals = kinds.groupby(["decade", "Entity"], as_index=False).agg(deaths=("Deaths", "sum"))
totals.loc[totals.groupby("decade")["deaths"].idxmax()]

# %% 8. Which share of the deaths of a decade is due to floods?
totals["share"] = totals["deaths"] / totals.groupby("decade")["deaths"].transform("sum")
totals.loc[totals["Entity"] == "Flood", ["decade", "share"]]

# %% 9. How do the logarithms of the deaths change over time, for each kind?
quakes = kinds[kinds["Entity"].isin(["Earthquake", "Flood", "Extreme weather"]) & (kinds["Deaths"] > 0)]
trend = smf.ols("np.log(Deaths) ~ Entity * I(Year - 1950)", quakes).fit()
pd.DataFrame({"b": trend.params, "se": trend.bse, "p": trend.pvalues}), trend.rsquared

# %% 10. Does the number of reported kinds per year rise, by a Poisson model? [1e-5]
reports = kinds.groupby("Year").size().reset_index(name="n")
rise = smf.glm("n ~ I((Year - 1950)/10)", reports, family=sm.families.Poisson()).fit()
rise.params.iloc[1], rise.bse.iloc[1], rise.deviance

# %% 11. Do floods and earthquakes rank the years alike?
pairs = kinds.pivot(index="Year", columns="Entity", values="Deaths").dropna(subset=["Flood", "Earthquake"])
rank = stats.spearmanr(pairs["Flood"], pairs["Earthquake"])
rank.statistic, rank.pvalue
