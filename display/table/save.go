package table

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gokernel/gokernel/internal/wholefile"
)

// Save writes the table to a file whose name ends in .html or .tex. The file contains all rows and
// columns, unless Rows, Ends or Columns selects some of them. It omits the types of the columns.
// The LaTeX needs the packages adjustbox, booktabs, longtable and xcolor. Save either writes the
// file completely or leaves it unchanged.
//
//	Table(results).Caption("Ten folds").Digits("accuracy", 3).Best("accuracy").Save("results.tex")
func (t *Table) Save(path string) error {
	encode, ok := map[string]func(*shown) string{".html": (*shown).html, ".htm": (*shown).html, ".tex": (*shown).latex}[strings.ToLower(filepath.Ext(path))]
	if !ok {
		return fmt.Errorf("table.Save: the file name must end in .html or .tex, got %q", path)
	}
	all := *t
	if !t.chosen {
		all.limit = 0
	}
	s, err := all.shownColumns(len(t.columns))
	if err != nil {
		return err
	}
	s.whole = true
	for k := range s.heads {
		s.heads[k].kind = ""
	}
	if err := wholefile.Write(path, []byte(encode(s)+"\n")); err != nil {
		return fmt.Errorf("table.Save: %w", err)
	}
	return nil
}
