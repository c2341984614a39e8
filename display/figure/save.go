package figure

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Save draws a chart, panels, a tree or a graph into a file, whose name ends in .svg,
// .png or .pdf. The file is there as a whole or not at all.
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
	file, err := os.CreateTemp(filepath.Dir(path), ".figure-*")
	if err != nil {
		return fmt.Errorf("figure.Save: %w", err)
	}
	defer os.Remove(file.Name()) // gone already when all went well
	_, err = file.Write(encode(f))
	if err == nil {
		err = file.Chmod(0o644)
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("figure.Save: %w", err)
	}
	return nil
}
