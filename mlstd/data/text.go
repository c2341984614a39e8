package data

import (
	"slices"
	"strings"
)

// TextSet holds labeled texts.
type TextSet struct {
	Name        string
	Description string
	Source      string
	License     string

	Texts   []string
	Y       []int    // the class of each text, an index into Classes
	Classes []string // the names of the classes
}

// Messages is a set of 64 short messages, half of them unwanted advertising ("spam"), half from
// friends and colleagues ("ham"). They were written for this library; their words overlap enough
// that no single word decides.
//
// Course: CORE-22, CORE-24, PROB-28.
func Messages() *TextSet {
	set := &TextSet{
		Name: "Messages", Description: "64 short messages, wanted and unwanted",
		Source: "written for this library", License: "BSD-3-Clause",
		Classes: []string{"ham", "spam"},
	}
	for _, line := range strings.Split(strings.TrimSpace(embedded("messages.txt")), "\n") {
		class, text, _ := strings.Cut(line, "\t")
		set.Texts = append(set.Texts, text)
		set.Y = append(set.Y, slices.Index(set.Classes, class))
	}
	return set
}
