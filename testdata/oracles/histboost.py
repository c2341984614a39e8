"""Boosting over bins by scikit-learn; writes histboost.json beside this file.

scikit-learn 1.9.1. Run: python testdata/oracles/histboost.py

Values are continuous and the sums of derivatives real, so that no two questions gain the same; numbers of training rows have no
divisor in common with 255, so that quantiles are those of exact arithmetic.
"""
import json
import pathlib

import numpy as np
import sklearn
from sklearn import datasets
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

from gorand import Rand

assert sklearn.__version__ == "1.9.1"
rng = np.random.default_rng(12)


def row(v):
    return [None if np.isnan(a) else float(a) for a in v]


def gaps(x, share=.12):
    return np.where(rng.random(x.shape) < share, np.nan, x)


def jittered(d, n, cols):
    rows = np.sort(rng.choice(len(d.data), n, replace=False))
    x = d.data[rows][:, cols]
    return (x + rng.normal(size=x.shape) * .02 * x.std(0)).round(3), d.target[rows]


def named(n, levels):
    """A column of names that says something, beside two numbers."""
    name = rng.integers(0, levels, n).astype(float)
    x = np.column_stack([name, rng.normal(size=(n, 2)).round(3)])
    f = np.sin(name * 1.7) * 2 + x[:, 1] - .5 * x[:, 2] ** 2
    return x, f


def held(groups, share, seed):
    """The rows that the library holds out."""
    g, out, train = Rand(seed, 0), [], []
    for group in groups:
        order = list(group)
        g.shuffle(order)
        k = min(int(np.floor(share * len(order) + .5)), len(order) - 1)
        out += order[:k]
        train += order[k:]
    return np.sort(train), np.sort(out)


def fit(make, x, y, weights, names, options, validation):
    m = make(random_state=0, categorical_features=names or None, early_stopping=bool(validation), **options)
    if not validation:
        return m.fit(x, y, sample_weight=weights)
    groups = [range(len(y))] if make is HistGradientBoostingRegressor else [np.flatnonzero(y == c) for c in np.unique(y)]
    train, out = held(groups, validation, 3)
    return m.fit(x[train], y[train], X_val=x[out], y_val=y[out], sample_weight=None if weights is None else weights[train],
                 sample_weight_val=None if weights is None else weights[out])


cases = []
KEPT = 50  # rows whose predictions are written


def says(m, x):
    return (m.predict(x) if hasattr(m, "_loss") and not hasattr(m, "classes_") else m.predict_proba(x)).round(12).tolist()


def case(name, x, y, loss=None, names=(), weights=None, validation=0., asked=True, **options):
    make = HistGradientBoostingRegressor if loss else HistGradientBoostingClassifier
    given = dict(options, loss=loss) if loss else dict(options)
    y = y.round(5)
    m = fit(make, x, y, weights, list(names), given, validation)
    e = {"name": name, "x": [row(v) for v in x], "names": list(names), "loss": loss or "", "rounds": m.n_iter_, "validation": validation,
         "options": {k: v for k, v in options.items() if k != "monotonic_cst"}, "monotone": options.get("monotonic_cst"),
         "weights": None if weights is None else weights.tolist()}
    e["target" if loss else "class"] = y.tolist()
    e["predicted"] = says(m, x[:KEPT])
    if asked:
        e["asked"] = [row(v) for v in asked_rows(x, names)]
        q = np.array(e["asked"], dtype=float)
        e["answered"] = says(m, q)
    if validation:
        e["held"] = (-m.validation_score_).tolist()
    cases.append(e)


def asked_rows(x, names):
    """Rows of the training values, mixed between the columns, with more gaps."""
    q = np.column_stack([rng.permutation(c)[:30] for c in x.T])
    return np.where(rng.random(q.shape) < .1, np.nan, q)


diabetes, cancer, wine = datasets.load_diabetes(), datasets.load_breast_cancer(), datasets.load_wine()
x, y = jittered(diabetes, 401, [2, 3, 8, 9])
y = (y / 50 + rng.normal(size=len(y)) * .01).round(4)
case("diabetes", x, y, "squared_error", max_iter=20)
case("diabetes few", x, y, "squared_error", max_iter=10, max_depth=3, min_samples_leaf=7, l2_regularization=1.5, learning_rate=.3, max_bins=16)
case("diabetes gaps", gaps(x), y, "squared_error", max_iter=20, max_leaf_nodes=8)
case("diabetes absolute", x, y, "absolute_error", max_iter=8)
case("diabetes quantile", x, y, "quantile", max_iter=8, quantile=.8)
case("diabetes weights", x, y, "squared_error", weights=rng.uniform(.2, 3, len(y)).round(3), max_iter=10)
case("diabetes rising", x, y, "squared_error", max_iter=15, monotonic_cst=[1, 0, 0, -1])
case("diabetes stopped", x, y, "squared_error", max_iter=200, learning_rate=.3, validation=.25, n_iter_no_change=5)
x, f = named(601, 9)
case("names", x, f + rng.normal(size=len(f)) * .3, "squared_error", names=[0], max_iter=15)
case("names gaps", gaps(x), f + rng.normal(size=len(f)) * .3, "squared_error", names=[0], max_iter=15)
case("counts", x, rng.poisson(np.exp(f / 2)).astype(float), "poisson", names=[0], max_iter=15)
case("names of two", gaps(x), (f + rng.logistic(size=len(f)) > 0).astype(int), names=[0], max_iter=15)
x, y = jittered(cancer, 397, [0, 1, 4, 8, 21])
case("cancer", x, y, max_iter=15)
case("cancer weights", x, y, weights=rng.uniform(.2, 3, len(y)).round(3), max_iter=10)
case("cancer stopped", x, y, max_iter=100, validation=.2, learning_rate=.3, n_iter_no_change=4)
case("cancer rising", x, y, max_iter=10, monotonic_cst=[-1, 0, 0, 0, -1])
x, y = jittered(wine, 173, [0, 1, 6, 9])
case("wine", gaps(x, .06), y, max_iter=10, min_samples_leaf=6)
x, y = datasets.make_friedman1(701, 5, noise=.5, random_state=4)
case("many values", x.round(5)[:, [0, 3]], y.round(4), "squared_error", max_iter=5, asked=False)

out = pathlib.Path(__file__).with_suffix(".json")
out.write_text(json.dumps({"cases": cases}))
print(len(cases), "cases,", out.stat().st_size, "bytes")
