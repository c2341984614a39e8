package chart

import "github.com/gokernel/gokernel/display/figure"

// Ink and paper of an interactive chart are those of the page in which it stands, of
// JupyterLab, of VS Code or of a written page, and follow when the reader changes the theme.
const (
	pageInk   = "currentColor"
	pagePaper = "var(--jp-layout-color0,var(--vscode-editor-background,#fff))"
)

// cssColor writes a color for an interactive chart.
func cssColor(c figure.Color) string {
	switch c {
	case figure.Ink:
		return pageInk
	case figure.Paper:
		return pagePaper
	}
	return figure.Hex(c)
}

// vegaConfig is how interactive charts look, at a scale of the theme.
func vegaConfig(zoom float64) object {
	frame := figure.Hex(figure.Frame) // which is seen on light and on dark paper
	return object{
		"background": "transparent",
		"view":       object{"stroke": nil},
		"axis": object{"labelFontSize": 11 * zoom, "titleFontSize": 12 * zoom, "titleFontWeight": "normal", "labelColor": pageInk, "labelOpacity": 0.8,
			"titleColor": pageInk, "gridColor": pageInk, "gridOpacity": 0.12, "domainColor": frame, "tickColor": frame},
		"legend": object{"labelFontSize": 11 * zoom, "titleFontSize": 11 * zoom, "labelColor": pageInk, "titleColor": pageInk},
		"title":  object{"fontSize": 14 * zoom, "color": pageInk, "subtitleColor": pageInk},
		"text":   object{"color": pageInk},
	}
}
