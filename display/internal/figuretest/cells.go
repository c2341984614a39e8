package figuretest

import (
	"fmt"
	"image"
	"os"
	"strings"
	"testing"
)

// Size of the grid in a .cells file.
const (
	cellColumns = 16
	cellRows    = 10
)

// mostOff is the maximum difference of a channel of a cell, out of 255. Processors round
// antialiased edges differently.
const mostOff = 2

// cells are the size of a picture and the mean colors of a coarse grid over it.
type cells struct {
	w, h int
	mean [cellRows][cellColumns][3]uint8
}

// cellsOf returns the cells of a picture.
func cellsOf(img image.Image) *cells {
	r := img.Bounds()
	c := &cells{w: r.Dx(), h: r.Dy()}
	for row := range cellRows {
		for col := range cellColumns {
			x0, x1 := r.Min.X+col*c.w/cellColumns, r.Min.X+(col+1)*c.w/cellColumns
			y0, y1 := r.Min.Y+row*c.h/cellRows, r.Min.Y+(row+1)*c.h/cellRows
			var sum [3]uint64
			for y := y0; y < y1; y++ {
				for x := x0; x < x1; x++ {
					red, green, blue, _ := img.At(x, y).RGBA()
					for i, v := range [3]uint32{red, green, blue} {
						sum[i] += uint64(v >> 8)
					}
				}
			}
			n := uint64(max(1, (x1-x0)*(y1-y0)))
			for i := range sum {
				c.mean[row][col][i] = uint8((sum[i] + n/2) / n)
			}
		}
	}
	return c
}

// String writes the size of the picture and a line for each row of cells.
func (c *cells) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d×%d\n", c.w, c.h)
	for _, row := range c.mean {
		for col, v := range row {
			if col > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(&b, "%02x%02x%02x", v[0], v[1], v[2])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// parseCells parses the output of String.
func parseCells(text string) (*cells, error) {
	c := &cells{}
	in := strings.NewReader(text)
	if _, err := fmt.Fscanf(in, "%d×%d\n", &c.w, &c.h); err != nil {
		return nil, err
	}
	for row := range c.mean {
		for col := range c.mean[row] {
			v := &c.mean[row][col]
			if _, err := fmt.Fscanf(in, "%02x%02x%02x", &v[0], &v[1], &v[2]); err != nil {
				return nil, fmt.Errorf("row %d, column %d: %w", row, col, err)
			}
			if _, err := in.ReadByte(); err != nil {
				return nil, fmt.Errorf("row %d ends after column %d", row, col)
			}
		}
	}
	return c, nil
}

// differs returns a description of the first cells that differ, or "" if none does.
func (c *cells) differs(want *cells) string {
	if c.w != want.w || c.h != want.h {
		return fmt.Sprintf("it has %d×%d pixels, want %d×%d", c.w, c.h, want.w, want.h)
	}
	var off []string
	for row := range c.mean {
		for col, got := range c.mean[row] {
			w := want.mean[row][col]
			for i := range got {
				if max(got[i], w[i])-min(got[i], w[i]) > mostOff {
					off = append(off, fmt.Sprintf("row %d, column %d is %02x, want %02x", row, col, got, w))
					break
				}
			}
		}
	}
	if len(off) > 5 {
		off = append(off[:5], fmt.Sprintf("and %d more", len(off)-5))
	}
	return strings.Join(off, "; ")
}

// compareCells compares a picture with a .cells file.
func compareCells(t *testing.T, file string, img image.Image) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (run the test with -update to write it)", err)
	}
	want, err := parseCells(string(text))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if diff := cellsOf(img).differs(want); diff != "" {
		t.Errorf("the PNG differs from %s: %s; look at the figure and run with -update", file, diff)
	}
}
