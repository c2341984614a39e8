# Five stocks from 2000 to 2010: the twin of stocks.ipynb.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
from scipy import stats
from statsmodels.tsa.stattools import adfuller

# %% 1. How many months does each stock have, and since when?
stocks = pd.read_csv("data/stocks.csv")
stocks["date"] = pd.to_datetime(stocks["date"], format="%b %d %Y")
stocks.groupby("symbol", as_index=False)["date"].agg(["size", "min", "max"])

# %% 2. What are the last prices, side by side?
wide = stocks.pivot(index="date", columns="symbol", values="price").reset_index()
wide.tail(3)

# %% 3. Draw the prices
fig, ax = plt.subplots()
wide.plot(x="date", logy=True, ax=ax)
ax.set(ylabel="price ($)")
fig

# %% 4. What are mean and deviation of the monthly returns?
stocks["return"] = stocks.groupby("symbol")["price"].pct_change()
stocks.groupby("symbol", as_index=False)["return"].agg(["mean", "std", "min", "max"])

# %% 5. What did each stock return in each year?
stocks["year"] = stocks["date"].dt.year
yearly = stocks.groupby(["symbol", "year"], as_index=False)["price"].agg(["first", "last"])
yearly["return"] = yearly["last"] / yearly["first"] - 1
yearly.pivot(index="year", columns="symbol", values="return").reset_index()

# %% 6. What were the largest losses from a peak?
stocks["loss"] = stocks["price"] / stocks.groupby("symbol")["price"].cummax() - 1
stocks.loc[stocks.groupby("symbol")["loss"].idxmin(), ["symbol", "date", "loss"]]

# %% 7. How do the returns correlate?
returns = stocks.pivot(index="date", columns="symbol", values="return").dropna()
returns.corr().reset_index()

# %% 8. Draw the distributions of the returns
fig, ax = plt.subplots()
stocks.boxplot("return", by="symbol", ax=ax)
fig

# %% 9. Are the returns of a stock normal?
aapl = stocks.loc[stocks["symbol"] == "AAPL", "return"].dropna()
normal, jb = stats.shapiro(aapl), stats.jarque_bera(aapl)
normal.statistic, normal.pvalue, jb.statistic, jb.pvalue

# %% 10. Is the mean return above zero?
mean, sign = stats.ttest_1samp(aapl, 0), stats.wilcoxon(aapl)
mean.statistic, mean.pvalue, mean.confidence_interval().low, mean.confidence_interval().high, sign.pvalue

# %% 11. Do the variances and means of the stocks differ?
samples = [group.dropna() for _, group in stocks.groupby("symbol")["return"]]
bartlett, welch = stats.bartlett(*samples), stats.kruskal(*samples)
bartlett.statistic, bartlett.pvalue, welch.statistic, welch.pvalue

# %% 12. How strongly does Apple follow the others?
beta = smf.ols("AAPL ~ AMZN + GOOG + IBM + MSFT", returns).fit(cov_type="HC1", use_t=True)
pd.DataFrame({"b": beta.params, "se": beta.bse, "p": beta.pvalues}), beta.rsquared

# %% 13. What is the deviation of twelve months at the end?
stocks["risk"] = stocks.groupby("symbol")["return"].rolling(12).std().reset_index(0, drop=True)
stocks.groupby("symbol", as_index=False)["risk"].last()

# %% 14. Is the price of IBM a random walk?
unit = adfuller(wide["IBM"], maxlag=2, autolag=None)
unit[0], unit[1]
