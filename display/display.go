// Package display converts Go values to bundles, which a notebook shows. A bundle holds one value
// in several MIME types. The frontend shows the richest type that it supports.
//
// [Of] makes a bundle of any value, [Show] sends it to the notebook while the cell runs, and
// [Text], [HTML], [Markdown], [Math] and similar functions make bundles of formatted content. A
// type that implements [Displayer] chooses how it is shown. For a type that you cannot change,
// call [Register].
//
// This package imports only the standard library. The drawings are in its subpackages: table
// (tables and data summaries), chart (plots) and graph (trees and directed graphs). They build on
// figure, which writes a drawing as SVG and PNG. Package course draws the figures of the course
// and shows the values of its library.
//
// Cells can use every exported name of this package and of verbs without an import. This package
// provides Show, Update, Clear, ClearNext, Page, Progress, Text, HTML, Markdown, Math, LaTeX,
// SVG, PNG, Image, JSON, Audio, Diff, Theme and SetTheme. Package verbs provides plots (Plot,
// Scatter, Hist, Bar, BoxPlot, Heatmap, Contour, Func, Chart, Grid), tables and graphs (Table,
// Describe, Tree, Graph), and Interact with Options. It also has the figures of the course, such
// as Regions, ROC, Trace, Voronoi, Network, Gridworld and Animate. The controls are in package
// widget.
package display

// Bundle is one value in several representations, keyed by MIME type. Text and SVG are strings.
// Images are []byte, which are encoded as base64 when they are sent. The value for
// application/json, or for a type that ends in +json, is any value that encoding/json can marshal.
type Bundle struct {
	Data      map[string]any
	Metadata  map[string]any // keyed by MIME type, such as {"image/png": {"width": 400}}
	Transient map[string]any // not saved with the notebook, such as {"display_id": "1"}
}

// Display returns the bundle itself, so that a bundle can be used wherever a value is shown.
func (b Bundle) Display() (Bundle, error) { return b, nil }

// Displayer is implemented by values that choose how they are shown. An error says why the value
// cannot be shown; for example, the columns of a chart have different lengths. In a notebook, the
// cell then fails with this error.
type Displayer interface {
	Display() (Bundle, error)
}

// Sink receives the bundles that a cell shows while it runs. A notebook session provides one.
type Sink interface {
	Display(b Bundle) error // adds an output; b.Transient["display_id"] is its id for updates
	Update(b Bundle) error  // replaces the outputs with the same display_id; without data, removes them
	Clear(wait bool) error  // removes the cell's outputs; with wait, when the next output comes
	Page(b Bundle) error    // shows b in the pager
	SetNextInput(text string, replace bool) error
}

// MIME types of the representations that this package produces.
const (
	MIMEText     = "text/plain"
	MIMEHTML     = "text/html"
	MIMEMarkdown = "text/markdown"
	MIMELaTeX    = "text/latex"
	MIMEJSON     = "application/json"
	MIMESVG      = "image/svg+xml"
	MIMEPNG      = "image/png"
	MIMEPDF      = "application/pdf"
	MIMEJPEG     = "image/jpeg"
	MIMEGIF      = "image/gif"
	MIMEVegaLite = "application/vnd.vegalite.v5+json"
)
