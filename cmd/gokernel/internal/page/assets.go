package page

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"strings"
)

// Assets returns the files that pages of one site share, by their paths. They are the style sheet
// page.css and the script page.js, KaTeX with the script math.js, which typesets formulas,
// reveal.js for slides, and the scripts of controls and interactive charts. The licenses of
// third-party files are beside them.
func Assets() (map[string][]byte, error) {
	files := map[string][]byte{
		"page.css":       []byte(pageCSS),
		"page.js":        []byte(pageJS),
		"math.js":        []byte(mathJS),
		"frames.js":      []byte(framesJS),
		"vega/charts.js": []byte(chartsJS),
	}
	for _, from := range []fs.FS{katexFiles, vegaFiles, revealFiles} {
		found, err := read(from)
		if err != nil {
			return nil, err
		}
		maps.Copy(files, found)
	}
	css := string(files["katex/katex.min.css"])
	// Browsers that support the page support the first format of each font.
	files["katex/katex.min.css"] = []byte(fontURL().ReplaceAllString(css, `src:url(fonts/$1) format("woff2")`))
	return files, nil
}

// read returns all files of a file system, and decompresses compressed ones.
func read(from fs.FS) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := unpacked(from, name)
		files[strings.TrimSuffix(name, ".gz")] = b
		return err
	})
	return files, err
}

// unpacked returns the content of a file, decompressed according to its name.
func unpacked(from fs.FS, name string) ([]byte, error) {
	b, err := fs.ReadFile(from, name)
	if err != nil || !strings.HasSuffix(name, ".gz") {
		return b, err
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("page: %s is broken: %w", name, err)
	}
	if b, err = io.ReadAll(z); err != nil {
		return nil, fmt.Errorf("page: %s is broken: %w", name, err)
	}
	return b, nil
}
