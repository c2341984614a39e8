"""The figures of main.go drawn by matplotlib: python matplotlib_cases.py data.json runs"""

import io
import json
import statistics
import sys
import time

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
from sklearn.neighbors import KNeighborsClassifier  # noqa: E402

d = {k: np.array(v) for k, v in json.load(open(sys.argv[1])).items()}
runs = int(sys.argv[2])


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


def grid():
    fig, ax = plt.subplots(2, 3, figsize=(9, 5), dpi=100, layout="constrained")
    for a in ax.flat:
        a.plot(d["T"], d["Wave"])
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
    "grid of 6 lines": grid,
}

results = {}
for name, make in CASES.items():
    times = []
    for i in range(runs + 1):
        start = time.perf_counter()
        fig = make()
        svg, png = io.BytesIO(), io.BytesIO()
        fig.savefig(svg, format="svg")
        fig.savefig(png, format="png", dpi=200)
        plt.close(fig)
        if i > 0:  # the first one loads fonts
            times.append(1000 * (time.perf_counter() - start))
    results[name] = (statistics.median(times), len(svg.getvalue()), len(png.getvalue()))
json.dump({"Version": matplotlib.__version__, "Results": results}, sys.stdout)
