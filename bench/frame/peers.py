"""Answers the questions of the database benchmark with pandas or Polars.

python peers.py pandas|polars DIR reads questions such as "group 3" from standard input
and writes for each a line of JSON: seconds, rows and sums of the answer.
"""
import gc
import json
import os
import sys
import time

import numpy as np

tool, folder = sys.argv[1:]
if tool == "pandas":
    import pandas as pd
else:
    import polars as pl
cache = {}


def columns(part, name):
    heads = json.load(open(os.path.join(folder, f"{part}-{name}.json")))
    for h in heads:
        kind = {"float64": np.float64, "int64": np.int64}.get(h["kind"], np.int32)
        yield h, np.fromfile(os.path.join(folder, f"{part}-{name}-{h['name']}"), dtype=kind)


def read(part, name):
    if (part, name) in cache:
        return cache[part, name]
    data = {}
    for h, v in columns(part, name):
        if "words" not in h:
            data[h["name"]] = v
        elif tool == "pandas":
            data[h["name"]] = pd.Categorical.from_codes(v, categories=h["words"])
        else:
            data[h["name"]] = pl.Series(h["words"]).gather(v).cast(pl.Categorical)
    cache[part, name] = pd.DataFrame(data, copy=False) if tool == "pandas" else pl.DataFrame(data)
    return cache[part, name]


def group_pandas(q):
    x = read("group", "x")
    by = lambda *k: x.groupby(list(k), as_index=False, sort=False, observed=True, dropna=False)
    if q == 1:
        return lambda: by("id1").agg({"v1": "sum"}), ["v1"]
    if q == 2:
        return lambda: by("id1", "id2").agg({"v1": "sum"}), ["v1"]
    if q == 3:
        return lambda: by("id3").agg({"v1": "sum", "v3": "mean"}), ["v1", "v3"]
    if q == 4:
        return lambda: by("id4").agg({"v1": "mean", "v2": "mean", "v3": "mean"}), ["v1", "v2", "v3"]
    if q == 5:
        return lambda: by("id6").agg({"v1": "sum", "v2": "sum", "v3": "sum"}), ["v1", "v2", "v3"]
    if q == 6:
        return lambda: by("id4", "id5").agg(median=("v3", "median"), sd=("v3", "std")), ["median", "sd"]
    if q == 7:
        return lambda: by("id3").agg({"v1": "max", "v2": "min"}).assign(range=lambda d: d["v1"] - d["v2"])[["id3", "range"]], ["range"]
    if q == 8:
        return lambda: x[["id6", "v3"]].sort_values("v3", ascending=False).groupby("id6", as_index=False, sort=False, observed=True, dropna=False).head(2), ["v3"]
    if q == 9:
        def regression():
            # The correlation from sums, much faster than corr by group.
            w = x[["id2", "id4"]].assign(a=x["v1"], b=x["v2"], aa=x["v1"] * x["v1"], bb=x["v2"] * x["v2"], ab=x["v1"] * x["v2"], n=1)
            s = w.groupby(["id2", "id4"], as_index=False, sort=False, observed=True, dropna=False).sum()
            top = s["n"] * s["ab"] - s["a"] * s["b"]
            return s[["id2", "id4"]].assign(r2=top**2 / ((s["n"] * s["aa"] - s["a"] ** 2) * (s["n"] * s["bb"] - s["b"] ** 2)))
        return regression, ["r2"]
    return lambda: by("id1", "id2", "id3", "id4", "id5", "id6").agg(v3=("v3", "sum"), count=("v1", "size")), ["v3", "count"]


def group_polars(q):
    x = read("group", "x").lazy()
    c = lambda name: pl.col(name)
    agg = lambda keys, *a: (lambda: x.group_by(keys).agg(*a).collect())
    if q == 1:
        return agg(["id1"], c("v1").sum()), ["v1"]
    if q == 2:
        return agg(["id1", "id2"], c("v1").sum()), ["v1"]
    if q == 3:
        return agg(["id3"], c("v1").sum(), c("v3").mean()), ["v1", "v3"]
    if q == 4:
        return agg(["id4"], c("v1").mean(), c("v2").mean(), c("v3").mean()), ["v1", "v2", "v3"]
    if q == 5:
        return agg(["id6"], c("v1").sum(), c("v2").sum(), c("v3").sum()), ["v1", "v2", "v3"]
    if q == 6:
        return agg(["id4", "id5"], c("v3").median().alias("median"), c("v3").std().alias("sd")), ["median", "sd"]
    if q == 7:
        return agg(["id3"], (c("v1").max() - c("v2").min()).alias("range")), ["range"]
    if q == 8:
        return lambda: x.drop_nulls("v3").group_by("id6").agg(c("v3").top_k(2)).explode("v3").collect(), ["v3"]
    if q == 9:
        return agg(["id2", "id4"], (pl.corr("v1", "v2") ** 2).alias("r2")), ["r2"]
    return agg(["id1", "id2", "id3", "id4", "id5", "id6"], c("v3").sum(), pl.len().alias("count")), ["v3", "count"]


def join(q):
    x, other = read("join", "x"), read("join", ["small", "medium", "medium", "medium", "big"][q - 1])
    key, how = ["id1", "id2", "id2", "id5", "id3"][q - 1], "left" if q == 3 else "inner"
    if tool == "pandas":
        return lambda: x.merge(other, on=key, how=how), ["v1", "v2"]
    return lambda: x.lazy().join(other.lazy(), on=key, how=how).collect(), ["v1", "v2"]


def read_csv():
    path = os.path.join(folder, "x.csv")
    return (lambda: pd.read_csv(path) if tool == "pandas" else pl.read_csv(path)), ["v1", "v2", "v3"]


def questions(part, q):
    if part == "read":
        return read_csv()
    if part == "join":
        return join(q)
    return group_pandas(q) if tool == "pandas" else group_polars(q)


def main():
    print(f"pandas {pd.__version__}" if tool == "pandas" else f"Polars {pl.__version__}", flush=True)
    for line in sys.stdin:
        part, q = line.split()
        do, sums = questions(part, int(q))
        gc.collect()
        began = time.perf_counter()
        answer = do()
        seconds = time.perf_counter() - began
        print(json.dumps({"Seconds": seconds, "Rows": len(answer), "Sums": [float(np.nansum(answer[s].to_numpy())) for s in sums]}), flush=True)
        del answer


main()
