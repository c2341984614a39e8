"""Measures scikit-learn's trees for bench/mlstd/trees: path kind n cols depth."""
import json
import sys
import time

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

path, kind, n, cols, depth = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
raw = np.fromfile(path)
x, target = raw[: 2 * n * cols].reshape(2 * n, cols), raw[2 * n * cols :]
if kind == "regression":
    y, m = target, DecisionTreeRegressor(max_depth=depth or None, random_state=0)
else:
    y, m = (target > 0).astype(int), DecisionTreeClassifier(criterion=kind, max_depth=depth or None, random_state=0)
t = time.perf_counter()
m.fit(x[:n], y[:n])
fit = time.perf_counter() - t
t = time.perf_counter()
m.predict(x[n:])
predict = time.perf_counter() - t
json.dump({"Fit": fit, "Predict": predict, "Score": m.score(x[n:], y[n:])}, sys.stdout)
