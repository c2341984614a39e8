package program

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gokernel/gokernel/display"
)

func TestJoin(t *testing.T) {
	for _, c := range []struct {
		values []any
		want   string
	}{
		{[]any{3, "a"}, `3, "a"`},
		{[]any{display.Text("two\nlines"), 1}, "two\nlines\n1"},
		{[]any{nil}, "nil"},
	} {
		b, err := Join(c.values...)
		if err != nil {
			t.Fatal(err)
		}
		if got := b.Data[display.MIMEText]; got != c.want {
			t.Errorf("%v are shown as %q, want %q", c.values, got, c.want)
		}
	}
}

func TestSaveFigures(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "figures")
	SaveFigures(dir)
	defer display.SetSink(nil)
	Result(1)
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("a number has made the folder of figures: %v", err)
	}
	Result(display.SVG("<svg/>"))
	Show(display.SVG("<svg></svg>"))
	for name, want := range map[string]string{"fig-1.svg": "<svg/>", "fig-2.svg": "<svg></svg>"} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v; want %q", name, got, err, want)
		}
	}
}
