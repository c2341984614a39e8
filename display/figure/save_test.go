package figure_test

import (
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
