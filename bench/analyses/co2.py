# Carbon dioxide on Mauna Loa: the twin of co2.ipynb.
import matplotlib.pyplot as plt
import pandas as pd
import statsmodels.formula.api as smf
from statsmodels.stats.diagnostic import acorr_ljungbox
from statsmodels.tsa.arima.model import ARIMA
from statsmodels.tsa.exponential_smoothing.ets import ETSModel
from statsmodels.tsa.seasonal import STL
from statsmodels.tsa.stattools import acf, adfuller, kpss, pacf

# %% 1. How many weeks are there, and how many lack a value?
weeks = pd.read_csv("data/co2.csv")
weeks["date"] = pd.to_datetime(weeks["date"], format="%Y%m%d")
len(weeks), weeks["co2"].isna().sum(), weeks["date"].min(), weeks["date"].max()

# %% 2. What are the first monthly means, after interpolation?
weeks["co2"] = weeks["co2"].interpolate()
months = weeks.resample("MS", on="date").agg(co2=("co2", "mean")).reset_index()
months.head(6)

# %% 3. What is the mean of each decade, and its rise per year?
months["year"] = months["date"].dt.year
months["decade"] = months["year"] - months["year"] % 10
months["rise"] = months["co2"] - months["co2"].shift(12)
months.groupby("decade", as_index=False).agg(co2=("co2", "mean"), rise=("rise", "mean"))

# %% 4. Draw the series
fig, ax = plt.subplots()
months.plot(x="date", y="co2", ax=ax)
ax.set(ylabel="CO₂ (ppm)")
fig

# %% 5. Which months of the calendar are high and low?
months["month"] = months["date"].dt.month
months["gap"] = months["co2"] - months["co2"].rolling(12).mean()
months.groupby("month", as_index=False)["gap"].mean().sort_values("gap", ascending=False)

# %% 6. What is the trend, with Newey-West standard errors?
months["t"] = range(1, len(months) + 1)
trend = smf.ols("co2 ~ t + I(t**2) + C(month)", months).fit(cov_type="HAC", cov_kwds={"maxlags": 12}, use_t=True)
trend.params["t"], trend.bse["t"], trend.params["I(t ** 2)"], trend.bse["I(t ** 2)"]

# %% 7. What are trend and season in the last year, by STL?
parts = STL(months.set_index("date")["co2"], period=12, seasonal=13).fit()
parts.trend[-12:].to_numpy(), parts.seasonal[-12:].to_numpy()

# %% 8. Draw the decomposition
parts.plot()

# %% 9. How do values correlate with earlier ones after differencing?
steps = months["co2"].diff().diff()[2:]
acf(steps, nlags=6), pacf(steps, nlags=6, method="ywm")[1:]

# %% 10. Is the series stationary, by two tests?
unit, level = adfuller(months["co2"], maxlag=12, regression="ct", autolag=None), kpss(months["co2"], regression="ct", nlags=12)
unit[0], unit[1], level[0], level[1]

# %% 11. Which seasonal ARIMA model describes it? [1e-3]
arima = ARIMA(months["co2"].to_numpy(), order=(1, 1, 1), seasonal_order=(0, 1, 1, 12)).fit()
arima.params[:-1], arima.params[-1], arima.llf, arima.aic

# %% 12. What does it forecast for a year, with bands? [1e-4]
year = arima.get_forecast(12)
year.predicted_mean, year.conf_int()[:, 0], year.conf_int()[:, 1]

# %% 13. Draw the forecast
fig, ax = plt.subplots()
ax.plot(months["co2"])
ax.plot(range(len(months), len(months) + 12), year.predicted_mean)
ax.fill_between(range(len(months), len(months) + 12), year.conf_int()[:, 0], year.conf_int()[:, 1], alpha=0.3)
fig

# %% 14. What does exponential smoothing forecast? [1e-3]
smooth = ETSModel(months["co2"], error="add", trend="add", seasonal="add", seasonal_periods=12).fit(disp=False, maxiter=2000)
smooth.forecast(6).to_numpy()
