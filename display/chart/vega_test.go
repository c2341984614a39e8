package chart

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

var specs = flag.String("specs", "", "directory to write the Vega-Lite specifications of the gallery to, for testdata/e2e/test_vega.py")

// schema returns the published schema of Vega-Lite 5.23.0 (its BSD license is beside it).
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	file, err := os.Open("testdata/vega-lite-5.23.0.schema.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(unzipped)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("vega-lite.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("vega-lite.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSpecificationsFollowTheSchema(t *testing.T) {
	s := schema(t)
	for _, e := range gallery {
		made, ok := e.make().(interface {
			VegaLite() (map[string]any, error)
		})
		if !ok {
			continue // it has no interactive form
		}
		t.Run(e.name, func(t *testing.T) {
			spec, err := made.VegaLite()
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(spec)
			if err != nil {
				t.Fatal(err)
			}
			if len(data) > 2<<20 {
				t.Errorf("the specification has %d bytes", len(data))
			}
			doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Validate(doc); err != nil {
				text := err.Error()
				if len(text) > 1500 {
					text = text[:1500] + "…"
				}
				t.Errorf("the specification breaks the schema: %s", text)
			}
			if *specs != "" {
				if err := os.WriteFile(filepath.Join(*specs, e.name+".vl.json"), data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestSchemaRefuses checks that the schema is strict enough to find mistakes.
func TestSchemaRefuses(t *testing.T) {
	s := schema(t)
	for _, bad := range []string{
		`{"$schema":"x","data":{"values":[]},"mark":"lines","encoding":{}}`,
		`{"$schema":"x","data":{"values":[]},"mark":"line","encoding":{"x":{"field":"a","type":"number"}}}`,
	} {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(bad)))
		if err != nil {
			t.Fatal(err)
		}
		if s.Validate(doc) == nil {
			t.Errorf("the schema accepts %s", bad)
		}
	}
}

// TestLegendsAgree compares the colors of the names in both renderings.
func TestLegendsAgree(t *testing.T) {
	c := Plot([]float64{1, 2, 3}).Name("line").HRule(1.5).Dashed().Name("limit").VRule(1).Color("red").Name("here").
		Points([]float64{2, 1, 2}).Name("points").Area([]float64{0, 1, 2}, 0, []float64{1, 2, 1}).Name("band")
	p, err := newPanel(c)
	if err != nil {
		t.Fatal(err)
	}
	v := p.colorsOfNames()
	var names, colors []any
	for _, e := range p.legend.entries {
		names, colors = append(names, e.name), append(colors, guide.PageColor(e.color))
	}
	if diff := cmp.Diff(names, v.domain); diff != "" {
		t.Errorf("names (-drawn +interactive):\n%s", diff)
	}
	if diff := cmp.Diff(colors, v.colors); diff != "" {
		t.Errorf("colors (-drawn +interactive):\n%s", diff)
	}
	if limit := colors[1]; limit != guide.PageColor(figure.Soft()) {
		t.Errorf("a rule is %v, want the gray of what is no data", limit)
	}
}

// TestBarsStandAtTheirTimes: the ends of a bar on an axis of times are moments before and after the
// bar's own, in milliseconds since 1970.
func TestBarsStandAtTheirTimes(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2024, 5, d, 0, 0, 0, 0, time.UTC) }
	c := Bar([]time.Time{day(1), day(2), day(3)}, []float64{3, 5, 4})
	spec, err := c.VegaLite()
	if err != nil {
		t.Fatal(err)
	}
	layer := spec["layer"].([]any)[0].(object)
	rows := layer["data"].(object)["values"].([]any)
	for i, r := range rows {
		for field, shift := range map[string]float64{"x": -0.4, "x2": 0.4} {
			want := day(i + 1).Add(time.Duration(shift * 24 * float64(time.Hour))).UnixMilli()
			if got := r.(object)[field]; got != want {
				t.Errorf("%s of bar %d is %v, want %d", field, i, got, want)
			}
		}
	}
	if got := position(&axis{times: true}, -0.5); got != int64(-500) {
		t.Errorf("a moment before 1970 is written %v", got)
	}
}
