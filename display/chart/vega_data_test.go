package chart

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// rowsOfData converts the columns of a layer back to rows, as flatten and calculate do.
func rowsOfData(layer object) []any {
	values := layer["data"].(object)["values"].([]any)
	transform, _ := layer["transform"].([]any)
	if transform == nil {
		return values
	}
	columns := values[0].(object)
	flat := transform[0].(object)["flatten"].([]any)
	var rows []any
	for i := range columns[flat[0].(string)].([]any) {
		row := object{}
		for f, c := range columns {
			row[f] = c
		}
		for _, f := range flat {
			row[f.(string)] = columns[f.(string)].([]any)[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func TestCompactData(t *testing.T) {
	var rows []any
	for i := range 50 {
		rows = append(rows, object{"x": 1 / float64(i+3), "y": math.Pow(10, float64(i-40)), "class": fmt.Sprint("name ", i%3), "series": "all"})
	}
	data, transform := compact(rows)
	back := rowsOfData(object{"data": data, "transform": transform})
	if len(back) != len(rows) {
		t.Fatalf("%d rows become %d", len(rows), len(back))
	}
	names := []string{"name 0", "name 1", "name 2"}
	for i := range rows {
		want, got := rows[i].(object), back[i].(object)
		for _, f := range []string{"x", "y"} {
			if w, g := want[f].(float64), got[f].(float64); math.Abs(w-g) > 1e-4*w {
				t.Errorf("row %d: %s is %g, was %g", i, f, g, w)
			}
		}
		if names[got["class"].(int)] != want["class"] || got["series"] != "all" {
			t.Errorf("row %d: %v", i, got)
		}
	}
	if got := transform[1].(object)["calculate"]; got != `["name 0","name 1","name 2"][datum.class]` {
		t.Errorf("the names are found by %q", got)
	}
	long, err1 := json.Marshal(rows)
	short, err2 := json.Marshal(object{"data": data, "transform": transform})
	if err1 != nil || err2 != nil || 2*len(short) > len(long) {
		t.Errorf("%d bytes for %d (%v, %v)", len(short), len(long), err1, err2)
	}
}

// TestInteractiveSize checks that each interactive chart has at most four times the size of its
// image, which Go 1.27 compresses better than Go 1.26.
func TestInteractiveSize(t *testing.T) {
	for _, e := range gallery {
		d, ok := e.make().(interface {
			VegaLite() (map[string]any, error)
			Save(string) error
		})
		if !ok {
			continue // it has no interactive form
		}
		spec, err := d.VegaLite()
		if err != nil {
			t.Fatal(e.name, err)
		}
		data, err := json.Marshal(spec)
		if err != nil {
			t.Fatal(e.name, err)
		}
		b, err := e.make().Display()
		if err != nil {
			t.Fatal(e.name, err)
		}
		if svg := b.Data["image/svg+xml"].(string); len(data) > 4*len(svg) {
			t.Errorf("%s: the specification has %d bytes, %.1f times the %d of the SVG", e.name, len(data), float64(len(data))/float64(len(svg)), len(svg))
		}
	}
}

// TestLinkedPanels checks that panels with the same rows share one table and one brush.
func TestLinkedPanels(t *testing.T) {
	x, y, z := span(0, 1, 30), span(5, 9, 30), make([]float64, 30)
	var class []string
	for i := range z {
		z[i] = x[i] * y[29-i]
		class = append(class, []string{"a", "b", "c"}[i%3])
	}
	p := Grid(Scatter(x, y).By(class), Scatter(x, z).By(class), Scatter(y, z).By(class)).Interactive()
	spec, err := p.VegaLite()
	if err != nil {
		t.Fatal(err)
	}
	rows := spec["datasets"].(object)["rows"].([]any)[0].(object)
	// x, y, z and the class: no column is in the table twice.
	if len(rows) != 4 {
		t.Errorf("the table has %d columns: %v", len(rows), rows)
	}
	brush := spec["params"].([]any)[0].(object)
	if views := brush["views"].([]any); len(views) != 3 {
		t.Errorf("the brush is in %v", views)
	}
	for i, panel := range spec["concat"].([]any) {
		layer := panel.(object)["layer"].([]any)[0].(object)
		enc := layer["encoding"].(object)
		for _, ch := range []string{"x", "y"} {
			if f := enc[ch].(object)["field"].(string); rows[f] == nil {
				t.Errorf("panel %d: %s shows %q, which is not in the table", i+1, ch, f)
			}
		}
		if layer["data"].(object)["name"] != "rows" {
			t.Errorf("panel %d has data of its own", i+1)
		}
	}
	data, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema(t).Validate(doc); err != nil {
		t.Errorf("the specification breaks the schema: %.1500s", err)
	}
	if *specs != "" {
		if err := os.WriteFile(filepath.Join(*specs, "linked.vl.json"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// Panels with different rows stay separate.
	spec, err = Grid(Scatter(x, y), Scatter(x[:20], y[:20])).Interactive().VegaLite()
	if err != nil || spec["datasets"] != nil {
		t.Errorf("panels of unequal rows are joined (%v)", err)
	}
}
