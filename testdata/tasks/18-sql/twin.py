import duckdb
import pandas as pd

rides = pd.read_csv("rides.csv")
limit, zones = 10.0, 3
# %%
top = duckdb.sql("""
select zone, count(*) as rides, avg(fare) as fare, max(hour) as latest
from rides where fare > $limit group by zone order by fare desc limit $zones""", params={"limit": limit, "zones": zones}).df()
top
# %%
top["share"] = top["rides"] / len(rides)
top["share"].sum()
