package figuretest

import (
	"image"
	"image/color"
	"strings"
	"testing"
)

// picture returns a white image with a black square.
func picture(x0, y0, side int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, 320, 200))
	for y := range 200 {
		for x := range 320 {
			img.Set(x, y, color.White)
			if x >= x0 && x < x0+side && y >= y0 && y < y0+side {
				img.Set(x, y, color.Black)
			}
		}
	}
	return img
}

func TestCells(t *testing.T) {
	c := cellsOf(picture(100, 100, 20)) // column 5, row 5: 20 pixels a side each
	if got := c.mean[5][5]; got != [3]uint8{} {
		t.Errorf("the black cell is %v", got)
	}
	if got := c.mean[5][6]; got != [3]uint8{255, 255, 255} {
		t.Errorf("its neighbor is %v", got)
	}
	back, err := parseCells(c.String())
	if err != nil || *back != *c {
		t.Errorf("reading what String writes gives %v, %v", back, err)
	}
	if diff := c.differs(back); diff != "" {
		t.Errorf("a picture differs from itself: %s", diff)
	}
	// Another pixel is rounding, a column of pixels is not.
	if diff := cellsOf(picture(100, 100, 20)).differs(cellsOf(picture(101, 100, 20))); !strings.Contains(diff, "row 5, column 5") {
		t.Errorf("a square that has moved by a pixel: %q", diff)
	}
	one := picture(100, 100, 20)
	one.Set(100, 100, color.White)
	if diff := cellsOf(one).differs(c); diff != "" {
		t.Errorf("a single pixel differs: %s", diff)
	}
	if _, err := parseCells("320×200\n000000 0000"); err == nil {
		t.Error("a file that is cut off can be read")
	}
}
