// Package cliptest checks that figures show all texts completely.
package cliptest

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
)

// Text is a line of text and the rectangle that it covers.
type Text struct {
	Text           string
	X0, Y0, X1, Y1 float64
}

// slack is the distance that a text may exceed the edge of the figure, because letters are
// narrower than the sum of their widths.
const slack = 1.5

// Texts returns the texts of a figure's SVG, and the size of the figure.
func Texts(svg string) (texts []Text, w, h float64, err error) {
	var doc struct {
		W float64 `xml:"width,attr"`
		H float64 `xml:"height,attr"`
		G []struct {
			Size   float64 `xml:"font-size,attr"`
			Weight string  `xml:"font-weight,attr"`
			Style  string  `xml:"font-style,attr"`
			Anchor string  `xml:"text-anchor,attr"`
			Text   []struct {
				X         float64 `xml:"x,attr"`
				Y         float64 `xml:"y,attr"`
				Transform string  `xml:"transform,attr"`
				S         string  `xml:",chardata"`
			} `xml:"text"`
		} `xml:"g"`
	}
	if err := xml.Unmarshal([]byte(svg), &doc); err != nil {
		return nil, 0, 0, err
	}
	for _, g := range doc.G {
		font := figure.Font{Size: g.Size, Bold: g.Weight == "bold", Italic: g.Style == "italic"}
		for _, t := range g.Text {
			width, start := font.Width(t.S), 0.0
			switch g.Anchor {
			case "middle":
				start = -width / 2
			case "end":
				start = -width
			}
			r := Text{t.S, t.X + start, t.Y - 0.72*g.Size, t.X + start + width, t.Y}
			if t.Transform != "" {
				r = Text{t.S, t.X - 0.72*g.Size, t.Y - start - width, t.X, t.Y - start}
			}
			texts = append(texts, r)
		}
	}
	return texts, doc.W, doc.H, nil
}

// Check reports texts that exceed the edges of a figure, and texts that overlap.
func Check(t *testing.T, name string, d display.Displayer) {
	t.Helper()
	b, err := d.Display()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	svg, _ := b.Data[display.MIMESVG].(string)
	texts, w, h, err := Texts(svg)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for i, a := range texts {
		if a.X0 < -slack || a.Y0 < -slack || a.X1 > w+slack || a.Y1 > h+slack {
			t.Errorf("%s: %q at %s is cut off by the edge of the paper of %g×%g", name, a.Text, a.place(), w, h)
		}
		for _, b := range texts[:i] {
			if math.Min(a.X1, b.X1)-math.Max(a.X0, b.X0) > slack && math.Min(a.Y1, b.Y1)-math.Max(a.Y0, b.Y0) > slack {
				t.Errorf("%s: %q at %s lies on %q at %s", name, a.Text, a.place(), b.Text, b.place())
			}
		}
	}
}

func (a Text) place() string {
	var s []string
	for _, x := range []float64{a.X0, a.Y0, a.X1, a.Y1} {
		s = append(s, strconv.FormatFloat(math.Round(x), 'f', -1, 64))
	}
	return fmt.Sprintf("(%s)", strings.Join(s, " "))
}
