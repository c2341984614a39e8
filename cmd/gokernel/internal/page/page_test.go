package page

import (
	"bytes"
	"flag"
	"html"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

func render(t *testing.T, nb *notebook.Notebook) string {
	t.Helper()
	b, err := Render(nb, "lecture.ipynb", Options{})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// body returns the page without its style sheets and scripts.
func body(t *testing.T, page string) string {
	t.Helper()
	_, s, ok := strings.Cut(page, "<body>")
	if !ok {
		t.Fatal("the page has no body")
	}
	s, _, _ = strings.Cut(s, "<script>")
	return s
}

func TestGolden(t *testing.T) {
	nb, err := notebook.Read("testdata/lecture.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	page := render(t, nb)
	if again := render(t, nb); page != again {
		t.Error("two renderings differ")
	}
	got := body(t, page)
	const golden = "testdata/lecture.golden.html"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("(-want +got), -update writes it anew:\n%s", d)
	}
}

// TestSelfContained searches for content that would be loaded from elsewhere.
func TestSelfContained(t *testing.T) {
	nb, err := notebook.Read("testdata/lecture.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	page := render(t, nb)
	for _, s := range []string{`src="http`, "url(http", "url(fonts/", "@import", `<link `, ".woff)", ".ttf)"} {
		if strings.Contains(page, s) {
			t.Errorf("the page has %q", s)
		}
	}
	if n := strings.Count(page, "data:font/woff2;base64,"); n != 20 {
		t.Errorf("got %d fonts, want the 20 of KaTeX", n)
	}
}

func TestMathOnlyWhereThereIsMath(t *testing.T) {
	for src, want := range map[string]bool{
		"costs $5 and $6":            false,
		"plain":                      false,
		"`$x$` in code":              false,
		"let $x$ be":                 true,
		"$$\nx\n$$":                  true,
		`\begin{align}x\end{align}`:  true,
		"sum \\(x\\) or \\\\(y\\\\)": true,
	} {
		nb := &notebook.Notebook{Cells: []*notebook.Cell{{Type: notebook.Markdown, Source: src}}}
		if got := strings.Contains(render(t, nb), "katex.render"); got != want {
			t.Errorf("%q: KaTeX on the page: %v, want %v", src, got, want)
		}
	}
}

func TestFormulas(t *testing.T) {
	in, display := `<span class="math inline">`, `<span class="math display">`
	tests := []struct{ src, want string }{
		{"a $x_1 * y_2 * z$ b", "<p>a " + in + "x_1 * y_2 * z</span> b</p>\n"},
		{"$a<b$", "<p>" + in + "a&lt;b</span></p>\n"},
		{"is $$x$$ wide", "<p>is " + display + "x</span> wide</p>\n"},
		{"over $x +\ny$ lines", "<p>over " + in + "x +\ny</span> lines</p>\n"},
		{`escaped \$5 and $\$5$`, "<p>escaped $5 and " + in + `\$5</span></p>` + "\n"},
		{"$$\na_1 * b\n\n$$\nthen", display + "a_1 * b</span>\n<p>then</p>\n"},
		{"\\begin{align}\na &= b_1 * c_1\n\\end{align}", display + "\\begin{align*}\na &amp;= b_1 * c_1\n\\end{align*}</span>\n"},
		{"$$f\n\\begin{aligned}\na_1 &= b_1\n\\end{aligned}\n$$", "<p>" + display + "f\n\\begin{aligned}\na_1 &amp;= b_1\n\\end{aligned}</span></p>\n"},
		{"not $ x $ nor 5$", "<p>not $ x $ nor 5$</p>\n"},
	}
	for _, test := range tests {
		if got := string(newDocument(Options{}).markdown(test.src, nil)); got != test.want {
			t.Errorf("%q:\n got %q\nwant %q", test.src, got, test.want)
		}
	}
}

func TestAnsi(t *testing.T) {
	tests := []struct{ in, want string }{
		{"plain <b>", "plain &lt;b&gt;"},
		{"\x1b[31mred\x1b[0m off", `<span style="color:var(--ansi1)">red</span> off`},
		{"\x1b[1;4;92mx\x1b[22;24;39my", `<span class="bold underline" style="color:var(--ansi2)">x</span>y`},
		{"\x1b[38;5;196mx\x1b[48;2;1;2;3my", `<span style="color:#ff0000">x</span><span style="color:#ff0000;background:#010203">y</span>`},
		{"\x1b[2Kgone\x1b[", "gone"},
		{"\x1b[38;5mx", "x"},
	}
	for _, test := range tests {
		if got := ansi(test.in); got != test.want {
			t.Errorf("%q:\n got %s\nwant %s", test.in, got, test.want)
		}
	}
	for in, want := range map[string]string{
		"10%\r20%\rdone\nnext": "done\nnext",
		"abc\rx":               "xbc",
		"a\r\nb":               "a\nb",
	} {
		if got := overwrite(in); got != want {
			t.Errorf("overwrite(%q): got %q, want %q", in, got, want)
		}
	}
}

func TestChoiceAmongTypes(t *testing.T) {
	tests := []struct {
		data map[string]any
		want string // class
	}{
		{map[string]any{"text/html": "h", "image/png": "p", "text/plain": "t"}, "html"},
		{map[string]any{"image/svg+xml": "<svg/>", "image/png": "p", "text/plain": "t"}, "figure"},
		{map[string]any{"text/latex": "$x$", "text/plain": "t"}, "latex"},
		{map[string]any{"application/vnd.vegalite.v5+json": map[string]any{}, "text/plain": "t"}, "plain"},
		{map[string]any{"application/json": map[string]any{}}, ""},
	}
	for _, test := range tests {
		out, ok := newDocument(Options{}).output(&notebook.Output{Type: notebook.DisplayData, Data: test.data})
		if out.Class != test.want || ok != (test.want != "") {
			t.Errorf("%v: got %q, want %q", test.data, out.Class, test.want)
		}
	}
}

func TestHiddenParts(t *testing.T) {
	cell := func(tag string) *notebook.Notebook {
		return &notebook.Notebook{Cells: []*notebook.Cell{{
			Type: notebook.Code, Source: "theSource", Metadata: map[string]any{"tags": []any{tag}},
			Outputs: []*notebook.Output{{Type: notebook.Stream, Name: "stdout", Text: "theOutput"}},
		}}}
	}
	for tag, want := range map[string][2]bool{
		"other": {true, true}, "remove-input": {false, true}, "remove_output": {true, false}, "remove-cell": {false, false},
	} {
		page := body(t, render(t, cell(tag)))
		got := [2]bool{strings.Contains(page, "theSource"), strings.Contains(page, "theOutput")}
		if got != want {
			t.Errorf("%s: source and output shown: got %v, want %v", tag, got, want)
		}
	}
}

func TestHighlight(t *testing.T) {
	tests := []struct{ in, want string }{
		{"x := f(1) // <c>", `x := <span class="call">f</span>(<span class="number">1</span>) <span class="comment">// &lt;c&gt;</span>`},
		{"for range s {", `<span class="keyword">for</span> <span class="keyword">range</span> s {`},
		{"%time f()\nlen(`a\nb`)", "<span class=\"magic\">%time f()\n</span><span class=\"builtin\">len</span>(<span class=\"string\">`a\nb`</span>)"},
		{"ml.KMeans?", `<span class="magic">ml.KMeans?</span>`},
		{"# $ no Go '", `# $ no Go <span class="string">&#39;</span>`},
		{"`open", "<span class=\"string\">`open</span>"},
	}
	for _, test := range tests {
		if got := string(newDocument(Options{}).highlight(test.in)); got != test.want {
			t.Errorf("%q:\n got %s\nwant %s", test.in, got, test.want)
		}
	}
}

// FuzzHighlight checks that coloring keeps every character of the code.
func FuzzHighlight(f *testing.F) {
	f.Add("x := \"a\" + `b` // c\n%magic\n'")
	f.Fuzz(func(t *testing.T, src string) {
		got := html.UnescapeString(tags.ReplaceAllString(string(newDocument(Options{}).highlight(src)), ""))
		want := html.UnescapeString(html.EscapeString(strings.TrimRight(src, " \t\n")))
		if got != want {
			t.Errorf("%q became %q", src, got)
		}
	})
}

var tags = regexp.MustCompile(`<[^>]*>`)

// The script that keeps a comma with its formula uses classes that KaTeX writes: they must be those
// of the embedded KaTeX.
func TestMathScriptKnowsKaTeX(t *testing.T) {
	js, err := unpacked(katexFiles, "katex/katex.min.js.gz")
	if err != nil {
		t.Fatal(err)
	}
	for _, class := range []string{"katex-html", "katex-base"} {
		if !strings.Contains(mathJS, "."+class) || !bytes.Contains(js, []byte(`"`+class+`"`)) {
			t.Errorf("the class %q is not in both the script and KaTeX", class)
		}
	}
}

// Widgets: the values of controls are above the outputs created with them, and a widget that brings
// its JavaScript starts.
func TestWidgets(t *testing.T) {
	view := func(id string) map[string]any { return map[string]any{"model_id": id} }
	nb := &notebook.Notebook{
		Cells: []*notebook.Cell{
			{ID: "a", Type: notebook.Code, Source: "Interact(f)", Outputs: []*notebook.Output{{Type: notebook.DisplayData, Data: map[string]any{
				widgetView: view("1"), "text/html": "<b>frame</b>", "text/plain": "k = 1 (IntSlider from 1 to 30)\nm = <l1> (Dropdown of <l1>)\nframe = 1 (of 2)",
			}}}},
			{ID: "b", Type: notebook.Code, Source: "own", Outputs: []*notebook.Output{{Type: notebook.DisplayData, Data: map[string]any{
				widgetView: view("2"), "text/plain": "a widget",
			}}}},
			{ID: "c", Type: notebook.Code, Source: "slider", Outputs: []*notebook.Output{{Type: notebook.DisplayData, Data: map[string]any{
				widgetView: view("3"), "text/plain": "k = 5 (IntSlider from 1 to 30)",
			}}}},
		},
		Metadata: map[string]any{"widgets": map[string]any{widgetState: map[string]any{"state": map[string]any{
			"2": map[string]any{"model_module": "anywidget", "state": map[string]any{"_esm": "export default {}", "n": 3}},
		}}}},
	}
	if got := string(Convert(nb, "x", Options{}).Cells[1].Outputs[0].HTML); strings.Contains(got, "script") || !strings.Contains(got, "a widget") {
		t.Errorf("the widget of a notebook that is not trusted is %s", got)
	}
	body := Convert(nb, "x", Options{Trust: true})
	for i, want := range []string{
		`<p class="controls">k = 1 · m = &lt;l1&gt;</p><b>frame</b>`,
		`data-state="{&#34;_esm&#34;:&#34;export default {}&#34;,&#34;n&#34;:3}"`,
		`k = 5 (IntSlider from 1 to 30)`,
	} {
		if got := string(body.Cells[i].Outputs[0].HTML); !strings.Contains(got, want) {
			t.Errorf("output %d is %s, want %s in it", i, got, want)
		}
	}
}

// Frames: the initial one is in the page, the others are templates, and inconsistent ones are
// omitted.
func TestFrames(t *testing.T) {
	frame := func(text string) []*notebook.Output {
		return []*notebook.Output{{Type: notebook.Stream, Name: "stdout", Text: "printed"}, {Type: notebook.DisplayData, Data: map[string]any{"text/plain": text}}}
	}
	convert := func(f *notebook.Frames) (*Body, string) {
		nb := &notebook.Notebook{Cells: []*notebook.Cell{{ID: "a", Type: notebook.Code, Source: "Interact(f)", Outputs: []*notebook.Output{{Type: notebook.DisplayData, Data: map[string]any{
			widgetView: map[string]any{"model_id": "1"}, "text/html": "<b>as it was</b>", "text/plain": "k = 1 (IntSlider from 0 to 2)\nas it was",
		}}}}}}
		if err := nb.SetFrames(map[string]*notebook.Frames{"1": f}); err != nil {
			t.Fatal(err)
		}
		body := Convert(nb, "x", Options{})
		return body, string(body.Cells[0].Outputs[0].HTML)
	}
	slider := notebook.Control{Name: "</script>", Kind: notebook.SliderControl, Values: []string{"0", "1", "2"}, Start: 1}
	f := &notebook.Frames{Controls: []notebook.Control{slider}, Table: []int{1, 0, 1}, List: [][]*notebook.Output{frame("one"), frame("<two>")}, Note: "some & others"}
	body, got := convert(f)
	want := `<p class="controls">k = 1</p>` +
		`<div class="frame"><div class="output stream stdout"><pre>printed</pre></div><div class="output plain"><pre>one</pre></div></div>` +
		`<template data-frame="1"><div class="output stream stdout"><pre>printed</pre></div><div class="output plain"><pre>&lt;two&gt;</pre></div></template>` +
		`<script type="application/json">{"controls":[{"name":"\u003c/script\u003e","kind":"slider","values":["0","1","2"],"start":1}],"table":[1,0,1]}</script>` +
		`<p class="note">some &amp; others</p>`
	if d := cmp.Diff(want, got); d != "" || !body.Frames || body.Cells[0].Outputs[0].Class != "interact" {
		t.Errorf("%v, class %q (-want +got):\n%s", body.Frames, body.Cells[0].Outputs[0].Class, d)
	}
	still := `<p class="controls">k = 1</p><b>as it was</b>`
	if body, got := convert(&notebook.Frames{Controls: f.Controls, Note: "no frames"}); got != still+`<p class="note">no frames</p>` || body.Frames {
		t.Errorf("without frames: %s", got)
	}
	for name, broken := range map[string]*notebook.Frames{
		"short table": {Controls: f.Controls, Table: []int{0, 1}, List: f.List},
		"no frame":    {Controls: f.Controls, Table: []int{0, 1, 2}, List: f.List},
		"no start":    {Controls: f.Controls, Table: []int{0, -1, 0}, List: f.List},
		"bad start":   {Controls: []notebook.Control{{Name: "k", Values: []string{"0"}, Start: 1}}, Table: []int{0}, List: f.List},
	} {
		if body, got := convert(broken); got != still || body.Frames {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestHintsAboutWidgetsAreLeftOut checks outputs of widgets whose HTML has a hint for frontends
// without widgets.
func TestHintsAboutWidgetsAreLeftOut(t *testing.T) {
	const hint = `<div class="gokernel-no-widgets" style="x">pip install jupyterlab_widgets<pre>k = 1 (IntSlider from 1 to 9)</pre></div>` + "\n"
	for _, c := range []struct{ html, want string }{
		{hint + "<table><tr><td>7</td></tr></table>", "<table><tr><td>7</td></tr></table>"},
		{hint + `<img class="gokernel-same" src="data:image/svg+xml;base64,PHN2Zy8+">`, `<img src="data:image/svg+xml;base64,PHN2Zy8+"`},
		{"<b>its own</b>", "<b>its own</b>"},
	} {
		d := &document{}
		out, ok := d.output(&notebook.Output{Type: notebook.DisplayData, Data: map[string]any{
			"text/html": c.html, "image/svg+xml": "<svg/>", "text/plain": "k = 1 (IntSlider from 1 to 9)", widgetView: map[string]any{"model_id": "1"},
		}})
		if !ok || !strings.Contains(string(out.HTML), c.want) || strings.Contains(string(out.HTML), "jupyterlab_widgets") {
			t.Errorf("%s: got %s, want %s", c.html, out.HTML, c.want)
		}
	}
}
