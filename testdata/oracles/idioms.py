"""The pandas side of docs/reference/pandas-idioms.md; writes idioms.json beside this file.

pandas 3.1.1. Run: python testdata/oracles/idioms.py
"""
import io
import json
import math
import pathlib
import re

import numpy as np
import pandas as pd

assert pd.__version__ == "3.1.1"
here = pathlib.Path(__file__).resolve()
page = (here.parents[2] / "docs/reference/pandas-idioms.md").read_text()

data = {
    "trips": """at,zone,driver,tags,fare,km,size,unix
2024-01-01 08:00:00,Soho,"Kim, Jo",night;rain,12.5,4.25,S,1704096000
2024-01-02 09:30:00,Harlem,"Lee, Max",rain,30,10.5,L,1704187800
2024-01-05 10:00:00,Soho,"Kim, Al",day,,3,M,1704448800
2024-01-09 23:15:00,Bronx,"Fox, Ida",night;cold;rain,8.25,5.5,M,1704842100
2024-01-10 07:45:00,Harlem,"Lee, Ann",day,27.5,8.75,S,1704872700
2024-01-17 12:00:00,Astoria,"Ray, Bo",day;cold,9,3.5,L,1705492800
2024-01-18 18:20:00,Soho,"Kim, Jo",night,11,5,S,1705602000
2024-01-30 06:05:00,Bronx,"Fox, Ida",rain,14.75,6.25,L,1706594700
""",
    "zones": "zone,side,since\nSoho,south,2024-01-04 00:00:00\nHarlem,north,2023-06-01 00:00:00\nBronx,north,2024-01-29 12:00:00\n",
    "wide": "id,km_2023,km_2024,fare_2023,fare_2024\n1,10,20,1.5,2.5\n2,30,,3.5,4.5\n",
}
times = {"trips": ["at"], "zones": ["since"]}


def plain(v):
    if v is None or v is pd.NA or v is pd.NaT or isinstance(v, float) and math.isnan(v):
        return None
    if isinstance(v, pd.Timestamp):
        return v.strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(v, (bool, np.bool_)):
        return bool(v)
    if isinstance(v, (int, float, np.number)):
        return float(v)
    return str(v)


out = {"data": data, "idioms": []}
for line in page.splitlines():
    cells = [c.strip() for c in line.strip().strip("|").split(" | ")]
    if not line.startswith("| ") or cells[0] in ("Idiom",):
        continue
    name, code = cells[0], cells[1].strip("`")

    world = {k: pd.read_csv(io.StringIO(v), parse_dates=times.get(k)) for k, v in data.items()} | {"pd": pd, "np": np}
    if re.match(r'trips(\.loc)?\[[^=]*\] = ', code) or code.startswith("trips.loc["):
        exec(code, world)
        result = world["trips"]
    else:
        result = eval(code, world)
    if isinstance(result, pd.Series):
        result = result.to_frame()
    out["idioms"].append({"idiom": name, "here": cells[2].strip("`"), "columns": [[plain(v) for v in result.iloc[:, j].tolist()] for j in range(result.shape[1])]})
assert len(out["idioms"]) == 40, len(out["idioms"])
here.with_suffix(".json").write_text(json.dumps(out, separators=(",", ":"), ensure_ascii=False) + "\n")
