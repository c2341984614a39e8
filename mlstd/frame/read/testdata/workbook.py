# Writes workbook.xlsx of this folder: python workbook.py
import datetime as dt
import openpyxl

book = openpyxl.Workbook()
book.active.title = "empty"
s = book.create_sheet("sales")
s.append(["Umsatz 2024"])
s.append([])
s.append(["day", "city", "amount", "n", "paid", "code", "at", "mixed"])
rows = [
    [dt.date(2024, 1, 31), "Köln", 12.5, 1, True, "007", dt.datetime(2024, 1, 31, 8, 30), 1],
    [dt.date(2024, 2, 29), None, 1e-3, 9007199254740991, False, "012", dt.datetime(2024, 2, 29, 23, 59, 59), "x"],
    [None, "NA", None, None, None, None, None, None],
    [dt.date(1999, 12, 31), "Bonn & Co", -3, 4, True, "x", dt.datetime(1999, 12, 31), dt.date(2024, 1, 1)],
]
for r in rows:
    s.append(r)
s["C7"].number_format = '#,##0.00 "day"'
s["C4"] = "=1/0"
s["C4"].data_type = "e"
s["C4"].value = "#DIV/0!"
book.save("workbook.xlsx")
