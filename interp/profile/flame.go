package profile

import (
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/interp/engine"
)

// Sizes of a flame graph.
const (
	width   = 900.0
	rowSize = 19.0
	margin  = 12.0
	headed  = 54.0 // above the first row
	levels  = 40   // maximum number drawn
)

// Flame draws the calls. Each function is a bar below its caller, and the width is its time. If the
// frontend supports it, bars show their times, and the time axis can be zoomed and moved.
func Flame(p *engine.Profile) (display.Bundle, error) {
	root := tree(p)
	if root.total == 0 {
		return display.Bundle{}, fmt.Errorf("profile: there is no sample to draw")
	}
	b, err := draw(root, Head(p)).Display()
	if err != nil {
		return b, err
	}
	b.Data[display.MIMEVegaLite] = vega(root, Head(p))
	return b, nil
}

// bar is a function in the drawing; from and to are fractions of the time.
type bar struct {
	*node
	from, to float64
	level    int
}

// bars lays out the calls that take at least a fraction of the time.
func bars(root *node, least float64) (list []bar, depth int) {
	var place func(n *node, from float64, level int)
	place = func(n *node, from float64, level int) {
		for _, c := range n.below {
			share := float64(c.total) / float64(root.total)
			if share >= least && level < levels {
				list = append(list, bar{c, from, from + share, level})
				depth = max(depth, level+1)
				place(c, from, level+1)
			}
			from += share
		}
	}
	place(root, 0, 0)
	return list, depth
}

// plainShade is the fraction of the hue in a color; the rest is the paper.
const plainShade = 0.44

// shade returns plainShade, slightly lighter or darker depending on the function's name.
func (b bar) shade() float64 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(b.name)) // cannot fail
	return plainShade + 0.05*(float64(h.Sum32()%5)-2)
}

// color returns the color of the function's kind in its shade.
func (b bar) color() figure.Color { return figure.Mix(figure.Paper(), hue(b.kind), b.shade()) }

// hue returns the color of a kind.
func hue(k kind) figure.Color {
	return figure.Class([...]int{ofCells: 3, ofPackages: 4, ofKernel: 5}[k])
}

func percent(share float64) string { return fmt.Sprintf("%.1f%%", 100*share) }

// draw draws the graph.
func draw(root *node, head string) *figure.Figure {
	list, depth := bars(root, 0.4/width)
	f := figure.New(width+2*margin, headed+rowSize*float64(depth)+margin)
	f.Title = "Flame graph"
	f.Label(margin, 22, "Where the time went", figure.TextStyle{Font: figure.Font{Size: 14, Bold: true}, Color: figure.Ink()})
	f.Label(margin, 42, head, figure.TextStyle{Font: figure.Font{Size: 11}, Color: figure.Soft()})
	legend(f, list)
	font := figure.Font{Size: 11}
	for _, b := range list {
		x, w := margin+width*b.from, width*(b.to-b.from)
		y := headed + rowSize*float64(b.level)
		f.Rect(x, y, max(w-0.8, 0.4), rowSize-1.2, 1.5, figure.Style{Fill: b.color()})
		if w < 28 {
			continue
		}
		label := b.name + "  " + percent(b.to-b.from)
		if font.Width(label) > w-8 {
			label = font.Fit(b.name, w-8)
		}
		f.Label(x+4, y+rowSize-6, label, figure.TextStyle{Font: font, Color: figure.On(b.color())})
	}
	f.Text = outline(root, head)
	f.Desc = describe(root, head)
	return f
}

// legend names the colors in use, from the right.
func legend(f *figure.Figure, list []bar) {
	there := map[kind]bool{}
	for _, b := range list {
		there[b.kind] = true
	}
	font := figure.Font{Size: 11}
	x := margin + width
	for k := ofKernel; k >= ofCells; k-- {
		if !there[k] {
			continue
		}
		x -= font.Width(kinds[k])
		f.Label(x, 42, kinds[k], figure.TextStyle{Font: font, Color: figure.Soft()})
		x -= 16
		f.Rect(x, 33, 11, 11, 1.5, figure.Style{Fill: figure.Mix(figure.Paper(), hue(k), plainShade)})
		x -= 14
	}
}

// outline writes the calls that take at least a hundredth of the time, each below its caller.
func outline(root *node, head string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%6s %6s\n", head, "total", "self")
	var write func(n *node, level int)
	write = func(n *node, level int) {
		for _, c := range n.below {
			if c.total*100 < root.total || level == levels {
				continue
			}
			self, total := float64(c.self)/float64(root.total), float64(c.total)/float64(root.total)
			fmt.Fprintf(&b, "%6s %6s  %s%s\n", percent(total), percent(self), strings.Repeat("  ", level), c.name)
			write(c, level+1)
		}
	}
	write(root, 0)
	return strings.TrimSuffix(b.String(), "\n")
}

// describe returns the most important information: the path to the function with the most time of
// its own.
func describe(root *node, head string) string {
	var way, best []string
	most := root.self
	var look func(n *node)
	look = func(n *node) {
		way = append(way, n.name)
		if n.self > most {
			most, best = n.self, append([]string(nil), way...)
		}
		for _, c := range n.below {
			look(c)
		}
		way = way[:len(way)-1]
	}
	for _, c := range root.below {
		look(c)
	}
	return fmt.Sprintf("%s. Most of it, %s, was in %s.", head, percent(float64(most)/float64(root.total)), strings.Join(best, ", "))
}
