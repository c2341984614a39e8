package page

import (
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

func TestFigures(t *testing.T) {
	svg := `<svg xmlns="http://www.w3.org/2000/svg"><text font-size="12">a</text><text font-size="11">b</text><text font-size="7.7">2</text></svg>`
	o := &notebook.Output{Type: notebook.DisplayData, Data: map[string]any{
		"image/svg+xml": svg, "image/png": "AAAA", "text/plain": "first line\nsecond",
	}, Metadata: map[string]any{"image/png": map[string]any{"width": 600.0, "height": 380.0}}}
	nb := &notebook.Notebook{Metadata: map[string]any{}, Cells: []*notebook.Cell{{ID: "a", Type: notebook.Code, Source: "1", Outputs: []*notebook.Output{o}}}}
	page := body(t, render(t, nb))
	// 8.4 pixels of text need 600·8.4/11 pixels.
	for _, want := range []string{`alt="first line"`, `width="600" style="min-width:459px" height="380"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s:\n%s", want, page)
		}
	}
	o.Metadata["image/svg+xml"] = map[string]any{"alt": `What "it" shows`}
	if page := body(t, render(t, nb)); !strings.Contains(page, `alt="What &#34;it&#34; shows"`) {
		t.Errorf("the sentence of the metadata is not in the page:\n%s", page)
	}
	if whole := render(t, nb); strings.Contains(whole, "vegaEmbed(") {
		t.Error("a page without interactive charts has their script")
	}
	o.Data["application/vnd.vegalite.v5+json"] = map[string]any{"description": "</script><b>"}
	whole := render(t, nb)
	if !strings.Contains(whole, "vegaEmbed(live") || !strings.Contains(whole, `<script type="application/json">{"description":"\u003c/script\u003e\u003cb\u003e"}</script>`) {
		t.Error("a page with an interactive chart lacks it or its script")
	}
	nb.Metadata["lang"] = "de"
	if whole := render(t, nb); !strings.Contains(whole, `<html lang="de">`) {
		t.Error("the page is not in the language of the notebook")
	}
}
