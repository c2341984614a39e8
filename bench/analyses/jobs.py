# Jobs in the United States: the twin of jobs.ipynb.
import matplotlib.pyplot as plt
import pandas as pd
import statsmodels.formula.api as smf
from statsmodels.tsa.seasonal import STL
from statsmodels.tsa.stattools import acf

# %% 1. How many months and columns are there?
jobs = pd.read_csv("data/us-employment.csv", parse_dates=["month"])
jobs.shape[0], jobs.shape[1], jobs["month"].min(), jobs["month"].max()

# %% 2. Which months lost most jobs?
jobs.nsmallest(4, "nonfarm_change")[["month", "nonfarm_change"]]

# %% 3. What is the mean of each year?
jobs.resample("YS", on="month").agg({"nonfarm": "mean", "construction": "mean", "nonfarm_change": "sum"}).reset_index()

# %% 4. What do the industries look like as rows?
long = jobs.drop(columns=["nonfarm", "nonfarm_change", "private", "goods_producing", "service_providing", "private_service_providing"]).melt("month", var_name="industry", value_name="jobs")
len(long), long["industry"].nunique(), long["jobs"].sum()

# %% 5. Which industries lost the largest share from their first month to their minimum?
long["loss"] = long["jobs"] / long.groupby("industry")["jobs"].transform("first") - 1
long.groupby("industry", as_index=False)["loss"].agg(["min", "last"]).nsmallest(5, "min")

# %% 6. Draw these industries
fig, ax = plt.subplots()
for industry in ["construction", "manufacturing", "education_and_health_services"]:
    ax.plot(long.loc[long["industry"] == industry, "month"], long.loc[long["industry"] == industry, "loss"], label=industry)
ax.legend()
fig

# %% 7. In which month did each of them have fewest jobs?
long.loc[long.groupby("industry")["jobs"].idxmin(), ["industry", "month", "jobs"]].nsmallest(6, "jobs")

# %% 8. How much did jobs grow within twelve months, at the end?
jobs["growth"] = jobs["nonfarm"].pct_change(12) * 100
jobs["smooth"] = jobs["nonfarm_change"].rolling(6).mean()
jobs.tail(3)[["month", "growth", "smooth"]]

# %% 9. How do the changes of industries correlate?
jobs["building"] = jobs["construction"].diff()
jobs["making"] = jobs["manufacturing"].diff()
jobs["state"] = jobs["government"].diff()
jobs[["building", "making", "state"]].corr().reset_index()

# %% 10. Does construction drive the change of all jobs, with Newey-West errors?
drive = smf.ols("nonfarm_change ~ building + making", jobs).fit(cov_type="HAC", cov_kwds={"maxlags": 3}, use_t=True)
pd.DataFrame({"b": drive.params, "se": drive.bse, "low": drive.conf_int()[0], "high": drive.conf_int()[1]}), drive.rsquared

# %% 11. What is the trend of construction, by robust STL? [1e-5]
parts = STL(jobs.set_index("month")["construction"], period=12, robust=True).fit()
parts.trend[:6].to_numpy(), parts.seasonal[:6].to_numpy()

# %% 12. How do the monthly changes correlate with earlier changes?
acf(jobs["nonfarm_change"], nlags=6)
