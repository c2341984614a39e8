# Four years of weather in Seattle: the twin of weather.ipynb.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats.diagnostic import acorr_ljungbox
from statsmodels.tsa.stattools import acf, adfuller

# %% 1. Which days are covered, and how many?
days = pd.read_csv("data/seattle-weather.csv", parse_dates=["date"])
len(days), days["date"].min(), days["date"].max()

# %% 2. How often is each kind of weather?
days["weather"].value_counts().reset_index().assign(share=lambda f: f["count"] / len(days))

# %% 3. How much rain falls in each month of the calendar?
days["month"] = days["date"].dt.month
days["year"] = days["date"].dt.year
monthly = days.groupby(["year", "month"], as_index=False).agg(rain=("precipitation", "sum"))
calendar = monthly.groupby("month", as_index=False)["rain"].agg(["mean", "min", "max"])
calendar

# %% 4. Draw the rain of the months
fig, ax = plt.subplots()
ax.bar(calendar["month"], calendar["mean"])
ax.set(xlabel="month", ylabel="mean rain (mm)")
fig

# %% 5. Which weeks were the wettest?
days.resample("W-MON", on="date", closed="left", label="left").agg(rain=("precipitation", "sum"), wind=("wind", "max")).nlargest(4, "rain").reset_index()

# %% 6. Which 7 days were the warmest on average?
days["warm"] = days["temp_max"].rolling(7).mean()
days.nlargest(3, "warm")[["date", "warm"]]

# %% 7. How many days above 30 degrees did each year have, and what was the largest range?
days["hot"] = days["temp_max"] > 30
days["range"] = days["temp_max"] - days["temp_min"]
days.groupby("year", as_index=False).agg(hot=("hot", "sum"), range=("range", "max"))

# %% 8. What is the difference to the mean of the month, on the strangest days?
days["anomaly"] = days["temp_max"] - days.groupby("month")["temp_max"].transform("mean")
days.nlargest(4, "anomaly")[["date", "anomaly"]]

# %% 9. Draw the temperature and its mean of 30 days
fig, ax = plt.subplots()
ax.plot(days["date"], days["temp_max"], label="day")
ax.plot(days["date"], days["temp_max"].rolling(30).mean(), label="30 days")
ax.set(ylabel="temperature (°C)")
ax.legend()
fig

# %% 10. Does rain follow rain?
days["wet"] = days["precipitation"] > 0
days["before"] = days["precipitation"].shift(1) > 0
pairs = days[1:]
chi2 = stats.chi2_contingency(pd.crosstab(pairs["before"], pairs["wet"]))
pd.crosstab(pairs["before"], pairs["wet"]).reset_index(), chi2.statistic, chi2.pvalue

# %% 11. How long was the longest dry spell, and when did it end?
days["spell"] = days["wet"].cumsum()
dry = days[~days["wet"]].groupby("spell", as_index=False).agg(count=("date", "size"), last=("date", "last"))
dry.nlargest(3, "count")[["count", "last"]]

# %% 12. Do wind and temperature correlate, by ranks?
kendall = stats.kendalltau(days["wind"], days["temp_max"])
kendall.statistic, kendall.pvalue

# %% 13. How do the anomalies correlate with those of the days before?
anomaly = days["anomaly"]
acf(anomaly, nlags=5), acorr_ljungbox(anomaly, lags=[10])["lb_stat"].iloc[0]

# %% 14. Are they stationary?
unit = adfuller(anomaly, maxlag=5, regression="c", autolag=None)
unit[0], unit[1]
