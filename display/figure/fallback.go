package figure

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Limits of the search for fonts on the machine.
const (
	mostFiles = 2000
	mostFonts = 200
)

// fontFolders returns the folders in which systems keep their fonts.
func fontFolders() []string {
	folders := []string{"/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "/Library/Fonts", `C:\Windows\Fonts`}
	if home, err := os.UserHomeDir(); err == nil {
		folders = append(folders, filepath.Join(home, ".fonts"), filepath.Join(home, ".local/share/fonts"), filepath.Join(home, "Library/Fonts"))
	}
	return folders
}

// library finds fonts for characters that the embedded font lacks.
type library struct {
	folders func() []string
	mu      sync.Mutex
	listed  bool
	files   []string // font files that have not been opened
	open    []*typeface
	of      map[rune]*typeface // nil for characters that are in no font
}

var machine = &library{folders: fontFolders}

// find returns a font that has the character, or nil.
func (l *library) find(r rune) *typeface {
	l.mu.Lock()
	defer l.mu.Unlock()
	if t, ok := l.of[r]; ok {
		return t
	}
	if !l.listed {
		l.list()
	}
	if l.of == nil {
		l.of = map[rune]*typeface{}
	}
	for _, t := range l.open {
		if t.has(r) {
			l.of[r] = t
			return t
		}
	}
	for len(l.files) > 0 && len(l.open) < mostFonts {
		name := l.files[0]
		l.files = l.files[1:]
		found := len(l.open)
		l.load(name)
		for _, t := range l.open[found:] {
			if t.has(r) {
				l.of[r] = t
				return t
			}
		}
	}
	l.of[r] = nil
	return nil
}

// list finds the font files; upright sans-serif fonts of normal weight come first.
func (l *library) list() {
	l.listed = true
	for _, folder := range l.folders() {
		// Folders that cannot be read are skipped.
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			if len(l.files) >= mostFiles {
				return filepath.SkipAll
			}
			switch strings.ToLower(filepath.Ext(path)) {
			case ".ttf", ".otf", ".ttc", ".otc":
				l.files = append(l.files, path)
			}
			return nil
		})
	}
	rank := func(path string) int {
		name := strings.ToLower(filepath.Base(path))
		n := 0
		for _, odd := range []string{"bold", "italic", "oblique", "light", "thin", "black", "serif", "mono", "condensed"} {
			if strings.Contains(strings.ReplaceAll(name, "sansserif", ""), odd) {
				n++
			}
		}
		return n
	}
	slices.SortStableFunc(l.files, func(a, b string) int { return rank(a) - rank(b) })
}

// load opens the fonts of a file. It skips files that cannot be read. The tables of a font are
// read when they are needed.
func (l *library) load(name string) {
	file, err := os.Open(name)
	if err != nil {
		return
	}
	fonts, err := sfnt.ParseCollectionReaderAt(file)
	if err != nil {
		file.Close()
		return
	}
	for i := range fonts.NumFonts() {
		if f, err := fonts.Font(i); err == nil {
			l.open = append(l.open, &typeface{font: f, advances: map[rune]float64{}})
		}
	}
}

// has reports whether the font has an outline for the character.
func (t *typeface) has(r rune) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	var buf sfnt.Buffer
	i, err := t.font.GlyphIndex(&buf, r)
	if err != nil || i == 0 {
		return false
	}
	segments, err := t.font.LoadGlyph(&buf, i, fixed.I(1000), nil)
	return err == nil && (len(segments) > 0 || unicode.IsSpace(r))
}

// piece is a part of a line that is drawn in one font, from left to right.
type piece struct {
	face *typeface
	text string
}

// pieces splits a line into the pieces in which it is drawn.
func (f Font) pieces(text string) []piece {
	own := f.face()
	var out []piece
	for _, r := range visual(text) {
		if unicode.Is(unicode.Cf, r) {
			continue // controls the layout and is not drawn
		}
		face := own
		if !own.draws(r) {
			if t := machine.find(r); t != nil {
				face = t
			}
		}
		if n := len(out); n > 0 && out[n-1].face == face {
			out[n-1].text += string(r)
			continue
		}
		out = append(out, piece{face, string(r)})
	}
	return out
}

// width returns the width of a piece in ems.
func (p piece) width() float64 {
	w := 0.0
	for _, r := range p.text {
		w += p.face.width(r)
	}
	return w
}

// draws reports whether the embedded font has the character or a substitute.
func (t *typeface) draws(r rune) bool {
	if _, ok := substitutes[r]; ok || r < 0x250 {
		return true
	}
	return t.has(r)
}

// foreign reports whether a text has characters that need another font or another order.
func (f Font) foreign(text string) bool {
	for _, r := range text {
		if r >= 0x250 && (leftward(r) || !f.face().draws(r)) {
			return true
		}
	}
	return false
}

// undrawn returns a note for the raster image about characters that are in no font. The SVG
// leaves them to the viewer.
func (f *Figure) undrawn() []op {
	var missing []rune
	for _, o := range f.ops {
		l, ok := o.(label)
		if !ok || !l.style.foreign(l.text) {
			continue
		}
		for _, r := range visual(l.text) {
			if !unicode.Is(unicode.Cf, r) && !l.style.face().draws(r) && machine.find(r) == nil && !slices.Contains(missing, r) {
				missing = append(missing, r)
			}
		}
	}
	if len(missing) == 0 {
		return nil
	}
	note := fmt.Sprintf("no font on this machine has %U", missing[0])
	if n := len(missing) - 1; n > 0 {
		note += fmt.Sprintf(" and %d more characters", n)
	}
	font := Font{Size: 9, Italic: true}
	return []op{label{4, f.H - 3, font.Fit(note, f.W-8), TextStyle{Font: font, Color: Soft()}}}
}
