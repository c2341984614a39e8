package figure

import (
	"slices"
	"testing"
)

func TestVisual(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"abc (1)", "abc (1)"},
		{"שלום", "םולש"},
		{"שלום 12", "12 םולש"},
		{"שלום (א)", "(א) םולש"},
		{"x שלום y", "x םולש y"},
		{"مرحبا", "\ufe8e\ufe92\ufea3\ufeae\ufee3"}, // mim initial, ra final, hah initial, beh medial, alef final
		{"لا", "\ufefb"},
		{"بلا", "\ufefc\ufe91"},
		{"دار", "\ufead\ufe8d\ufea9"}, // letters that do not join the next one
	} {
		if got := visual(c.text); !slices.Equal(got, []rune(c.want)) {
			t.Errorf("visual(%q) = %q, want %q", c.text, string(got), c.want)
		}
	}
}

// TestJoining compares the first and last entries of the table with the Unicode block.
func TestJoining(t *testing.T) {
	for letter, want := range map[rune]rune{'ء': 0xfe80, 'ا': 0xfe8d, 'ة': 0xfe93, 'د': 0xfea9, 'س': 0xfeb1, 'غ': 0xfecd, 'ف': 0xfed1, 'ل': 0xfedd, 'و': 0xfeed, 'ي': 0xfef1} {
		if got := joining[letter].first; got != want {
			t.Errorf("the first form of %c is %x, want %x", letter, got, want)
		}
	}
}
