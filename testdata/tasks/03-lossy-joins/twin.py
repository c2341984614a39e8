import pandas as pd

orders, customers, prices = pd.read_csv("orders.csv"), pd.read_csv("customers.csv"), pd.read_csv("prices.csv")
lost = orders[~orders["customer"].isin(customers["customer"])]
len(orders.merge(customers, on="customer")), len(lost), len(orders[~orders["sku"].isin(prices["sku"])])
# %%
lost["customer"].value_counts().sort_index()
# %%
full = orders.merge(customers, on="customer", how="left").merge(prices, on="sku", how="left")
full["country"] = full["country"].fillna("unknown")
full["value"] = full["quantity"] * full["price"]
full.groupby("country").agg(count=("order", "size"), priced=("price", "count"), value_sum=("value", "sum"))
# %%
prices[~prices["sku"].isin(orders["sku"])]
