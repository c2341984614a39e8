package chart

import (
	"github.com/gokernel/gokernel/display/figure"
)

// colorOf returns the color of a mark that has one color, the i-th of its chart.
// Rules are not data: they are gray unless they have a color.
func (m *mark) colorOf(i int) figure.Color {
	switch {
	case m.color != nil:
		return *m.color
	case m.kind.about().gray:
		return figure.Soft()
	}
	return figure.Class(i)
}
