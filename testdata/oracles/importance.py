"""Importances of boosted trees, and NDCG of scores with ties, by scikit-learn; writes importance.json beside this file.

scikit-learn 1.9.1. Reads the data sets and settings of ensemble.json. Run: python testdata/oracles/importance.py
"""
import json
import pathlib

import numpy as np
import sklearn
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from sklearn.metrics import ndcg_score

assert sklearn.__version__ == "1.9.1"
here = pathlib.Path(__file__)
sets = json.loads(here.with_name("ensemble.json").read_text())
out = {"classified": [], "real": [], "ndcg": []}
for e in sets["two"] + sets["many"]:
    g = e["gradient"]
    for leaf in range(g["minLeaf"], 20):
        got = [GradientBoostingClassifier(random_state=seed, n_estimators=g["rounds"], max_depth=2, learning_rate=.1, min_samples_leaf=leaf)
               .fit(e["x"], e["y"]).feature_importances_ for seed in range(8)]
        if np.ptp(got, axis=0).max() < 1e-12:
            break
    else:
        raise AssertionError(e["name"])
    out["classified"].append({"name": e["name"], "minLeaf": leaf, "importances": got[0].tolist()})
for e in sets["real"]:
    g = e["squared"]
    for leaf in range(g["minLeaf"], 20):  # in small leaves two columns may ask the same of the examples, and the seed decides
        got = [GradientBoostingRegressor(random_state=seed, n_estimators=g["rounds"], max_depth=2, min_samples_leaf=leaf).fit(e["x"], e["y"]).feature_importances_
               for seed in range(8)]
        if np.ptp(got, axis=0).max() < 1e-12:
            break
    else:
        raise AssertionError(e["name"])
    out["real"].append({"name": e["name"], "minLeaf": leaf, "importances": got[0].tolist()})
rng = np.random.default_rng(4)
cases = [([3, 2, 1, 0], [1, 1, 1, 1]), ([0, 1, 2, 3], [1, 1, 1, 1]), ([2, 0, 1, 0, 3], [.5, .5, .2, .9, .2])]
cases += [(rng.integers(0, 4, n).tolist(), rng.integers(0, 5, n).tolist()) for n in (6, 12, 30)]
for y, s in cases:
    out["ndcg"].append({"y": y, "score": s, "all": ndcg_score([2. ** np.array(y) - 1], [s]), "at3": ndcg_score([2. ** np.array(y) - 1], [s], k=3)})
path = here.with_suffix(".json")
path.write_text(json.dumps(out))
print(path.stat().st_size, "bytes")
