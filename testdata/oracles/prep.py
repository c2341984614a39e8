"""Transformers of features and texts by scikit-learn, stems by NLTK; writes prep.json beside this file.

scikit-learn 1.9.1, NLTK 3.10.4. Run: python testdata/oracles/prep.py
"""
import json
import pathlib
import re

import nltk
import numpy as np
import sklearn
from nltk.stem.porter import PorterStemmer
from sklearn import datasets
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import LabelBinarizer, MinMaxScaler, Normalizer, OneHotEncoder, PolynomialFeatures, StandardScaler

assert sklearn.__version__ == "1.9.1" and nltk.__version__ == "3.10.4"
rng = np.random.default_rng(11)


def plain(m):
    return [[None if np.isnan(v) else float(v) for v in row] for row in np.asarray(m, dtype=float)]


def few(load, cols, n=14):
    x = load().data
    return x[np.sort(rng.choice(len(x), n, replace=False))][:, cols]


# The last four rows of each set are only transformed.
sets = {
    "iris": few(datasets.load_iris, [0, 1, 2, 3]),
    "wine": few(datasets.load_wine, [0, 4, 9, 12]),
    "cancer": few(datasets.load_breast_cancer, [0, 3, 14, 23]),
    "digits": few(datasets.load_digits, [0, 10, 20, 43]),  # the first pixel is always 0
    "diabetes": few(datasets.load_diabetes, [0, 1, 4, 8]),
    "constant": np.c_[np.full(9, 7.25), np.full(9, 0.1), rng.normal(size=9)],
    "one row": np.r_[[[3., -2., 0.]], rng.normal(size=(4, 3))],
    "negative": -rng.exponential(5, size=(12, 3)).round(3),
    "huge": rng.normal(size=(12, 3)) * [1e150, 1e12, 1e-150],
    "far from zero": 1e9 + rng.integers(-3, 4, size=(12, 2)),
    "zeros in rows": rng.integers(0, 2, size=(12, 3)).astype(float) * [1, 0, 1],
}
numeric = []
for name, x in sets.items():
    train, query = x[:-4], x[-4:]
    e = {"name": name, "train": plain(train), "query": plain(query)}
    s = StandardScaler().fit(train)
    e["standard"] = {"mean": s.mean_.tolist(), "sd": np.sqrt(s.var_).tolist(), "scale": s.scale_.tolist(), "z": plain(s.transform(query)),
                     "centered": plain(StandardScaler(with_std=False).fit(train).transform(query)),
                     "scaled": plain(StandardScaler(with_mean=False).fit(train).transform(query)),
                     "back": plain(s.inverse_transform(s.transform(query)))}
    e["minmax"] = plain(MinMaxScaler().fit(train).transform(query))
    e["minmax_wide"] = plain(MinMaxScaler((-1, 3)).fit(train).transform(query))
    e["rows"] = plain(Normalizer().fit(train).transform(query))
    v = VarianceThreshold()
    try:
        e["variance"] = {"kept": v.fit(train).get_support(indices=True).tolist(), "variances": np.var(train, axis=0).tolist()}
    except ValueError:
        e["variance"] = {"kept": [], "variances": []}
    if name != "huge":  # products of three values overflow there
        e["polynomials"] = [{"degree": d, "interactions": i, "constant": b, "z": plain(PolynomialFeatures(d, interaction_only=i, include_bias=b).fit(train).transform(query))}
                            for d in (1, 2, 3) for i in (False, True) for b in (False, True)]
    holes = train.copy()
    holes[rng.random(holes.shape) < .3] = np.nan
    holes[0] = train[0]  # no column without a known value
    e["holes"] = plain(holes)
    asked = query.copy()
    asked[0, :], asked[1, -1] = np.nan, np.nan
    e["asked"] = plain(asked)
    e["imputed"] = {k: plain(SimpleImputer(strategy=k, fill_value=-1. if k == "constant" else None, add_indicator=True).fit(holes).transform(asked))
                    for k in ("mean", "median", "most_frequent", "constant")}
    numeric.append(e)

nominal = []
for i, (n, d, k) in enumerate([(10, 3, 3), (20, 2, 6), (1, 4, 2), (15, 5, 2), (30, 3, 10)]):
    train, query = rng.integers(-1, k, size=(n, d)), rng.integers(-2, k + 1, size=(6, d))
    onehot = OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(train)
    # The thermometer: every level up to the value is on; a restatement in NumPy.
    levels = [np.unique(train[:, j]) for j in range(d)]
    thermometer = np.hstack([query[:, [j]] >= levels[j][None, :] for j in range(d)])
    # Conjunctions are the products of distinct columns of (x, 1-x) without both of a pair.
    bits, asked = rng.integers(0, 2, size=(n, d)), rng.integers(0, 2, size=(6, d))
    p = PolynomialFeatures(min(d, 3), interaction_only=True).fit(np.c_[bits, 1 - bits])
    z, terms = p.transform(np.c_[asked, 1 - asked]), {}
    for col, powers in enumerate(p.powers_):
        if not np.any(powers[:d] & powers[d:]):
            literals = [f"x{j + 1}" if powers[j] else f"¬x{j + 1}" for j in range(d) if powers[j] or powers[d + j]]
            terms[" ∧ ".join(literals) or "true"] = z[:, col].tolist()
    y = rng.integers(0, k, size=n + 1) * 3 - 2
    binarizer = LabelBinarizer().fit(y)
    out = rng.random(size=(6, max(1, len(np.unique(y))) if len(np.unique(y)) > 2 else 1))
    nominal.append({"name": f"levels{i}", "train": plain(train), "query": plain(query), "onehot": plain(onehot.transform(query)),
                    "thermometer": plain(thermometer), "bits": plain(bits), "asked": plain(asked), "size": min(d, 3), "conjunctions": terms,
                    "y": y.tolist(), "indicators": plain(binarizer.transform(y)) if len(np.unique(y)) > 1 else [],
                    "outputs": plain(out), "decided": binarizer.inverse_transform(out).tolist() if len(np.unique(y)) > 1 else []})

stemmer = PorterStemmer(mode=PorterStemmer.ORIGINAL_ALGORITHM)
texts = []
stop = ["the", "of", "is", "and"]
for name, load in [("iris", datasets.load_iris), ("wine", datasets.load_wine), ("cancer", datasets.load_breast_cancer),
                   ("digits", datasets.load_digits), ("diabetes", datasets.load_diabetes)]:
    lines = [line for line in load().DESCR.splitlines() if line.strip()][5:45]
    train, query = lines[::2], lines[1::2]
    e = {"name": name, "train": train, "query": query}
    # Words are runs of letters and digits with apostrophes inside.
    pattern = r"[^\W_]+(?:'+[^\W_]+)*"
    for key, kw in {"plain": {}, "rare": {"min_df": 2}, "stopped": {"stop_words": stop}}.items():
        v = CountVectorizer(token_pattern=pattern, **kw).fit(train)
        counts = v.transform(query)
        e[key] = {"words": v.get_feature_names_out().tolist(), "texts": np.asarray((v.transform(train) > 0).sum(axis=0)).ravel().tolist(),
                  "counts": [[int(i), int(j), int(counts[i, j])] for i, j in zip(*counts.nonzero())]}
    words = sorted(set(re.findall(r"[a-z]+", load().DESCR.lower())))
    e["stems"] = {w: stemmer.stem(w) for w in words}
    texts.append(e)
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps({"numeric": numeric, "nominal": nominal, "texts": texts, "stop": stop}))
print(path.stat().st_size, "bytes")
