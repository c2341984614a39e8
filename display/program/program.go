// Package program lets a program show values as a notebook does: text on standard output, and
// figures as files. Programs written by gokernel export call it.
package program

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/internal/wholefile"
)

// Result shows the values of the last line of a cell: next to each other, or below each other if
// a text has several lines. If a value cannot be shown, Result exits the program.
func Result(values ...any) {
	b, err := Join(values...)
	if err == nil {
		err = display.CurrentSink().Display(b)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// Show shows the values below each other. If a value cannot be shown, Show exits the program.
func Show(values ...any) {
	if err := display.Show(values...); err != nil {
		log.Fatal(err)
	}
}

// Join returns one bundle for values: the bundle of a single value, or the joined texts of several
// values. It returns the first error.
func Join(values ...any) (display.Bundle, error) {
	if len(values) == 1 {
		return display.Of(values[0])
	}
	texts := make([]string, len(values))
	for i, v := range values {
		b, err := display.Of(v)
		if err != nil {
			return b, err
		}
		texts[i], _ = b.Data[display.MIMEText].(string)
	}
	sep := ", "
	if strings.Contains(strings.Join(texts, ""), "\n") {
		sep = "\n"
	}
	return display.Text(strings.Join(texts, sep)), nil
}

// SaveFigures saves the figures that the program shows from now on as files in a folder: fig-1.svg
// and so on. The folder is created for the first figure. Images are saved as PNG. The program still
// prints the text of each figure.
func SaveFigures(dir string) { display.SetSink(&figures{Sink: display.TextSink(os.Stdout), dir: dir}) }

// figures is a sink that saves figures.
type figures struct {
	display.Sink
	dir string

	mu sync.Mutex
	n  int
}

// formats are the formats for figures, in order of preference.
var formats = []struct{ mime, ext string }{
	{display.MIMESVG, "svg"}, {display.MIMEPNG, "png"}, {display.MIMEJPEG, "jpg"}, {display.MIMEGIF, "gif"},
}

func (f *figures) Display(b display.Bundle) error {
	if err := f.save(b); err != nil {
		return err
	}
	return f.Sink.Display(b)
}

func (f *figures) save(b display.Bundle) error {
	for _, format := range formats {
		var data []byte
		switch v := b.Data[format.mime].(type) {
		case string:
			data = []byte(v)
		case []byte:
			data = v
		default:
			continue
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		if err := os.MkdirAll(f.dir, 0o777); err != nil {
			return err
		}
		f.n++
		return wholefile.Write(filepath.Join(f.dir, fmt.Sprintf("fig-%d.%s", f.n, format.ext)), data)
	}
	return nil
}
