package figure

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"math"
	"sync"
)

// PNG color types (RFC 2083, section 4.1.1).
const (
	trueColor   = 2
	withPalette = 3
	withAlpha   = 6
)

// encodePNG encodes an image of four bytes per pixel as PNG. It uses a palette if there are at
// most 256 colors. If an opaque image has a few more, the colors of antialiased edges are rounded
// by at most 2 of 255. Rows are not filtered: figures have large areas of one color, and choosing
// filters, as image/png does, takes longer than all other steps.
func encodePNG(pix []uint8, stride, w, h int, opaque bool) []byte {
	img := index(pix, stride, w, h, false)
	if img == nil && opaque {
		img = index(pix, stride, w, h, true)
	}
	kind, channels := withAlpha, 4
	switch {
	case img != nil:
		kind, channels = withPalette, 1
	case opaque:
		kind, channels = trueColor, 3
	}
	var out bytes.Buffer
	out.WriteString("\x89PNG\r\n\x1a\n")
	header := make([]byte, 13)
	binary.BigEndian.PutUint32(header, uint32(w))
	binary.BigEndian.PutUint32(header[4:], uint32(h))
	header[8], header[9] = 8, byte(kind)
	chunk(&out, "IHDR", header)
	if img != nil {
		var colors, alphas []byte
		transparent := false
		for _, c := range img.palette {
			colors = append(colors, c.R, c.G, c.B)
			alphas = append(alphas, c.A)
			transparent = transparent || c.A != 255
		}
		chunk(&out, "PLTE", colors)
		if transparent {
			chunk(&out, "tRNS", alphas)
		}
	}
	row := make([]byte, 1+channels*w) // the first byte means no filter
	chunk(&out, "IDAT", deflate(func(write func([]byte)) {
		for y := range h {
			switch src := pix[y*stride : y*stride+4*w]; kind {
			case withPalette:
				copy(row[1:], img.pix[y*w:(y+1)*w])
			case withAlpha:
				copy(row[1:], src)
			default:
				for x := range w {
					row[3*x+1], row[3*x+2], row[3*x+3] = src[4*x], src[4*x+1], src[4*x+2]
				}
			}
			write(row)
		}
	}))
	chunk(&out, "IEND", nil)
	return out.Bytes()
}

// withDensity adds the pixel density to a PNG, after the header (section 11.3.5.3 of PNG, third
// edition).
func withDensity(data []byte, dpi float64) []byte {
	perMeter := uint32(math.Round(dpi / 0.0254))
	const header = 8 + 25
	var density [9]byte
	binary.BigEndian.PutUint32(density[:], perMeter)
	binary.BigEndian.PutUint32(density[4:], perMeter)
	density[8] = 1 // the unit is meters
	var out bytes.Buffer
	out.Write(data[:header])
	chunk(&out, "pHYs", density[:])
	out.Write(data[header:])
	return out.Bytes()
}

// deflate compresses what fill writes.
func deflate(fill func(write func([]byte))) []byte {
	var data bytes.Buffer
	z := writers.Get().(*zlib.Writer)
	z.Reset(&data)
	// Writing to a buffer cannot fail.
	fill(func(b []byte) { _, _ = z.Write(b) })
	_ = z.Close()
	writers.Put(z)
	return data.Bytes()
}

// writers reuses the compressor's memory across figures.
var writers = sync.Pool{New: func() any {
	z, err := zlib.NewWriterLevel(nil, zlib.BestSpeed)
	if err != nil {
		panic("figure: " + err.Error()) // the level is a valid constant
	}
	return z
}}

func chunk(out *bytes.Buffer, name string, data []byte) {
	var n [4]byte
	binary.BigEndian.PutUint32(n[:], uint32(len(data)))
	out.Write(n[:])
	start := out.Len()
	out.WriteString(name)
	out.Write(data)
	binary.BigEndian.PutUint32(n[:], crc32.ChecksumIEEE(out.Bytes()[start:]))
	out.Write(n[:])
}
