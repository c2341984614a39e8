package figure_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display/figure"
)

type drawn struct{ err error }

func (d drawn) Figure() (*figure.Figure, error) {
	f := figure.New(200, 100)
	f.Label(10, 20, "saved", figure.TextStyle{Font: figure.Font{Size: 12}, Color: figure.Ink()})
	return f, d.err
}

// wide is a figure whose pixels are too many at a high resolution.
type wide struct{}

func (wide) Figure() (*figure.Figure, error) { return figure.New(3000, 3000), nil }

func TestSave(t *testing.T) {
	dir := t.TempDir()
	for name, head := range map[string]string{"a.svg": "<svg", "b.PNG": "\x89PNG", "c.pdf": "%PDF"} {
		path := filepath.Join(dir, name)
		if err := figure.Save(drawn{}, path); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil || !strings.HasPrefix(string(data), head) {
			t.Errorf("%s begins with %.10q: %v", name, data, err)
		}
	}
	file, err := os.Open(filepath.Join(dir, "b.PNG"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if img, err := png.DecodeConfig(file); err != nil || img.Width < 200 {
		t.Errorf("%d pixels: %v", img.Width, err)
	}
	for path, want := range map[string]string{
		"plain":                                "must end in .svg",
		"a.jpeg":                               "must end in .svg",
		filepath.Join(dir, "nowhere", "a.svg"): "no such file",
	} {
		if err := figure.Save(drawn{}, path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	broken := filepath.Join(dir, "broken.svg")
	if err := figure.Save(drawn{errors.New("no data")}, broken); err == nil {
		t.Error("a figure that cannot be drawn was saved")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 3 {
		t.Errorf("%d files: %v", len(left), err)
	}
}

// TestSaveDPI: a PNG has the requested pixels per inch, and says so in its header.
func TestSaveDPI(t *testing.T) {
	dir := t.TempDir()
	for dpi, want := range map[float64]struct{ width, perMeter int }{96: {200, 3780}, 192: {400, 7559}, 600: {1250, 23622}} {
		path := filepath.Join(dir, "a.png")
		if err := figure.SaveDPI(drawn{}, path, dpi); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.DecodeConfig(bytes.NewReader(data))
		if err != nil || img.Width != want.width || img.Height < want.width/2 || img.Height > want.width/2+1 {
			t.Errorf("at %g dpi, the PNG has %d×%d pixels: %v", dpi, img.Width, img.Height, err)
		}
		// Section 11.3.5.3 of PNG (third edition): the pixels per meter are after the name pHYs.
		at := bytes.Index(data, []byte("pHYs"))
		if got := int(binary.BigEndian.Uint32(data[at+4:])); got != want.perMeter {
			t.Errorf("at %g dpi, the PNG has %d pixels per meter, want %d", dpi, got, want.perMeter)
		}
	}
	for want, err := range map[string]error{
		".svg files have no pixels":                                     figure.SaveDPI(drawn{}, "a.svg", 300),
		".pdf files have no pixels":                                     figure.SaveDPI(drawn{}, "a.PDF", 300),
		"the pixels per inch must be between 24 and 2400, got 10":       figure.SaveDPI(drawn{}, "a.png", 10),
		"each side must be between 16 and 8192 pixels, got 37500×37500": figure.SaveDPI(wide{}, "a.png", 2400),
		"must end in .svg, .png or .pdf":                                figure.SaveDPI(drawn{}, "a.gif", 300),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := os.Stat("a.png"); err == nil {
		t.Error("a file was written in spite of an error")
	}
}
