"""Scalers, bins, powers, quantiles and imputers by scikit-learn; writes transform.json beside this file.

scikit-learn 1.9.1. Run: python testdata/oracles/transform.py
"""
import json
import pathlib

import numpy as np
import sklearn
from sklearn import datasets
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer, KNNImputer
from sklearn.linear_model import Ridge
from sklearn.preprocessing import KBinsDiscretizer, OrdinalEncoder, PowerTransformer, QuantileTransformer, RobustScaler

assert sklearn.__version__ == "1.9.1"
rng = np.random.default_rng(17)


def plain(m):
    return [[None if np.isnan(v) else float(v) for v in row] for row in np.asarray(m, dtype=float)]


def few(load, cols, n=48):
    x = load().data
    return x[np.sort(rng.choice(len(x), n, replace=False))][:, cols]


sets = {
    "iris": few(datasets.load_iris, [0, 1, 2, 3]),
    "wine": few(datasets.load_wine, [0, 4, 9, 12]),
    "cancer": few(datasets.load_breast_cancer, [0, 3, 14, 23]),
    "digits": few(datasets.load_digits, [10, 20, 43, 28]),
    "diabetes": few(datasets.load_diabetes, [0, 2, 4, 8]),
    "skewed": np.c_[rng.exponential(3, 48), rng.lognormal(0, 1.5, 48), -rng.exponential(2, 48), rng.normal(size=48)].round(4),
}
out = []
for name, x in sets.items():
    train, query = x[:-8], x[-8:].copy()
    query[0] = train.min(0) - 1  # beyond the training range
    query[1] = train.max(0) + 1
    e = {"name": name, "train": plain(train), "query": plain(query)}
    e["robust"] = plain(RobustScaler().fit(train).transform(query))
    e["wide"] = plain(RobustScaler(quantile_range=(10, 80), with_centering=False).fit(train).transform(query))
    e["bins"] = {}
    for strategy in "quantile", "uniform", "kmeans":
        kw = {"quantile_method": "linear"} if strategy == "quantile" else {}
        b = KBinsDiscretizer(4, encode="ordinal", strategy=strategy, subsample=None, **kw).fit(train)
        hot = KBinsDiscretizer(4, encode="onehot-dense", strategy=strategy, subsample=None, **kw).fit(train)
        e["bins"][strategy] = {"edges": [edges.tolist() for edges in b.bin_edges_], "z": plain(b.transform(query)), "hot": plain(hot.transform(query))}
    between = query + rng.normal(0, 1e-3, query.shape) * train.std(0)  # equal to no quantile, which is rounded in another way
    e["between"] = plain(between)
    for size in 10, 1000:
        e[f"shares{size}"] = plain(QuantileTransformer(n_quantiles=min(size, len(train))).fit(train).transform(between))
    e["normal"] = plain(QuantileTransformer(n_quantiles=20, output_distribution="normal").fit(train).transform(between))
    p = PowerTransformer().fit(train)
    e["power"] = {"lambdas": p.lambdas_.tolist(), "z": plain(p.transform(query))}
    shifted = np.abs(train) + .5
    p = PowerTransformer("box-cox", standardize=False).fit(shifted)
    e["boxcox"] = {"lambdas": p.lambdas_.tolist(), "z": plain(p.transform(np.abs(query) + .5))}
    coarse = train.round(0)
    o = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan).fit(coarse)
    e["ordinal"] = plain(o.transform(query.round(0)))
    scale = train.std(0)
    holes = train / scale + rng.normal(0, .01, train.shape)  # no two distances are equal
    asked = query[2:] / scale + rng.normal(0, .01, query[2:].shape)
    holes[rng.random(holes.shape) < .2] = np.nan
    holes[3, 1:] = np.nan
    asked[rng.random(asked.shape) < .4] = np.nan
    asked[0] = np.nan
    e["holes"], e["asked"] = plain(holes), plain(asked)
    e["near"] = plain(KNNImputer(n_neighbors=3).fit(holes).transform(asked))
    e["weighted"] = plain(KNNImputer(n_neighbors=4, weights="distance").fit(holes).transform(asked))
    i = IterativeImputer(Ridge(1.), max_iter=6, tol=1e-3).fit(holes)
    e["chained"] = {"rounds": i.n_iter_, "train": plain(i.transform(holes)), "z": plain(i.transform(asked))}
    out.append(e)
pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(out))
