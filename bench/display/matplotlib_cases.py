"""The figures of main.go drawn by matplotlib: python matplotlib_cases.py data.json runs clock only"""

import io
import json
import statistics
import sys
import time

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
import seaborn as sns  # noqa: E402
import statsmodels.api as sm  # noqa: E402
from scipy import stats  # noqa: E402
from sklearn.neighbors import KNeighborsClassifier  # noqa: E402

d = {k: np.array(v) for k, v in json.load(open(sys.argv[1])).items()}
runs = int(sys.argv[2])
clock = time.process_time if sys.argv[3] == "processor" else time.perf_counter
only = sys.argv[4]


def axes():
    fig, ax = plt.subplots(figsize=(6, 3.8), dpi=100, layout="constrained")
    return fig, ax


def line():
    fig, ax = axes()
    ax.plot(d["T"], d["Wave"])
    ax.set(title="wave", xlabel="t", ylabel="value")
    return fig


def scatter():
    fig, ax = axes()
    ax.scatter(d["X"], d["Y"], s=9, alpha=0.65, linewidths=0)
    ax.set(xlabel="x", ylabel="y")
    return fig


def scatter_classes():
    fig, ax = axes()
    for k, marker in enumerate("os^"):
        of = d["Label"] == k
        ax.scatter(d["X"][of], d["Y"][of], s=9, alpha=0.65, linewidths=0, marker=marker, label=str(k))
    ax.legend()
    return fig


def histogram():
    fig, ax = axes()
    ax.hist(d["Sample"], bins="fd")
    return fig


def bars():
    fig, ax = axes()
    ax.bar(d["Names"], d["Heights"])
    return fig


def heat():
    fig, ax = axes()
    fig.colorbar(ax.imshow(d["Matrix"], origin="lower", extent=(-1, 1, -1, 1), aspect="auto", interpolation="nearest"))
    return fig


def contours():
    fig, ax = axes()
    t = np.linspace(-0.995, 0.995, 200)
    fig.colorbar(ax.contour(t, t, d["Matrix"], levels=8))
    return fig


def regions():
    fig, ax = axes()
    ax.imshow(d["Class"], origin="lower", extent=(-1, 1, -1, 1), aspect="auto", alpha=0.3, interpolation="nearest")
    for k, marker in enumerate("os^"):
        of = d["Label"][:300] == k
        ax.scatter(d["X"][:300][of], d["Y"][:300][of], s=30, marker=marker, edgecolors="white", label="abc"[k])
    ax.set(xlim=(-1, 1), ylim=(-1, 1))
    ax.legend()
    return fig


def neighbors():
    x, label = np.column_stack([d["X"][:300], d["Y"][:300]]), d["Label"][:300]
    model = KNeighborsClassifier(n_neighbors=5).fit(x, label)
    (x0, y0), (x1, y1) = x.min(axis=0) - 0.5, x.max(axis=0) + 0.5
    u, v = np.meshgrid(np.linspace(x0, x1, 200), np.linspace(y0, y1, 200))
    sure = model.predict_proba(np.column_stack([u.ravel(), v.ravel()]))
    colors = plt.get_cmap("tab10")(sure.argmax(axis=1))
    colors[:, 3] = 0.4 * sure.max(axis=1)
    fig, ax = axes()
    ax.imshow(colors.reshape(200, 200, 4), origin="lower", extent=(x0, x1, y0, y1), aspect="auto", interpolation="nearest")
    for k, marker in enumerate("os^"):
        of = label == k
        ax.scatter(x[of, 0], x[of, 1], s=30, marker=marker, edgecolors="white", label=str(k))
    ax.legend()
    return fig


def density():
    fig, ax = axes()
    sns.kdeplot(x=d["X"], fill=True, ax=ax)
    return fig


def plane():
    fig, ax = axes()
    sns.kdeplot(x=d["X"], y=d["Y"], fill=True, ax=ax)
    return fig


def violins():
    fig, ax = axes()
    ax.violinplot([d["X"][d["Label"] == k] for k in range(3)], showmedians=True)
    return fig


def strips():
    fig, ax = axes()
    sns.stripplot(x=d["Species"], y=d["Flowers"][0], ax=ax)
    return fig


def swarms():
    fig, ax = axes()
    sns.swarmplot(x=d["Species"], y=d["Flowers"][0], ax=ax)
    return fig


def distribution():
    fig, ax = axes()
    ax.ecdf(d["Sample"])
    return fig


def quantiles():
    fig, ax = axes()
    stats.probplot(d["X"], plot=ax)
    return fig


def regression():
    fig, ax = axes()
    x, y = d["X"][:300], d["Y"][:300]
    at = np.linspace(x.min(), x.max(), 120)
    frame = sm.OLS(y, sm.add_constant(x)).fit().get_prediction(sm.add_constant(at)).summary_frame()
    ax.scatter(x, y, s=9)
    ax.plot(at, frame["mean"])
    ax.fill_between(at, frame["mean_ci_lower"], frame["mean_ci_upper"], alpha=0.2)
    return fig


def smooth():
    fig, ax = axes()
    sns.regplot(x=d["X"][:300], y=d["Y"][:300], lowess=True, ax=ax)
    return fig


def hexagons():
    fig, ax = axes()
    fig.colorbar(ax.hexbin(d["Many"][0][:100000], d["Many"][1][:100000], gridsize=30, mincnt=1))
    return fig


def ridgeline():
    fig, axs = plt.subplots(3, 1, figsize=(6, 3.8), dpi=100, sharex=True)
    for k, ax in enumerate(axs):
        sns.kdeplot(x=d["Flowers"][0][d["Species"] == k], fill=True, ax=ax)
    return fig


def flowers():
    return pd.DataFrame(d["Flowers"].T, columns=list("abcd")).assign(species=d["Species"])


def pairs():
    return sns.pairplot(flowers(), hue="species", diag_kind="hist", height=2).figure


def joint():
    return sns.jointplot(flowers(), x="a", y="b").figure


def clustered():
    return sns.clustermap(flowers()[list("abcd")], figsize=(6, 6)).figure


def million():
    fig, ax = axes()
    ax.scatter(d["Many"][0], d["Many"][1], s=0.5, linewidths=0, alpha=0.3, rasterized=True)
    return fig


def grid():
    fig, ax = plt.subplots(2, 3, figsize=(9, 5), dpi=100, layout="constrained")
    for a in ax.flat:
        a.plot(d["T"], d["Wave"])
    return fig


def up(k):
    return k + np.abs(d["Wave"])


def stacked():
    fig, ax = axes()
    ax.stackplot(d["T"], up(1), up(2), up(3), up(4))
    return fig


def parallel():
    fig, ax = axes()
    x = d["X"][:1200].reshape(300, 4)
    x = (x - x.min(axis=0)) / np.ptp(x, axis=0)
    for row, k in zip(x, d["Label"]):
        ax.plot(range(4), row, color=f"C{k}", alpha=0.3, linewidth=1.2)
    for j in range(4):
        ax.axvline(j, color="gray", linewidth=1)
    ax.set_xticks(range(4), "0123")
    return fig


def streamlines():
    fig, ax = axes()
    y, x = np.mgrid[-3:3:60j, -3:3:60j]
    ax.streamplot(x, y, -1 - x**2 + y, 1 + x - y**2)
    return fig


def two_axes():
    fig, ax = axes()
    ax.plot(d["T"], d["Wave"])
    ax.set(ylabel="left")
    right = ax.twinx()
    right.plot(d["T"], up(2), color="C1")
    right.set(ylabel="right")
    return fig


def polar_line():
    fig, ax = plt.subplots(figsize=(4, 4), dpi=100, layout="constrained", subplot_kw={"projection": "polar"})
    ax.plot(d["T"], up(1))
    return fig


def rose():
    fig, ax = plt.subplots(figsize=(4, 4), dpi=100, layout="constrained", subplot_kw={"projection": "polar"})
    counts, edges = np.histogram(np.mod(np.radians(180 + 60 * d["X"]) + np.pi / 16, 2 * np.pi), bins=16, range=(0, 2 * np.pi))
    ax.bar(edges[:-1], counts, width=2 * np.pi / 16)
    return fig


def space():
    fig, ax = plt.subplots(figsize=(5.6, 4.1), dpi=100, layout="constrained", subplot_kw={"projection": "3d"})
    for k, marker in enumerate("os^"):
        of = d["Label"][:1000] == k
        ax.scatter(d["X"][:1000][of], d["Y"][:1000][of], d["X"][1000:2000][of], marker=marker, label=str(k))
    ax.legend()
    return fig


def surface():
    fig, ax = plt.subplots(figsize=(5.6, 4.1), dpi=100, layout="constrained", subplot_kw={"projection": "3d"})
    y, x = np.mgrid[-3:3:41j, -3:3:41j]
    z = np.cos(2 * np.hypot(x, y)) * np.exp(-0.2 * (x**2 + y**2))
    fig.colorbar(ax.plot_surface(x, y, z, cmap="viridis", rstride=1, cstride=1, edgecolor="k", linewidth=0.2))
    return fig


CASES = {
    "line, 1000 points": line,
    "scatter, 10000 points": scatter,
    "scatter, 10000 points in 3 classes": scatter_classes,
    "histogram, 100000 values": histogram,
    "bars, 5": bars,
    "heat map, 200×200": heat,
    "contours, 200×200": contours,
    "regions, 200×200, with 300 points": regions,
    "5-nearest-neighbor regions, 200×200, of 300 points": neighbors,
    "density, 10000 values": density,
    "density of two variables, 10000 points": plane,
    "violins, 10000 values in 3 classes": violins,
    "strips, 150 values": strips,
    "swarms, 150 values": swarms,
    "distribution function, 100000 values": distribution,
    "quantiles, 10000 values": quantiles,
    "regression with band, 300 points": regression,
    "lowess, 300 points": smooth,
    "hexagons, 100000 points": hexagons,
    "ridgeline, 3 classes": ridgeline,
    "pairs, 4 variables, 150 points": pairs,
    "joint, 150 points": joint,
    "clustered heat map, 150×4": clustered,
    "scatter, 1000000 points": million,
    "grid of 6 lines": grid,
    "stacked areas, 4 of 1000 points": stacked,
    "parallel coordinates, 300 rows of 4": parallel,
    "streamlines": streamlines,
    "two axes": two_axes,
    "polar line, 1000 points": polar_line,
    "rose of 10000 directions": rose,
    "points in space, 1000": space,
    "surface, 40×40": surface,
}

results = {}
for name, make in CASES.items():
    if only not in name:
        continue
    times = []
    for i in range(runs + 1):
        start = clock()
        fig = make()
        svg, png = io.BytesIO(), io.BytesIO()
        fig.savefig(svg, format="svg")
        fig.savefig(png, format="png", dpi=200)
        plt.close(fig)
        if i > 0:  # the first one loads fonts
            times.append(1000 * (clock() - start))
    results[name] = (statistics.median(times), len(svg.getvalue()), len(png.getvalue()))
json.dump({"Version": matplotlib.__version__, "Results": results}, sys.stdout)
