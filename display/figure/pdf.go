package figure

import (
	"bytes"
	"fmt"
	"image"
	"math"
	"strconv"
	"unicode/utf16"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// pdfWriter collects the content of a page and the objects to which it refers (ISO 32000-1).
type pdfWriter struct {
	content   []byte
	objects   [][]byte // object n+1 has index n
	state     pdfState
	alphas    map[[2]uint8]string // names of graphics states, by opacity of fill and stroke
	states    []byte              // dictionary of the graphics states
	externals []byte              // dictionary of images and markers
	markers   map[pdfMarker]string
	fonts     []*pdfFont
}

// pdfState is the current graphics state, so that unchanged values are not set again.
type pdfState struct {
	fill, stroke Color
	width        string
	dash         string
	alpha        string
}

// Numbers of the objects that every document has.
const (
	pdfCatalog = 1 + iota
	pdfPages
	pdfPage
	pdfContent
	pdfFixed = pdfContent
)

// PDF renders the figure as a one-page PDF document, so that tools that typeset a notebook need no
// converter. Four CSS pixels are three points. PDF embeds the outlines of the characters that
// occur.
func (f *Figure) PDF() []byte {
	f = f.shown()
	w := &pdfWriter{content: make([]byte, 0, 1<<12+32*len(f.ops)), objects: make([][]byte, pdfFixed), alphas: map[[2]uint8]string{}, markers: map[pdfMarker]string{}}
	width, height := 0.75*math.Ceil(f.W), 0.75*math.Ceil(f.H)
	// From here on, y grows downwards in CSS pixels.
	w.op("cm", 0.75, 0, 0, -0.75, 0, height)
	w.add("1 j " + num(float64(Paper().R)/255) + " " + num(float64(Paper().G)/255) + " " + num(float64(Paper().B)/255) + " rg ")
	w.op("re", 0, 0, math.Ceil(f.W), math.Ceil(f.H))
	w.add("f\n")
	w.state = pdfState{fill: Paper()}
	for _, o := range append(f.ops[:len(f.ops):len(f.ops)], f.undrawn()...) {
		o.pdf(w)
	}
	fonts := ""
	for i, t := range w.fonts {
		fonts += fmt.Sprintf("/F%d %d 0 R ", i, t.embed(w))
	}
	w.objects[pdfCatalog-1] = fmt.Appendf(nil, "<</Type/Catalog/Pages %d 0 R>>", pdfPages)
	w.objects[pdfPages-1] = fmt.Appendf(nil, "<</Type/Pages/Kids[%d 0 R]/Count 1>>", pdfPage)
	w.objects[pdfPage-1] = fmt.Appendf(nil,
		"<</Type/Page/Parent %d 0 R/MediaBox[0 0 %s %s]/Contents %d 0 R/Group<</S/Transparency/CS/DeviceRGB>>/Resources<</Font<<%s>>/ExtGState<<%s>>/XObject<<%s>>>>>>",
		pdfPages, num(width), num(height), pdfContent, fonts, w.states, w.externals)
	w.objects[pdfContent-1] = stream("", w.content)
	return w.document()
}

// document assembles the objects to a file.
func (w *pdfWriter) document() []byte {
	var out bytes.Buffer
	out.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n") // the second line marks the file as binary
	offsets := make([]int, len(w.objects))
	for i, o := range w.objects {
		offsets[i] = out.Len()
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, at := range offsets {
		fmt.Fprintf(&out, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&out, "trailer\n<</Size %d/Root %d 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, pdfCatalog, start)
	return out.Bytes()
}

// object adds an object and returns its number.
func (w *pdfWriter) object(data []byte) int {
	w.objects = append(w.objects, data)
	return len(w.objects)
}

// stream returns a compressed stream whose dictionary has the given entries.
func stream(entries string, data []byte) []byte {
	z := deflate(func(write func([]byte)) { write(data) })
	return fmt.Appendf(nil, "<<%s/Filter/FlateDecode/Length %d>>stream\n%s\nendstream", entries, len(z), z)
}

func (w *pdfWriter) add(s string) { w.content = append(w.content, s...) }

// op writes an operator and, before it, its operands.
func (w *pdfWriter) op(name string, numbers ...float64) {
	for _, x := range numbers {
		w.content = append(appendNum(w.content, x), ' ')
	}
	w.content = append(append(w.content, name...), '\n')
}

func (w *pdfWriter) color(c Color, operator string) {
	for _, x := range []uint8{c.R, c.G, c.B} {
		// Three decimals distinguish all 256 values.
		w.content = append(strconv.AppendFloat(w.content, math.Round(float64(x)/255*1000)/1000, 'f', -1, 64), ' ')
	}
	w.add(operator + "\n")
}

// use sets the colors, opacities and lines of a style.
func (w *pdfWriter) use(s Style) {
	if s.Fill.A != 0 && opaque(s.Fill) != opaque(w.state.fill) {
		w.color(s.Fill, "rg")
		w.state.fill = s.Fill
	}
	if s.Stroke.A != 0 {
		if opaque(s.Stroke) != opaque(w.state.stroke) || w.state.width == "" {
			w.color(s.Stroke, "RG")
			w.state.stroke = s.Stroke
		}
		if width := num(s.width()); width != w.state.width {
			w.add(width + " w\n")
			w.state.width = width
		}
		dash := ""
		for _, d := range s.Dash {
			dash += num(d) + " "
		}
		if dash != w.state.dash {
			w.add("[" + dash + "] 0 d\n")
			w.state.dash = dash
		}
	}
	fill, stroke := s.Fill.A, s.Stroke.A
	if fill == 0 {
		fill = 255
	}
	if stroke == 0 {
		stroke = 255
	}
	name := ""
	if fill != 255 || stroke != 255 || w.state.alpha != "" {
		key := [2]uint8{fill, stroke}
		name = w.alphas[key]
		if name == "" {
			name = "G" + strconv.Itoa(len(w.alphas))
			w.alphas[key] = name
			w.states = fmt.Appendf(w.states, "/%s<</ca %s/CA %s>>", name, num(float64(fill)/255), num(float64(stroke)/255))
		}
	}
	if name != w.state.alpha {
		w.add("/" + name + " gs\n")
		w.state.alpha = name
	}
}

func opaque(c Color) Color {
	c.A = 255
	return c
}

// paint fills and strokes the current path.
func (w *pdfWriter) paint(s Style) {
	switch {
	case s.Fill.A != 0 && s.Stroke.A != 0:
		w.add("B\n")
	case s.Fill.A != 0:
		w.add("f\n")
	case s.Stroke.A != 0:
		w.add("S\n")
	default:
		w.add("n\n")
	}
}

// corner is the distance along the tangent of the control points of a Bézier curve that
// approximates a quarter of the unit circle.
const corner = 0.5523

func (r rectangle) pdf(w *pdfWriter) {
	w.use(r.style)
	q := math.Min(r.round, math.Min(r.w, r.h)/2)
	if q <= 0 {
		w.op("re", r.x, r.y, r.w, r.h)
	} else {
		k := q * (1 - corner)
		x0, y0, x1, y1 := r.x, r.y, r.x+r.w, r.y+r.h
		w.op("m", x0+q, y0)
		w.op("l", x1-q, y0)
		w.op("c", x1-k, y0, x1, y0+k, x1, y0+q)
		w.op("l", x1, y1-q)
		w.op("c", x1, y1-k, x1-k, y1, x1-q, y1)
		w.op("l", x0+q, y1)
		w.op("c", x0+k, y1, x0, y1-k, x0, y1-q)
		w.op("l", x0, y0+q)
		w.op("c", x0, y0+k, x0+k, y0, x0+q, y0)
		w.add("h ")
	}
	w.paint(r.style)
}

// pdfMarker identifies a marker that is drawn in several places.
type pdfMarker struct {
	shape        Shape
	r            float64
	fill, stroke bool
}

func (m marker) pdf(w *pdfWriter) {
	w.use(m.style)
	key := pdfMarker{m.shape, m.r, m.style.Fill.A != 0, m.style.Stroke.A != 0}
	name := w.markers[key]
	if name == "" {
		name = "M" + strconv.Itoa(len(w.markers))
		w.markers[key] = name
		w.externals = fmt.Appendf(w.externals, "/%s %d 0 R ", name, w.form(m))
	}
	w.add("q ")
	w.op("cm", 1, 0, 0, 1, m.x, m.y)
	w.add("/" + name + " Do Q\n")
}

// form adds the shape of a marker. It is painted with the graphics state of the page when it is
// drawn.
func (w *pdfWriter) form(m marker) int {
	shape := &pdfWriter{}
	if r, k := m.r, corner*m.r; m.shape == Circle {
		shape.op("m", r, 0)
		shape.op("c", r, k, k, r, 0, r)
		shape.op("c", -k, r, -r, k, -r, 0)
		shape.op("c", -r, -k, -k, -r, 0, -r)
		shape.op("c", k, -r, r, -k, r, 0)
		shape.add("h ")
	} else {
		shape.path(m.shape.outline(0, 0, r), true)
	}
	shape.paint(m.style)
	side := 2 * (m.r + m.style.width())
	return w.object(stream(fmt.Sprintf("/Type/XObject/Subtype/Form/BBox[-%[1]s -%[1]s %[1]s %[1]s]/Resources<<>>", num(side)), shape.content))
}

func (w *pdfWriter) path(points []Point, closed bool) {
	for i, p := range points {
		operator := "l"
		if i == 0 {
			operator = "m"
		}
		w.op(operator, p.X, p.Y)
	}
	if closed {
		w.add("h ")
	}
}

func (p polyline) pdf(w *pdfWriter) {
	s := p.style
	if !p.closed {
		s.Fill = Color{}
	}
	w.use(s)
	w.path(p.points, p.closed)
	w.paint(s)
}

func (a area) pdf(w *pdfWriter) {
	w.use(a.style)
	for _, points := range a.outlines {
		w.path(points, true)
	}
	w.paint(a.style)
}

func (c curve) pdf(w *pdfWriter) {
	w.use(c.style)
	p := c.p
	w.op("m", p[0].X, p[0].Y)
	w.op("c", p[1].X, p[1].Y, p[2].X, p[2].Y, p[3].X, p[3].Y)
	w.paint(c.style)
}

func (l label) pdf(w *pdfWriter) {
	w.use(Style{Fill: l.style.Color})
	pieces, width := []piece{{l.style.face(), l.text}}, l.style.Width(l.text)
	if l.style.foreign(l.text) {
		pieces, width = l.style.pieces(l.text), 0
		for _, p := range pieces {
			width += p.width() * l.style.Size
		}
	}
	along := 0.0
	switch l.style.Anchor {
	case Middle:
		along = -width / 2
	case End:
		along = -width
	}
	// This matrix turns characters upright, because y grows downwards on the page.
	matrix := []float64{1, 0, 0, -1, l.x + along, l.y}
	if l.style.Up {
		matrix = []float64{0, -1, -1, 0, l.x, l.y - along}
	}
	w.add("BT ")
	w.op("Tm", matrix...)
	last := -1
	for _, p := range pieces {
		for _, r := range p.text {
			i, code := w.glyph(p.face, r)
			if i != last {
				if last >= 0 {
					w.add(">Tj\n")
				}
				w.add("/F" + strconv.Itoa(i) + " " + num(l.style.Size) + " Tf <")
				last = i
			}
			w.content = fmt.Appendf(w.content, "%02x", code)
		}
	}
	w.add(">Tj ET\n")
}

func (p picture) pdf(w *pdfWriter) {
	n := len(w.objects)
	w.externals = fmt.Appendf(w.externals, "/I%d %d 0 R ", n, w.image(p.img))
	w.use(Style{Fill: Paper()})
	w.add("q ")
	w.op("cm", p.w, 0, 0, -p.h, p.x, p.y+p.h)
	w.add("/I" + strconv.Itoa(n) + " Do Q\n")
}

// image adds an image, and its opacity as a second image.
func (w *pdfWriter) image(img *image.NRGBA) int {
	width, height := img.Rect.Dx(), img.Rect.Dy()
	picture := func(width, height int, colors string, data []byte) int {
		return w.object(stream(fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8/ColorSpace%s", width, height, colors), data))
	}
	if img.Opaque() {
		if few := index(img.Pix, img.Stride, width, height, false); few != nil {
			return picture(width, height, few.colorSpace(), few.pix)
		}
		colors := make([]byte, 0, 3*width*height)
		for i := range width * height {
			p := img.Pix[i/width*img.Stride+4*(i%width):]
			colors = append(colors, p[0], p[1], p[2])
		}
		return picture(width, height, "/DeviceRGB", colors)
	}
	alpha := make([]byte, width*height)
	var one []byte // the color of all visible pixels, as long as they have only one
	same := true
	for y := range height {
		row, to := img.Pix[y*img.Stride:y*img.Stride+4*width], alpha[y*width:(y+1)*width]
		for x := range to {
			p := row[4*x : 4*x+4 : 4*x+4]
			if to[x] = p[3]; p[3] == 0 || !same {
				continue
			}
			if one == nil {
				one = p[:3]
			}
			same = p[0] == one[0] && p[1] == one[1] && p[2] == one[2]
		}
	}
	mask := fmt.Sprintf("/SMask %d 0 R", picture(width, height, "/DeviceGray", alpha))
	if one == nil {
		one = []byte{0, 0, 0}
	}
	if same {
		return picture(1, 1, "/DeviceRGB"+mask, one)
	}
	// Invisible pixels repeat the previous color, which compresses better.
	colors := make([]byte, 4*width*height)
	last := one
	for i, a := range alpha {
		if a != 0 {
			last = img.Pix[i/width*img.Stride+4*(i%width):]
		}
		copy(colors[4*i:4*i+3], last)
		colors[4*i+3] = 255
	}
	if few := index(colors, 4*width, width, height, false); few != nil {
		return picture(width, height, few.colorSpace()+mask, few.pix)
	}
	for i := range alpha {
		copy(colors[3*i:], colors[4*i:4*i+3])
	}
	return picture(width, height, "/DeviceRGB"+mask, colors[:3*len(alpha)])
}

// colorSpace returns the palette of an opaque image as a PDF color space.
func (x *indexed) colorSpace() string {
	var table []byte
	for _, c := range x.palette {
		table = append(table, c.R, c.G, c.B)
	}
	return fmt.Sprintf("[/Indexed/DeviceRGB %d<%x>]", len(x.palette)-1, table)
}

// mostGlyphs is the maximum number of characters of an embedded font.
const mostGlyphs = 255

// pdfFont is the subset of a font that a document needs: the outlines of its characters.
type pdfFont struct {
	face  *typeface
	codes map[rune]int
	runes []rune // the character with code i+1
}

// glyph returns the font and the code of a character.
func (w *pdfWriter) glyph(face *typeface, r rune) (i, code int) {
	for i, t := range w.fonts {
		if t.face != face {
			continue
		}
		if code, ok := t.codes[r]; ok {
			return i, code
		}
		if len(t.runes) < mostGlyphs {
			t.runes = append(t.runes, r)
			t.codes[r] = len(t.runes)
			return i, len(t.runes)
		}
	}
	w.fonts = append(w.fonts, &pdfFont{face: face, codes: map[rune]int{r: 1}, runes: []rune{r}})
	return len(w.fonts) - 1, 1
}

// embed adds the font and returns its number. The font is TrueType, or Type 3 if it has cubic
// outlines.
func (t *pdfFont) embed(w *pdfWriter) int {
	var widths, unicode bytes.Buffer
	for i, r := range t.runes {
		fmt.Fprintf(&widths, "%g ", math.Round(1000*t.face.width(r)))
		fmt.Fprintf(&unicode, "<%02x><", i+1)
		for _, u := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&unicode, "%04x", u)
		}
		unicode.WriteString(">\n")
	}
	// Maps codes to characters, so that text can be searched and copied.
	cmap := "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /u def /CMapType 2 def\n" +
		"1 begincodespacerange <00><ff> endcodespacerange\n"
	lines := bytes.SplitAfter(unicode.Bytes(), []byte("\n"))
	lines = lines[:len(lines)-1]
	for len(lines) > 0 {
		n := min(len(lines), 100) // the maximum size of a block
		cmap += fmt.Sprintf("%d beginbfchar\n%sendbfchar\n", n, bytes.Join(lines[:n], nil))
		lines = lines[n:]
	}
	cmap += "endcmap CMapName currentdict /CMap defineresource pop end end\n"
	meaning := w.object(stream("", []byte(cmap)))
	if number, ok := t.embedTrueType(w, widths.String(), meaning); ok {
		return number
	}
	var procs, names bytes.Buffer
	for i, r := range t.runes {
		data := fmt.Appendf(nil, "%g 0 -500 -500 1500 1500 d1\n", math.Round(1000*t.face.width(r)))
		fmt.Fprintf(&procs, "/c%d %d 0 R", i+1, w.object(stream("", t.face.outline(data, r))))
		fmt.Fprintf(&names, "/c%d", i+1)
	}
	name := t.postScript()
	descriptor := w.object(fmt.Appendf(nil, "<</Type/FontDescriptor/FontName/%s/Flags 4/ItalicAngle 0>>", name))
	return w.object(fmt.Appendf(nil, "<</Type/Font/Subtype/Type3/Name/%s/FontDescriptor %d 0 R/FontBBox[0 0 0 0]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<<%s>>"+
		"/Encoding<</Type/Encoding/Differences[1%s]>>/FirstChar 1/LastChar %d/Widths[%s]/ToUnicode %d 0 R/Resources<<>>>>",
		name, descriptor, procs.Bytes(), names.Bytes(), len(t.runes), widths.Bytes(), meaning))
}

// outline appends the filled shape of a character in thousandths of an em.
func (t *typeface) outline(b []byte, r rune) []byte {
	if s, ok := substitutes[r]; ok {
		r = s
	}
	var buf sfnt.Buffer
	t.mu.Lock()
	defer t.mu.Unlock()
	i, err := t.font.GlyphIndex(&buf, r)
	if err != nil {
		return b
	}
	segments, err := t.font.LoadGlyph(&buf, i, fixed.I(1000), &sfnt.LoadGlyphOptions{})
	if err != nil {
		return b
	}
	at := func(p fixed.Point26_6) Point { return Point{float64(p.X) / 64, -float64(p.Y) / 64} }
	write := func(operator byte, points ...Point) {
		for _, p := range points {
			b = append(strconv.AppendFloat(b, math.Round(p.X), 'f', -1, 64), ' ')
			b = append(strconv.AppendFloat(b, math.Round(p.Y), 'f', -1, 64), ' ')
		}
		b = append(b, operator, '\n')
	}
	var last Point
	for _, s := range segments {
		p, q := at(s.Args[0]), at(s.Args[1])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			write('m', p)
			last = p
		case sfnt.SegmentOpLineTo:
			write('l', p)
			last = p
		case sfnt.SegmentOpQuadTo:
			// The cubic curve that equals the quadratic one.
			a := Point{last.X + 2*(p.X-last.X)/3, last.Y + 2*(p.Y-last.Y)/3}
			c := Point{q.X + 2*(p.X-q.X)/3, q.Y + 2*(p.Y-q.Y)/3}
			write('c', a, c, q)
			last = q
		case sfnt.SegmentOpCubeTo:
			last = at(s.Args[2])
			write('c', p, q, last)
		}
	}
	return append(b, 'f')
}
