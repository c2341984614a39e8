package lazy

import (
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
)

// TestDialects compares the statements of dialects without a server in the tests.
func TestDialects(t *testing.T) {
	sample, err := frame.New(frame.StringColumn("zo`\"ne", nil), frame.IntColumn("km", nil))
	if err != nil {
		t.Fatal(err)
	}
	f := New(nil, "rides", sample)
	f = f.Where(f.Col("zo`\"ne").Equal(`O'Hare \`)).With("half", f.Col("km").Over(2)).Sort("-km").Head(3)
	for dialect, want := range map[string]string{
		"Trino":      "select q1.\"zo`\"\"ne\", q1.\"km\", (cast(q1.\"km\" as double) / cast(2 as double)) as \"half\" from rides as q1 where (q1.\"zo`\"\"ne\" = 'O''Hare \\')",
		"ClickHouse": "select q1.`zo``\"ne`, q1.`km`, (cast(q1.`km` as Nullable(Float64)) / cast(2 as Nullable(Float64))) as `half` from rides as q1 where (q1.`zo``\"ne` = unhex('4f2748617265205c'))",
	} {
		got, err := f.SQLFor(dialect)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: got\n%s\nwant in it\n%s", dialect, got, want)
		}
	}
	if _, err := f.SQLFor("Oracle"); err == nil {
		t.Error("Oracle is a dialect")
	}
}

// TestTemplates compares the statements of functions in dialects without a server in the tests.
func TestTemplates(t *testing.T) {
	sample, err := frame.New(frame.StringColumn("zone", nil), frame.NanoColumn("at", nil, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	f := New(nil, "rides", sample)
	zone, at := f.Col("zone"), f.Col("at")
	for _, c := range []struct {
		of                *Column
		trino, clickHouse string
	}{
		{zone.Trim(), "trim(both '" + blanks + "' from q1.\"zone\")", ""},
		{zone.Replace("it's", "ü"), `replace(q1."zone", 'it''s', 'ü')`, "replaceAll(q1.`zone`, unhex('69742773'), 'ü')"},
		{zone.Contains("ü"), `(strpos(q1."zone", 'ü') > 0)`, "(position(q1.`zone`, 'ü') > 0)"},
		{zone.HasPrefix("a"), `(strpos(q1."zone", 'a') = 1)`, "startsWith(q1.`zone`, 'a')"},
		{zone.HasSuffix("aü"), `(substr(q1."zone", -2) = 'aü')`, "endsWith(q1.`zone`, 'aü')"},
		{zone.Letters(), `length(q1."zone")`, "lengthUTF8(q1.`zone`)"},
		{zone.Lower(), "", ""},
		{at.Week(), `week(q1."at")`, "toISOWeek(q1.`at`, 'UTC')"},
		{at.YearDay(), `day_of_year(q1."at")`, "toDayOfYear(q1.`at`, 'UTC')"},
		{at.Weekday(), `case day_of_week(q1."at") when 1 then 'Monday' when 2`, "case toDayOfWeek(q1.`at`, 0, 'UTC') when 1 then 'Monday' when 2"},
		{at.Floor("1 week"), `date_trunc('week', q1."at")`, ""},
		{at.Floor("2 weeks"), "", ""},
		{at.In("UTC"), "", ""},
	} {
		for dialect, want := range map[string]string{"Trino": c.trino, "ClickHouse": c.clickHouse} {
			got, err := f.With("out", c.of).SQLFor(dialect)
			if want == "" {
				if err == nil || !strings.Contains(err.Error(), dialect+" has no function with exactly the meaning of "+c.of.name+"(") {
					t.Errorf("%s, %s: got %v, %s, want a refusal", dialect, c.of.name, err, got)
				}
				continue
			}
			if err != nil || !strings.Contains(got, want) {
				t.Errorf("%s: %v, got\n%s\nwant in it\n%s", dialect, err, got, want)
			}
		}
	}
}
