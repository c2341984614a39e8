import pandas as pd

contacts = pd.read_csv("contacts.csv", parse_dates=["changed"])
len(contacts), len(contacts.drop_duplicates())
# %%
contacts["mail"] = contacts["mail"].str.strip().str.lower()
latest = contacts.sort_values(["changed", "points"], ascending=False).drop_duplicates("mail").sort_values("mail")
len(latest), latest["points"].sum()
# %%
latest.head(5)
# %%
often = contacts.drop_duplicates()["mail"].value_counts()
often[often >= 3].sort_index()
