package figure

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"codeberg.org/go-fonts/liberation/liberationsansregular"
)

// fontsIn makes a folder the only one with fonts during a test.
func fontsIn(t *testing.T, folder string) {
	t.Helper()
	before := machine
	machine = &library{folders: func() []string { return []string{folder} }}
	t.Cleanup(func() { machine = before })
}

func TestFontsOfTheMachine(t *testing.T) {
	folder := t.TempDir()
	for name, data := range map[string][]byte{"broken.ttf": []byte("no font"), "font.ttf": liberationsansregular.TTF, "readme.txt": nil} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l := &library{folders: func() []string { return []string{folder, filepath.Join(folder, "none")} }}
	if l.find('א') == nil {
		t.Error("the font in the folder has aleph, but it was not found")
	}
	if l.find('北') != nil {
		t.Error("no font in the folder has 北, but one was found")
	}
}

// TestUndrawnCharactersAreSaidOnce counts the notes on a figure with several texts that no font
// can draw.
func TestUndrawnCharactersAreSaidOnce(t *testing.T) {
	fontsIn(t, t.TempDir())
	f := New(300, 100)
	f.Label(10, 20, "Größe −1 שלום", TextStyle{Font: Font{Size: 11}, Color: Ink()})
	if got := f.undrawn(); got != nil {
		t.Errorf("a note about a character of the embedded font: %v", got)
	}
	plain := f.PDF()
	for range 2 {
		f.Label(10, 40, "北京 東京", TextStyle{Font: Font{Size: 11}, Color: Ink()})
	}
	got := f.undrawn()
	if len(got) != 1 || got[0].(label).text != "no font on this machine has U+5317 and 2 more characters" {
		t.Errorf("the notes are %v", got)
	}
	if bytes.Equal(plain, f.PDF()) {
		t.Error("the PDF lacks the note")
	}
}

// TestPiecesKeepEveryCharacter draws a line that needs several fonts.
func TestPiecesKeepEveryCharacter(t *testing.T) {
	fontsIn(t, t.TempDir())
	text := ""
	for _, p := range (Font{Size: 11}).pieces("a שלום b") {
		text += p.text
	}
	if text != "a םולש b" {
		t.Errorf("the pieces are %q", text)
	}
	if w := (Font{Size: 10}).Width("北京"); w != 20 {
		t.Errorf("two Chinese characters are %g wide, want two ems", w)
	}
}
