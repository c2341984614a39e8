//go:build linux && (amd64 || arm64)

package native

import "unsafe"

// help runs a helper on the words.
//
//go:nosplit
func (c *Context) help(number uint32) {
	text := func(i, n int) string {
		return unsafe.String(*(**byte)(unsafe.Pointer(&c.words[i])), int(c.words[n]))
	}
	switch number {
	case HelperEqual:
		r := uintptr(0)
		if text(0, 2) == text(1, 2) {
			r = 1
		}
		c.words[0] = r
	case HelperCompare:
		r := 0
		switch x, y := text(0, 1), text(2, 3); {
		case x < y:
			r = -1
		case x > y:
			r = 1
		}
		c.words[0] = uintptr(r)
	case HelperRune:
		s := text(0, 1)
		c.words[0] = uintptr(decode(s[c.words[2]:]))
	case HelperCopy:
		copy(unsafe.Slice(*(**byte)(unsafe.Pointer(&c.words[0])), int(c.words[2])), text(1, 2))
	}
}
