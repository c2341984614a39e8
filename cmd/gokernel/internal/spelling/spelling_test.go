package spelling

import (
	"slices"
	"testing"
)

func TestCheck(t *testing.T) {
	for text, want := range map[string][]Fault{
		"The colour of the center, recieved twice; colour again.":           {{"colour", "color"}, {"recieved", "received"}},
		"Behaviour at the beginning":                                        {{"Behaviour", "Behavior"}},
		"`colour` and $colour$ and [x](colour.md) and <i class=\"colour\">": nil,
		"$$\ncolour\n$$\n```go\ncolour\n```":                                nil,
		"COLOUR is a name":                                                  nil,
		"in the the middle":                                                 {{"the the", "the"}},
		"what it is is plain, of\nOf it":                                    {{"of of", "of"}},
		"it with in, the a":                                                 nil,
		"- A. Author. The behaviour of colour. *Journal*, 1999.":            nil,
		"k-means, Gaussian, perceptron, XOR, Rosenblatt, ε-greedy":          nil,
	} {
		got, err := Check(text)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %q, %v, want %q", text, got, err, want)
		}
	}
}

func TestList(t *testing.T) {
	list, err := words()
	if err != nil || len(list) < 25000 {
		t.Fatalf("%d words, %v", len(list), err)
	}
	for wrong, right := range list {
		if wrong == right || right == "" {
			t.Errorf("%q for %q", right, wrong)
		}
	}
}
