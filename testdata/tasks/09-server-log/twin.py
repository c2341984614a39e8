from pathlib import Path
import pandas as pd

lines = pd.Series(Path("access.log").read_text().splitlines())
log = lines.str.extract(r'^(?P<host>\S+) .* \[(?P<at>.+)\] "(?P<method>\S+) (?P<path>\S+) .*" (?P<status>\d+) (?P<bytes>\d+)$').dropna()
log["at"] = pd.to_datetime(log["at"], format="%d/%b/%Y:%H:%M:%S %z")
log = log.astype({"status": int, "bytes": int})
log.head(3)
# %%
pd.crosstab(log["path"], log["status"])
# %%
hourly = log.resample("1h", on="at").agg(
    count=("host", "size"), bytes_sum=("bytes", "sum"), bytes_q95=("bytes", lambda x: x.quantile(0.95)), host_unique=("host", "nunique"))
hourly
# %%
log["failed"] = log["status"] >= 400
log.groupby("path").agg(failed_mean=("failed", "mean"), count=("host", "size")).sort_values(["failed_mean", "path"], ascending=[False, True]).head(3)
# %%
log["host"].value_counts().reset_index().sort_values(["count", "host"], ascending=[False, True]).head(5)
