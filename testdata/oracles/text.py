"""Texts as columns by scikit-learn; writes text.json beside this file.

scikit-learn 1.9.1. Run: python testdata/oracles/text.py
"""
import json
import pathlib

import numpy as np
import sklearn
from sklearn import datasets
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer

assert sklearn.__version__ == "1.9.1"
pattern = r"[^\W_]+(?:'+[^\W_]+)*"  # runs of letters and digits with apostrophes inside
stop = ["the", "of", "and", "a", "in", "to", "is"]


def plain(m):
    """Row, column and value of what is not zero."""
    m = m.tocsr()
    m.eliminate_zeros()
    m = m.tocoo()
    return [[int(i), int(j), float(v)] for i, j, v in zip(m.row, m.col, m.data)]


sets = []
for name in "iris", "wine", "breast_cancer", "digits", "diabetes":
    lines = [line.strip() for line in getattr(datasets, "load_" + name)().DESCR.splitlines() if line.strip()][5:33]
    train, query = lines[::2], lines[1::2] + ["", "naïve Äpfel, 東京!"]
    e = {"name": name, "train": train, "query": query, "fits": []}
    for key, v in {"weights": TfidfVectorizer(token_pattern=pattern), "pairs": TfidfVectorizer(token_pattern=pattern, ngram_range=(1, 2), stop_words=stop),
                   "rare": TfidfVectorizer(token_pattern=pattern, min_df=2), "counts": CountVectorizer(token_pattern=pattern, ngram_range=(1, 3)),
                   "hash": HashingVectorizer(n_features=16, token_pattern=pattern, norm=None)}.items():
        v.fit(train)
        e["fits"].append({"key": key, "terms": v.get_feature_names_out().tolist() if key != "hash" else [], "z": plain(v.transform(query))})
    sets.append(e)
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps({"stop": stop, "sets": sets}))
print(path.stat().st_size, "bytes")
