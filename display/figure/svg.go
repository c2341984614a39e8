package figure

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fontFamily returns a list of fonts with the metrics of Liberation Sans, or of the serif font if
// the theme uses it.
func fontFamily() string {
	if serif() {
		return "Liberation Serif, Times New Roman, Times, serif"
	}
	return "Liberation Sans, Arial, Helvetica, sans-serif"
}

// svgWriter writes elements. Consecutive elements with the same paint attributes share a group
// that has these attributes.
type svgWriter struct {
	buf   []byte
	paint string
}

// SVG renders the figure as an SVG document.
func (f *Figure) SVG() string {
	f = f.shown()
	w := &svgWriter{buf: make([]byte, 0, 1<<12+48*len(f.ops))}
	width, height := num(math.Ceil(f.W)), num(math.Ceil(f.H))
	attributes, elements := f.described()
	w.add(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="`, width, `" height="`, height,
		`" viewBox="0 0 `, width, " ", height, `" font-family="`, fontFamily(), `"`, attributes, ">\n", elements)
	w.add(`<rect width="`, width, `" height="`, height, `" fill="`, hex(Paper()), `"/>`, "\n")
	for _, o := range f.ops {
		o.svg(w)
	}
	w.group("")
	w.add("</svg>\n")
	return string(w.buf)
}

func (w *svgWriter) add(parts ...string) {
	for _, p := range parts {
		w.buf = append(w.buf, p...)
	}
}

// attr adds a numeric attribute with at most two decimals.
func (w *svgWriter) attr(name string, x float64) {
	w.buf = append(w.buf, ' ')
	w.buf = append(w.buf, name...)
	w.buf = append(w.buf, '=', '"')
	w.buf = appendNum(w.buf, x)
	w.buf = append(w.buf, '"')
}

// group opens a group with the paint attributes, unless it is already open.
func (w *svgWriter) group(paint string) {
	if paint == w.paint {
		return
	}
	if w.paint != "" {
		w.add("</g>\n")
	}
	if paint != "" {
		w.add("<g", paint, ">\n")
	}
	w.paint = paint
}

func num(x float64) string { return string(appendNum(nil, x)) }

func appendNum(b []byte, x float64) []byte {
	x = math.Round(x*100) / 100
	if x == 0 {
		x = 0 // not "-0"
	}
	return strconv.AppendFloat(b, x, 'f', -1, 64)
}

func hex(c Color) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

func opacity(name string, c Color) string {
	if c.A == 255 {
		return ""
	}
	return " " + name + `="` + num(float64(c.A)/255) + `"`
}

// attributes returns the SVG attributes of the style. Shapes with lineOnly have no fill.
func (s Style) attributes(lineOnly bool) string {
	var b strings.Builder
	if s.Fill.A == 0 || lineOnly {
		b.WriteString(` fill="none"`)
	} else {
		b.WriteString(` fill="` + hex(s.Fill) + `"` + opacity("fill-opacity", s.Fill))
	}
	if s.Stroke.A != 0 {
		b.WriteString(` stroke="` + hex(s.Stroke) + `"` + opacity("stroke-opacity", s.Stroke))
		if s.width() != 1 {
			b.WriteString(` stroke-width="` + num(s.width()) + `"`)
		}
		if len(s.Dash) > 0 {
			b.WriteString(` stroke-dasharray="`)
			for i, d := range s.Dash {
				if i > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(num(d))
			}
			b.WriteByte('"')
		}
		b.WriteString(` stroke-linejoin="round"`)
	}
	return b.String()
}

func (s Style) width() float64 {
	if s.Width == 0 {
		return 1
	}
	return s.Width
}

func (r rectangle) svg(w *svgWriter) {
	w.group(r.style.attributes(false))
	w.add("<rect")
	w.attr("x", r.x)
	w.attr("y", r.y)
	w.attr("width", r.w)
	w.attr("height", r.h)
	if r.round > 0 {
		w.attr("rx", r.round)
	}
	w.add("/>\n")
}

func (m marker) svg(w *svgWriter) {
	w.group(m.style.attributes(false))
	if m.shape == Circle {
		w.add("<circle")
		w.attr("cx", m.x)
		w.attr("cy", m.y)
		w.attr("r", m.r)
		w.add("/>\n")
		return
	}
	w.path(m.shape.outline(m.x, m.y, m.r), true)
}

func (p polyline) svg(w *svgWriter) {
	w.group(p.style.attributes(!p.closed))
	w.path(p.points, p.closed)
}

// path writes the points relative to each other, which is shorter.
func (w *svgWriter) path(points []Point, closed bool) {
	w.add(`<path d="`)
	w.trace(points, closed)
	w.add(`"/>`, "\n")
}

// trace writes one line of a path.
func (w *svgWriter) trace(points []Point, closed bool) {
	px, py := 0.0, 0.0
	for i, p := range points {
		x, y := math.Round(p.X*100)/100, math.Round(p.Y*100)/100
		switch i {
		case 0:
			w.add("M")
		case 1:
			w.add("l")
		default:
			w.add(" ")
		}
		w.buf = appendNum(w.buf, x-px)
		dy := math.Round((y-py)*100) / 100
		if dy >= 0 {
			w.add(" ")
		}
		w.buf = appendNum(w.buf, dy)
		px, py = x, y
	}
	if closed {
		w.add("z")
	}
}

func (a area) svg(w *svgWriter) {
	w.group(a.style.attributes(false))
	w.add(`<path d="`)
	for _, points := range a.outlines {
		w.trace(points, true)
	}
	w.add(`"/>`, "\n")
}

func (c curve) svg(w *svgWriter) {
	w.group(c.style.attributes(true))
	w.add(`<path d="M`, num(c.p[0].X), " ", num(c.p[0].Y), "C")
	for i, p := range c.p[1:] {
		if i > 0 {
			w.add(" ")
		}
		w.add(num(p.X), " ", num(p.Y))
	}
	w.add(`"/>`, "\n")
}

// shortText is the maximum number of characters of a text that keeps the width of the viewer's
// font. A viewer without a font of the same metrics fits longer texts into their widths, so that
// they don't overlap other parts.
const shortText = 5

func (l label) svg(w *svgWriter) {
	paint := ` fill="` + hex(l.style.Color) + `"` + opacity("fill-opacity", l.style.Color) + ` font-size="` + num(l.style.Size) + `"`
	if l.style.Bold {
		paint += ` font-weight="bold"`
	}
	if l.style.Italic {
		paint += ` font-style="italic"`
	}
	switch l.style.Anchor {
	case Middle:
		paint += ` text-anchor="middle"`
	case End:
		paint += ` text-anchor="end"`
	}
	w.group(paint)
	w.add("<text")
	w.attr("x", l.x)
	w.attr("y", l.y)
	if l.style.Up {
		w.add(` transform="rotate(-90 `, num(l.x), " ", num(l.y), `)"`)
	}
	if utf8.RuneCountInString(l.text) > shortText {
		if width, ok := l.style.Font.exact(l.text); ok {
			w.attr("textLength", width)
			w.add(` lengthAdjust="spacingAndGlyphs"`)
		}
	}
	w.add(">", escape(l.text), "</text>\n")
}

func (p picture) svg(w *svgWriter) {
	w.group("")
	data := encodePNG(p.img.Pix, p.img.Stride, p.img.Rect.Dx(), p.img.Rect.Dy(), p.img.Opaque())
	w.add("<image")
	w.attr("x", p.x)
	w.attr("y", p.y)
	w.attr("width", p.w)
	w.attr("height", p.h)
	w.add(` preserveAspectRatio="none" xlink:href="data:image/png;base64,`, base64.StdEncoding.EncodeToString(data), `"/>`, "\n")
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

func escape(s string) string { return escaper.Replace(s) }

// printable converts a text to one line of characters that XML allows.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r == '\ufffe', r == '\uffff':
			return '\ufffd'
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}
