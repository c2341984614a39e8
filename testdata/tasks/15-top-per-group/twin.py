import pandas as pd

songs = pd.read_csv("songs.csv")
songs.sort_values(["genre", "plays"], ascending=[True, False]).groupby("genre").head(3)
# %%
songs["place"] = songs.groupby("genre")["plays"].rank()
songs[songs["place"] <= 2].sort_values(["genre", "place"])
# %%
songs.sort_values("plays", ascending=False).groupby("genre").agg(best=("title", "first"), plays_max=("plays", "max"), count=("plays", "size"))
