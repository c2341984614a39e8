package figure

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gokernel/gokernel/internal/wholefile"
)

// Save draws a chart, panels, a tree or a graph to a file. The file name must end in .svg, .png or
// .pdf. Save either writes the file completely or leaves it unchanged. A read-only file is not
// overwritten.
func Save(drawn interface{ Figure() (*Figure, error) }, path string) error {
	encode, ok := map[string]func(*Figure) []byte{
		".svg": func(f *Figure) []byte { return []byte(f.SVG()) },
		".png": (*Figure).PNG,
		".pdf": (*Figure).PDF,
	}[strings.ToLower(filepath.Ext(path))]
	if !ok {
		return fmt.Errorf("figure.Save: the file name must end in .svg, .png or .pdf, got %q", path)
	}
	f, err := drawn.Figure()
	if err != nil {
		return err
	}
	if err := f.checkSize(); err != nil {
		return err
	}
	if err := wholefile.Write(path, encode(f)); err != nil {
		return fmt.Errorf("figure.Save: %w", err)
	}
	return nil
}
