package bom

import (
	"bytes"
	"encoding/json"
)

// These types are the parts of the CycloneDX 1.6 format that CycloneDX writes:
// https://cyclonedx.org/docs/1.6/json/
type (
	document struct {
		Schema     string      `json:"$schema"`
		Format     string      `json:"bomFormat"`
		Spec       string      `json:"specVersion"`
		Version    int         `json:"version"`
		Metadata   metadata    `json:"metadata"`
		Components []component `json:"components"`
		Depends    []depends   `json:"dependencies"`
	}
	metadata struct {
		Component component `json:"component"`
	}
	component struct {
		Type       string     `json:"type"`
		Ref        string     `json:"bom-ref"`
		Name       string     `json:"name"`
		Version    string     `json:"version"`
		Licenses   []license  `json:"licenses"`
		PURL       string     `json:"purl"`
		Properties []property `json:"properties,omitempty"`
	}
	license struct {
		Expression string `json:"expression"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	depends struct {
		Ref string   `json:"ref"`
		On  []string `json:"dependsOn"`
	}
)

// CycloneDX returns the list as a CycloneDX 1.6 document in JSON for a version of the program.
// The same list produces the same bytes.
func (l *List) CycloneDX(version string) ([]byte, error) {
	own := component{Type: "application", Name: Module, Version: "v" + version, Licenses: []license{{identify(l.License)}}, PURL: "pkg:golang/" + Module + "@v" + version}
	own.Ref = own.PURL
	d := document{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", Spec: "1.6", Version: 1,
		Metadata: metadata{own}, Depends: []depends{{Ref: own.Ref}},
	}
	for _, p := range l.Parts {
		c := component{Type: "library", Name: p.Path, Version: p.Version, Licenses: []license{{p.License}}, PURL: "pkg:golang/" + p.Path + "@" + p.Version}
		if c.Ref = c.PURL; p.Sum != "" {
			c.Properties = []property{{"go:sum", p.Sum}}
		}
		d.Components = append(d.Components, c)
		d.Depends[0].On = append(d.Depends[0].On, c.Ref)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(d)
	return b.Bytes(), err
}
