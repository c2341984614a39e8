package scope

import (
	"go/token"
	"strings"
)

// Source is the text of a cell that was evaluated.
type Source struct {
	Name   string // in positions: "cell [3]"
	Number int    // as the notebook shows it; cells that are not counted share one with the next
	Run    int    // tells cells apart for their outputs; 0 for an expression
	Text   string
	Base   token.Pos
	// Trusted exempts the cell from what a graded session refuses.
	Trusted bool
	// imports are the paths that the cell's own import declarations gave to names.
	Imports map[string]string
}

// SetImport notes an import declaration of the cell.
func (src *Source) SetImport(name, path string) {
	if src.Imports == nil {
		src.Imports = map[string]string{}
	}
	src.Imports[name] = path
}

// Slice returns what stands between two positions of the cell.
func (src *Source) Slice(start, end token.Pos) string {
	i, j := int(start-src.Base), int(end-src.Base)
	if i < 0 || j > len(src.Text) || i > j {
		return ""
	}
	return strings.TrimSpace(src.Text[i:j])
}
