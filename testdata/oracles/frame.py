"""Verbs of data frames by pandas; writes frame.json beside this file.

pandas 3.1.1. Run: python testdata/oracles/frame.py
"""
import json
import math
import pathlib

import numpy as np
import pandas as pd

assert pd.__version__ == "3.1.1"
rng = np.random.default_rng(14)


def plain(values):
    out = []
    for v in values:
        if v is None or v is pd.NaT or isinstance(v, float) and math.isnan(v):
            out.append(None)
        elif isinstance(v, pd.Timestamp):
            out.append(v.value)
        elif isinstance(v, str):
            out.append(v)
        else:
            out.append(float(v))
    return out


def columns(frame):
    return {str(c): plain(frame[c].tolist()) for c in frame.columns}


def table(n, gaps, zone, start, minutes, ties):
    x = np.round(rng.normal(10, 5, n), 0 if ties else 6)
    y = np.round(rng.normal(0, 100, n), 3)
    for v in (x, y):
        v[rng.random(n) < gaps] = np.nan
    times = pd.Timestamp(start, tz=zone) + pd.to_timedelta(rng.integers(0, minutes, n), unit="min")
    return pd.DataFrame({
        "zone": rng.choice(["north", "east", "south", "west"], n),
        "k": rng.integers(-2, 3, n),
        "x": x, "y": y, "n": rng.integers(-50, 50, n), "at": pd.DatetimeIndex(times).as_unit("ns"),
    })


frames = {
    "plain": (table(40, 0, "UTC", "2024-01-01", 90 * 1440, False), "UTC"),
    "gaps": (table(50, 0.3, "UTC", "2023-12-20", 60 * 1440, False), "UTC"),
    "ties": (table(60, 0.1, "UTC", "1969-12-01", 40 * 1440, True), "UTC"),
    "summer time": (table(40, 0.1, "Europe/Berlin", "2024-03-30 20:00", 2 * 1440, True), "Europe/Berlin"),
    "winter time": (table(40, 0.1, "America/New_York", "2024-11-02 12:00", 2 * 1440, False), "America/New_York"),
    "few": (table(3, 0.4, "Asia/Tokyo", "2000-02-28", 5 * 1440, False), "Asia/Tokyo"),
}


def groups(f, keys):
    g = f.groupby(keys, as_index=False)
    out = g.agg(count=("x", "count"), sum=("x", "sum"), mean=("x", "mean"), median=("x", "median"), q90=("x", lambda v: v.quantile(0.9)), sd=("x", "std"),
                variance=("x", "var"), min=("x", "min"), max=("x", "max"), first=("x", "first"), last=("x", "last"), unique=("x", "nunique"), total=("n", "sum"))
    out["corr"] = [v["x"].corr(v["y"]) if v[["x", "y"]].dropna().shape[0] > 1 else math.nan for _, v in f.groupby(keys)]
    return columns(out)


def windows(f):
    x, out = f["x"], {}
    out["shift"], out["diff"], out["cumsum"], out["cummax"] = x.shift(2), x.diff(), x.cumsum(), x.cummax()
    out["rank"] = x.rank()
    for name in ("mean", "sum", "min", "max", "median", "std"):
        out["rolling " + name] = getattr(x.rolling(3), name)()
        out["rolling least " + name] = getattr(x.rolling(5, min_periods=2), name)()
    out["forward"], out["backward"] = x.ffill(), x.bfill()
    out["group sum"] = f.groupby("zone")["x"].transform("sum")
    out["group cumsum"] = f.groupby("zone")["x"].cumsum()
    out["cut"] = pd.cut(x, [-math.inf, 4.5, 9.5, 14.5, math.inf], right=False, labels=False)
    return {k: plain(v.tolist()) for k, v in out.items()}


def dates(f):
    t = f["at"].dt
    return {k: plain(v.tolist()) for k, v in {
        "year": t.year, "quarter": t.quarter, "month": t.month, "week": t.isocalendar().week, "day": t.day, "yearday": t.dayofyear, "hour": t.hour, "minute": t.minute,
        "weekday": t.weekday}.items()}


def resampled(f):
    out = {}
    rules = {"15 minutes": "15min", "1 hour": "h", "1 day": "D", "1 week": "W-MON", "1 month": "MS", "1 quarter": "QS"}
    for name, rule in rules.items():
        if rule in ("15min", "h") and f["at"].max() - f["at"].min() > pd.Timedelta(days=6):
            continue
        r = f.set_index("at").resample(rule, closed="left", label="left")
        out[name] = columns(r.agg(sum=("x", "sum"), mean=("x", "mean"), count=("n", "size")).reset_index())
    return out


def quantiles(f):
    return {str(k): plain([v if v >= 0 else None for v in pd.qcut(f["x"], k, labels=False, duplicates="drop").fillna(-1).tolist()]) for k in (2, 3, 4, 10)}


def assigned(f):
    g = f.copy()
    g.loc[g["n"] > 0, "x"] = 999.0
    h = f.copy()
    h.loc[h["zone"] == "east", "x"] = h["y"]
    return {"scalar": plain(g["x"].tolist()), "column": plain(h["x"].tolist()), "if": plain(np.where(f["n"] > 0, f["x"], f["y"]).tolist()),
            "applied": columns(f.groupby("zone").apply(lambda g: pd.Series({"mean": g["x"].mean(), "rows": float(len(g))})).reset_index())}


def joined(f):
    right = pd.DataFrame({"zone": ["east", "north", "east", "centre"], "boss": ["a", "b", "c", "d"]})
    return {how: columns(f[["zone", "n"]].merge(right, on="zone", how=how)) for how in ("inner", "left")}


out = {}
for name, (f, zone) in frames.items():
    pivot = f.pivot_table(index="k", columns="zone", values="n", aggfunc="sum").reset_index()
    out[name] = {
        "time zone": zone, "frame": columns(f), "by zone": groups(f, ["zone"]), "by zone and k": groups(f, ["zone", "k"]), "windows": windows(f), "dates": dates(f),
        "resampled": resampled(f), "joined": joined(f), "pivot": columns(pivot), "crosstab": columns(pd.crosstab(f["k"], f["zone"]).reset_index()),
        "quantiles": quantiles(f), "assigned": assigned(f),
        "sorted": plain(f.sort_values(["zone", "x"], ascending=[True, False], kind="stable")["n"].tolist()),
    }
pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(out, separators=(",", ":")) + "\n")
