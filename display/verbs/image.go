package verbs

import (
	"fmt"
	"image"
	"os"
	"strings"

	"github.com/gokernel/gokernel/display"
)

// Image shows an image: the name of a PNG, JPEG, GIF or SVG file, the content of such a file, or
// an image.Image.
//
//	Image("picture.png")
func Image(picture any) (display.Bundle, error) {
	switch p := picture.(type) {
	case string:
		data, err := os.ReadFile(p)
		if err != nil {
			return display.Bundle{}, err
		}
		b, err := encoded(data)
		if err != nil {
			return display.Bundle{}, fmt.Errorf("Image: %s: %w", p, err)
		}
		return b, nil
	case []byte:
		b, err := encoded(p)
		if err != nil {
			return display.Bundle{}, fmt.Errorf("Image: %w", err)
		}
		return b, nil
	case image.Image:
		return display.Image(p)
	}
	return display.Bundle{}, fmt.Errorf("Image: the picture must be a file name, the content of a file or an image.Image, got %T", picture)
}

// encoded shows the content of a file.
func encoded(data []byte) (display.Bundle, error) {
	if head := string(data[:min(len(data), 1024)]); strings.Contains(head, "<svg") {
		return display.SVG(string(data)), nil
	}
	return display.PNG(data)
}
