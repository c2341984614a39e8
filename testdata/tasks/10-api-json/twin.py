import json
from pathlib import Path
import pandas as pd

answer = json.loads(Path("orders.json").read_text())["data"]["orders"]
orders = pd.json_normalize(answer)
orders["created"] = pd.to_datetime(orders["created"])
orders[["id", "created", "customer.name", "customer.address.city"]].head(3)
# %%
lines = pd.json_normalize(answer, "lines", ["id", "created", ["customer", "address", "city"]], record_prefix="lines.")
lines["created"] = pd.to_datetime(lines["created"])
lines["value"] = lines["lines.quantity"] * lines["lines.price"]
lines.groupby("customer.address.city").agg(value_sum=("value", "sum"), orders=("id", "nunique"))
# %%
lines.groupby("lines.sku").agg(**{"lines.quantity_sum": ("lines.quantity", "sum"), "value_sum": ("value", "sum")}).sort_values("value_sum", ascending=False)
# %%
lines.resample("1D", on="created").agg(value_sum=("value", "sum"), count=("id", "size"))
# %%
totals = lines.groupby("id")["value"].sum()
totals.mean(), totals.max()
