# The economy of the United States: the twin of macro.ipynb.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
from statsmodels.stats.diagnostic import acorr_ljungbox
from statsmodels.tsa.arima.model import ARIMA
from statsmodels.tsa.stattools import acf, adfuller, kpss

# %% 1. How many quarters are there, and what are the first dates?
macro = pd.read_csv("data/macrodata.csv")
macro["date"] = pd.to_datetime(macro["year"].astype(str) + "-" + (macro["quarter"] * 3 - 2).astype(str) + "-1")
len(macro), macro["date"].head(3)

# %% 2. What are the means of each decade?
macro["decade"] = macro["year"] // 10 * 10
macro.groupby("decade", as_index=False)[["unemp", "infl", "tbilrate"]].mean()

# %% 3. In which quarters did the economy shrink most?
macro["growth"] = macro["realgdp"].pct_change() * 400
macro.nsmallest(4, "growth")[["date", "growth"]]

# %% 4. When did it shrink in two quarters in a row?
macro["recession"] = (macro["growth"] < 0) & (macro["growth"].shift(1) < 0)
macro[macro["recession"]].groupby("year", as_index=False).size()

# %% 5. Draw unemployment and inflation
fig, ax = plt.subplots()
macro.plot(x="date", y=["unemp", "infl"], ax=ax)
ax.set(ylabel="percent")
fig

# %% 6. How do the yearly means change?
yearly = macro.resample("YS", on="date").agg(unemp=("unemp", "mean"), cpi=("cpi", "last")).reset_index()
yearly["inflation"] = yearly["cpi"].pct_change() * 100
yearly.tail(4)

# %% 7. How does unemployment react to growth, by Okun's law?
macro["change"] = macro["unemp"].diff()
okun = smf.ols("change ~ growth", macro).fit(cov_type="HAC", cov_kwds={"maxlags": 4}, use_t=True)
pd.DataFrame({"b": okun.params, "se": okun.bse, "p": okun.pvalues}), okun.rsquared, len(macro) - int(okun.nobs)

# %% 8. Draw this relation
fig, ax = plt.subplots()
ax.scatter(macro["growth"], macro["change"])
ax.axline((0, okun.params["Intercept"]), slope=okun.params["growth"])
fig

# %% 9. Which share of the income is consumed, and does a trend explain it?
macro["share"] = macro["realcons"] / macro["realdpi"]
macro["t"] = range(1, len(macro) + 1)
share = smf.ols("share ~ t + C(quarter)", macro).fit()
share.params["t"], share.pvalues["t"], share.f_test("C(quarter)[T.2] = 0, C(quarter)[T.3] = 0, C(quarter)[T.4] = 0").fvalue

# %% 10. Is unemployment stationary?
adf, level = adfuller(macro["unemp"], maxlag=4, autolag=None), kpss(macro["unemp"], regression="c", nlags=8)
adf[0], adf[1], level[0], level[1]

# %% 11. How does growth correlate with earlier growth?
growth = macro["growth"][1:]
acf(growth, nlags=6), acorr_ljungbox(growth, lags=[8])["lb_pvalue"].iloc[0]

# %% 12. What does an autoregression of growth forecast? [1e-4]
ar = ARIMA(growth.to_numpy(), order=(2, 0, 0)).fit()
ahead = ar.get_forecast(4)
ahead.predicted_mean, ahead.se_mean, ar.llf

# %% 13. Draw the forecast
fig, ax = plt.subplots()
ax.plot(growth)
ax.plot(range(len(growth), len(growth) + 4), ahead.predicted_mean)
ax.fill_between(range(len(growth), len(growth) + 4), ahead.conf_int()[:, 0], ahead.conf_int()[:, 1], alpha=0.3)
fig
