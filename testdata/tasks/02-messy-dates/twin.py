import pandas as pd

events = pd.read_csv("events.csv")
zoned = events["at"].str.contains("T")
abroad = pd.to_datetime(events.loc[zoned, "at"], utc=True).dt.tz_convert("Europe/Berlin")
local = pd.to_datetime(events.loc[~zoned, "at"], format="mixed", dayfirst=True).dt.tz_localize("Europe/Berlin")
events["at"] = pd.concat([abroad, local])
events["at"]
# %%
events["night"] = events["at"].dt.hour < 6
events.groupby("kind").agg(count=("id", "size"), night_mean=("night", "mean"), at_min=("at", "min"), at_max=("at", "max"))
# %%
events = events.sort_values("at")
events["wait"] = events["at"].diff().dt.total_seconds() / 3600
events["wait"].median(), events["wait"].max()
# %%
events.loc[(events["at"] >= "2024-03-31") & (events["at"] < "2024-04-01"), ["id", "at"]]
