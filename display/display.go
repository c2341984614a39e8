// Package display turns Go values into what a notebook shows: bundles that hold
// one value in several MIME types, the richest of which the frontend picks.
//
// [Of] makes a bundle of any value, [Show] sends it to the notebook while the
// cell runs, and [Text], [HTML], [Markdown], [Math] and their like make bundles
// of content that is already written. A type chooses its own looks by being a
// [Displayer]; looks for a type that cannot be changed are added by [Register].
//
// This package needs the standard library only. Its subpackages draw: table
// (tables and data summaries), chart (plots), graph (trees and directed graphs),
// on figure (a drawing that becomes SVG and PNG); course draws the figures of the
// course and shows the values of its library.
//
// Every exported name of this package and of verbs stands in a cell without an
// import. From here come Show, Update, Clear, ClearNext, Page, Progress, Text,
// HTML, Markdown, Math, LaTeX, SVG, PNG, Image, JSON, Audio, Diff, Theme and SetTheme; from verbs
// Plot, Scatter, Hist, Bar, BoxPlot, Heatmap, Contour, Func, Chart, Grid, Table,
// Describe, Tree, Graph, and the figures of the course: Regions, ROC, Trace,
// Voronoi, Network, Gridworld, Animate and others, and Interact with Options. The controls
// themselves are those of package widget.
package display

// Bundle is one value in several representations, keyed by MIME type. Text and
// SVG are strings; images are []byte (encoded as base64 on the wire); types that
// end in +json, and application/json, are values that encoding/json can marshal.
type Bundle struct {
	Data      map[string]any
	Metadata  map[string]any // keyed by MIME type, such as {"image/png": {"width": 400}}
	Transient map[string]any // not saved with the notebook, such as {"display_id": "1"}
}

// Display returns the bundle itself, so that a bundle may stand wherever a value
// is shown.
func (b Bundle) Display() (Bundle, error) { return b, nil }

// Displayer is implemented by values that choose how they are shown. An error
// says why the value cannot be shown, as a chart of columns of unequal length
// does; in a cell it fails the cell.
type Displayer interface {
	Display() (Bundle, error)
}

// Sink takes what a cell shows while it runs. A notebook session provides one.
type Sink interface {
	Display(b Bundle) error // a new output; b.Transient["display_id"] names it for updates
	Update(b Bundle) error  // replaces the outputs of the same display_id; without data, takes them away
	Clear(wait bool) error  // removes the cell's outputs; with wait, when the next one comes
	Page(b Bundle) error    // shows b in the pager
	SetNextInput(text string, replace bool) error
}

// MIME types of the representations that this package makes.
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
