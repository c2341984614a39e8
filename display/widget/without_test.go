package widget

import (
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
)

func TestWithoutWidgets(t *testing.T) {
	const hint = "pip install jupyterlab_widgets"
	for _, c := range []struct {
		name  string
		text  string
		shown map[string]any
		want  string // after the hint
	}{
		{"a control", "k = 5 (IntSlider)", nil, `<span class="gokernel-same"></span>`},
		{"a table", "k = 5", map[string]any{display.MIMEHTML: "<table></table>"}, "<table></table>"},
		{"a figure", "k = 5", map[string]any{display.MIMESVG: "<svg/>", display.MIMEPNG: "aaaa"}, `<img class="gokernel-same" alt="" src="data:image/svg+xml;base64,PHN2Zy8+">`},
		{"a photo", "k = 5", map[string]any{display.MIMEJPEG: []byte("abc")}, `<img class="gokernel-same" alt="" src="data:image/jpeg;base64,YWJj">`},
	} {
		head, rest, ok := strings.Cut(withoutWidgets(c.text, c.shown), "</div>\n")
		if !ok || !strings.HasPrefix(head, `<div class="gokernel-no-widgets"`) || !strings.Contains(head, hint) || !strings.Contains(head, "<pre>"+c.text) {
			t.Errorf("%s: the hint is %s", c.name, head)
		}
		if rest != c.want {
			t.Errorf("%s: got %s, want %s", c.name, rest, c.want)
		}
	}
	if s := withoutWidgets("</div>\n<b>", nil); strings.Count(s, "</div>") != 1 {
		t.Errorf("the text of a control is not escaped: %s", s)
	}
}
