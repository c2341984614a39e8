"""The figures of main.go by seaborn and Altair, and the sheets: python theirs.py folder out names..."""

import pathlib
import sys
import warnings

import altair as alt
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import pandas as pd  # noqa: E402
import seaborn as sns  # noqa: E402
from PIL import Image, ImageDraw, ImageFont  # noqa: E402
from sklearn.datasets import load_iris  # noqa: E402

warnings.filterwarnings("ignore")
folder, out, names = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
L, W, PL, PW = "sepal length", "sepal width", "petal length", "petal width"
raw = load_iris(as_frame=True)
iris = raw.frame.rename(columns=lambda c: c.replace(" (cm)", ""))
iris["species"] = raw.target_names[iris.pop("target")]
points = pd.read_csv(folder / "points.csv")
sns.set_theme(style="ticks")


def axes(draw):
    def make():
        fig, ax = plt.subplots(figsize=(6, 3.8), layout="constrained")
        draw(ax)
        sns.despine(fig)
        return fig

    return make


S = {
    "density": axes(lambda ax: sns.kdeplot(iris, x=L, hue="species", fill=True, ax=ax)),
    "histogram": axes(lambda ax: sns.histplot(iris, x=PL, hue="species", ax=ax)),
    "violin": axes(lambda ax: sns.violinplot(iris, x="species", y=L, ax=ax)),
    "swarm": axes(lambda ax: sns.swarmplot(iris, x="species", y=L, hue="species", ax=ax)),
    "box": axes(lambda ax: sns.boxplot(iris, x="species", y=W, ax=ax)),
    "ecdf": axes(lambda ax: sns.ecdfplot(iris, x=L, hue="species", ax=ax)),
    "regression": lambda: sns.lmplot(iris, x=L, y=W, hue="species", height=3.8, aspect=1.5).figure,
    "lowess": axes(lambda ax: sns.regplot(iris, x=PL, y=L, lowess=True, ax=ax)),
    "hexagons": lambda: sns.jointplot(points, x="x", y="y", kind="hex", height=4.5).figure,
    "density2d": axes(lambda ax: sns.kdeplot(iris, x=L, y=W, hue="species", fill=True, alpha=0.6, ax=ax)),
    "pairs": lambda: sns.pairplot(iris, vars=[L, W, PL], hue="species", height=1.8).figure,
    "joint": lambda: sns.jointplot(iris, x=PL, y=PW, hue="species", height=4.5).figure,
    "clustermap": lambda: sns.clustermap(iris[[L, W, PL, PW]], z_score=1, figsize=(4.5, 4.5)).figure,
}
base = alt.Chart(iris).properties(width=400, height=250)
tone = alt.Color("species:N")
x = lambda c, **k: alt.X(f"{c}:Q", scale=alt.Scale(zero=False), **k)  # noqa: E731
y = lambda c, **k: alt.Y(f"{c}:Q", scale=alt.Scale(zero=False), **k)  # noqa: E731
dots = base.mark_point().encode(x(L), y(W), tone)
A = {
    "density": base.transform_density(L, groupby=["species"], as_=[L, "density"]).mark_area(opacity=0.5).encode(x(L), alt.Y("density:Q", stack=None), tone),
    "histogram": base.mark_bar(opacity=0.5).encode(alt.X(f"{PL}:Q", bin=alt.Bin(maxbins=20)), alt.Y("count()", stack=None), tone),
    "violin": alt.Chart(iris)
    .transform_density(L, as_=[L, "density"], groupby=["species"])
    .mark_area(orient="horizontal")
    .encode(alt.X("density:Q", stack="center", axis=None), y(L), tone, alt.Column("species:N", spacing=0))
    .properties(width=130, height=250),
    "swarm": base.mark_circle(size=30).encode(alt.X("species:N"), y(L), tone, alt.XOffset("jitter:Q")).transform_calculate(jitter="random()"),
    "box": base.mark_boxplot().encode(alt.X("species:N"), y(W)),
    "ecdf": base.transform_window(share="cume_dist()", sort=[{"field": L}], groupby=["species"]).mark_line(interpolate="step-after").encode(x(L), alt.Y("share:Q"), tone),
    "regression": dots + dots.transform_regression(L, W, groupby=["species"]).mark_line(),
    "lowess": base.mark_point().encode(x(PL), y(L)) + base.transform_loess(PL, L, bandwidth=2 / 3).mark_line().encode(x(PL), y(L)),
    "hexagons": alt.Chart(points).mark_rect().encode(alt.X("x:Q", bin=alt.Bin(maxbins=40)), alt.Y("y:Q", bin=alt.Bin(maxbins=30)), alt.Color("count()")).properties(width=400, height=250),
    "pairs": alt.Chart(iris).mark_point(size=12).encode(x=alt.X(alt.repeat("column"), type="quantitative", scale=alt.Scale(zero=False)), y=alt.Y(alt.repeat("row"), type="quantitative", scale=alt.Scale(zero=False)), color=tone).properties(width=120, height=120).repeat(row=[L, W, PL], column=[L, W, PL]),
    "joint": base.mark_point().encode(x(PL), y(PW), tone),
}
alt.data_transformers.disable_max_rows()
for name in names:
    fig = S[name]()
    fig.savefig(folder / f"seaborn-{name}.png", dpi=130)
    plt.close("all")
    if name in A:
        A[name].save(str(folder / f"altair-{name}.png"), scale_factor=1.6)

WIDTH, HEIGHT, HEAD = 500, 390, 24
font = ImageFont.load_default(15)


def sheet(file, part):
    rows = []
    for name in part:
        images = {}
        for who in ["here", "seaborn", "altair"]:
            path = folder / f"{who}-{name}.png"
            if path.exists():
                images[who] = Image.open(path).convert("RGB")
                images[who].thumbnail((WIDTH - 16, HEIGHT), Image.LANCZOS)
        rows.append((name, images, HEAD + 16 + max(i.height for i in images.values())))
    page = Image.new("RGB", (3 * WIDTH, sum(r[2] for r in rows)), "white")
    d = ImageDraw.Draw(page)
    top = 0
    for name, images, height in rows:
        d.line((0, top, page.width, top), fill="#cccccc")
        for column, who in enumerate(["here", "seaborn", "altair"]):
            d.text((column * WIDTH + 8, top + 4), f"{name}, {who}", fill="black", font=font)
            if who in images:
                page.paste(images[who], (column * WIDTH + 8, top + HEAD))
            else:
                d.text((column * WIDTH + 180, top + height // 2), "has no such kind", fill="gray", font=font)
        top += height
    page.save(out / file, optimize=True)


for number, (first, last) in enumerate([(0, 4), (4, 7), (7, 10), (10, 13)], 1):
    sheet(f"figures-{number}.png", names[first:last])
print(f"seaborn {sns.__version__}, Altair {alt.__version__}, matplotlib {matplotlib.__version__}")
