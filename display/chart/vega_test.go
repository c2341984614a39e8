package chart

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

var specs = flag.String("specs", "", "directory to write the Vega-Lite specifications of the gallery to, for testdata/render.py")

// schema is the published schema of Vega-Lite 5.23.0 (BSD licence beside it).
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
		t.Run(e.name, func(t *testing.T) {
			spec, err := e.make().(interface {
				VegaLite() (map[string]any, error)
			}).VegaLite()
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

// TestSchemaRefuses makes sure that the schema is strict enough to find mistakes.
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
