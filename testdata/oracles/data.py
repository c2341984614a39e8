"""Fingerprints of the classic data sets as scikit-learn ships them; writes data.json beside this file.

scikit-learn 1.9.1. Run: python testdata/oracles/data.py
"""
import json
import pathlib

import numpy as np
import sklearn
from sklearn import datasets

assert sklearn.__version__ == "1.9.1"
out = []
for name, d in [("Iris", datasets.load_iris()), ("Wine", datasets.load_wine()), ("BreastCancer", datasets.load_breast_cancer()),
                ("Digits", datasets.load_digits()), ("Diabetes", datasets.load_diabetes(scaled=False))]:
    x, i = d.data, np.arange(len(d.data))
    # Sums with weights that no two rows near each other share: they change when a
    # value or the order of the rows does.
    w = (i * i * 7 + 13 * i) % 1009 / 1009
    out.append({"name": name, "rows": len(x), "sums": x.sum(axis=0).tolist(), "weighted": (w @ x).tolist(), "squares": (w @ (x * x)).tolist(),
                "target": float(w @ d.target), "classes": [] if name == "Diabetes" else list(map(str, d.target_names))})
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(out))
print(path.stat().st_size, "bytes")
