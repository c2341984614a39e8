package figure

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gokernel/gokernel/internal/wholefile"
)

// enlarged returns the figure with all lengths multiplied by a factor.
func (f *Figure) enlarged(factor float64) *Figure {
	g := *f
	if g.Zoom == 0 {
		g.Zoom = 1
	}
	g.Zoom *= factor
	return &g
}

// Save draws a chart, panels, a tree or a graph to a file. The file name must end in .svg, .png or
// .pdf. Save either writes the file completely or leaves it unchanged. A read-only file is not
// overwritten.
func Save(drawn interface{ Figure() (*Figure, error) }, path string) error {
	return save(drawn, path, 0)
}

// Limits of the pixels per inch of a PNG file.
const (
	leastDPI = 24
	mostDPI  = 2400
)

// SaveDPI is like Save for a PNG file, with the given number of pixels per inch. Save writes 192
// pixels per inch.
func SaveDPI(drawn interface{ Figure() (*Figure, error) }, path string, dpi float64) error {
	switch ext := strings.ToLower(filepath.Ext(path)); {
	case ext == ".svg" || ext == ".pdf":
		return fmt.Errorf("figure.SaveDPI: %s files have no pixels; write them with Save, or a .png file with SaveDPI", ext)
	case !(dpi >= leastDPI && dpi <= mostDPI):
		return fmt.Errorf("figure.SaveDPI: the pixels per inch must be between %d and %d, got %g", leastDPI, mostDPI, dpi)
	}
	return save(drawn, path, dpi)
}

// save writes a file; dpi is 0 for the usual number of pixels per inch of a PNG.
func save(drawn interface{ Figure() (*Figure, error) }, path string, dpi float64) error {
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
	if dpi > 0 {
		f = f.enlarged(dpi / usualDPI)
	}
	if err := f.checkSize(); err != nil {
		return err
	}
	if dpi > 0 {
		encode = func(f *Figure) []byte { return f.png(dpi) }
	}
	if err := wholefile.Write(path, encode(f)); err != nil {
		return fmt.Errorf("figure.Save: %w", err)
	}
	return nil
}
