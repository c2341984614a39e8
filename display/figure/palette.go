package figure

// coarse rounds a channel to a multiple of 5, which preserves 0 and 255.
var coarse = func() (t [256]uint8) {
	for i := range t {
		t[i] = uint8((i + 2) / 5 * 5)
	}
	return t
}()

// indexed is an image with a palette of at most 256 colors.
type indexed struct {
	pix     []uint8
	palette []Color
}

// index returns an image of four bytes per pixel with a palette, or nil if it has too many colors.
// If round is true, channels are rounded by at most 2 of 255.
func index(pix []uint8, stride, w, h int, round bool) *indexed {
	const size = 1 << 12 // size of the hash table, which holds at most 256 colors
	var keys [size]uint32
	var slots [size]int16 // index+1 in the palette
	out := &indexed{pix: make([]uint8, w*h)}
	last, lastIndex := uint32(0), -1
	for y := range h {
		src := pix[y*stride : y*stride+4*w]
		dst := out.pix[y*w : (y+1)*w]
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
				if len(out.palette) == 256 {
					return nil
				}
				out.palette = append(out.palette, Color{R: uint8(key >> 24), G: uint8(key >> 16), B: uint8(key >> 8), A: uint8(key)})
				keys[i], slots[i] = key, int16(len(out.palette))
			}
			lastIndex = int(slots[i]) - 1
			dst[x] = uint8(lastIndex)
		}
	}
	return out
}
