package figure

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gokernel/gokernel/internal/wholefile"
)

// Save draws a chart, panels, a tree or a graph into a file, whose name ends in .svg,
// .png or .pdf. The file is written wholly or left as it was; one that is read-only
// is not written over.
func Save(drawn interface{ Figure() (*Figure, error) }, path string) error {
	encode, ok := map[string]func(*Figure) []byte{
		".svg": func(f *Figure) []byte { return []byte(f.SVG()) },
		".png": (*Figure).PNG,
		".pdf": (*Figure).PDF,
	}[strings.ToLower(filepath.Ext(path))]
	if !ok {
		return fmt.Errorf("figure.Save: the name %q does not say how to draw; end it in .svg, .png or .pdf", path)
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
