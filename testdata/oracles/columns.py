"""Columns of several kinds with gaps through scikit-learn's ColumnTransformer in a pipeline; writes columns.json beside this file.

scikit-learn 1.9.1. Run: python testdata/oracles/columns.py
"""
import json
import pathlib

import numpy as np
import pandas as pd
import sklearn
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

assert sklearn.__version__ == "1.9.1"
levels = {"class": ["first", "second", "third"], "sex": ["female", "male"], "port": ["Cherbourg", "Queenstown", "Southampton"]}


def invent(seed, n, ages=0.2, ports=0.03):
    """Passengers: who survived depends on class, sex and age; some ages and ports are not known."""
    rng = np.random.default_rng(seed)
    klass = rng.choice(3, n, p=[0.25, 0.2, 0.55])
    sex = rng.choice(2, n, p=[0.35, 0.65])
    age = np.round(np.clip(rng.normal(30, 14, n), 0.5, 80), 1)
    fare = np.round(np.exp(rng.normal(3.6 - 0.7 * klass, 0.5, n)), 2)
    port = rng.choice(3, n, p=[0.2, 0.1, 0.7])
    score = 2.4 - 2.6 * sex - 0.9 * klass - 0.02 * (age - 30) + 0.3 * (port == 0)
    y = (rng.random(n) < 1 / (1 + np.exp(-score))).astype(int)
    age = np.where(rng.random(n) < ages, np.nan, age)
    port = np.where(rng.random(n) < ports, np.nan, port)
    frame = pd.DataFrame({
        "class": np.array(levels["class"])[klass], "sex": np.array(levels["sex"])[sex], "age": age, "fare": fare,
        "port": [np.nan if np.isnan(p) else levels["port"][int(p)] for p in port],
    })
    frame[list(levels)] = frame[list(levels)].astype(object)
    return np.c_[klass, sex, age, fare, port], frame, y


names = ["class", "sex", "port"]


def pipeline():
    return make_pipeline(
        ColumnTransformer([
            ("names", make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(sparse_output=False)), names),
            ("numbers", make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), ["age", "fare"]),
        ], verbose_feature_names_out=False),
        LogisticRegression(tol=1e-10, max_iter=10000))


def plain():
    return ColumnTransformer([
        ("class", OneHotEncoder(sparse_output=False), ["class"]), ("sex", OneHotEncoder(sparse_output=False), ["sex"]),
        ("age", SimpleImputer(strategy="median"), ["age"]), ("fare", "passthrough", ["fare"]),
        ("port", make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(sparse_output=False)), ["port"]),
    ])


results = []
for name, (x, frame, y) in {
    "passengers": invent(1912, 120), "few": invent(1, 60), "full": invent(2, 80, 0, 0), "gaps": invent(3, 100, 0.6, 0.4), "many": invent(4, 240),
}.items():
    m = pipeline().fit(frame, y)
    encoded = plain().fit_transform(frame)
    results.append({
        "name": name, "x": [[None if np.isnan(v) else float(v) for v in row] for row in x], "y": y.tolist(),
        "train": float(m.score(frame, y)), "folds": cross_val_score(pipeline(), frame, y, cv=StratifiedKFold(5)).tolist(),
        "proba": m.predict_proba(frame)[:, 1].tolist(), "coef": m[-1].coef_[0].tolist(), "intercept": float(m[-1].intercept_[0]),
        "names": [s.replace("_", "=") for s in m[0].get_feature_names_out()], "one_hot": encoded[:20].tolist(),
    })
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps({"levels": levels, "sets": results}, separators=(",", ":")) + "\n")
