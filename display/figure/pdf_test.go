package figure_test

import (
	"bytes"
	"compress/zlib"
	"image"
	"image/color"
	"image/png"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/figuretest"
)

// streams returns the contents of the streams of a PDF document.
func streams(t *testing.T, doc []byte) string {
	t.Helper()
	var out strings.Builder
	for _, part := range bytes.Split(doc, []byte(">>stream\n"))[1:] {
		z, err := zlib.NewReader(bytes.NewReader(part))
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(content)
	}
	return out.String()
}

func TestPDFOfManyCharacters(t *testing.T) {
	f := figure.New(400, 300)
	style := figure.TextStyle{Font: figure.Font{Size: 10}, Color: figure.Ink()}
	wanted := map[rune]bool{}
	for r := 'Ā'; len(wanted) < 600; r++ {
		wanted[r] = true
		f.Label(10, 10, string(r), style)
		f.Label(10, 20, string(r), style) // the second time, the outline exists
	}
	f.Label(10, 30, "𝒳", style) // needs more than 16 bits
	wanted['𝒳'] = true
	doc := f.PDF()
	if err := figuretest.CheckPDF(doc); err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`/FontDescriptor/FontName/[A-Z]{6}\+[A-Za-z0-9-]+/`).FindAll(doc, -1)
	n := bytes.Count(doc, []byte("/Type/Font/Subtype/"))
	if len(named) != n || bytes.Count(doc, []byte("/Subtype/TrueType/BaseFont/")) < 3 {
		t.Errorf("of %d fonts %d have a name: %q", n, len(named), named)
	}
	if n < 3 {
		t.Errorf("%d fonts hold %d characters, want 3 or more of at most 255, with those of the machine", n, len(wanted))
	}
	meanings := regexp.MustCompile(`(?m)^<[0-9a-f]{2}><[0-9a-f]+>$`).FindAllString(streams(t, doc), -1)
	// The note about characters without a font has other characters.
	if len(meanings) < len(wanted) {
		t.Errorf("%d characters say what they mean, want %d", len(meanings), len(wanted))
	}
	if !strings.Contains(strings.Join(meanings, ""), "<d835dcb3>") {
		t.Error("the character beyond 16 bits has no meaning")
	}
}

func TestPDFKeepsPictures(t *testing.T) {
	for name, tt := range map[string]struct {
		at   func(x, y int) color.NRGBA
		want []string
	}{
		"one color": {func(x, y int) color.NRGBA { return color.NRGBA{200, 10, 10, uint8(x)} }, []string{"/Width 1/Height 1", "/SMask"}},
		"few":       {func(x, y int) color.NRGBA { return color.NRGBA{uint8(x), 0, 0, 255} }, []string{"/Indexed"}},
		"many":      {func(x, y int) color.NRGBA { return color.NRGBA{uint8(x), uint8(y), 7, 255} }, []string{"/Width 40/Height 40/BitsPerComponent 8/ColorSpace/DeviceRGB"}},
	} {
		img := image.NewNRGBA(image.Rect(0, 0, 40, 40))
		for y := range 40 {
			for x := range 40 {
				img.SetNRGBA(x, y, tt.at(x, y))
			}
		}
		f := figure.New(100, 100)
		f.Picture(10, 10, 20, 20, img)
		doc := f.PDF()
		if err := figuretest.CheckPDF(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, w := range tt.want {
			if !bytes.Contains(doc, []byte(w)) {
				t.Errorf("%s: the document has no %s", name, w)
			}
		}
	}
}

// TestPNGSaysItsDensity checks the density: two pixels per CSS pixel are 192 per inch.
func TestPNGSaysItsDensity(t *testing.T) {
	data := figure.New(30, 20).PNG()
	want := []byte{0, 0, 0, 9, 'p', 'H', 'Y', 's', 0, 0, 0x1d, 0x87, 0, 0, 0x1d, 0x87, 1} // 7559 per meter
	if !bytes.Equal(data[33:50], want) {
		t.Errorf("after the header comes %q", data[33:50])
	}
	if _, err := png.Decode(bytes.NewReader(data)); err != nil {
		t.Error(err)
	}
}
