"""More verbs of data frames by pandas; writes frame_verbs.json beside this file.

pandas 3.1.1. Run: python testdata/oracles/frame_verbs.py
"""
import json
import math
import pathlib

import numpy as np
import pandas as pd

assert pd.__version__ == "3.1.1"
rng = np.random.default_rng(34)


def plain(values):
    out = []
    for v in values:
        if v is None or v is pd.NA or v is pd.NaT or isinstance(v, float) and math.isnan(v):
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


def table(n, gaps, minutes, ties):
    x = np.round(rng.normal(10, 5, n), 0 if ties else 6)
    y = np.round(rng.normal(0, 100, n), 3)
    for v in (x, y):
        v[rng.random(n) < gaps] = np.nan
    at = pd.Timestamp("2024-03-01", tz="UTC") + pd.to_timedelta(np.sort(rng.integers(0, minutes, n)), unit="min")
    return pd.DataFrame({"zone": rng.choice(["north", "east", "south"], n), "k": rng.integers(-1, 2, n), "x": x, "y": y,
                         "n": rng.integers(-50, 50, n), "at": pd.DatetimeIndex(at).as_unit("ns")})


frames = {"plain": table(40, 0, 20 * 1440, False), "gaps": table(60, 0.3, 10 * 1440, True), "crowded": table(80, 0.1, 300, True), "few": table(4, 0.5, 5 * 1440, False), "long": table(150, 0.05, 90 * 1440, False)}


def rolling(f):
    out = {}
    for span, rule in {"7 days": "7D", "36 hours": "36h", "10 minutes": "10min"}.items():
        for least in (1, 3):
            r = f.rolling(rule, on="at", min_periods=least)["x"]
            for name in ("mean", "sum", "min", "max", "median", "std"):
                out[f"{span} {least} {name}"] = plain(getattr(r, name)().tolist())
    return out


def interpolated(f):
    x = f["x"]
    return {"rows": plain(x.interpolate(limit_area="inside").tolist()),
            "times": plain(x.set_axis(f["at"]).interpolate("time", limit_area="inside").tolist())}


def pivots(f):
    out = {}
    for agg, name in {"sum": "sum", "mean": "mean", "count": "count"}.items():
        p = f.pivot_table(index="k", columns="zone", values="n", aggfunc=agg, margins=True)
        if agg == "count":
            p = p.fillna(0)
        p = p.reset_index()
        p["k"] = p["k"].astype(str)
        out[name] = columns(p)
    f = f.assign(day=f["at"].dt.day)
    p = f.pivot_table(index=["zone", "day"], columns="k", values="n", aggfunc="sum").reset_index()
    out["two rows"] = columns(p)
    p = f.pivot_table(index="day", columns=["zone", "k"], values="n", aggfunc="max")
    p.columns = [f"{a}, {b}" for a, b in p.columns]
    out["two columns"] = columns(p.reset_index())
    return out


def asof(f):
    quotes = pd.DataFrame({"zone": ["north", "east", "south"] * 8, "price": np.arange(24.0), "day": np.tile(np.arange(6.0), 4)})
    quotes["at"] = (f["at"].min() + pd.to_timedelta(rng.integers(-100, int((f["at"].max() - f["at"].min()).total_seconds() / 60) + 100, 24), unit="min")).values
    quotes["at"] = quotes["at"].dt.tz_localize("UTC").dt.as_unit("ns")
    quotes.loc[3, "at"] = f["at"].iloc[len(f) // 2]
    quotes.loc[[7, 10], "at"] = f["at"].iloc[1]
    quotes = quotes.sort_values("at", kind="stable").reset_index(drop=True)
    few = f[["zone", "at"]]
    out = {"quotes": columns(quotes)}
    for direction in ("backward", "forward", "nearest"):
        for strict in (False, True):
            for tolerance in (None, "5h"):
                for by in (None, "zone"):
                    right = quotes if by else quotes.drop(columns="zone")
                    m = pd.merge_asof(few, right, on="at", by=by, direction=direction, allow_exact_matches=not strict, tolerance=tolerance and pd.Timedelta(tolerance))
                    out[f"{direction} {strict} {tolerance or ''} {by or ''}"] = plain(m["price"].tolist())
    return out


def others(f):
    corr = f[["x", "y", "n"]].corr().reset_index(drop=True)
    rank = f[["x", "y", "n"]].corr("spearman").reset_index(drop=True)
    described = f.groupby("zone")[["x", "n"]].describe().stack(level=0, future_stack=True).reset_index()
    described.columns = ["zone", "column", "count", "mean", "sd", "min", "q25", "median", "q75", "max"]
    own = f.groupby("zone", as_index=False).agg(spread=("x", lambda v: v.max() - v.min()), first=("n", lambda v: int(v.iloc[0])))
    wide = f.pivot_table(index="k", columns=f["at"].dt.day.rename("day"), values=["x", "n"], aggfunc="max")
    wide.columns = [f"{a}_{b}" for a, b in wide.columns]
    wide = wide.reset_index()
    long = pd.wide_to_long(wide, ["x", "n"], i="k", j="day", sep="_").reset_index().sort_values(["k", "day"])
    seconds = f["at"].astype("int64") // 10**9
    tags = f["zone"].str.cat(f["k"].astype(str), ",").str.cat(f["zone"].str[:1], ",")
    return {
        "corr": columns(corr), "rank corr": columns(rank), "described": columns(described), "own": columns(own), "wide": columns(wide), "long": columns(long[["k", "day", "x", "n"]]),
        "seconds": plain(seconds.tolist()), "from seconds": plain(pd.to_datetime(seconds, unit="s", utc=True).dt.as_unit("ns").tolist()),
        "mapped": plain(f["zone"].map({"north": 1, "east": 2}).tolist()), "mapped number": plain(f["k"].map({-1: "low", 0: "middle", 1: "high"}).tolist()),
        "replaced": plain(f["zone"].replace({"north": "N"}).tolist()),
        "dummies": columns(pd.get_dummies(f[["zone", "k"]], columns=["zone", "k"], dtype=int)),
        "exploded": columns(f.assign(tag=tags.str.split(","))[["n", "tag"]].explode("tag")),
        "parts": columns(tags.str.split(",", expand=True)),
    }


out = {name: {"frame": columns(f), "rolling": rolling(f), "interpolated": interpolated(f), "pivots": pivots(f), "asof": asof(f), "others": others(f)} for name, f in frames.items()}
pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(out, separators=(",", ":")) + "\n")
