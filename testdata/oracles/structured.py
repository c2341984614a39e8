"""The structured perceptron of Collins (2002), restated with every sequence tried; writes structured.json beside this file.

NumPy only. Run: python testdata/oracles/structured.py
"""
import itertools
import json
import pathlib

import numpy as np

rng = np.random.default_rng(29)
out = []
for name, words, tags, length, sentences in [("short", 4, 2, 3, 20), ("long", 8, 2, 7, 15), ("tags", 6, 4, 4, 20), ("ambiguous", 2, 3, 5, 20), ("rare", 40, 3, 4, 25)]:
    k, corpus = tags, []
    for _ in range(sentences):
        w = [f"w{i}" for i in rng.integers(0, words, rng.integers(1, length + 1))]
        # A tag depends on the word and on the tag before, with some noise.
        t, last = [], 0
        for v in w:
            last = int((int(v[1:]) + last + (rng.random() < .1)) % k)
            t.append(last)
        corpus.append((w, t))
    local, after, start = {}, np.zeros((k, k)), np.zeros(k)

    def features(w, y):
        """Counts of word and tag, tag after tag, first tag."""
        f = {}
        for i, v in enumerate(w):
            key = ("a", y[i - 1], y[i]) if i else ("s", y[0])
            for g in (("w", v, y[i]), key):
                f[g] = f.get(g, 0) + 1
        return f

    weights, states, mistakes, best = {}, [], 0, None
    for w, t in corpus:
        score = lambda y: sum(weights.get(g, 0) * n for g, n in features(w, y).items())
        # Of equal sequences the one with the smaller labels from the end.
        guess = max(itertools.product(range(k), repeat=len(w)), key=lambda y: (score(y), tuple(-b for b in reversed(y))))
        if list(guess) != t:
            mistakes += 1
            for g, n in features(w, t).items():
                weights[g] = weights.get(g, 0) + n
            for g, n in features(w, guess).items():
                weights[g] = weights.get(g, 0) - n
        states.append(dict(weights))

    def table(of):
        """Tags in a fixed form: words, transitions, starts."""
        return {"words": {v: [of(("w", v, b)) for b in range(k)] for v in sorted({v for w, _ in corpus for v in w})},
                "after": [[of(("a", a, b)) for b in range(k)] for a in range(k)], "start": [of(("s", b)) for b in range(k)]}

    out.append({"name": name, "sentences": [w for w, _ in corpus], "tags": [[f"t{b}" for b in t] for _, t in corpus], "mistakes": mistakes,
                "last": table(lambda g: weights.get(g, 0)), "mean": table(lambda g: float(np.mean([s.get(g, 0) for s in states])))})
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(out))
print(path.stat().st_size, "bytes", [e["mistakes"] for e in out])
