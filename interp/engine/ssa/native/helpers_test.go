package native

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

func TestDecode(t *testing.T) {
	check := func(s string) {
		r, n := utf8.DecodeRuneInString(s)
		if got, want := decode(s), uint64(r)|uint64(n)<<32; got != want {
			t.Errorf("decode(%+q) = %#x, want %#x", s, got, want)
		}
	}
	for r := range rune(utf8.MaxRune + 0x1000) {
		check(string(r) + "x")
	}
	random := rand.New(rand.NewPCG(1, 2))
	edges := []byte{0, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xf7, 0xf8, 0xff}
	for range 200_000 {
		b := make([]byte, 1+random.IntN(4))
		for i := range b {
			b[i] = edges[random.IntN(len(edges))]
		}
		check(string(b))
	}
}
