package site

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestBook builds a site with a printer that stores what it is asked to print. The book has the
// lectures of the course in their order, with links within the book only.
func TestBook(t *testing.T) {
	dir, out := small(t), filepath.Join(t.TempDir(), "site")
	change(t, filepath.Join(dir, "N01-first.ipynb"), "[numbers]", "[outside](https://go.dev/doc), [extra](extra.ipynb), [numbers]")
	var printed []string
	opt := Options{Dir: dir, Out: out, PDF: func(_ context.Context, page, query, pdf string) error {
		rel, err := filepath.Rel(out, page)
		printed = append(printed, filepath.ToSlash(rel)+query)
		return errors.Join(err, os.WriteFile(pdf, []byte("%PDF"), 0o666))
	}}
	if err := Build(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
	if len(printed) != 7 || printed[0] != bookPage {
		t.Errorf("printed were %q", printed)
	}
	b, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(bookPage)))
	if err != nil {
		t.Fatal(err)
	}
	book := string(b)
	for _, want := range []string{
		`<li><a href="#N01-first">N01 First things</a></li>`,
		`<article id="N01-first"`, `id="N01-first--2-more"`,
		`<a href="#N02-second--2-trees">the second</a>`, `href="#N01-first--figure-1"`,
		`<a href="https://go.dev/doc">outside</a>`, `src="../figures/N01-first/plot.svg"`,
	} {
		if !strings.Contains(book, want) {
			t.Errorf("the book lacks %s", want)
		}
	}
	for _, bad := range []string{`<article id="extra"`, `class="neighbors"`, `loading="lazy"`, `href="../files/`, `href="extra.html"`} {
		if strings.Contains(book, bad) {
			t.Errorf("the book has %s", bad)
		}
	}
	if first, second := strings.Index(book, `<article id="N01-first"`), strings.Index(book, `<article id="N02-second"`); first > second {
		t.Error("the chapters are not in the order of the course")
	}
	home, err := os.ReadFile(filepath.Join(out, "index.html"))
	if err != nil || !strings.Contains(string(home), `href="downloads/book.pdf"`) {
		t.Error("the home page has no link to the book", err)
	}
}

// TestGoals checks that a lecture's page states its time in class and its goals.
func TestGoals(t *testing.T) {
	dir := small(t)
	change(t, filepath.Join(dir, "course.json"), `"title": "First things"`, `"title": "First things", "class": 40, "goals": ["say why x < 1"]`)
	files, _, err := build(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	page := files["lectures/N01-first.html"]
	for _, want := range []string{"minutes to read, 40 in class", "After this lecture you can:", "<li>say why x &lt; 1</li>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if other := files["lectures/N02-second.html"]; strings.Contains(other, "in class") || strings.Contains(other, "you can:") {
		t.Error("a lecture without goals states some")
	}
}

// TestPrinterFails checks that the first error of the printer stops the printing.
func TestPrinterFails(t *testing.T) {
	var tried atomic.Int64
	b := newBuilder(Options{Out: t.TempDir(), Jobs: 2, PDF: func(ctx context.Context, _, _, _ string) error {
		if tried.Add(1) == 1 {
			return errors.New("no paper")
		}
		<-ctx.Done()
		return ctx.Err()
	}})
	for range 20 {
		b.lectures = append(b.lectures, &lecture{Name: "a"})
	}
	if err := b.print(t.Context()); err == nil || !strings.HasSuffix(err.Error(), ": no paper") {
		t.Errorf("got %v", err)
	}
	if n := tried.Load(); n > 3 {
		t.Errorf("%d pages were tried", n)
	}
}
