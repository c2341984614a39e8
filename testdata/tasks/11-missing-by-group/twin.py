import pandas as pd

houses = pd.read_csv("houses.csv")
houses.groupby("district").agg(count=("rooms", "size"), areas=("area", "count"), prices=("price", "count"))
# %%
houses["area"] = houses["area"].fillna(houses.groupby("district")["area"].transform("median"))
houses = houses.dropna(subset="price")
houses["per_meter"] = houses["price"] / houses["area"]
houses.groupby("district").agg(per_meter_mean=("per_meter", "mean"), per_meter_sd=("per_meter", "std"), area_mean=("area", "mean"), count=("area", "size"))
