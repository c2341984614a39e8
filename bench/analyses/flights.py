# Flights from New York in 2013: the twin of flights.ipynb.
import matplotlib.pyplot as plt
import pandas as pd
import statsmodels.formula.api as smf
from scipy import stats

# %% 1. How many flights are there, and how many were canceled?
flights = pd.read_csv("data/nyc-flights.csv", parse_dates=["time_hour"])
len(flights), flights["dep_time"].isna().sum()

# %% 2. Which airlines are late most?
airlines = pd.read_csv("data/nyc-airlines.csv")
carriers = flights.groupby("carrier", as_index=False).agg(n=("carrier", "size"), mean=("arr_delay", "mean"), median=("arr_delay", "median"))
carriers.merge(airlines, on="carrier").nlargest(5, "mean")

# %% 3. Which destinations are the busiest?
airports = pd.read_csv("data/nyc-airports.csv")
flights["dest"].value_counts().head(6).reset_index().merge(airports[["faa", "name", "lat"]], how="left", left_on="dest", right_on="faa")[["dest", "count", "name", "lat"]]

# %% 4. How does the delay grow over the day?
hours = flights.groupby("hour", as_index=False).agg(n=("dep_delay", "count"), mean=("dep_delay", "mean"), high=("dep_delay", lambda v: v.quantile(0.9)))
hours

# %% 5. Draw the delay over the day
fig, ax = plt.subplots()
hours.plot(x="hour", y="mean", ax=ax)
ax.set(ylabel="mean delay (min)")
fig

# %% 6. Which share was canceled in each month?
flights["canceled"] = flights["dep_time"].isna()
flights.groupby("month", as_index=False)["canceled"].mean()

# %% 7. Which days had the largest mean delay?
flights["date"] = flights["time_hour"].dt.tz_convert("America/New_York").dt.floor("D")
days = flights.groupby(["month", "day"], as_index=False).agg(delay=("dep_delay", "mean"))
days.nlargest(5, "delay")

# %% 8. How many flights leave on each weekday, and how late?
flights["weekday"] = flights["date"].dt.day_name()
flights.groupby("weekday", as_index=False).agg(n=("weekday", "size"), delay=("dep_delay", "mean")).sort_values("n", ascending=False)

# %% 9. How many flights have a plane that is not in the list of planes?
planes = pd.read_csv("data/nyc-planes.csv")
unknown = flights[~flights["tailnum"].isin(planes["tailnum"])]
len(unknown), unknown["tailnum"].nunique()

# %% 10. Are old planes late?
flown = flights.merge(planes[["tailnum", "year", "manufacturer"]].rename(columns={"year": "built"}), on="tailnum").dropna(subset=["built", "arr_delay"])
flown["age"] = pd.cut(2013 - flown["built"], [0, 5, 10, 20, 60], right=False, labels=["[0, 5)", "[5, 10)", "[10, 20)", "[20, 60]"])
flown.groupby("age", observed=True, as_index=False).agg(n=("age", "size"), delay=("arr_delay", "mean"))

# %% 11. How many planes of each maker fly, and how far?
flown.groupby("manufacturer", as_index=False).agg(planes=("tailnum", "nunique"), distance=("distance", "sum")).nlargest(5, "distance")

# %% 12. How late are flights in poor visibility?
weather = pd.read_csv("data/nyc-weather.csv", parse_dates=["time_hour"])[["origin", "time_hour", "visib", "precip", "wind_speed"]]
sky = flights.merge(weather, on=["origin", "time_hour"]).dropna(subset=["dep_delay", "visib", "precip", "wind_speed"])
sky.groupby("visib", as_index=False).agg(n=("visib", "size"), delay=("dep_delay", "mean")).head(6)

# %% 13. Is a long delay more likely at one airport?
sky["late"] = sky["dep_delay"] > 30
late = stats.chi2_contingency(pd.crosstab(sky["origin"], sky["late"]))
pd.crosstab(sky["origin"], sky["late"]).reset_index(), late.statistic, late.pvalue

# %% 14. What makes a long delay more likely? [1e-5]
risk = smf.logit("late ~ origin + hour + visib + precip + wind_speed", sky.assign(late=sky["late"].astype(int))).fit(disp=False)
pd.DataFrame({"estimate": risk.params, "se": risk.bse}), risk.llf
