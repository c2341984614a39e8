package figure

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"sync"
)

// encoder trades a little size for a lot of time.
var encoder = &png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: &encoderBuffers{}}

// encodePNG writes four bytes a pixel as PNG: with a palette when there are at
// most 256 colors, which is several times faster and smaller. Of an opaque image
// with a few more, those of antialiased edges are rounded by at most 2 of 255.
func encodePNG(pix []uint8, stride, w, h int, opaque bool, otherwise image.Image) ([]byte, error) {
	img := indexed(pix, stride, w, h, false)
	if img == nil && opaque {
		img = indexed(pix, stride, w, h, true)
	}
	var buf bytes.Buffer
	if img != nil {
		otherwise = img
	}
	if err := encoder.Encode(&buf, otherwise); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// coarse rounds a channel to a multiple of 5, which keeps 0 and 255.
var coarse = func() (t [256]uint8) {
	for i := range t {
		t[i] = uint8((i + 2) / 5 * 5)
	}
	return t
}()

// indexed gives an image with a palette, or nil when it would need more than 256
// colors.
func indexed(pix []uint8, stride, w, h int, round bool) *image.Paletted {
	const size = 1 << 12 // of the hash table; it holds at most 256 colors
	var keys [size]uint32
	var slots [size]int16 // index+1 in the palette
	var palette color.Palette
	out := image.NewPaletted(image.Rect(0, 0, w, h), nil)
	last, lastIndex := uint32(0), -1
	for y := range h {
		src := pix[y*stride : y*stride+4*w]
		dst := out.Pix[y*out.Stride : y*out.Stride+w]
		for x := range dst {
			p := src[4*x : 4*x+4 : 4*x+4]
			key := uint32(p[0])<<24 | uint32(p[1])<<16 | uint32(p[2])<<8 | uint32(p[3])
			if key == last && lastIndex >= 0 {
				dst[x] = uint8(lastIndex)
				continue
			}
			last = key
			if round {
				key = uint32(coarse[p[0]])<<24 | uint32(coarse[p[1]])<<16 | uint32(coarse[p[2]])<<8 | uint32(p[3])
			}
			i := key * 0x9e3779b1 >> 20
			for slots[i] != 0 && keys[i] != key {
				i = (i + 1) % size
			}
			if slots[i] == 0 {
				if len(palette) == 256 {
					return nil
				}
				palette = append(palette, Color{R: uint8(key >> 24), G: uint8(key >> 16), B: uint8(key >> 8), A: uint8(key)})
				keys[i], slots[i] = key, int16(len(palette))
			}
			lastIndex = int(slots[i]) - 1
			dst[x] = uint8(lastIndex)
		}
	}
	out.Palette = palette
	return out
}

// encoderBuffers keeps the encoder's memory between figures.
type encoderBuffers struct{ pool sync.Pool }

func (e *encoderBuffers) Get() *png.EncoderBuffer {
	b, _ := e.pool.Get().(*png.EncoderBuffer)
	return b
}

func (e *encoderBuffers) Put(b *png.EncoderBuffer) { e.pool.Put(b) }
