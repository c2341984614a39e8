package homework

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"unicode"

	"github.com/gokernel/gokernel/display/chart"
)

// Text is the check of a written answer. It checks words and sentences only; a person must judge
// their meaning.
type Text struct {
	card
	missing  string // why there is no answer
	answer   string
	mentions [][]string
	least    int
}

// CheckText starts the check of a written answer, a string.
func CheckText(answer any) *Text {
	t := &Text{card: card{name: "the answer", points: 1}}
	if f, ok := answer.(Function); ok {
		t.name, answer = f.name, f.value
		if f.missing {
			t.missing = f.lacks()
			return t
		}
	}
	text, ok := answer.(string)
	if !ok {
		t.missing = fmt.Sprintf("%s must be a string, got a %T", t.name, answer)
	}
	t.answer = text
	return t
}

// Mentions requires each of the words. Case is ignored, and a word also matches longer words that
// start with it. "margin|distance" requires one of the two words.
func (t *Text) Mentions(words ...string) *Text {
	for _, w := range words {
		t.mentions = append(t.mentions, strings.Split(w, "|"))
	}
	return t
}

// AtLeast requires at least the given number of sentences.
func (t *Text) AtLeast(sentences int) *Text { t.least = sentences; return t }

// Points sets the points of the answer; the default is 1.
func (t *Text) Points(p float64) *Text { t.worth(p); return t }

// Partial counts each requirement separately.
func (t *Text) Partial() *Text { t.partial = true; return t }

// Hint sets a text that is shown if the check fails.
func (t *Text) Hint(h string) *Text { t.hint = h; return t }

// Kind names what the check tests. See [Task.Kind].
func (t *Text) Kind(what string) *Text { t.kind = what; return t }

// Hidden shows only the number of requirements that are not met.
func (t *Text) Hidden() *Text { t.hidden = true; return t }

// Run runs the check the first time it is called. See [Item].
func (t *Text) Run(Session) error {
	if t.ran || t.err != nil {
		return t.err
	}
	if t.least == 0 && len(t.mentions) == 0 {
		return fmt.Errorf("check of the answer: it must state what is right; end it with .Mentions(words) or .AtLeast(sentences)")
	}
	t.ran = true
	if t.missing != "" {
		t.done = []outcome{{call: t.name, problem: t.missing}}
		return nil
	}
	if t.least > 0 {
		n := sentences(t.answer)
		o := outcome{call: fmt.Sprintf("at least %s", plural(t.least, "sentence")), got: fmt.Sprint(n), ok: n >= t.least}
		if !o.ok {
			o.problem = fmt.Sprintf("the answer has %s, expected at least %d", plural(n, "sentence"), t.least)
		}
		t.done = append(t.done, o)
	}
	for _, either := range t.mentions {
		o := outcome{call: "mentions " + strings.Join(either, " or "), ok: mentions(t.answer, either)}
		if !o.ok {
			o.problem = fmt.Sprintf("the answer does not mention %s", strings.Join(either, " or "))
		}
		t.done = append(t.done, o)
	}
	return nil
}

// sentences counts parts that contain a word and end in a punctuation mark that no digit or
// letter follows.
func sentences(s string) (n int) {
	words := false
	runes := []rune(s)
	for i, r := range runes {
		switch {
		case unicode.IsLetter(r):
			words = true
		case strings.ContainsRune(".!?", r) && words && (i+1 == len(runes) || !unicode.IsLetter(runes[i+1]) && !unicode.IsDigit(runes[i+1])):
			n++
			words = false
		}
	}
	if words {
		n++
	}
	return n
}

func mentions(text string, either []string) bool {
	text = strings.ToLower(text)
	for _, w := range either {
		w = strings.ToLower(strings.TrimSpace(w))
		for at := 0; ; {
			i := strings.Index(text[at:], w)
			if i < 0 {
				break
			}
			at += i
			before := []rune(text[:at])
			if len(before) == 0 || !unicode.IsLetter(before[len(before)-1]) {
				return true
			}
			at += len(w)
		}
	}
	return false
}

// Plot is the check of a chart: its marks and their names.
type Plot struct {
	card
	chart   drawing
	missing string // why there is no chart
	tests   []func(c drawing) outcome
	tol     float64
}

// CheckPlot starts the check of a chart.
func CheckPlot(fig any) *Plot {
	p := &Plot{card: card{name: "the figure", points: 1}, tol: DefaultTolerance,
		missing: "there is no chart: keep it in a variable, fig := Plot(x, y)"}
	switch f := fig.(type) {
	case Function:
		p.name = f.name
		if d, ok := f.value.(drawing); ok && !reflect.ValueOf(d).IsNil() {
			p.chart = d
		}
		if f.missing {
			p.missing = f.lacks()
		}
	case drawing:
		if !reflect.ValueOf(f).IsNil() {
			p.chart = f
		}
	}
	return p
}

func (p *Plot) test(what string, f func(c drawing) string) *Plot {
	p.tests = append(p.tests, func(c drawing) outcome {
		why := f(c)
		return outcome{call: what, problem: why, ok: why == ""}
	})
	return p
}

// HasLine requires a line with the given name in the legend; HasLine("") requires any line.
func (p *Plot) HasLine(name string) *Plot { return p.has("line", name) }

// HasPoints requires points with the given name in the legend; HasPoints("") requires any points.
func (p *Plot) HasPoints(name string) *Plot { return p.has("points", name) }

func (p *Plot) has(kind, name string) *Plot {
	what := "has " + kind
	if name != "" {
		what += fmt.Sprintf(" %q", name)
	}
	return p.test(what, func(c drawing) string {
		if _, ok := find(c, kind, name); ok {
			return ""
		}
		if name == "" {
			return "the figure has no " + kind
		}
		var have []string
		for _, s := range c.Series() {
			if s.Name != "" {
				have = append(have, fmt.Sprintf("%q", s.Name))
			}
		}
		if len(have) == 0 {
			return fmt.Sprintf("the figure has no %s %q: give it a name with .Name(%q)", kind, name, name)
		}
		return fmt.Sprintf("the figure has no %s %q, it has %s", kind, name, strings.Join(have, ", "))
	})
}

func find(c drawing, kind, name string) (chart.Series, bool) {
	for _, s := range c.Series() {
		if (s.Kind == kind || kind == "line" && s.Kind == "step" || kind == "") && (name == "" || strings.EqualFold(s.Name, name)) {
			return s, true
		}
	}
	return chart.Series{}, false
}

// XLabel requires words in the title of the x axis, in upper or lower case.
func (p *Plot) XLabel(words string) *Plot {
	return p.label("x axis", words, func(c drawing) string { return c.Titles().X })
}

// YLabel requires words in the title of the y axis, in upper or lower case.
func (p *Plot) YLabel(words string) *Plot {
	return p.label("y axis", words, func(c drawing) string { return c.Titles().Y })
}

// HasTitle requires words in the title, in upper or lower case; HasTitle("") requires any title.
func (p *Plot) HasTitle(words string) *Plot {
	return p.label("title", words, func(c drawing) string { return c.Titles().Title })
}

func (p *Plot) label(where, words string, of func(drawing) string) *Plot {
	return p.test(fmt.Sprintf("%s: %q", where, words), func(c drawing) string {
		have := of(c)
		switch {
		case have == "":
			if where == "title" {
				return "the figure has no title: give it one with .Title(words)"
			}
			return fmt.Sprintf("the figure has no title of the %s: give it one with .%s(words)", where, strings.ToUpper(where[:1]))
		case !strings.Contains(strings.ToLower(have), strings.ToLower(words)):
			return fmt.Sprintf("the %s says %q, expected %q", where, have, words)
		}
		return ""
	})
}

// Through requires that the line or the points with this name have the values y, within the
// tolerance.
func (p *Plot) Through(name string, y []float64) *Plot {
	return p.test(fmt.Sprintf("values of %q", name), func(c drawing) string {
		s, ok := find(c, "", name)
		if !ok {
			return fmt.Sprintf("the figure has nothing named %q", name)
		}
		if len(s.Y) != len(y) {
			return fmt.Sprintf("%q has %s, expected %d", name, plural(len(s.Y), "value"), len(y))
		}
		for i := range y {
			if !close(s.Y[i], y[i], p.tol) && !(math.IsNaN(s.Y[i]) && math.IsNaN(y[i])) {
				return fmt.Sprintf("value %d of %q is %v, expected %v", i, name, s.Y[i], y[i])
			}
		}
		return ""
	})
}

// Tolerance sets the maximum difference of values that Through accepts as equal.
func (p *Plot) Tolerance(rel float64) *Plot { p.tol = rel; return p }

// Points sets the points of the figure; the default is 1.
func (p *Plot) Points(n float64) *Plot { p.worth(n); return p }

// Partial counts each requirement separately.
func (p *Plot) Partial() *Plot { p.partial = true; return p }

// Hint sets a text that is shown if the check fails.
func (p *Plot) Hint(h string) *Plot { p.hint = h; return p }

// Kind names what the check tests. See [Task.Kind].
func (p *Plot) Kind(what string) *Plot { p.kind = what; return p }

// Hidden shows only the number of requirements that are not met.
func (p *Plot) Hidden() *Plot { p.hidden = true; return p }

// Run runs the check the first time it is called. See [Item].
func (p *Plot) Run(Session) error {
	if p.ran || p.err != nil {
		return p.err
	}
	if len(p.tests) == 0 {
		return fmt.Errorf("check of the figure: it must state what is right; end it with .HasLine(name), .XLabel(words) or the like")
	}
	p.ran = true
	if p.chart == nil {
		p.done = []outcome{{call: p.name, problem: p.missing}}
		return nil
	}
	for _, t := range p.tests {
		p.done = append(p.done, t(p.chart))
	}
	return nil
}
