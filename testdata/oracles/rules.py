"""Frequent itemsets and association rules of mlxtend 0.25.0 on generated baskets.

Writes rules.json beside this file: the baskets, the itemsets with their support, the
maximal ones, and the rules with their metrics.
"""
import json, os, warnings
import numpy as np
import pandas as pd
from mlxtend.frequent_patterns import apriori, fpgrowth, fpmax, association_rules

warnings.filterwarnings("ignore")


def baskets(n, items, width, patterns, seed):
    """Baskets of random patterns with noise."""
    rng = np.random.default_rng(seed)
    some = [rng.choice(items, size=rng.integers(2, width), replace=False) for _ in range(patterns)]
    out = []
    for _ in range(n):
        basket = set()
        for p in rng.choice(patterns, size=rng.integers(1, 4)):
            basket |= {int(i) for i in some[p] if rng.random() < 0.85}
        basket |= {int(i) for i in rng.choice(items, size=rng.integers(0, 3))}
        out.append(sorted(f"i{i:02d}" for i in basket))
    return out


SETS = {
    "notes": ([["1", "3", "4"], ["2", "3", "5"], ["1", "2", "3", "5"], ["2", "5"]], 0.5, 0.6),
    "small": (baskets(40, 8, 4, 4, 1), 0.16, 0.5),
    "sparse": (baskets(200, 30, 5, 12, 2), 0.072, 0.6),
    "dense": (baskets(120, 10, 7, 5, 3), 0.354, 0.8),
    "wide": (baskets(300, 60, 6, 20, 4), 0.041, 0.6),
    "single": (baskets(60, 5, 3, 3, 5), 0.31, 0.1),
}

out = {}
for name, (rows, support, confidence) in SETS.items():
    names = sorted({i for r in rows for i in r})
    frame = pd.DataFrame([[i in r for i in names] for r in rows], columns=names)
    found = apriori(frame, min_support=support, use_colnames=True)
    other = fpgrowth(frame, min_support=support, use_colnames=True)
    plain = lambda f: {(frozenset(s), round(float(v), 12)) for s, v in zip(f.itemsets, f.support)}
    assert plain(found) == plain(other)
    largest = fpmax(frame, min_support=support, use_colnames=True)
    made = association_rules(found, metric="confidence", min_threshold=confidence)
    number = lambda v: float(v) if np.isfinite(v) else -1.0  # -1 stands for infinity
    out[name] = {
        "baskets": rows, "support": support, "confidence": confidence,
        "itemsets": [[sorted(s), float(v)] for s, v in zip(found.itemsets, found.support)],
        "maximal": [sorted(s) for s in largest.itemsets],
        "rules": [{"if": sorted(r.antecedents), "then": sorted(r.consequents), "support": number(r.support),
                   "confidence": number(r.confidence), "lift": number(r.lift), "leverage": number(r.leverage),
                   "conviction": number(r.conviction)} for r in made.itertuples()],
    }

path = os.path.splitext(os.path.abspath(__file__))[0] + ".json"
with open(path, "w") as f:
    json.dump(out, f, separators=(",", ":"))
    f.write("\n")
