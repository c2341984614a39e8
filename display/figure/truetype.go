package figure

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"path/filepath"
	"strings"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// glyphShape is the outline of a character in font units. It has contours of points; points that
// are off the curve are control points of quadratic curves.
type glyphShape struct {
	contours [][]glyphPoint
	advance  int
}

type glyphPoint struct {
	x, y int16
	on   bool
}

// shape returns the outline of a character. It returns false for cubic curves, which TrueType
// does not have.
func (t *typeface) shape(r rune) (g glyphShape, ok bool) {
	advance := t.width(r)
	if s, found := substitutes[r]; found {
		r = s
	}
	var buf sfnt.Buffer
	t.mu.Lock()
	defer t.mu.Unlock()
	units := int(t.font.UnitsPerEm())
	g.advance = int(math.Round(advance * float64(units)))
	i, err := t.font.GlyphIndex(&buf, r)
	if err != nil {
		return g, false
	}
	segments, err := t.font.LoadGlyph(&buf, i, fixed.I(units), nil)
	if err != nil {
		return g, false
	}
	at := func(p fixed.Point26_6, on bool) glyphPoint {
		return glyphPoint{int16(p.X.Round()), int16(-p.Y.Round()), on}
	}
	for _, s := range segments {
		n := len(g.contours) - 1
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			g.contours = append(g.contours, []glyphPoint{at(s.Args[0], true)})
		case sfnt.SegmentOpLineTo:
			g.contours[n] = append(g.contours[n], at(s.Args[0], true))
		case sfnt.SegmentOpQuadTo:
			g.contours[n] = append(g.contours[n], at(s.Args[0], false), at(s.Args[1], true))
		default:
			return g, false
		}
	}
	for i, c := range g.contours {
		// A contour is closed, so its last point need not repeat the first.
		if n := len(c); n > 1 && c[n-1] == c[0] {
			g.contours[i] = c[:n-1]
		}
	}
	return g, true
}

// bounds returns the minimum and maximum coordinates.
func (g glyphShape) bounds() (x0, y0, x1, y1 int16) {
	first := true
	for _, c := range g.contours {
		for _, p := range c {
			if first {
				x0, y0, x1, y1, first = p.x, p.y, p.x, p.y, false
			}
			x0, y0, x1, y1 = min(x0, p.x), min(y0, p.y), max(x1, p.x), max(y1, p.y)
		}
	}
	return x0, y0, x1, y1
}

// encode encodes the outline as an entry of the table glyf.
func (g glyphShape) encode() []byte {
	if len(g.contours) == 0 {
		return nil
	}
	var out, flags, xs, ys bytes.Buffer
	be := func(to *bytes.Buffer, v ...int16) {
		for _, x := range v {
			to.WriteByte(byte(uint16(x) >> 8))
			to.WriteByte(byte(x))
		}
	}
	x0, y0, x1, y1 := g.bounds()
	be(&out, int16(len(g.contours)), x0, y0, x1, y1)
	n := 0
	var last glyphPoint
	for _, c := range g.contours {
		n += len(c)
		be(&out, int16(n-1))
		for _, p := range c {
			flag := byte(0)
			if p.on {
				flag = 1
			}
			flags.WriteByte(flag)
			be(&xs, p.x-last.x)
			be(&ys, p.y-last.y)
			last = p
		}
	}
	be(&out, 0) // no instructions
	out.Write(flags.Bytes())
	out.Write(xs.Bytes())
	out.Write(ys.Bytes())
	for out.Len()%4 != 0 {
		out.WriteByte(0)
	}
	return out.Bytes()
}

// trueType returns a font of the characters in OpenType format, with the tables that PDF
// requires. The i-th character has the code i+1. It returns false if the font cannot contain one
// of the characters.
func (t *typeface) trueType(runes []rune) (data []byte, box [4]int16, ok bool) {
	shapes := make([]glyphShape, 1, len(runes)+1) // the first one is the missing-character glyph
	for _, r := range runes {
		g, ok := t.shape(r)
		if !ok {
			return nil, box, false
		}
		shapes = append(shapes, g)
	}
	var glyf, loca, hmtx bytes.Buffer
	points, contours, widest := 0, 0, 0
	put := func(to *bytes.Buffer, v any) { _ = binary.Write(to, binary.BigEndian, v) } // writing to a buffer cannot fail
	for _, g := range shapes {
		put(&loca, uint32(glyf.Len()))
		glyf.Write(g.encode())
		x0, y0, x1, y1 := g.bounds()
		put(&hmtx, []int16{int16(g.advance), x0})
		box = [4]int16{min(box[0], x0), min(box[1], y0), max(box[2], x1), max(box[3], y1)}
		n := 0
		for _, c := range g.contours {
			n += len(c)
		}
		points, contours, widest = max(points, n), max(contours, len(g.contours)), max(widest, g.advance)
	}
	put(&loca, uint32(glyf.Len()))
	var head, hhea, maxp, cmap bytes.Buffer
	put(&head, []uint32{0x00010000, 0x00010000, 0, 0x5f0f3cf5})
	put(&head, []uint16{0b11, uint16(t.font.UnitsPerEm())})
	put(&head, [2]uint64{}) // no dates, so that the same figure produces the same bytes
	put(&head, box)
	put(&head, []int16{0, 8, 2, 1, 0})
	put(&hhea, uint32(0x00010000))
	put(&hhea, []int16{box[3], box[1], 0, int16(widest), box[0], 0, box[2], 1, 0, 0, 0, 0, 0, 0, 0, int16(len(shapes))})
	put(&maxp, uint32(0x00010000))
	put(&maxp, []uint16{uint16(len(shapes)), uint16(points), uint16(contours), 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0})
	put(&cmap, []uint16{0, 1, 1, 0, 0, 12, 0, 262, 0}) // one table of 256 codes
	for code := range 256 {
		if code > len(runes) {
			code = 0
		}
		cmap.WriteByte(byte(code))
	}
	tables := []struct {
		tag  string
		data []byte
	}{{"cmap", cmap.Bytes()}, {"glyf", glyf.Bytes()}, {"head", head.Bytes()}, {"hhea", hhea.Bytes()}, {"hmtx", hmtx.Bytes()}, {"loca", loca.Bytes()}, {"maxp", maxp.Bytes()}}
	var out, body bytes.Buffer
	put(&out, uint32(0x00010000))
	put(&out, []uint16{uint16(len(tables)), 64, 2, uint16(16*len(tables) - 64)})
	for _, table := range tables {
		out.WriteString(table.tag)
		put(&out, []uint32{sumOf(table.data), uint32(12 + 16*len(tables) + body.Len()), uint32(len(table.data))})
		body.Write(table.data)
		for body.Len()%4 != 0 {
			body.WriteByte(0)
		}
	}
	out.Write(body.Bytes())
	return out.Bytes(), box, true
}

// sumOf returns the checksum of a table.
func sumOf(data []byte) uint32 {
	sum := uint32(0)
	for i := 0; i < len(data); i += 4 {
		var word [4]byte
		copy(word[:], data[i:])
		sum += binary.BigEndian.Uint32(word[:])
	}
	return sum
}

// postScript returns the name of the font in a document. It starts with a tag of six letters that
// identifies the subset (ISO 32000-1, section 9.6.4).
func (t *pdfFont) postScript() string {
	name := strings.TrimSuffix(filepath.Base(t.face.name), filepath.Ext(t.face.name))
	name = strings.Map(func(r rune) rune {
		if r < 128 && (r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r == '-') {
			return r
		}
		return -1
	}, name)
	if name == "" {
		name = "Font"
	}
	h := fnv.New32a()
	fmt.Fprint(h, name, t.runes)
	sum, tag := h.Sum32(), make([]byte, 6)
	for i := range tag {
		tag[i] = 'A' + byte(sum%26)
		sum /= 26
	}
	return string(tag) + "+" + name
}

// embedTrueType adds the font as TrueType and returns its number, or false if that is impossible.
func (t *pdfFont) embedTrueType(w *pdfWriter, widths string, meaning int) (number int, ok bool) {
	data, box, ok := t.face.trueType(t.runes)
	if !ok {
		return 0, false
	}
	scale := 1000 / float64(t.face.font.UnitsPerEm())
	em := func(v int16) int { return int(math.Round(scale * float64(v))) }
	name := t.postScript()
	file := w.object(stream(fmt.Sprintf("/Length1 %d", len(data)), data))
	// Symbolic: the codes are those of the font itself.
	descriptor := w.object(fmt.Appendf(nil, "<</Type/FontDescriptor/FontName/%s/Flags 4/FontBBox[%d %d %d %d]/ItalicAngle 0/Ascent %d/Descent %d/CapHeight %d/StemV 80/FontFile2 %d 0 R>>",
		name, em(box[0]), em(box[1]), em(box[2]), em(box[3]), em(box[3]), em(box[1]), em(box[3]), file))
	return w.object(fmt.Appendf(nil, "<</Type/Font/Subtype/TrueType/BaseFont/%s/FirstChar 1/LastChar %d/Widths[%s]/FontDescriptor %d 0 R/ToUnicode %d 0 R>>",
		name, len(t.runes), widths, descriptor, meaning)), true
}
