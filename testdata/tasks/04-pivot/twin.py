import pandas as pd

tickets = pd.read_csv("tickets.csv")
tickets["priority"] = pd.Categorical(tickets["priority"], ["low", "medium", "high"], ordered=True)
tickets.pivot_table(index="team", columns="priority", values="hours", aggfunc="mean", observed=True)
# %%
pd.crosstab(tickets["team"], tickets["priority"])
# %%
tickets.groupby(["team", "priority"], observed=True).agg(hours_median=("hours", "median"), hours_max=("hours", "max"), count=("hours", "size"))
