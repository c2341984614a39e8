import pandas as pd

parcels = pd.read_csv("parcels.csv", sep="\t")
parcels["family"] = parcels["customer"].str.split(", ").str[0]
parcels["given"] = parcels["customer"].str.split(", ").str[1].str.strip()
parcels["width"] = parcels["size"].str.extract(r"^(\d+)", expand=False).astype(int)
parcels["height"] = parcels["size"].str.extract(r"x (\d+)", expand=False).astype(int)
parcels["area"] = parcels["width"] * parcels["height"]
parcels["kg"] = parcels["weight"].str.removesuffix(" g").astype(float) / 1000
parcels[["family", "given", "width", "height", "area", "kg"]].head(5)
# %%
parcels["fragile"] = parcels["tags"].str.contains("fragile")
parcels.groupby("fragile").agg(area_mean=("area", "mean"), kg_max=("kg", "max"), count=("kg", "size"))
# %%
parcels["short"] = parcels["given"].str[0].str.upper() + ". " + parcels["family"].str.replace("de ", "")
parcels["short"].value_counts().reset_index().sort_values(["count", "short"], ascending=[False, True]).head(5)
# %%
parcels["given"].str.len().mean(), parcels["tags"].str.contains("gift.*express|express.*gift").sum()
