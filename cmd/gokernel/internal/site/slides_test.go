package site

import (
	"html/template"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
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

// holds reports whether a list contains some words consecutively.
func holds(list, some []string) bool {
	for i := range list {
		if len(list)-i >= len(some) && slices.Equal(list[i:i+len(some)], some) {
			return true
		}
	}
	return len(some) == 0
}

// theCourse builds the pages of all lectures without outputs.
func theCourse(t *testing.T) *builder {
	t.Helper()
	b := &builder{Options: Options{Dir: repository + "notebooks", Say: t.Logf}, files: map[string][]byte{}, promised: map[string]bool{}, draft: true}
	if err := b.do(t.Context(), b.readCourse, b.readLectures, b.document); err != nil {
		t.Fatal(err)
	}
	if len(b.lectures) < 24 {
		t.Fatalf("there are %d lectures", len(b.lectures))
	}
	return b
}

// TestSlidesLoseNothing checks that slides show elements of a lecture completely. The slides have
// the lists, tables, code, boxes and paragraphs with displayed formulas of all sections but the
// last ones, in order, and nothing that the lecture does not have.
func TestSlidesLoseNothing(t *testing.T) {
	for _, l := range theCourse(t).lectures {
		var deck []string
		slides := l.slides()
		for _, s := range slides {
			if s.Kind == "text" {
				deck = append(deck, words(string(s.HTML))...)
			}
		}
		elements, skip, wanted := map[string]bool{}, false, 0
		for _, v := range l.Blocks {
			for _, n := range children(parse(string(v.HTML))) {
				text := render(n)
				w := words(text)
				switch {
				case n.Type != html.ElementNode || len(w) == 0:
				case len(n.Data) == 2 && n.Data[0] == 'h':
					skip = isSkipped(strings.Join(w, " "))
				case skip:
				default:
					elements[strings.Join(w, " ")] = true
					shows := slices.Contains([]string{"ul", "ol", "table", "pre", "dl", "blockquote", "details", "div"}, n.Data)
					if !shows && !strings.Contains(text, `class="math display"`) {
						continue
					}
					wanted++
					if !holds(deck, w) {
						t.Errorf("%s: the slides do not have all of: %s", l.Name, strings.Join(w, " "))
					}
				}
			}
		}
		if strings.HasPrefix(l.Name, "N") && wanted < 5 {
			t.Errorf("%s: only %d elements are for slides", l.Name, wanted)
		}
		for i, s := range slides {
			if s.Kind != "text" {
				continue
			}
			for _, n := range children(parse(string(s.HTML))) {
				w := strings.Join(words(render(n)), " ")
				partOfList := n.Data == "ul" || n.Data == "ol"
				if w != "" && !elements[w] && !(partOfList && inOneOf(elements, w)) {
					t.Errorf("%s: slide %d has %q, which is no element of the lecture", l.Name, i, w)
				}
			}
		}
	}
}

func inOneOf(elements map[string]bool, part string) bool {
	for e := range elements {
		if strings.Contains(e, part) {
			return true
		}
	}
	return false
}

func TestSlides(t *testing.T) {
	long := strings.Repeat("<li>"+strings.Repeat("word ", 60)+"</li>\n", 8)
	l := &lecture{Title: "A & B", Blocks: []*block{{Kind: "text", HTML: template.HTML(`<h1 id="a">A</h1><p>Left out.</p><p>Leads to a <span class="math inline">x &lt; 1</span> and more:</p>
<p>then <em>this</em> <span class="math display">y</span> and <a href="#f">its</a> end <a href="N02.html#b">there</a></p>
<p>where <span class="math inline">x</span> is given.</p>
<p>A new sentence.</p>
<pre><code>a &lt; b</code></pre>
bare words
<h2 id="c">Long</h2><ol start="3">` + long + `</ol><details class="slip" id="slip-1"><summary><strong>Slip.</strong></summary><p>No <span class="math inline">z</span>, no.</p></details>
<h2 id="d">Exercises</h2><ul><li>skipped</li></ul>`)}}}
	var got []string
	for _, s := range l.slides() {
		got = append(got, s.Kind+" "+string(s.Title)+": "+strings.Join(words(string(s.HTML)), " "))
	}
	w := strings.TrimSpace(strings.Repeat("word ", 60))
	two := w + " " + w + " "
	for i, want := range []string{
		"title A &amp; B: ", "text : Leads to a x < 1 and more: then this y and its end there where x is given.", "text : A new sentence. a < b bare words",
		"section Long: ", "text Long: " + two, "text Long: " + two, "text Long: " + two, "text Long: " + two, "text Long: Slip. No z, no.",
	} {
		if i >= len(got) || strings.TrimSpace(got[i]) != strings.TrimSpace(want) {
			t.Fatalf("slides are\n%s\nwant as number %d %q", strings.Join(got, "\n"), i, want)
		}
	}
	all := l.slides()
	for i, want := range map[int]string{1: `<a href="../lectures/N02.html#b">there</a>`, 5: `<ol start="5">`, 8: `<details class="slip" open=""`} {
		if !strings.Contains(string(all[i].HTML), want) || strings.Contains(string(all[i].HTML), `id="`) || strings.Contains(string(all[i].HTML), `href="#`) {
			t.Errorf("slide %d is %s, want %s", i, all[i].HTML, want)
		}
	}
	if len(all) != 9 {
		t.Errorf("there are %d slides", len(all))
	}
}
