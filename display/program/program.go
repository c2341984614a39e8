// Package program lets a program show values as a notebook does: their text on
// standard output, and figures as files. What gokernel export writes calls it.
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

// Result shows the values of the last line of a cell: one as it is, several beside
// each other, or below each other where one has several lines. A value that cannot be
// shown ends the program.
func Result(values ...any) {
	b, err := Join(values...)
	if err == nil {
		err = display.CurrentSink().Display(b)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// Show shows the values below each other. One that cannot be shown ends the program.
func Show(values ...any) {
	if err := display.Show(values...); err != nil {
		log.Fatal(err)
	}
}

// Join makes one bundle of values: of one value its own, of several their texts. The
// error is that of the first value that cannot be shown.
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

// SaveFigures lets the figures that the program shows from here on become files of a
// folder, fig-1.svg and so on, which is made when there is one. Pictures become PNG
// files. Their text is printed anyway.
func SaveFigures(dir string) { display.SetSink(&figures{Sink: display.TextSink(os.Stdout), dir: dir}) }

// figures is a sink that saves figures.
type figures struct {
	display.Sink
	dir string

	mu sync.Mutex
	n  int
}

// formats are those in which a figure is saved, the best first.
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
