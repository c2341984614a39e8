import pandas as pd

sales = pd.read_csv("umsatz.csv", sep=";", decimal=",", thousands=".", encoding="latin-1", parse_dates=["Datum"], dayfirst=True)
sales.head(5)
# %%
sales.groupby("Filiale").agg(Umsatz_sum=("Umsatz", "sum"), Umsatz_mean=("Umsatz", "mean"), Menge_sum=("Menge", "sum"))
# %%
sales["Monat"] = sales["Datum"].dt.month
sales.groupby("Monat").agg(Umsatz_sum=("Umsatz", "sum"))
# %%
sales["Preis"] = sales["Umsatz"] / sales["Menge"]
sales["Umsatz"].sum(), sales["Preis"].median(), len(sales)
