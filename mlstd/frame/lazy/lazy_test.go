package lazy

import (
	"strings"
	"testing"

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
