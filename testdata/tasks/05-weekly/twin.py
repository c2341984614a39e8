import pandas as pd

sales = pd.read_csv("sales.csv", parse_dates=["at"])
weekly = sales.resample("W-MON", on="at", closed="left", label="left").agg(amount_sum=("amount", "sum"), count=("amount", "size"))
weekly
# %%
weekly["change"] = weekly["amount_sum"].pct_change()
weekly["total"] = weekly["amount_sum"].cumsum()
weekly.sort_values("change", ascending=False).head(3)
# %%
days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
sales["weekday"] = pd.Categorical(sales["at"].dt.day_name(), days, ordered=True)
sales.groupby("weekday", observed=True).agg(amount_mean=("amount", "mean"), count=("amount", "size"))
