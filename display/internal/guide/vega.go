package guide

import (
	"slices"

	"github.com/gokernel/gokernel/display/figure"
)

// VegaSchema is the newest major version that JupyterLab and VS Code render.
const VegaSchema = "https://vega.github.io/schema/vega-lite/v5.json"

// An interactive chart takes the colors of text and background from its page (JupyterLab, VS Code
// or an exported page). They change with the reader's theme.
const (
	PageInk   = "currentColor"
	PagePaper = "var(--jp-layout-color0,var(--vscode-editor-background,#fff))"
)

// PageColor converts a color for an interactive chart.
func PageColor(c figure.Color) string {
	switch c {
	case figure.Ink():
		return PageInk
	case figure.Paper():
		return PagePaper
	}
	return figure.Hex(c)
}

// VegaRamp is the legend of a continuous scale.
var VegaRamp = map[string]any{"type": "gradient"}

// VegaTitle returns the title of an interactive chart with a subtitle and a note below it. Without
// a title, Vega draws no subtitle, so the note becomes the title.
func VegaTitle(title, subtitle, note []string, zoom float64) map[string]any {
	switch {
	case len(subtitle) > 0:
		return map[string]any{"text": title, "subtitle": append(slices.Clone(subtitle), note...), "anchor": "start", "subtitleFontSize": TickFont.Size * zoom}
	case len(note) == 0:
		return map[string]any{"text": title, "anchor": "start"}
	case len(title) == 0:
		return map[string]any{"text": note, "anchor": "start", "fontSize": NoteFont.Size * zoom, "fontWeight": "normal", "fontStyle": "italic"}
	}
	return map[string]any{"text": title, "subtitle": note, "anchor": "start", "subtitleFontStyle": "italic"}
}

// VegaScale returns a color scale from lo to hi.
func VegaScale(s figure.Scheme, lo, hi float64) map[string]any {
	if !(lo < hi) {
		c := figure.Hex(s.At(0.5))
		return map[string]any{"domain": []any{lo, lo + 1}, "range": []any{c, c}}
	}
	// Vega's schemes with the same names have other colors at their ends.
	const steps = 16
	var domain, colors []any
	for i := range steps + 1 {
		t := float64(i) / steps
		domain, colors = append(domain, lo*(1-t)+hi*t), append(colors, figure.Hex(s.At(t)))
	}
	return map[string]any{"domain": domain, "range": colors, "interpolate": "rgb"}
}

// VegaConfig returns the configuration of interactive charts, at a scale of the theme.
func VegaConfig(zoom float64) map[string]any {
	type object = map[string]any
	frame := figure.Hex(figure.Frame()) // visible on light and dark backgrounds
	return object{
		"background": "transparent",
		"view":       object{"stroke": nil},
		"axis": object{"labelFontSize": TickFont.Size * zoom, "titleFontSize": AxisFont.Size * zoom, "titleFontWeight": "normal", "labelColor": PageInk, "labelOpacity": 0.8,
			"titleColor": PageInk, "gridColor": PageInk, "gridOpacity": 0.12, "domainColor": frame, "tickColor": frame},
		"legend": object{"labelLimit": 400 * zoom, "labelFontSize": TickFont.Size * zoom, "titleFontSize": HeadFont.Size * zoom, "labelColor": PageInk, "titleColor": PageInk},
		"title":  object{"fontSize": TitleFont.Size * zoom, "color": PageInk, "subtitleColor": PageInk},
		"text":   object{"color": PageInk},
	}
}
