// Package display turns Go values into what a notebook shows: bundles that hold
// one value in several MIME types, the richest of which the front end picks.
package display

// Bundle is one value in several representations, keyed by MIME type. Text and
// SVG are strings; images are []byte (encoded as base64 on the wire); types that
// end in +json, and application/json, are values that encoding/json can marshal.
type Bundle struct {
	Data      map[string]any
	Metadata  map[string]any // keyed by MIME type, such as {"image/png": {"width": 400}}
	Transient map[string]any // not saved with the notebook, such as {"display_id": "1"}
}

// Displayer is implemented by values that choose how they are shown.
type Displayer interface {
	Display() (Bundle, error)
}

// Sink takes what a cell shows while it runs. A notebook session provides one.
type Sink interface {
	Display(b Bundle) error // a new output; b.Transient["display_id"] names it for updates
	Update(b Bundle) error  // replaces the outputs of the same display_id
	Clear(wait bool) error  // removes the cell's outputs; with wait, when the next one comes
	Page(b Bundle) error    // shows b in the pager
	SetNextInput(text string, replace bool) error
}
