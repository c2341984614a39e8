# Collisions of aircraft with birds: the twin of birds.ipynb.
import matplotlib.pyplot as plt
import pandas as pd
import statsmodels.formula.api as smf
from scipy import stats

# %% 1. How many reports are there, and how many lack the speed?
strikes = pd.read_csv("data/birdstrikes.csv", parse_dates=["Flight Date"], keep_default_na=False, na_values=[""]).rename(columns={"Effect Amount of damage": "damage", "Flight Date": "date", "Phase of flight": "phase", "Wildlife Size": "size", "Wildlife Species": "species", "Time of day": "time", "Cost Total $": "cost", "Speed IAS in knots": "speed", "Aircraft Airline Operator": "operator"})
len(strikes), strikes["speed"].isna().sum(), strikes["date"].min(), strikes["date"].max()

# %% 2. How often is each kind of damage?
strikes["damage"].value_counts().reset_index().assign(share=lambda f: f["count"] / len(strikes))

# %% 3. Which share of the strikes of each size does damage?
strikes["hurt"] = strikes["damage"] != "None"
strikes.groupby("size", as_index=False).agg(n=("hurt", "size"), hurt=("hurt", "mean"), cost=("cost", "sum"))

# %% 4. In which months do most strikes happen?
strikes["month"] = strikes["date"].dt.month
months = strikes.groupby("month", as_index=False).size()
months

# %% 5. Draw the months
fig, ax = plt.subplots()
ax.bar(months["month"], months["size"])
ax.set(xlabel="month", ylabel="strikes")
fig

# %% 6. Which quarter had the most strikes in each year?
quarters = strikes.resample("QS", on="date").size().reset_index(name="count")
quarters["year"] = quarters["date"].dt.year
quarters.loc[quarters.groupby("year")["count"].idxmax()].head(6)

# %% 7. Which share of the strikes is at night, by phase of flight?
strikes["night"] = strikes["time"] == "Night"
strikes.groupby("phase", as_index=False).agg(n=("night", "size"), night=("night", "mean"), speed=("speed", "median"))

# %% 8. Which known species were the most expensive?
known = strikes[~strikes["species"].str.contains("Unknown")]
known.groupby("species", as_index=False).agg(cost=("cost", "sum"), n=("cost", "size")).nlargest(5, "cost")

# %% 9. How many strikes of each size did each large operator have?
large = strikes[strikes["operator"].isin(strikes["operator"].value_counts().head(4).index)]
pd.crosstab(large["operator"], large["size"]).reset_index()

# %% 10. Does damage depend on the time of the day?
chi2 = stats.chi2_contingency(pd.crosstab(strikes["time"], strikes["hurt"]))
chi2.statistic, chi2.dof, chi2.pvalue

# %% 11. What makes damage more likely? [1e-5]
fast = strikes.dropna(subset=["speed"]).assign(hurt=lambda f: f["hurt"].astype(int))
risk = smf.logit("hurt ~ C(size, Treatment('Small')) + night + speed", fast).fit(disp=False)
pd.DataFrame({"b": risk.params, "se": risk.bse, "p": risk.pvalues}), risk.llf

# %% 12. Do collisions with damage happen at another speed?
speeds = [group for _, group in fast.groupby("hurt")["speed"]]
t, u = stats.ttest_ind(speeds[1], speeds[0], equal_var=False), stats.mannwhitneyu(speeds[1], speeds[0])
t.statistic, t.pvalue, u.statistic, u.pvalue
