package magic

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestElsewhere checks that the hints for magics of other kernels are for names that don't exist
// here, and suggest existing magics.
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

// askedSession is a session that has some variables, and nothing else.
type askedSession struct{ Session }

func (askedSession) Frames() []string    { return []string{"sales"} }
func (askedSession) Databases() []string { return []string{"shop"} }
func (askedSession) Values() []string    { return []string{"limit"} }

// FuzzArguments checks that the text after a magic's name is parsed or rejected, whatever it is,
// and that a %%sql cell becomes valid Go.
func FuzzArguments(f *testing.F) {
	for _, s := range [][2]string{
		{"-f --package stats stats.go 3-7,9", "select * from sales"}, {"a.go 1-999999999999999999", "a`b"}, {"-run 'Test A' -count 2 .", "x"},
		{"-n 10 -r 3 f()", ""}, {"'\"` -bench ( x", "\x00"}, {"-package", "--"}, {"top data.db", "select `name`\nfrom sales"}, {"shop top", "select `a`\nfrom t where x < :limit"},
	} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, args, body string) {
		if a, err := saveArguments(args); err == nil {
			if filepath.Ext(a.file) != ".go" || !token.IsIdentifier(a.pkg) {
				t.Errorf("%q saves package %q to %q", args, a.pkg, a.file)
			}
			for _, r := range a.ranges {
				if !a.wants(r.first) || !a.wants(r.last) || a.wants(0) {
					t.Errorf("%q: the range %d to %d is not what is wanted", args, r.first, r.last)
				}
			}
			if len(a.ranges) > 0 && a.missing() != nil {
				t.Errorf("%q: cells that were found are missing: %v", args, a.missing())
			}
		}
		if flags, _, _, err := testFlags(args, func(arg string) bool { return strings.ContainsAny(arg, "./") }); err == nil {
			for _, name := range []string{"run", "skip", "bench"} {
				for part := range strings.SplitSeq(flags[name], "/") {
					if _, err := regexp.Compile(part); err != nil {
						t.Errorf("%q: -%s is %q: %v", args, name, flags[name], err)
					}
				}
			}
		}
		if n, rounds, err := timeitOptions(args); err == nil && (n < 0 || rounds < 1) {
			t.Errorf("%q: %d runs in %d rounds", args, n, rounds)
		}
		// The session reports text that is not valid Go source when it splits the cell.
		if !utf8.ValidString(args) || !utf8.ValidString(body) || strings.ContainsAny(body, "\x00\ufeff") {
			return
		}
		src, err := query(Call{Args: args, Body: body, Session: askedSession{}})
		if err != nil {
			return
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() {\n"+src+"\n}", 0); err != nil {
			t.Errorf("%q, %q becomes\n%s\n%v", args, body, src, err)
		}
	})
}
