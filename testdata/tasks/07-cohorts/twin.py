import pandas as pd

buys = pd.read_csv("purchases.csv", parse_dates=["day"])
buys["month"] = buys["day"].dt.to_period("M")
buys["cohort"] = buys.groupby("user")["month"].transform("min")
buys["age"] = 12 * (buys["month"].dt.year - buys["cohort"].dt.year) + buys["month"].dt.month - buys["cohort"].dt.month
cohorts = buys.groupby(["cohort", "age"], as_index=False).agg(users=("user", "nunique"), amount_sum=("amount", "sum"))
cohorts
# %%
cohorts["kept"] = cohorts["users"] / cohorts.groupby("cohort")["users"].transform("first")
cohorts.pivot(index="cohort", columns="age", values="kept")
