package read

import (
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
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
		`[{"a":[]},{"a":[{}]}]`:     "only empty lists",
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

// The parts of frame_verbs.py by pandas: str.split and explode.
func TestExplodeText(t *testing.T) {
	var all map[string]struct {
		Frame  map[string][]any `json:"frame"`
		Others struct {
			Parts    map[string][]string `json:"parts"`
			Exploded struct {
				N   []float64 `json:"n"`
				Tag []string  `json:"tag"`
			} `json:"exploded"`
		} `json:"others"`
	}
	mltest.ReadOracle(t, "frame_verbs", &all)
	if len(all) < 5 {
		t.Fatalf("%d data sets", len(all))
	}
	for name, o := range all {
		n := make([]float64, len(o.Frame["n"]))
		tags := make([]string, len(n))
		for i, x := range o.Frame["n"] {
			n[i] = x.(float64)
			tags[i] = o.Others.Parts["0"][i] + "," + o.Others.Parts["1"][i] + "," + o.Others.Parts["2"][i]
		}
		got, err := Explode(frame.FromRows(map[string]any{"n": n, "tag": tags}), "tag", ",")
		if err != nil {
			t.Fatal(err)
		}
		if want := o.Others.Exploded; !slices.Equal(got.Col("n").Floats(), want.N) || !slices.Equal(got.Col("tag").Strings(), want.Tag) {
			t.Errorf("%s:\n%v", name, got)
		}
	}
	f := frame.FromRows(map[string]any{"a": []string{"x, y", "", "z"}, "b": []int{1, 2, 3}})
	f.Set("a", f.Col("a").MarkMissing([]uint64{4}))
	got, err := Explode(f, "a", ", ")
	if err != nil {
		t.Fatal(err)
	}
	want := "4 rows x 2 columns\na  b\nx  1\ny  1\n?  2\n?  3\nnote: 2 of 3 rows have no part in \"a\" and were kept\n"
	if got.String() != want {
		t.Errorf("%s", got)
	}
	for separator, message := range map[string]string{"a": `there must be one separator`, "b": `must be of kind string, got int64`} {
		sep := map[string]string{"a": "", "b": ","}[separator]
		if _, err := Explode(f, separator, sep); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: %v", separator, err)
		}
	}
}
