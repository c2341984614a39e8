package read

import (
	"strings"
	"testing"
)

func TestExplode(t *testing.T) {
	f, err := ReadText(`[{"id":1,"lines":[{"sku":"a","n":2},{"sku":"b","n":1.5,"at":{"city":"Ulm"}}],"tags":["x","y"]},
		{"id":2,"lines":[],"tags":["z"]},{"id":3,"lines":[{"sku":"c","n":4}]}]`)
	if err != nil {
		t.Fatal(err)
	}
	f.Tell()
	lines, err := Explode(f, "lines")
	if err != nil {
		t.Fatal(err)
	}
	want := "id int64: 1 1 2 3\n" + `tags string: ["x","y"] ["x","y"] ["z"] ?` + "\n" +
		"lines.sku string: a b ? c\nlines.n float64: 2 1.5 ? 4\nlines.at.city string: ? Ulm ? ?\n"
	if got := show(lines); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if notes := strings.Join(lines.Notes(), "; "); notes != `1 of 3 rows have no element in "lines" and were kept` {
		t.Errorf("notes: %s", notes)
	}
	tags, err := Explode(f.Select("id", "tags"), "tags")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := show(tags), "id int64: 1 1 2 3\ntags string: x y z ?\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestExplodeErrors(t *testing.T) {
	for text, want := range map[string]string{
		`[{"a":1}]`:                 "int64",
		`[{"a":"x"}]`:               `"x"`,
		`[{"a":"[1"},{"a":"2]"}]`:   "row 0",
		`[{"a":"[1] 2"}]`:           `row 0 of column "a": "[1] 2": trailing data after the list`,
		`[{"a":[]},{"a":[{}]}]`:     "only empty ones",
		`[{"a":[{"b":1}],"a.b":2}]`: `the frame must not have a column "a.b" already`,
	} {
		f, err := ReadText(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Explode(f, "a"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
