package widget

import (
	"encoding/base64"
	"html"
	"slices"

	"github.com/gokernel/gokernel/display"
)

// A frontend that cannot show widgets shows their HTML, which says what it lacks. Pages of
// gokernel, which have controls of their own, go by the classes and leave it out.
const (
	lackClass = "gokernel-no-widgets"
	sameClass = "gokernel-same" // what the other types of the output show too
)

// withoutWidgets returns the HTML of a widget: what to install to see it, then the text
// of its controls, then what its function has shown, which other types of the output hold.
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

// pictures are the types of pictures that frontends show, the best first.
var pictures = []string{display.MIMESVG, display.MIMEPNG, display.MIMEJPEG, display.MIMEGIF}

// rich reports whether an output is more than text.
func rich(shown map[string]any) bool {
	return slices.ContainsFunc(append([]string{display.MIMEHTML}, pictures...), func(mime string) bool { return shown[mime] != nil })
}
