package magic

import (
	"strings"
	"testing"
)

// TestElsewhere keeps the advice for the magics of other kernels to names that are
// none here, and to magics that there are.
func TestElsewhere(t *testing.T) {
	known := map[string]bool{}
	for _, m := range All() {
		if known[m.String()] {
			t.Errorf("%s is there twice", m)
		}
		name, _, _ := strings.Cut(m.String(), " ")
		known[m.String()], known[name] = true, true
	}
	for name, use := range elsewhere {
		if known["%"+name] || known["%%"+name] {
			t.Errorf("%s is a magic, and advice sends its users elsewhere", name)
		}
		for _, word := range strings.Fields(use) {
			if word = strings.TrimRight(word, ",;:"); strings.HasPrefix(word, "%") && !known[word] {
				t.Errorf("the advice for %s names %s, which is no magic", name, word)
			}
		}
		if _, err := Lookup(name, false); err == nil || !strings.Contains(err.Error(), use) {
			t.Errorf("%%%s: %v, want its advice", name, err)
		}
	}
}

// TestLookup finds each magic by its name and kind.
func TestLookup(t *testing.T) {
	for _, m := range All() {
		if got, err := Lookup(m.Name, m.Cell); err != nil || got.String() != m.String() {
			t.Errorf("%s: found %v, %v", m, got, err)
		}
		if m.Doc == "" || !strings.HasSuffix(m.Doc, ".") {
			t.Errorf("%s: the help line %q is no sentence", m, m.Doc)
		}
	}
}

func TestCodeOfDocumentationKeepsWords(t *testing.T) {
	got := wholeWords("before\n\n```go\nfunc f[T any](a <-chan T)\n```\n\nbetween\n\n```go\ntype t int\n\nfunc (t) m()\n```")
	pre := `<pre style="word-break:normal;overflow-wrap:break-word"><code>`
	want := "before\n\n" + pre + "func f[T any](a &lt;-chan T)</code></pre>\n\nbetween\n\n" + pre + "type t int\n\nfunc (t) m()</code></pre>"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
