# Sunspots since 1700: the twin of sunspots.ipynb.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from statsmodels.stats.diagnostic import acorr_ljungbox
from statsmodels.tsa.arima.model import ARIMA
from statsmodels.tsa.stattools import acf, adfuller, kpss, pacf

# %% 1. How many years are there, and what are mean and maximum?
sun = pd.read_csv("data/sunspots.csv").rename(columns={"YEAR": "year", "SUNACTIVITY": "spots"})
len(sun), sun["spots"].mean(), sun["spots"].max()

# %% 2. What are the means of the centuries?
sun["century"] = sun["year"] - sun["year"] % 100
sun.groupby("century", as_index=False)["spots"].agg(["mean", "std", "max"])

# %% 3. Draw the series with a mean of eleven years
fig, ax = plt.subplots()
ax.plot(sun["year"], sun["spots"], label="year")
ax.plot(sun["year"], sun["spots"].rolling(11).mean(), label="11 years")
ax.legend()
fig

# %% 4. Which years are peaks, and how far apart are they?
peaks = sun[(sun["spots"] > sun["spots"].shift(1)) & (sun["spots"] > sun["spots"].shift(-1)) & (sun["spots"] > 40)]
gaps = peaks["year"].diff()
len(peaks), gaps.mean(), gaps.std()

# %% 5. Which eleven years had the most spots?
sun["sum"] = sun["spots"].rolling(11).sum()
sun.nlargest(3, "sum")[["year", "sum"]]

# %% 6. How do the spots correlate with earlier years?
acf(sun["spots"], nlags=12), pacf(sun["spots"], nlags=5, method="ywm")

# %% 7. Draw the autocorrelations
fig, ax = plt.subplots()
ax.stem(acf(sun["spots"], nlags=40))
fig

# %% 8. Is the series stationary?
adf, level = adfuller(sun["spots"], maxlag=8, autolag=None), kpss(sun["spots"], nlags=7)
adf[0], adf[1], level[0], level[1]

# %% 9. What does an autoregression of nine years look like? [1e-3]
ar = ARIMA(sun["spots"].to_numpy(), order=(9, 0, 0)).fit()
ar.params[-1], ar.llf, ar.aic

# %% 10. What does it forecast for a cycle? [1e-3]
future = ar.get_forecast(11)
future.predicted_mean, future.conf_int(alpha=0.1)[:, 0], future.conf_int(alpha=0.1)[:, 1]

# %% 11. Draw the forecast
fig, ax = plt.subplots()
ax.plot(sun["year"], sun["spots"])
ax.plot(range(2009, 2020), future.predicted_mean)
fig
