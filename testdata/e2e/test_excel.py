"""Workbooks that the kernel writes, read by openpyxl."""

import datetime as dt

import openpyxl
from test_notebooks import execute, notebook

FRAME = """day := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
f := ml.FromRows(map[string]any{
	"amount": []float64{0.1, 12, -1e300, math.NaN()},
	"at":     []time.Time{day.Add(86399999 * time.Millisecond), day, {}, day.Add(time.Hour)},
	"city":   []string{"Köln & <Bonn>", " two\\nlines ", "007", `"quoted"`},
	"day":    []time.Time{day, day.AddDate(-100, 0, 1), {}, day},
	"n":      []int{1 << 53, -7, 0, 3},
	"paid":   []bool{true, false, true, false},
})
ml.Write("a.xlsx", f, ml.Format{Sheet: "data"})"""


def test_openpyxl_reads_the_same(tmp_path):
    execute(notebook(FRAME), resources={"metadata": {"path": str(tmp_path)}})
    sheet = openpyxl.load_workbook(tmp_path / "a.xlsx")["data"]
    day = dt.datetime(2024, 2, 29)
    assert list(sheet.iter_rows(values_only=True)) == [
        ("amount", "at", "city", "day", "n", "paid"),
        (0.1, day + dt.timedelta(milliseconds=86399999), "Köln & <Bonn>", day, 1 << 53, True),
        (12.0, day, " two\nlines ", dt.datetime(1924, 3, 1), -7, False),
        (-1e300, None, "007", None, 0, True),
        (None, day + dt.timedelta(hours=1), '"quoted"', day, 3, False),
    ]
    assert sheet.freeze_panes == "A2" and sheet["A1"].font.bold and sheet["B2"].is_date
