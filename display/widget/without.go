package widget

import (
	"encoding/base64"
	"html"
	"slices"

	"github.com/gokernel/gokernel/display"
)

// A frontend that cannot show widgets shows this HTML, which says what is missing. Pages of
// gokernel have their own controls, recognize these classes and hide the HTML.
const (
	lackClass = "gokernel-no-widgets"
	sameClass = "gokernel-same" // repeats what other types of the output show
)

// withoutWidgets returns the HTML of a widget: how to install the missing package, the text of
// the controls, and the last result of its function, which other types of the output contain too.
func withoutWidgets(text string, shown map[string]any) string {
	s := `<div class="` + lackClass + `" style="border-left:3px solid #5071de;padding-left:8px">This page cannot show controls. ` +
		`JupyterLab shows them with the package jupyterlab_widgets: run <code>pip install jupyterlab_widgets</code> where Jupyter is installed, then reload the page.` +
		`<pre>` + html.EscapeString(text) + "</pre></div>\n"
	if own, ok := shown[display.MIMEHTML].(string); ok {
		return s + own
	}
	for _, mime := range pictures {
		var data string
		switch picture := shown[mime].(type) {
		case []byte:
			data = base64.StdEncoding.EncodeToString(picture)
		case string:
			if data = picture; mime == display.MIMESVG {
				data = base64.StdEncoding.EncodeToString([]byte(picture))
			}
		default:
			continue
		}
		return s + `<img class="` + sameClass + `" alt="" src="data:` + mime + ";base64," + data + `">`
	}
	return s + `<span class="` + sameClass + `"></span>`
}

// pictures are the MIME types of images that frontends show, in order of preference.
var pictures = []string{display.MIMESVG, display.MIMEPNG, display.MIMEJPEG, display.MIMEGIF}

// rich reports whether an output contains more than text.
func rich(shown map[string]any) bool {
	return slices.ContainsFunc(append([]string{display.MIMEHTML}, pictures...), func(mime string) bool { return shown[mime] != nil })
}
