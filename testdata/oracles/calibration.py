"""Calibration curves by scikit-learn; writes calibration.json beside this file.

scikit-learn 1.9.1. Run: python testdata/oracles/calibration.py
"""
import json
import pathlib

import numpy as np
import sklearn
from sklearn.calibration import calibration_curve

assert sklearn.__version__ == "1.9.1"
rng = np.random.default_rng(19)
sets = []
for name, n, sharpen, digits in [("honest", 200, 1., 6), ("bold", 150, 3., 6), ("shy", 120, .4, 6), ("coarse", 90, 1., 1), ("few", 12, 2., 6)]:
    z = rng.normal(size=n)
    y = (rng.random(n) < 1 / (1 + np.exp(-z))).astype(int)
    p = (1 / (1 + np.exp(-sharpen * z))).round(digits)
    e = {"name": name, "p": p.tolist(), "y": y.tolist(), "curves": []}
    for bins in 4, 10:
        for strategy in "uniform", "quantile":
            observed, predicted = calibration_curve(y, p, n_bins=bins, strategy=strategy)
            e["curves"].append({"bins": bins, "even": strategy == "quantile", "observed": observed.tolist(), "predicted": predicted.tolist()})
    sets.append(e)
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps({"sets": sets}))
print(path.stat().st_size, "bytes")
