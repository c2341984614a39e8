package page

import (
	"embed"
	"encoding/json"
	"html/template"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// These are Vega 5.33.1, Vega-Lite 5.23.0 and Vega-Embed 6.29.0 as their authors release them, with
// their license in the same folder. JupyterLab uses the same major versions. The files are
// compressed with gzip -9n to a third of their size.
//
//go:embed vega/LICENSE vega/*.js.gz
var vegaFiles embed.FS

//go:embed charts.js
var chartsJS string

const vegaLite = "application/vnd.vegalite.v5+json"

// vega returns the scripts that draw interactive charts.
func vega() ([]template.JS, error) {
	var out []template.JS
	for _, name := range []string{"vega", "vega-lite", "vega-embed"} {
		b, err := unpacked(vegaFiles, "vega/"+name+".min.js.gz")
		if err != nil {
			return nil, err
		}
		// A script must not contain its end tag.
		out = append(out, template.JS(strings.ReplaceAll(string(b), "</script", `<\/script`)))
	}
	return append(out, template.JS(chartsJS)), nil
}

// specification returns the interactive form of a chart, which replaces its picture where scripts
// run.
func specification(o *notebook.Output) (template.HTML, bool) {
	spec, ok := o.Data[vegaLite].(map[string]any)
	if !ok {
		return "", false
	}
	b, err := json.Marshal(spec) // with < and > escaped
	if err != nil {
		return "", false
	}
	return template.HTML(`<script type="application/json">` + string(b) + `</script>`), true
}
