"""Bayesian networks by pgmpy; writes bayesnet.json beside this file.

pgmpy 1.1.2. Run: python testdata/oracles/bayesnet.py
"""
import itertools
import json
import logging
import pathlib
import warnings

import numpy as np
import pandas as pd
import pgmpy
from pgmpy.estimators import BayesianEstimator, ExhaustiveSearch, HillClimbSearch, MaximumLikelihoodEstimator, TreeSearch
from pgmpy.factors.discrete import TabularCPD
from pgmpy.inference import VariableElimination
from pgmpy.models import DiscreteBayesianNetwork
from pgmpy.readwrite import BIFReader
from pgmpy.structure_score import AIC, BIC, K2, BDeu
from scipy.special import gammaln

assert pgmpy.__version__ == "1.1.2"
warnings.filterwarnings("ignore")
logging.getLogger("pgmpy").setLevel(logging.ERROR)
rng = np.random.default_rng(5)


def k2(df, g):
    """K2 of pgmpy without the terms that it adds for combinations of parents that no row has."""
    score = K2(df).score(g)
    for v in g.nodes:
        parents = list(g.predecessors(v))
        if parents:
            all_of_them = int(np.prod([df[p].nunique() for p in parents]))
            score -= (all_of_them - len(df[parents].drop_duplicates())) * float(gammaln(df[v].nunique()))
    return score


def num(v):
    return float(f"{float(v):.14g}")


def build(nodes):
    m = DiscreteBayesianNetwork()
    m.add_nodes_from([n["name"] for n in nodes])
    states = {n["name"]: n["states"] for n in nodes}
    for n in nodes:
        m.add_edges_from([(p, n["name"]) for p in n["parents"]])
    for n in nodes:
        m.add_cpds(TabularCPD(n["name"], len(n["states"]), np.array(n["p"]).T.tolist(), n["parents"] or None,
                              [len(states[p]) for p in n["parents"]] or None,
                              state_names={v: states[v] for v in [n["name"], *n["parents"]]}))
    assert m.check_model()
    return m


def random_net(d, most_parents):
    nodes = []
    cards = rng.integers(2, 5, d)
    for i in range(d):
        k = int(rng.integers(0, min(i, most_parents) + 1))
        parents = sorted(int(p) for p in rng.choice(i, k, replace=False)) if k else []
        q = int(np.prod([cards[p] for p in parents])) if parents else 1
        p = rng.dirichlet(np.full(cards[i], 0.7), q)
        nodes.append({"name": f"x{i}", "states": [f"s{k}" for k in range(cards[i])],
                      "parents": [f"x{p}" for p in parents], "p": p.tolist()})
    return nodes


def queries(m, names, states, many):
    ve = VariableElimination(m)
    out = []
    for k in range(many):
        chosen = [str(v) for v in rng.permutation(names)]
        query, given = chosen[: 1 + k % 2], chosen[2: 2 + int(rng.integers(0, min(5, len(names) - 2)))]
        # A sample gives evidence that can be.
        row = m.simulate(1, show_progress=False, seed=int(rng.integers(1 << 30))).iloc[0]
        ev = {g: str(row[g]) for g in given}
        f = ve.query(query, evidence=ev, show_progress=False)
        p = [num(f.get_value(**dict(zip(query, combo)))) for combo in itertools.product(*[states[v] for v in query])]
        out.append({"query": query, "evidence": ev, "p": p})
    return out


nets = []
for d, most in [(5, 2), (6, 3), (7, 3), (8, 2), (9, 3), (10, 4)]:
    nodes = random_net(d, most)
    m = build(nodes)
    names = [n["name"] for n in nodes]
    states = {n["name"]: n["states"] for n in nodes}
    dsep = []
    for _ in range(25):
        c = [str(v) for v in rng.permutation(names)]
        z = c[2: 2 + int(rng.integers(0, d - 2))]
        dsep.append({"a": c[0], "b": c[1], "given": z, "connected": bool(m.is_dconnected(c[0], c[1], observed=z))})
    blankets = {n: sorted(m.get_markov_blanket(n)) for n in names}
    ve = VariableElimination(m)
    maps = []
    for k in range(5):
        c = [str(v) for v in rng.permutation(names)]
        row = m.simulate(1, show_progress=False, seed=int(rng.integers(1 << 30))).iloc[0]
        query, ev = c[:2] if k < 3 else c[2:], {v: str(row[v]) for v in (c[2:4] if k < 3 else c[:2])}
        best = ve.map_query(query, evidence=ev, show_progress=False)
        maps.append({"query": query, "evidence": ev, "states": [str(best[v]) for v in query]})
    nets.append({"nodes": nodes, "queries": queries(m, names, states, 12), "dsep": dsep, "blankets": blankets, "maps": maps})

files = pathlib.Path(__file__).parents[2] / "mlstd" / "bayesnet" / "files"
alarm = BIFReader(str(files / "alarm.bif")).get_model()
states = {n: [str(s) for s in alarm.get_cpds(n).state_names[n]] for n in alarm.nodes}
monitoring = queries(alarm, list(alarm.nodes), states, 12)

# Examples with dependences, all values 0, 1, 2 ...
sets = []
for d, most, n in [(5, 2, 300), (6, 2, 400), (6, 3, 250), (7, 2, 500), (8, 2, 300), (5, 3, 150)]:
    nodes = random_net(d, most)
    m = build(nodes)
    names = [v["name"] for v in nodes]
    frame = m.simulate(n, show_progress=False, seed=int(rng.integers(1 << 30)))[names]
    x = frame.apply(lambda c: c.astype(str).str[1:].astype(int)).to_numpy()
    # Only states that occur, numbered anew, so that both libraries know the same states.
    x = np.column_stack([np.unique(c, return_inverse=True)[1] for c in x.T])
    df = pd.DataFrame(x, columns=names).astype(str).astype("category")
    e = {"name": f"made {len(sets)}", "x": x.tolist()}
    graphs = []
    for _ in range(3):
        g = DiscreteBayesianNetwork()
        g.add_nodes_from(names)
        for i in range(1, d):
            for p in rng.choice(i, int(rng.integers(0, min(i, 2) + 1)), replace=False):
                g.add_edge(names[int(p)], names[i])
        graphs.append({"parents": {v: sorted(g.predecessors(v)) for v in names},
                       "bic": num(BIC(df).score(g)), "aic": num(AIC(df).score(g)), "k2": num(k2(df, g)),
                       "bdeu": num(BDeu(df, equivalent_sample_size=10).score(g))})
    e["graphs"] = graphs
    tree = TreeSearch(df, root_node=names[0]).estimate(estimator_type="chow-liu", show_progress=False)
    e["tree"] = sorted([str(a), str(b)] for a, b in tree.edges)
    tan = TreeSearch(df, root_node=names[0]).estimate(estimator_type="tan", class_node=names[-1], show_progress=False)
    e["tan"] = sorted([str(a), str(b)] for a, b in tan.edges)
    for score, make in (("bic-d", BIC), ("aic-d", AIC), ("bdeu", BDeu)):
        s = make(df, equivalent_sample_size=10) if make is BDeu else make(df)
        found = HillClimbSearch(df).estimate(scoring_method=score, tabu_length=0, epsilon=1e-9, show_progress=False)
        g = DiscreteBayesianNetwork()
        g.add_nodes_from(names)
        g.add_edges_from(found.edges)
        e["climb_" + score.removesuffix("-d")] = num(s.score(g))
        # The best of all 543 graphs of the first four columns.
        four = df[names[:4]]
        best = ExhaustiveSearch(four, scoring_method=score).estimate()
        g = DiscreteBayesianNetwork()
        g.add_nodes_from(names[:4])
        g.add_edges_from(best.edges)
        s = make(four, equivalent_sample_size=10) if make is BDeu else make(four)
        e["best_" + score.removesuffix("-d")] = num(s.score(g))
    # Tables by counts and by Dirichlet priors on the first graph.
    g = DiscreteBayesianNetwork()
    g.add_nodes_from(names)
    g.add_edges_from((p, v) for v, ps in graphs[0]["parents"].items() for p in ps)
    order = graphs[0]["parents"]

    def table(cpd, v):
        have = list(cpd.variables)
        a = np.moveaxis(cpd.values, [have.index(w) for w in [*order[v], v]], range(len(have)))
        return [[num(u) for u in row] for row in a.reshape(-1, a.shape[-1])]
    e["mle"] = {v: table(MaximumLikelihoodEstimator(g, df).estimate_cpd(v), v) for v in names}
    b = BayesianEstimator(g, df)
    e["ess"] = {v: table(b.estimate_cpd(v, prior_type="BDeu", equivalent_sample_size=7), v) for v in names}
    e["laplace"] = {v: table(b.estimate_cpd(v, prior_type="K2"), v) for v in names}
    sets.append(e)

out = {"pgmpy": pgmpy.__version__, "nets": nets, "monitoring": monitoring, "sets": sets}
pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(out, separators=(",", ":")) + "\n")
