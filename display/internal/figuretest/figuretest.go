// Package figuretest checks rendered figures: that their SVG keeps to the subset
// that every frontend leaves intact, that their PDF is valid, and that they look as they did
// before.
package figuretest

import (
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gokernel/gokernel/display"
)

var update = flag.Bool("update", false, "write the golden files again")

// attributes lists the attributes that each element of the SVG subset can have.
var attributes = map[string]string{
	"svg":    "xmlns xlink width height viewBox font-family role aria-labelledby",
	"title":  "id",
	"desc":   "id",
	"g":      "fill fill-opacity stroke stroke-opacity stroke-width stroke-dasharray stroke-linejoin font-size font-weight font-style text-anchor",
	"rect":   "x y width height rx fill",
	"circle": "cx cy r",
	"path":   "d",
	"text":   "x y transform textLength lengthAdjust",
	"image":  "x y width height preserveAspectRatio href",
}

// CheckSVG returns an error if an SVG document is outside the subset: no style sheets, style
// attributes, clipping, references or scripts, and an opaque background before anything else. The
// document must be an image with a title and, optionally, a description.
func CheckSVG(doc string) error {
	dec := xml.NewDecoder(strings.NewReader(doc))
	n := 0
	var width, height, named string
	var ids []string
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			switch {
			case n == 0:
				return errors.New("the SVG is empty")
			case len(ids) == 0 || strings.Join(ids, " ") != named:
				return fmt.Errorf("the SVG is named by %q; its title and description are %q", named, ids)
			}
			return nil
		}
		if err != nil {
			return fmt.Errorf("the SVG is not well-formed: %w", err)
		}
		e, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		allowed, ok := attributes[e.Name.Local]
		if !ok {
			return fmt.Errorf("element <%s> is not allowed in figures", e.Name.Local)
		}
		get := map[string]string{}
		for _, a := range e.Attr {
			get[a.Name.Local] = a.Value
			if !strings.Contains(" "+allowed+" ", " "+a.Name.Local+" ") {
				return fmt.Errorf("attribute %s of <%s> is not allowed in figures", a.Name.Local, e.Name.Local)
			}
			if a.Name.Local != "href" && strings.Contains(a.Value, "NaN") || a.Name.Local != "href" && strings.Contains(a.Value, "Inf") {
				return fmt.Errorf("attribute %s of <%s> is %.60q", a.Name.Local, e.Name.Local, a.Value)
			}
		}
		if e.Name.Local == "image" && !strings.HasPrefix(get["href"], "data:image/png;base64,") {
			return errors.New("an <image> refers to something outside the document")
		}
		if e.Name.Local == "title" || e.Name.Local == "desc" {
			ids = append(ids, get["id"])
			continue
		}
		switch n {
		case 0:
			width, height, named = get["width"], get["height"], get["aria-labelledby"]
			if get["role"] != "img" {
				return fmt.Errorf("the role of the SVG is %q", get["role"])
			}
		case 1:
			if e.Name.Local != "rect" || get["width"] != width || get["height"] != height || get["fill"] != "#ffffff" {
				return errors.New("the SVG does not start with an opaque background")
			}
		}
		n++
	}
}

var (
	pdfObject    = regexp.MustCompile(`^(\d+) 0 obj\n`)
	pdfReference = regexp.MustCompile(`(\d+) 0 R`)
	pdfLength    = regexp.MustCompile(`/Filter/FlateDecode/Length (\d+)>>stream\n`)
)

// CheckPDF returns an error if a PDF document written by package figure is invalid. The
// cross-reference table must have the offsets of the objects, and references must name existing
// objects. Streams must be readable, have the stated length, and contain only valid PDF numbers.
func CheckPDF(doc []byte) error {
	if !bytes.HasPrefix(doc, []byte("%PDF-1.4\n")) {
		return errors.New("the PDF has no header")
	}
	at := bytes.LastIndex(doc, []byte("startxref\n"))
	if at < 0 {
		return errors.New("the PDF has no startxref")
	}
	var start, n int
	if _, err := fmt.Sscanf(string(doc[at:]), "startxref\n%d\n%%%%EOF\n", &start); err != nil || start >= at {
		return fmt.Errorf("the end of the PDF is %q", doc[at:])
	}
	if _, err := fmt.Sscanf(string(doc[start:at]), "xref\n0 %d\n", &n); err != nil || n < 2 {
		return fmt.Errorf("the table of the PDF's objects begins with %.20q", doc[start:at])
	}
	table := bytes.Split(doc[start:at], []byte("\n"))[3:]
	for i := 1; i < n; i++ {
		var offset int
		if _, err := fmt.Sscanf(string(table[i-1]), "%010d 00000 n ", &offset); err != nil || offset >= start {
			return fmt.Errorf("entry %d of the PDF's table is %q", i, table[i-1])
		}
		object := doc[offset:start]
		if m := pdfObject.FindSubmatch(object); m == nil || string(m[1]) != strconv.Itoa(i) {
			return fmt.Errorf("object %d of the PDF must begin at offset %d, got %.20q", i, offset, object)
		}
		head := object[:bytes.IndexByte(object, '\n')+1]
		object = object[len(head):]
		dictionary := object
		if m := pdfLength.FindSubmatchIndex(object); m != nil && m[0] < bytes.Index(object, []byte("endobj")) {
			length, err := strconv.Atoi(string(object[m[2]:m[3]]))
			if err != nil || m[1]+length > len(object) || !bytes.HasPrefix(object[m[1]+length:], []byte("\nendstream\nendobj\n")) {
				return fmt.Errorf("the stream of object %d of the PDF does not end where it says", i)
			}
			z, err := zlib.NewReader(bytes.NewReader(object[m[1] : m[1]+length]))
			if err != nil {
				return fmt.Errorf("object %d of the PDF: %w", i, err)
			}
			content, err := io.ReadAll(z)
			if err != nil {
				return fmt.Errorf("object %d of the PDF: %w", i, err)
			}
			dictionary = object[:m[0]]
			if !bytes.Contains(dictionary, []byte("/Image")) && (bytes.Contains(content, []byte("NaN")) || bytes.Contains(content, []byte("Inf"))) {
				return fmt.Errorf("object %d of the PDF has a number that is not finite", i)
			}
		} else if end := bytes.Index(object, []byte("\nendobj\n")); end >= 0 {
			dictionary = object[:end]
		} else {
			return fmt.Errorf("object %d of the PDF does not end", i)
		}
		for _, m := range pdfReference.FindAllSubmatch(dictionary, -1) {
			if k, err := strconv.Atoi(string(m[1])); err != nil || k < 1 || k >= n {
				return fmt.Errorf("object %d of the PDF refers to %s, which is not there", i, m[0])
			}
		}
	}
	return nil
}

// Check renders a figure and compares it with the golden files testdata/<name>.svg, .txt and
// .cells. SVG and text must be equal. The .cells file has the mean colors of a coarse grid over the
// PNG, which may differ a little, since rounding differs between processors. A figure that also has
// testdata/<name>.png is compared with it pixel by pixel: use such files only to test the
// rasterizer, since they make every clone larger. With -update, Check writes the files instead, but
// a PNG only if the file exists. It also checks that the bundle is complete, that the SVG is in the
// subset, that the PDF can be read, and that a second rendering produces the same bytes.
func Check(t *testing.T, name string, d display.Displayer) {
	t.Helper()
	b, err := d.Display()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	again, err := d.Display()
	if err != nil {
		t.Fatalf("%s: second rendering: %v", name, err)
	}
	if !reflect.DeepEqual(b, again) {
		t.Errorf("%s: two renderings differ", name)
	}
	svg, _ := b.Data[display.MIMESVG].(string)
	raster, _ := b.Data[display.MIMEPNG].([]byte)
	text, _ := b.Data[display.MIMEText].(string)
	if strings.TrimSpace(text) == "" {
		t.Errorf("%s: there is no text", name)
	}
	if err := CheckSVG(svg); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if err := checkLetters(svg); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	document, _ := b.Data[display.MIMEPDF].([]byte)
	if err := CheckPDF(document); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	img, err := png.Decode(bytes.NewReader(raster))
	if err != nil {
		t.Fatalf("%s: the PNG cannot be read: %v", name, err)
	}
	alt, _ := b.Metadata[display.MIMESVG].(map[string]any)["alt"].(string)
	if len(alt) < 10 {
		t.Errorf("%s: the sentence for readers who do not see the figure is %q", name, alt)
	}
	want := map[string]any{"width": img.Bounds().Dx() / 2, "height": img.Bounds().Dy() / 2, "alt": alt}
	if diff := cmp.Diff(want, b.Metadata[display.MIMEPNG]); diff != "" {
		t.Errorf("%s: metadata of the PNG (-want +got):\n%s", name, diff)
	}
	for mime := range b.Data {
		if mime == display.MIMEHTML || mime == display.MIMEJSON {
			t.Errorf("%s: %s is in the bundle of a figure and would hide it", name, mime)
		}
	}
	base := filepath.Join("testdata", name)
	if *update {
		files := map[string][]byte{".svg": []byte(svg), ".cells": []byte(cellsOf(img).String()), ".txt": []byte(text + "\n")}
		if _, err := os.Stat(base + ".png"); err == nil {
			files[".png"] = raster
		}
		for ext, data := range files {
			if err := os.WriteFile(base+ext, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	compareText(t, base+".svg", svg)
	compareText(t, base+".txt", text+"\n")
	compareCells(t, base+".cells", img)
	golden, err := os.ReadFile(base + ".png")
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	old, err := png.Decode(bytes.NewReader(golden))
	if err != nil {
		t.Fatal(err)
	}
	// 0.1% of the pixels can differ by more than 8 of 255, because of antialiased edges.
	if share, err := difference(old, img, 8); err != nil || share > 0.001 {
		t.Errorf("%s: the picture differs from %s.png in %.2f%% of its pixels (%v); look at it and run with -update", name, base, 100*share, err)
	}
}

// leastLetters is the minimum height, in CSS pixels, of letters in printed figures.
const leastLetters = 9

var letters = regexp.MustCompile(` font-size="([0-9.]+)"`)

// checkLetters returns an error if letters are too small to read. Subscripts and superscripts can
// be 0.7 times as high as other letters.
func checkLetters(svg string) error {
	sizes := map[float64]bool{}
	for _, m := range letters.FindAllStringSubmatch(svg, -1) {
		size, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return err
		}
		sizes[size] = true
	}
	for small := range sizes {
		script := false
		for size := range sizes {
			script = script || size >= leastLetters && size*0.7-small < 0.01 && small-size*0.7 < 0.01
		}
		if small < leastLetters && !script {
			return fmt.Errorf("letters are %g pixels high; %d can be read", small, leastLetters)
		}
	}
	return nil
}

func compareText(t *testing.T, file, got string) {
	t.Helper()
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (run the test with -update to write it)", err)
	}
	if old := string(want); old != got && unpacked(old) != unpacked(got) {
		diff := cmp.Diff(strings.Split(old, "\n"), strings.Split(got, "\n"))
		if len(diff) > 2000 {
			diff = diff[:2000] + "…"
		}
		t.Errorf("%s (-want +got), -update writes it again:\n%s", file, diff)
	}
}

var embedded = regexp.MustCompile(`data:image/png;base64,[A-Za-z0-9+/=]+`)

// unpacked replaces the encoded images inside an SVG by their pixels, because versions of Go
// compress differently.
func unpacked(svg string) string {
	return embedded.ReplaceAllStringFunc(svg, func(address string) string {
		_, text, _ := strings.Cut(address, ",")
		file, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return address
		}
		img, err := png.Decode(bytes.NewReader(file))
		if err != nil {
			return address
		}
		var pixels []byte
		r := img.Bounds()
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				red, green, blue, alpha := img.At(x, y).RGBA()
				pixels = append(pixels, byte(red>>8), byte(green>>8), byte(blue>>8), byte(alpha>>8))
			}
		}
		return fmt.Sprintf("%v %x", r, sha256.Sum256(pixels))
	})
}

// difference returns the fraction of pixels that differ by more than tolerance in a channel.
func difference(a, b image.Image, tolerance uint32) (float64, error) {
	if a.Bounds() != b.Bounds() {
		return 1, fmt.Errorf("sizes %v and %v", a.Bounds().Size(), b.Bounds().Size())
	}
	n, off := 0, 0
	r := a.Bounds()
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			n++
			r0, g0, b0, _ := a.At(x, y).RGBA()
			r1, g1, b1, _ := b.At(x, y).RGBA()
			for _, d := range [][2]uint32{{r0, r1}, {g0, g1}, {b0, b1}} {
				if max(d[0], d[1])-min(d[0], d[1]) > tolerance<<8 {
					off++
					break
				}
			}
		}
	}
	return float64(off) / float64(n), nil
}
