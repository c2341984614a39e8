package site

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/page"
)

// words returns the words of HTML in order, with formulas as TeX.
func words(text string) []string {
	var b strings.Builder
	for z := html.NewTokenizer(strings.NewReader(text)); z.Next() != html.ErrorToken; {
		if t := z.Token(); t.Type == html.TextToken {
			b.WriteString(t.Data)
		} else if t.Data != "span" && t.Data != "a" && t.Data != "em" && t.Data != "strong" && t.Data != "code" {
			b.WriteByte(' ')
		}
	}
	return strings.Fields(b.String())
}

// theCourse builds the pages of all lectures without outputs.
func theCourse(t *testing.T) *builder {
	t.Helper()
	b := newBuilder(Options{Dir: repository + "notebooks", Say: t.Logf})
	b.draft = true
	if err := b.do(t.Context(), b.readCourse, b.readLectures, b.document); err != nil {
		t.Fatal(err)
	}
	if len(b.lectures) < 24 {
		t.Fatalf("there are %d lectures", len(b.lectures))
	}
	return b
}

// TestDecksLoseNothing checks that a deck has all elements of the sections that have slides: on a
// slide, or in the notes of the speaker.
func TestDecksLoseNothing(t *testing.T) {
	for _, l := range theCourse(t).lectures {
		if l.Name == "gallery" {
			continue
		}
		var all []string
		shown := 0
		for _, stack := range l.deck() {
			for _, s := range stack {
				shown += len(s.Parts)
				for _, p := range s.Parts {
					all = append(all, words(string(p.HTML))...)
				}
				all = append(all, words(strings.ReplaceAll(string(s.Notes), "$", " "))...)
			}
		}
		if shown < 20 {
			t.Errorf("%s: the slides have only %d elements", l.Name, shown)
		}
		// Formulas in notes have dollars, which may separate words.
		deck := strings.Join(all, "")
		skip := ""
		for _, v := range l.Blocks {
			if v.Kind == "code" {
				if code := strings.Join(words(string(v.Code)), ""); skip == "" && v.Summary == "" && !strings.Contains(deck, code) && !inPieces(deck, string(v.Code)) {
					t.Errorf("%s: the slides do not have all of this code: %s", l.Name, code)
				}
				continue
			}
			for _, n := range children(parse(string(v.HTML))) {
				w := words(render(n))
				switch {
				case isHeading(n):
					if skip == "" || n.Data <= skip {
						if skip = ""; isSkipped(strings.Join(w, " ")) {
							skip = n.Data
						}
					}
				case skip != "" || n.Type != html.ElementNode || strings.Join(w, " ") == strings.Join(words(string(l.Opening)), " "):
				case is(n, atom.Ul, atom.Ol): // which may be split
					for _, item := range children(n) {
						if text := strings.Join(words(render(item)), ""); !strings.Contains(deck, text) {
							t.Errorf("%s: the deck does not have all of: %s", l.Name, text)
						}
					}
				default:
					if text := strings.Join(words(render(n)), ""); !strings.Contains(deck, strings.ReplaceAll(text, "$", "")) {
						t.Errorf("%s: the deck does not have all of: %s", l.Name, strings.Join(w, " "))
					}
				}
			}
		}
	}
}

// inPieces reports whether a deck has all pieces of code that is split.
func inPieces(deck, code string) bool {
	for _, piece := range splitCode(code) {
		if !strings.Contains(deck, strings.Join(words(piece), "")) {
			return false
		}
	}
	return true
}

// outline returns a deck as text: a line for each slide, with the kinds of its elements and their
// text.
func outline(d deck) string {
	var b strings.Builder
	for i, stack := range d {
		for _, s := range stack {
			fmt.Fprintf(&b, "%d %s", i, s.Kind)
			if s.Title != "" {
				fmt.Fprintf(&b, " %q", s.Title)
			}
			for _, p := range s.Parts {
				fmt.Fprintf(&b, " %s", p.Kind)
				if p.Fragment {
					b.WriteString("+")
				}
				fmt.Fprintf(&b, "(%s)", strings.Join(words(string(p.HTML)+" "+string(p.Caption)), " "))
			}
			if s.Notes != "" {
				fmt.Fprintf(&b, " notes(%s)", strings.Join(words(string(s.Notes)), " "))
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func textBlock(slide, s string) *block {
	return &block{Kind: "text", Slide: slide, HTML: template.HTML(s)}
}

func codeBlock(slide, code string, outputs ...*shown) *block {
	return &block{Kind: "code", Slide: slide, Code: template.HTML(code), Outputs: outputs}
}

func TestDeck(t *testing.T) {
	long := strings.Repeat("<li>"+strings.Repeat("word ", 60)+"</li>\n", 4)
	said := &shown{Output: page.Output{Class: "plain", HTML: "<pre>7</pre>"}}
	drawn := &shown{Output: page.Output{Class: "figure", HTML: `<img src="a.png">`}, Figure: &figure{Caption: "Seven."}}
	folded := codeBlock("", "plot()", drawn)
	folded.Summary = "Code of the figure, 1 line"
	check := codeBlock("", "check()", said)
	check.tagged = true
	l := &lecture{Title: "A & B", Opening: "The opening.", Blocks: []*block{
		textBlock("", `<h1 id="a">A</h1><p>The opening.</p><p>Leads to a <span class="math inline">x &lt; 1</span> and more:</p>
<p>then <em>this</em> <span class="math display">y</span> and <a href="#f">its</a> end <a href="N02.html#b">there</a></p>
<details class="slip" id="slip-1"><summary><strong>Slip.</strong></summary><p>No <span class="math inline">z</span>, no.</p></details>
<p>where <span class="math inline">x</span> is given.</p>
<p>A new sentence.</p>
bare words`),
		codeBlock("", "x := 3 + 4\nx", said), check,
		textBlock("", `<h2 id="c">Long</h2><p>Before.</p><ol start="3">`+long+`</ol>`),
		folded,
		textBlock("skip", "<p>Not shown.</p>"), textBlock("notes", "<ul><li>Say this.</li></ul>"), codeBlock("fragment", "y", said),
		textBlock("", `<h2 id="d">Exercises</h2><ul><li>left out</li></ul><h3>First</h3><p>Left out.</p>`), codeBlock("", "z", said),
		textBlock("", `<h2 id="e">In short</h2><p>The end.</p>`),
	}}
	w := strings.TrimSpace(strings.Repeat("word ", 60))
	want := `0 title "A &amp; B"
0 content text(Leads to a x < 1 and more: then this y and its end there where x is given.)
0 content text(bare words) code(x := 3 + 4 x) output+(7) notes(Slip. No $z$, no. A new sentence.)
1 section "Long"
1 content "Long" text(Before. ` + w + ` ` + w + `)
1 content "Long" text(` + w + ` ` + w + `)
1 content "Long" figure(Seven.)
1 content "Long" code+(y) output+(7) notes(Say this.)
2 section "In short" notes(The end.)
`
	if got := outline(l.deck()); got != want {
		t.Errorf("the deck is\n%s\nwant\n%s", got, want)
	}
	all := l.deck()
	for _, tt := range []struct {
		slide *slide
		want  string
	}{{all[0][1], `<a href="../lectures/N02.html#b">there</a>`}, {all[1][2], `<ol start="5">`}} {
		if got := string(tt.slide.Parts[0].HTML); !strings.Contains(got, tt.want) || strings.Contains(got, `id="`) || strings.Contains(got, `href="#`) {
			t.Errorf("a slide is %s, want %s", got, tt.want)
		}
	}
}

// TestAuthoredDeck arranges cells by their slide types, as nbconvert does.
func TestAuthoredDeck(t *testing.T) {
	said := &shown{Output: page.Output{Class: "plain", HTML: "<pre>7</pre>"}}
	l := &lecture{Title: "A", Blocks: []*block{
		textBlock("slide", "<h1>A</h1>"), textBlock("skip", "<p>skipped</p>"),
		textBlock("slide", "<h2>One</h2>"), textBlock("", "<p>joins it</p>"), textBlock("fragment", "<p>later</p>"), textBlock("notes", "<p>say <span class=\"math inline\">x</span></p>"),
		codeBlock("subslide", "x", said), codeBlock("skip", "y", said),
		textBlock("slide", "<p>without a heading</p><h3>Then</h3>"), codeBlock("fragment", "z", said), textBlock("", "<h3>More</h3><p>text</p>"),
	}}
	want := `0 title "A"
1 content "One" text(joins it) text+(later) notes(say $x$)
1 content "One" code(x) output(7)
2 content text(without a heading Then) code+(z) output+(7) text(More) text(text)
`
	if got := outline(l.deck()); got != want {
		t.Errorf("the deck is\n%s\nwant\n%s", got, want)
	}
}

// TestSplitCode splits code at the last good line that fits on a screen.
func TestSplitCode(t *testing.T) {
	f := func(n int) string { return "func f() {\n" + strings.Repeat("\t<b>a</b> &lt; 1\n", n) + "}\n" }
	for _, tt := range []struct {
		code string
		want []int // the lines of each piece
	}{
		{f(10), []int{12}},
		{f(10) + "\n" + f(12), []int{12, 14}},
		{f(8) + "\n" + f(8) + "\n" + f(8), []int{10, 21}},
		{f(30), []int{20, 12}},
	} {
		pieces := splitCode(tt.code)
		var got []int
		for _, p := range pieces {
			got = append(got, 1+strings.Count(p, "\n"))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("the pieces have %v lines, want %v:\n%s", got, tt.want, strings.Join(pieces, "\n---\n"))
		}
		if got, want := strings.Fields(strings.Join(pieces, "\n")), strings.Fields(tt.code); !slices.Equal(got, want) {
			t.Errorf("the pieces are %q, want %q", got, want)
		}
	}
}
