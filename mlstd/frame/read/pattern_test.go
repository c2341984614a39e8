package read

import (
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/csv"
)

func TestPattern(t *testing.T) {
	log := "10.0.0.1 [10/Oct/2023:13:55:36 +0200] \"GET /a\" 200 12\r\n" +
		"rotated\n\n" +
		"10.0.0.2 [10/Oct/2023:13:55:37 +0200] \"GET /b,\" 404 -\n"
	pattern := `^(?P<host>\S+) \[(?P<at>[^\]]+)\] "(\S+) (?P<path>\S+)" (?P<status>\d+) (?P<bytes>\S+)`
	f, err := ReadText(log, Format{Pattern: pattern, Dialect: csv.Dialect{Missing: []string{"-"}}})
	if err != nil {
		t.Fatal(err)
	}
	want := "host string: 10.0.0.1 10.0.0.2\n" +
		"at time: 2023-10-10T13:55:36+02:00 2023-10-10T13:55:37+02:00\n" +
		"x3 string: GET GET\npath string: /a /b,\nstatus int64: 200 404\nbytes int64: 12 ?\n"
	if got := show(f); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if notes := strings.Join(f.Notes(), "; "); notes != `1 of 3 lines do not match the pattern and were left out; the first is line 2: "rotated"; "-" stands for a missing value once, in "bytes"` {
		t.Errorf("notes: %s", notes)
	}
}

// A group that matches nothing is missing and its row stays.
func TestPatternKeepsRows(t *testing.T) {
	f, err := ReadText("a=1\na=\na=3\n", Format{Pattern: `a=(?P<a>\d*)`})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := show(f), "a int64: 1 ? 3\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	// More lines than a sample holds are read twice and counted once.
	f, err = ReadText(strings.Repeat("7 seven\nseven 7\n", 200_000), Format{Pattern: `^(?P<n>\d+) (?P<word>.*)`, Columns: []string{"n"}})
	if err != nil {
		t.Fatal(err)
	}
	if f.Len() != 200_000 || f.Width() != 1 || f.Col("n").Sum() != 1_400_000 || !strings.Contains(strings.Join(f.Notes(), "; "), "200000 of 400000 lines") {
		t.Errorf("%d × %d, sum %v, notes %q", f.Len(), f.Width(), f.Col("n").Sum(), f.Notes())
	}
}

func TestPatternErrors(t *testing.T) {
	for _, c := range []struct {
		text   string
		format Format
		want   string
	}{
		{"a\n", Format{Pattern: "("}, "missing closing )"},
		{"a\n", Format{Pattern: "a"}, "Pattern must have a group for each column"},
		{"a\n", Format{Pattern: "(a)", Dialect: csv.Dialect{Separator: ","}}, "Pattern must be the only option"},
		{"b\x1fc\n", Format{Pattern: "(b.c)"}, "line 1 must not contain the control character"},
		{"b\nc\n", Format{Pattern: "(a)"}, "must match some of the 2 lines"},
		{strings.Repeat("b", longestLine+1), Format{Pattern: "(b)"}, "line 1 must have at most"},
	} {
		if _, err := ReadText(c.text, c.format); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.format, err, c.want)
		}
	}
}

func TestZonesBesideNone(t *testing.T) {
	text := "at,n\n2024-07-01T12:00:00Z,1\n2024-07-01 12:00,2\n1 Jul 2024 12:00,3\n2024-07-01T12:00-05:00,4\n"
	f, err := ReadText(text, Format{Zone: "Europe/Berlin"})
	if err != nil {
		t.Fatal(err)
	}
	want := "at time: 2024-07-01T14:00:00+02:00 2024-07-01T12:00:00+02:00 2024-07-01T12:00:00+02:00 2024-07-01T19:00:00+02:00\nn int64: 1 2 3 4\n"
	if got := show(f); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if notes := strings.Join(f.Notes(), "; "); !strings.Contains(notes, "2 times with a time zone and 2 without: the latter are read as times in Europe/Berlin") {
		t.Errorf("notes: %s", notes)
	}
	if f, err = ReadText(text); err != nil || !strings.Contains(show(f), "at string:") || !strings.Contains(strings.Join(f.Notes(), "; "), "set Zone") {
		t.Errorf("without Zone: %v\n%s", err, f)
	}
}
