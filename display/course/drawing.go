package course

import (
	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
)

// Drawing is a figure that is neither a chart nor a graph.
type Drawing struct {
	draw func() (*figure.Figure, error)
}

// Figure draws the drawing without rendering it.
func (d *Drawing) Figure() (*figure.Figure, error) { return d.draw() }

// Display renders the drawing.
func (d *Drawing) Display() (display.Bundle, error) {
	f, err := d.draw()
	if err != nil {
		return display.Bundle{}, err
	}
	return f.Display()
}
