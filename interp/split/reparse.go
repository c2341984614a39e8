package split

import "go/ast"

// Reparse parses one top-level declaration of a cell again, from its text and with its original
// positions.
func Reparse(c *Cell, start, end int) (*ast.File, []Error) {
	text := append([]byte(nil), c.Src...)
	blank(text, 0, start)
	blank(text, end, len(text))
	return c.parse(filePrefix, text, "", 0)
}
