package course

import (
	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
)

// Drawing is a figure that is neither a chart nor a graph.
type Drawing struct {
	draw func() (*figure.Figure, error)
	alt  string
}

// Alt sets the sentence that describes the drawing for readers who cannot see it. By default it is
// the drawing's text.
func (d *Drawing) Alt(sentence string) *Drawing { d.alt = sentence; return d }

// Save writes the figure to a file whose name ends in .svg, .png or .pdf.
func (d *Drawing) Save(path string) error { return figure.Save(d, path) }

// Figure returns the drawing as a figure, without rendering it to a format.
func (d *Drawing) Figure() (*figure.Figure, error) {
	f, err := d.draw()
	if err == nil && d.alt != "" {
		f.Title, f.Desc = "", d.alt
	}
	return f, err
}

// Display renders the drawing.
func (d *Drawing) Display() (display.Bundle, error) {
	f, err := d.Figure()
	if err != nil {
		return display.Bundle{}, err
	}
	return f.Display()
}
