# Films and their income: the twin of movies.ipynb.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
from scipy import stats

# %% 1. How many films are there, and which values are missing?
movies = pd.read_json("data/movies.json").rename(columns={"Production Budget": "budget", "Worldwide Gross": "gross", "IMDB Rating": "imdb", "Rotten Tomatoes Rating": "tomatoes", "Major Genre": "genre", "MPAA Rating": "rating", "Release Date": "date"})
len(movies), movies["budget"].isna().sum(), movies["imdb"].isna().sum(), movies["genre"].isna().sum()

# %% 2. How many films were released in each decade, according to the dates?
movies["date"] = pd.to_datetime(movies["date"], format="%b %d %Y")
movies["decade"] = movies["date"].dt.year // 10 * 10
movies.groupby("decade", dropna=False, as_index=False).size()

# %% 3. How many dates are in the future of the data set?
movies.loc[movies["date"] >= "2011-01-01", "date"] = pd.NaT
movies["date"].isna().sum()

# %% 4. Which genres have the most films, and their ratings?
genres = movies.groupby("genre", as_index=False).agg(count=("genre", "size"), imdb=("imdb", "mean"), tomatoes=("tomatoes", "mean")).sort_values("count", ascending=False)
genres.head(6)

# %% 5. Draw the ratings of the genres
fig, ax = plt.subplots()
ax.barh(genres["genre"], genres["imdb"])
ax.set(xlabel="mean IMDB rating")
fig

# %% 6. Which films earned the most for their budget?
sold = movies.dropna(subset=["budget", "gross"]).query("budget >= 1e6")
sold["factor"] = sold["gross"] / sold["budget"]
sold.nlargest(5, "factor")[["Title", "factor"]]

# %% 7. Which directors made at least eight of these films, and with which income?
directors = sold.groupby("Director", as_index=False).agg(count=("gross", "size"), gross=("gross", "sum"), factor=("factor", "median"))
directors[directors["count"] >= 8].nlargest(5, "gross")

# %% 8. Which share of the films of each rating lost money?
sold["lost"] = sold["factor"] < 1
sold.groupby("rating", as_index=False)["lost"].agg(["size", "mean"])

# %% 9. In which months do films earn most?
sold["month"] = sold["date"].dt.month
sold.groupby("month", as_index=False)["gross"].agg(["size", "median"]).nlargest(4, "median")

# %% 10. Draw income over budget
fig, ax = plt.subplots()
ax.scatter(sold["budget"], sold["gross"])
ax.set(xscale="log", yscale="log", xlabel="budget ($)", ylabel="income ($)")
fig

# %% 11. Do critics and the public agree, by genre?
rated = sold.dropna(subset=["imdb", "tomatoes", "genre"])
rated.groupby("genre")[["imdb", "tomatoes"]].apply(lambda g: g["imdb"].corr(g["tomatoes"])).reset_index(name="r").nlargest(4, "r")

# %% 12. What predicts the income?
paid = rated[(rated["gross"] > 0) & rated["genre"].isin(["Action", "Comedy", "Drama", "Horror"])]
income = smf.ols("np.log(gross) ~ genre + np.log(budget) + imdb", paid).fit(cov_type="HC3", use_t=True)
pd.DataFrame({"b": income.params, "se": income.bse, "low": income.conf_int()[0], "high": income.conf_int()[1]}), income.rsquared

# %% 13. Do dramas and horror films get other ratings?
drama, horror = paid.loc[paid["genre"] == "Drama", "imdb"], paid.loc[paid["genre"] == "Horror", "imdb"]
t, u = stats.ttest_ind(drama, horror, equal_var=False), stats.mannwhitneyu(drama, horror)
t.statistic, t.pvalue, u.statistic, u.pvalue
