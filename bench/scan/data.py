"""Make a data set of any size as Parquet and CSV files: python data.py FOLDER GIGABYTES.

The size is that of the CSV files. A file has 2 million rows, and its values depend only on its
number. The groups are those of the database benchmark of DuckDB and H2O, plus a time, missing
values, and a small table to join.
"""

import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

ROWS = 2_000_000
BYTES = 75  # of a row of CSV


def table(k, keys):
    rng = np.random.default_rng(k)
    small = rng.integers(1, 101, ROWS)
    names = np.array([f"zone {i:03d}" for i in range(101)])
    fare = np.round(rng.gamma(2.0, 7.0, ROWS), 2)
    seconds = np.int64(1_700_000_000) + np.int64(k) * 86_400 + np.sort(rng.integers(0, 86_400, ROWS))
    return pa.table({
        "id": np.arange(ROWS, dtype=np.int64) + k * ROWS,
        "zone": pa.array(names[small]).dictionary_encode().cast(pa.string()),
        "driver": rng.integers(1, keys + 1, ROWS),
        "at": pa.array(seconds.astype("datetime64[s]")).cast(pa.timestamp("us")),
        "km": np.round(rng.gamma(2.0, 2.0, ROWS), 3),
        "fare": pa.array(fare, mask=rng.random(ROWS) < 0.02),
        "passengers": rng.integers(1, 7, ROWS),
    })


def main():
    folder, gigabytes = Path(sys.argv[1]), float(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    files = max(1, round(gigabytes * 1e9 / (ROWS * BYTES)))
    keys = files * ROWS // 20
    for k in range(files):
        t = table(k, keys)
        pq.write_table(t, folder / f"rides-{k:04d}.parquet", row_group_size=250_000)
        pa.csv.write_csv(t, folder / f"rides-{k:04d}.csv", pa.csv.WriteOptions(quoting_style="needed"))
    ids = np.arange(1, keys + 1)
    drivers = pa.table({"driver": ids, "team": pa.array([f"team {i % 50:02d}" for i in ids])})
    pq.write_table(drivers, folder / "drivers.parquet")
    pa.csv.write_csv(drivers, folder / "drivers.csv", pa.csv.WriteOptions(quoting_style="needed"))


main()
