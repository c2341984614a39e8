import pandas as pd

sensors = pd.read_csv("sensors.csv", parse_dates=["at"])
wide = sensors.pivot(index="at", columns="sensor", values="degrees")
wide["yard"] = wide["yard"].ffill()
wide["hour"] = wide["yard"].rolling(4).mean()
wide["peak"] = wide["hall"].rolling(8, min_periods=2).max()
wide.tail(6)
# %%
wide["gap"] = wide["hall"] - wide["yard"]
wide.resample("3h").agg(gap_mean=("gap", "mean"), hall_sd=("hall", "std"), readings=("hall", "count"))
# %%
wide["hall"].corr(wide["yard"]), wide["hour"].max(), wide["yard"].diff().min()
