# Cars from 1970 to 1982: the twin of cars.ipynb.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
from scipy import stats

# %% 1. How many cars are there, and how many lack consumption or power?
cars = pd.read_json("data/cars.json").rename(columns={"Miles_per_Gallon": "mpg", "Weight_in_lbs": "weight", "Horsepower": "power"})
len(cars), cars["mpg"].isna().sum(), cars["power"].isna().sum()

# %% 2. How many models does each maker have?
cars["maker"] = cars["Name"].str.split(" ").str[0].replace({"chevy": "chevrolet", "vw": "volkswagen", "vokswagen": "volkswagen", "maxda": "mazda", "toyouta": "toyota"})
cars["maker"].value_counts().head(5).reset_index().assign(share=lambda f: f["count"] / len(cars))

# %% 3. How much do cars of each origin consume, in liters per 100 km?
cars["liters"] = 235.214583 / cars["mpg"]
cars.groupby("Origin", as_index=False).agg(n=("liters", "count"), mean=("liters", "mean"), sd=("liters", "std"), high=("liters", lambda v: v.quantile(0.9)))

# %% 4. How did the mean consumption change over the years?
cars["year"] = pd.to_datetime(cars["Year"]).dt.year
yearly = cars.pivot_table(index="year", columns="Origin", values="liters", aggfunc="mean").reset_index()
yearly

# %% 5. Draw these means
fig, ax = plt.subplots()
yearly.plot(x="year", ax=ax)
ax.set(ylabel="liters per 100 km")
fig

# %% 6. Which are the three most powerful cars of each origin?
cars.sort_values(["power", "Name"], ascending=[False, True]).groupby("Origin").head(3).sort_values("Origin", kind="stable")[["Origin", "Name", "power"]]

# %% 7. How many cars of each number of cylinders does each origin have, with totals?
pd.crosstab(cars["Origin"], cars["Cylinders"], margins=True).reset_index()

# %% 8. How do weight classes differ?
cars["class"] = pd.cut(cars["weight"], [1500, 2500, 3500, 5500], right=False, labels=["light", "middle", "heavy"])
cars.groupby("class", observed=True, as_index=False).agg(n=("weight", "size"), liters=("liters", "median"), power=("power", "max"))

# %% 9. Draw consumption over weight by origin
fig, ax = plt.subplots()
for origin, group in cars.groupby("Origin"):
    ax.scatter(group["weight"], group["liters"], label=origin)
ax.set(xlabel="weight (lb)", ylabel="liters per 100 km")
ax.legend()
fig

# %% 10. Do American and Japanese cars differ, by Welch's test and by ranks?
full = cars.dropna(subset=["liters", "power"])
usa, japan = full.loc[full["Origin"] == "USA", "liters"], full.loc[full["Origin"] == "Japan", "liters"]
welch, ranks = stats.ttest_ind(usa, japan, equal_var=False), stats.mannwhitneyu(usa, japan)
welch.statistic, welch.df, welch.pvalue, welch.confidence_interval().low, welch.confidence_interval().high, ranks.statistic, ranks.pvalue

# %% 11. What explains consumption?
fit = smf.ols("liters ~ Origin + weight + np.log(power) + year", full).fit()
pd.DataFrame({"estimate": fit.params, "se": fit.bse, "p": fit.pvalues}).rename(index={"np.log(power)": "log(power)"}).rename_axis("name").reset_index(), fit.rsquared_adj, fit.bic

# %% 12. Does the effect of the weight depend on the origin?
more = smf.ols("liters ~ Origin + weight + np.log(power) + year + Origin:weight", full).fit().compare_f_test(fit)
more[0], more[1]

# %% 13. Which cars have the most influence, by Cook's distance?
full = full.assign(cook=fit.get_influence().cooks_distance[0])
full.nlargest(3, "cook")[["Name", "cook"]]

# %% 14. What do two new cars consume, with intervals for their means?
new = pd.DataFrame({"Origin": ["USA", "Japan"], "weight": [3000, 2100], "power": [110, 70], "year": [1980, 1980]})
fit.get_prediction(new).summary_frame().drop(columns="mean_se")
