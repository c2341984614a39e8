import pandas as pd

payments = pd.read_csv("payments.csv")
groups = payments.groupby("shop")["amount"]
low, high = groups.transform("quantile", 0.25), groups.transform("quantile", 0.75)
out = (payments["amount"] < low - 1.5 * (high - low)) | (payments["amount"] > high + 1.5 * (high - low))
payments[out].sort_values("amount", ascending=False)
# %%
kept = payments[~out]
kept.groupby("shop").agg(amount_mean=("amount", "mean"), amount_max=("amount", "max"), count=("amount", "size"))
# %%
payments["amount"].mean(), kept["amount"].mean(), payments["amount"].median()
