package scope

import (
	"go/token"
	"strings"
)

// Source is the text of an evaluated cell.
type Source struct {
	Name   string // name in positions: "cell [3]"
	Number int    // number in the notebook; uncounted cells have the number of the next cell
	Run    int    // identifies cells for their outputs; 0 for an expression
	Text   string
	Base   token.Pos
	// Trusted exempts the cell from the restrictions of a graded session.
	Trusted bool
	// Imports maps names to the paths in the cell's own import declarations.
	Imports map[string]string
}

// SetImport records an import declaration of the cell.
func (src *Source) SetImport(name, path string) {
	if src.Imports == nil {
		src.Imports = map[string]string{}
	}
	src.Imports[name] = path
}

// Slice returns the text between two positions of the cell.
func (src *Source) Slice(start, end token.Pos) string {
	i, j := int(start-src.Base), int(end-src.Base)
	if i < 0 || j > len(src.Text) || i > j {
		return ""
	}
	return strings.TrimSpace(src.Text[i:j])
}
