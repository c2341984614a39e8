import pandas as pd

budget = pd.read_csv("budget.csv")
budget["share"] = budget["million"] / budget.groupby("ministry")["million"].transform("sum")
budget["of_all"] = budget["million"] / budget["million"].sum()
budget[budget["share"] > 0.25].sort_values("share", ascending=False)
# %%
ordered = budget.sort_values(["ministry", "million"], ascending=[True, False])
ordered["running"] = ordered.groupby("ministry")["share"].cumsum()
ordered.loc[ordered["running"] <= 0.8, ["ministry", "item", "running"]]
# %%
budget.groupby("ministry").agg(million_sum=("million", "sum"), of_all_sum=("of_all", "sum"))
