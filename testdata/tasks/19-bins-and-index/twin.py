import pandas as pd

prices = pd.read_csv("prices.csv", parse_dates=["month"])
prices["index"] = 100 * prices["bread"] / prices["bread"].iloc[0]
prices["monthly"] = prices["fuel"].pct_change()
prices["yearly"] = 100 * prices["milk"].pct_change(12)
prices.tail(5)
# %%
prices["range"] = pd.cut(prices["fuel"], [1, 1.4, 1.6, 2], right=False, labels=["cheap", "usual", "dear"])
prices.groupby("range", observed=True).agg(count=("fuel", "size"), fuel_min=("fuel", "min"), fuel_max=("fuel", "max"), monthly_mean=("monthly", "mean"))
# %%
prices["year"] = prices["month"].dt.year
prices.groupby("year").agg(index_mean=("index", "mean"), yearly_max=("yearly", "max"), index_last=("index", "last"))
