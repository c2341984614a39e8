import pandas as pd

clicks = pd.read_csv("clicks.csv", parse_dates=["at"])
clicks["step"] = pd.Categorical(clicks["step"], ["visit", "cart", "address", "payment"], ordered=True)
funnel = clicks.groupby("step", observed=True).agg(users=("user", "nunique"))
funnel["of_all"] = funnel["users"] / clicks["user"].nunique()
funnel["of_last"] = funnel["users"] / funnel["users"].shift()
funnel
# %%
first = clicks.drop_duplicates(["user", "step"])
users = first.pivot_table(index="device", columns="step", values="user", aggfunc="size", observed=True).rename(columns=str)
users["rate"] = users["payment"] / users["visit"]
users
# %%
times = clicks.pivot_table(index="user", columns="step", values="at", aggfunc="min", observed=True)
seconds = (times["payment"] - times["visit"]).dt.total_seconds()
seconds.median(), seconds.count()
