"""Run one task of the benchmark with DuckDB or Polars: python others.py duckdb|polars TASK FOLDER
parquet|csv MEGABYTES.

It prints the seconds of the task, without the import, and a checksum of the result.
"""

import sys
import time
from pathlib import Path

library, task, folder, kind, megabytes = sys.argv[1:]
folder = Path(folder)
rides, drivers, out = str(folder / f"rides-*.{kind}"), str(folder / f"drivers.{kind}"), str(folder / f"out-{library}.parquet")

SQL = {
    "filter": "select count(*), sum(fare) from '{rides}' where passengers > 4 and km < 1",
    "recent": "select count(*), sum(km) from '{rides}' where \"at\" < '2023-11-15 12:00'",
    "few": "select zone, count(*) as count, sum(km) as km_sum, avg(fare) as fare_mean, max(fare) as fare_max from '{rides}' group by zone order by zone",
    "many": "select driver, count(*) as count, sum(km) as km_sum, avg(fare) as fare_mean from '{rides}' group by driver order by driver",
    "median": "select zone, quantile_cont(km, 0.5) as km_median, quantile_cont(km, 0.9) as km_q90 from '{rides}' group by zone order by zone",
    "join": "select team, count(*) as count, sum(fare) as fare_sum from '{rides}' join '{drivers}' using (driver) group by team order by team",
    "sort": "copy (select id, km, fare from '{rides}' order by km, id) to '{out}' (format parquet)",
    "top": "select id, fare from '{rides}' order by fare desc nulls last, id limit 100",
}


def duckdb():
    import duckdb

    c = duckdb.connect()
    c.execute(f"set memory_limit = '{int(int(megabytes) * 0.8)}MB'")
    c.execute("set threads = 2")
    c.execute(f"set temp_directory = '{folder}/duckdb-tmp'")
    begin = time.perf_counter()
    rows = c.execute(SQL[task].format(rides=rides, drivers=drivers, out=out)).fetchall()
    return begin, rows


def polars():
    import polars as pl

    scan = pl.scan_parquet if kind == "parquet" else lambda p: pl.scan_csv(p, try_parse_dates=True)
    r, d = scan(rides), scan(drivers)
    km, fare = pl.col("km"), pl.col("fare")
    begin = time.perf_counter()
    if task == "filter":
        q = r.filter((pl.col("passengers") > 4) & (km < 1)).select(pl.len(), fare.sum())
    elif task == "recent":
        q = r.filter(pl.col("at") < pl.datetime(2023, 11, 15, 12)).select(pl.len(), km.sum())
    elif task == "few":
        q = r.group_by("zone").agg(pl.len(), km.sum(), fare.mean(), fare.max().alias("max")).sort("zone")
    elif task == "many":
        q = r.group_by("driver").agg(pl.len(), km.sum(), fare.mean()).sort("driver")
    elif task == "median":
        q = r.group_by("zone").agg(km.median(), km.quantile(0.9, "linear").alias("q90")).sort("zone")
    elif task == "join":
        q = r.join(d, on="driver").group_by("team").agg(pl.len(), fare.sum()).sort("team")
    elif task == "sort":
        r.select("id", "km", "fare").sort("km", "id").sink_parquet(out)
        return begin, []
    else:
        q = r.select("id", "fare").sort(["fare", "id"], descending=[True, False], nulls_last=True).head(100)
    return begin, q.collect(engine="streaming").rows()


begin, rows = {"duckdb": duckdb, "polars": polars}[library]()
seconds = time.perf_counter() - begin
if task == "sort":
    import pyarrow.parquet as pq

    rows = [(pq.ParquetFile(out).metadata.num_rows,)]
    Path(out).unlink()
total = sum(x for row in rows for x in row if isinstance(x, (int, float)))
print(f"{seconds:.2f} {len(rows)} {total:.6g}")
