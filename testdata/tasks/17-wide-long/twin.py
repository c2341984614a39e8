import pandas as pd

wide = pd.read_csv("heights.csv")
long = wide.melt("child", var_name="year", value_name="cm").dropna(subset="cm").sort_values(["child", "year"])
long["grown"] = long.groupby("child")["cm"].diff()
long
# %%
long.groupby("year").agg(cm_mean=("cm", "mean"), grown_mean=("grown", "mean"), count=("cm", "size"))
# %%
long.pivot(index="child", columns="year", values="cm")
