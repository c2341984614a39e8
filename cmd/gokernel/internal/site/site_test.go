package site

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/google/go-cmp/cmp"
)

// svg is a figure as cells show it.
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="38"><text font-size="11">a</text></svg>`

func text(id, source string) *notebook.Cell {
	return &notebook.Cell{ID: id, Type: notebook.Markdown, Source: source, Metadata: map[string]any{}}
}

func code(id, source string, data map[string]any) *notebook.Cell {
	c := &notebook.Cell{ID: id, Type: notebook.Code, Source: source, Metadata: map[string]any{}}
	if data != nil {
		c.Outputs = []*notebook.Output{{Type: notebook.DisplayData, Data: data, Metadata: map[string]any{}}}
	}
	return c
}

func drawn(alt string) map[string]any {
	return map[string]any{"image/svg+xml": svg, "text/plain": alt}
}

const courseText = `{"title": "A course", "about": "Two lectures.", "references": "references.md", "slips": "slips.tsv",
"notation": "notation.md", "glossary": "glossary.md", "data": "data/README.md", "omit": ["N03"], "parts": [{"title": "Beginnings", "lectures": [
{"id": "N01", "title": "First things"}, {"id": "N02", "title": "Second things", "needs": ["N01"], "minutes": 35, "figure": "tree"},
{"id": "N03", "title": "To come", "needs": ["N02"]}]}]}`

// small writes a course of three notebooks and returns its directory.
func small(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"course.json":    courseText,
		"references.md":  "# References\n\n## cluster\n\n- [Lloyd1982] S. P. Lloyd. Least squares quantization in PCM. 1982.\n",
		"slips.tsv":      "id\tnotes\tsaid\tright\tsymbols\ttests\nE0-01\t000:L112-114\tnine\tten\tcluster.KMeans\tcluster.TestX\nE4-02\t004:L5\tup\tdown\tprep.None\tprep.TestY\n",
		"notation.md":    "| sign | meaning | lectures |\n|---|---|---|\n| $n$ | number of examples | N01, N02 |\n",
		"glossary.md":    "| term | meaning | lectures |\n|---|---|---|\n| center | the mean of a *cluster* | N02 |\n",
		"data/README.md": "# Data\n\n| file | what |\n|---|---|\n| `a.csv` | numbers |\n",
		"data/a.csv":     "1,2\n",
	} {
		put(t, filepath.Join(dir, filepath.FromSlash(name)), content)
	}
	check := code("check", "panic(1)", nil)
	check.Metadata["tags"] = []any{"check", "hide-input"}
	means := code("means", "ml.KMeans{K: 3}\nml.Fit(&ml.KMeans{}, d)", map[string]any{"text/plain": "3"})
	means.Metadata["catalogue"] = []any{"CLU-01"}
	player := code("player", "Animate(x)", map[string]any{"text/html": `<div><img alt="Two frames" width="100" data-frames="QQ== Qg==" onload="{ go() }" src="data:image/png;base64,QUJD"></div>`})
	for name, cells := range map[string][]*notebook.Cell{
		"N01-first": {
			text("title", "# First things\n\nWhy $x$ is < 1, asked in **earnest**.\n\n## 1. Means"), means,
			code("plot", "Scatter(d)", drawn("Points.")), check,
			text("plot-text", "**Figure 1.** Where `ml.KMeans` ends; section 2 has more.\n\nSee figures 1 and 2, and [the second](N02-second.ipynb#2-trees), [later](N03-later.ipynb), [numbers](data/a.csv), [data](data/README.md).\n\n> **Slip.** Notes 0, lines 19 and 113: no. Why it matters: yes.\n\n## 2. More"),
			player, text("player-text", "**Figure 2.** Frames."),
		},
		"N02-second": {
			text("title", "# Second things\n\nTrees.\n\n## 2. Trees"),
			code("points", "ml.Iris()", drawn("Iris.")), code("tree", "Tree(t)", drawn("A tree.")),
			text("end", "**Figure 1.** A tree.\n\nFigure 1 of [N01](N01-first.ipynb) is another. <details><summary>Answer to figure 1</summary>In figure 1, see <a href=\"N01-first.ipynb#2-more\">more</a>.</details>"),
		},
		"extra": {text("t", "# Extra\n\nNothing more.")},
	} {
		nb := &notebook.Notebook{Cells: cells, Metadata: map[string]any{}}
		b, err := nb.Encode()
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(dir, name+".ipynb"), string(b))
	}
	return dir
}

func put(t *testing.T, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// build builds a site from a directory and returns its files.
func build(t *testing.T, dir string) (files map[string]string, said []string, err error) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "site")
	err = Build(t.Context(), Options{Dir: dir, Out: out, Say: func(f string, args ...any) {
		said = append(said, fmt.Sprintf(f, args...))
	}})
	if err != nil {
		return map[string]string{}, said, err
	}
	return read(t, out), said, nil
}

// read returns the files of a directory.
func read(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		files[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// site is built from the small course; tests only read it.
var site struct {
	once  sync.Once
	files map[string]string
	said  []string
	err   error
}

func theSite(t *testing.T) (map[string]string, []string) {
	t.Helper()
	site.once.Do(func() { site.files, site.said, site.err = build(t, small(t)) })
	if site.err != nil {
		t.Fatal(site.err)
	}
	return site.files, site.said
}

func TestSite(t *testing.T) {
	files, said := theSite(t)
	for file, wants := range map[string][]string{
		"index.html": {
			"<h1>A course</h1>", `<a href="lectures/N01-first.html" data-name="N01-first"><rect`,
			`data-from="N01-first" data-to="N02-second"`, "35 min", `needs <a href="lectures/N01-first.html" title="First things">N01</a>`,
			`src="figures/N02-second/tree.svg"`, "Why x is &lt; 1, asked in earnest.", "More notebooks",
		},
		"lectures/N01-first.html": {
			`<li class="level2"><a href="#2-more">2. More</a></li>`,
			`<figcaption><b>Figure 1.</b> Where <a href="../api/KMeans.html"><code>ml.KMeans</code></a> ends; <a href="#2-more">section 2</a> has more.</figcaption>`,
			`figures <a href="#figure-1">1</a> and <a href="#figure-2">2</a>`, `href="N02-second.html#2-trees"`,
			`<span class="later" title="N03 is not on this site">later</span>`, `href="../files/data/a.csv"`, `href="../data.html"`,
			`<details class="slip" id="slip-1"><summary data-place="Notes 0, line 19"><strong>Slip.</strong></summary>`, "Show slips of the notes", "Test of what the text says, 1 line", "Code of the figure, 1 line",
			`<a href="../api/KMeans.html">`, `href="../api/verb-Scatter.html"`, `<img class="still" src="../figures/N01-first/player.png" alt="Two frames"`,
			`rel="next" href="N02-second.html"`, `<img src="../figures/N01-first/plot.svg" alt="Points."`, "assets/katex/katex.min.js",
		},
		"lectures/N02-second.html": {
			`35 minutes · needs <a href="N01-first.html">N01 First things</a>`, "Figure 1 of <a", "<summary>Answer to figure 1</summary>In <a href=\"#figure-1\">figure 1</a>, see <a href=\"N01-first.html#2-more\">more</a>.",
			`rel="prev" href="N01-first.html"`, `<figure id="figure-1">`,
		},
		"slides/N01-first.html": {"<h1>First things</h1>", "<h2>2. More</h2>", `src="../figures/N01-first/plot.svg"`, `<details class="slip" open=""><summary data-place="Notes 0, line 19"><strong>Slip.</strong>`},
		"api/KMeans.html": {
			`<h1>ml.KMeans</h1>`, `<a href="../lectures/N01-first.html#cell-means">N01 First things</a>: 1. Means <span class="soft">(2 times)</span>`,
			`<a href="../bibliography.html#Lloyd1982">Lloyd1982</a>`, `Course: <a href="../lectures/N01-first.html#cell-means">CLU-01</a>`, `<h3 id="Fit">Fit</h3>`,
			`<div class="formula" role="group" aria-label="Formula" style="--columns: 1"><div style="grid-column: 1 / -1"><span class="math inline">\displaystyle J`, "assets/katex/katex.min.js",
		},
		"api/Autoencoder.html":      {"<p>Course: NET-20, NET-21"},
		"gallery.html":              {"4 figures", `<a href="lectures/N02-second.html#figure-1"><img src="figures/N02-second/tree.svg" alt="A tree."`, "<p><b>Figure 1.</b> Where <code>ml.KMeans</code> ends; section 2 has more.</p>"},
		"slips.html":                {"2 places, 1 of them", "Notes 0, line\u00a0112–114", `<a href="lectures/N01-first.html#slip-1">N01</a>`, `<a href="api/KMeans.html">KMeans</a>`},
		"glossary.html":             {`<tr id="sign-n">`, `<span class="math inline">n</span>`, `<div id="term-center"><dt>center</dt><dd>the mean of a <em>cluster</em>`},
		"bibliography.html":         {`<li id="Lloyd1982">`, `Named by <a href="api/`},
		"data.html":                 {`<a href="api/Iris.html">ml.Iris</a>`, "BSD-3-Clause", `<a href="lectures/N02-second.html#cell-points">N02</a>`, "<code>a.csv</code>", `<a href="api/TwoMoons.html">ml.TwoMoons</a>`, "<code>n int, noise float64, seed uint64</code>", `ml.Messages</a></th><td data-is="What it is">`},
		"files/data/a.csv":          {"1,2"},
		"downloads/N01-first.ipynb": {"ml.KMeans"}, "downloads/N01-first.executed.ipynb": {"Animate"}, ".nojekyll": nil, "404.html": nil,
		"assets/minisearch/LICENSE": {"Permission is hereby granted"}, "assets/katex/LICENSE": nil, "assets/katex/fonts/KaTeX_Main-Regular.woff2": nil,
	} {
		got, ok := files[file]
		if !ok {
			t.Errorf("there is no %s", file)
		}
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %s", file, want)
			}
		}
	}
	if strings.Contains(files["lectures/N01-first.html"], "vega") || strings.Contains(files["lectures/N02-second.html"], "katex.min.js") {
		t.Error("a page loads what it does not need")
	}
	if len(said) != 1 || !strings.Contains(said[0], "N03 is omitted: links to it are shown as text (1)") {
		t.Errorf("said %q", said)
	}
	again, _, err := build(t, small(t))
	if d := cmp.Diff(files, again); err != nil || d != "" {
		t.Errorf("a second site differs: %v\n%s", err, d)
	}
}

// TestNothingFromElsewhere searches for content that a browser would load, in addition to the check
// in Build.
func TestNothingFromElsewhere(t *testing.T) {
	files, _ := theSite(t)
	loads := regexp.MustCompile(`<(?:link|script|img)[^>]*(?:src|href)="(?:https?:)?//|@import|url\(["']?(?:https?:)?//|fetch\(|XMLHttpRequest`)
	for name, content := range files {
		if ext := path.Ext(name); (ext == ".html" || ext == ".css" || name == "assets/site.js" || name == "assets/search.js") && loads.MatchString(content) {
			t.Errorf("%s loads %q", name, loads.FindString(content))
		}
	}
}

func TestSearch(t *testing.T) {
	files, _ := theSite(t)
	data, ok := strings.CutPrefix(files["assets/searchable.js"], "const searchable = ")
	var all []entry
	if err := json.Unmarshal([]byte(strings.TrimSuffix(data, ";\n")), &all); err != nil || !ok {
		t.Fatal(err)
	}
	seen := map[string]entry{}
	for _, e := range all {
		if _, twice := seen[e.URL]; twice {
			t.Errorf("%s appears twice", e.URL)
		}
		seen[e.URL] = e
		if page, _, _ := strings.Cut(e.URL, "#"); files[page] == "" {
			t.Errorf("%s: there is no such page", e.URL)
		}
	}
	for url, want := range map[string]string{
		"lectures/N01-first.html": "lecture", "lectures/N01-first.html#2-more": "section", "lectures/N01-first.html#figure-1": "figure",
		"api/KMeans.html": "api", "glossary.html#term-center": "term", "bibliography.html#Lloyd1982": "reference",
	} {
		if seen[url].Kind != want {
			t.Errorf("%s is %+v, want a %s", url, seen[url], want)
		}
	}
	if got := seen["lectures/N01-first.html#figure-1"].Text; got != "Where ml.KMeans ends; section 2 has more." {
		t.Errorf("the text of the figure is %q", got)
	}
	if got := searchable(`<p>It is <span class="math inline">x &lt; 1</span>; so</p>`); got != "It is …; so" {
		t.Errorf("a text with a formula is %q", got)
	}
}

// change replaces a piece of a file.
func change(t *testing.T, file, from, to string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(b), from) {
		t.Fatalf("%s has no %s", file, from)
	}
	put(t, file, strings.Replace(string(b), from, to, 1))
}

func TestWrongLinks(t *testing.T) {
	dir := small(t)
	var wants []string
	for _, test := range []struct{ from, to, want string }{
		{"#2-trees", "#2-bushes", "the link to N02-second.ipynb#2-bushes: no heading or cell there has the name 2-bushes"},
		{"N03-later.ipynb", "N77-later.ipynb", "the link to N77-later.ipynb: there is no such file"},
		{"(data/a.csv)", "(data/b.csv)", "the link to data/b.csv: there is no such file\n    write data/a.csv, or add "},
		{"[numbers]", `<i id=\"slip-1\"></i>[numbers]`, `two elements have the id "slip-1"`},
		{"See figures", "<img src='a.png' alt=''> ![an old picture](attachment:old.png) See figures", "the link to a.png: there is no such picture"},
	} {
		change(t, filepath.Join(dir, "N01-first.ipynb"), test.from, test.to)
		wants = append(wants, test.want)
	}
	_, _, err := build(t, dir)
	if err == nil {
		t.Fatal("a site with wrong links is made")
	}
	wants = append(wants, "6 problems; nothing was written:", "the cell has no attachment old.png")
	for _, want := range wants {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nlacks %s", err, want)
		}
	}
	place := filepath.ToSlash(filepath.Join(dir, "N01-first.ipynb")) + ", cell plot-text: "
	if n := strings.Count(err.Error(), "\n"+place); n != 6 {
		t.Errorf("%d problems have the place %q, want 6:\n%v", n, place, err)
	}
}

func TestWrongSites(t *testing.T) {
	for name, test := range map[string]struct{ file, from, to, want string }{
		"needs":     {"course.json", `["N01"]`, `["N02"]`, "N02 needs N02, which must be an earlier lecture"},
		"twice":     {"course.json", `"id": "N03"`, `"id": "N01"`, "N01 appears twice"},
		"field":     {"course.json", `"needs"`, `"neds"`, "course.json, line 3: unknown field \"neds\""},
		"missing":   {"course.json", `"omit": ["N03"], `, "", `course.json, lecture N03: there is no notebook `},
		"omit":      {"course.json", `["N03"]`, `["N03", "N9?"]`, `course.json, omit: no lecture matches "N9?"`},
		"policy":    {"course.json", `"omit"`, `"homework": "data", "policy": "none.md", "omit"`, "names a file that can't be read"},
		"paper":     {"course.json", `"omit"`, `"paper": "A3", "omit"`, `course.json, paper: paper must be A4 or letter, got "A3"`},
		"figure":    {"course.json", `"tree"`, `"tre"`, `figure must be the id of a cell of N02-second, got "tre"`},
		"reference": {"course.json", `"references.md"`, `"none.md"`, "names a file that can't be read"},
		"failed":    {"N01-first.ipynb", `"output_type": "display_data"`, `"output_type": "error", "ename": "bad", "evalue": "worse", "traceback": []`, "N01-first.ipynb, cell means: the cell fails: bad: worse"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := small(t)
			change(t, filepath.Join(dir, test.file), test.from, test.to)
			if _, _, err := build(t, dir); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestWrongIndexes(t *testing.T) {
	dir := t.TempDir()
	b := &builder{Options: Options{Dir: dir}, course: &course{Slips: "slips.tsv"}, api: &library{}}
	put(t, filepath.Join(dir, "slips.tsv"), "id\tright\n")
	if err := b.addSlipsIndex(); err == nil || !strings.Contains(err.Error(), "has no column notes") {
		t.Errorf("got %v", err)
	}
	put(t, filepath.Join(dir, "glossary.md"), "| a | b |\n|---|---|\n| x | y |\n")
	if _, _, err := b.words("glossary.md", ""); err != nil {
		t.Fatal(err)
	}
	if err := joined(b.faults...); err == nil || !strings.Contains(err.Error(), "glossary.md, row 1: a row must have a term, its meaning, and the lectures") {
		t.Errorf("got %v", err)
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "mine"), "x")
	if err := checkOut(dir); err == nil || !strings.Contains(err.Error(), "did not write") {
		t.Errorf("got %v for a directory with other files", err)
	}
	out := filepath.Join(dir, "out")
	if err := write(out, map[string][]byte{"a/b.html": []byte("1"), "c.html": []byte("2")}); err != nil {
		t.Fatal(err)
	}
	if err := write(out, map[string][]byte{"c.html": []byte("3")}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(out, "a", "b.html")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a page of the last site is there still: %v", err)
	}
	if b, _ := os.ReadFile(filepath.Join(out, "c.html")); string(b) != "3" || checkOut(out) != nil {
		t.Errorf("c.html is %q, and %v", b, checkOut(out))
	}
}

// TestCache checks that a notebook runs again if its code, its files or the key have changed, and
// only then.
func TestCache(t *testing.T) {
	root, cache := t.TempDir(), t.TempDir()
	dir := filepath.Join(root, "notebooks")
	put(t, filepath.Join(dir, "a.csv"), "1")
	put(t, filepath.Join(root, "data", "b.csv"), "1")
	ran := 0
	run := func(_ context.Context, _ string, nb *notebook.Notebook) (Outcome, error) {
		ran++
		nb.Cells[1].Outputs = []*notebook.Output{{Type: notebook.Stream, Name: "stdout", Text: nb.Cells[1].Source}}
		return Outcome{}, nil
	}
	try := func(what, words, source, key string, fresh, runs bool) {
		t.Helper()
		nb := &notebook.Notebook{Cells: []*notebook.Cell{text("t", words), code("c", source, nil)}, Metadata: map[string]any{}}
		c := &Cache{Dir: cache, Notebooks: dir, Out: filepath.Join(dir, "site"), Key: key, Fresh: fresh}
		before := ran
		out, err := c.Run(run)(t.Context(), "n.ipynb", nb)
		if err != nil {
			t.Fatal(err)
		}
		if (ran > before) != runs || out.Reused == runs {
			t.Errorf("%s: it ran: %v, want %v, and is said to be reused: %v", what, ran > before, runs, out.Reused)
		}
		if nb.Cells[1].Outputs[0].Text != source || nb.Cells[0].Source != words {
			t.Errorf("%s: its text is %q, and %q shows %q", what, nb.Cells[0].Source, source, nb.Cells[1].Outputs[0].Text)
		}
	}
	const reads = "os.ReadFile(`../data/b.csv`)"
	try("first", "A", reads, "k", false, true)
	try("unchanged", "A", reads, "k", false, false)
	try("other text", "B", reads, "k", false, false)
	try("other code", "A", reads+" // again", "k", false, true)
	try("other options", "A", reads, "k2", false, true)
	try("fresh", "A", reads, "k", true, true)
	put(t, filepath.Join(dir, "site", "index.html"), "the site is no data")
	try("after a site is written", "A", reads, "k", false, false)
	put(t, filepath.Join(dir, "a.csv"), "2")
	try("a file beside it", "A", reads, "k", false, true)
	put(t, filepath.Join(root, "data", "b.csv"), "2")
	try("a file above it", "A", reads, "k", false, true)
	// Cells need not read the files that the site indexes.
	put(t, filepath.Join(dir, "course.json"), `{"data": "README.md"}`)
	put(t, filepath.Join(dir, "README.md"), "1")
	try("indexes", "A", reads, "k", false, false)
	put(t, filepath.Join(dir, "README.md"), "2")
	try("other indexes", "A", reads, "k", false, false)
}

// TestRunsAtOnce checks that notebooks run at once, at most Jobs of them, and that the lines about
// them are in the order of the course.
func TestRunsAtOnce(t *testing.T) {
	for _, room := range []bool{true, false} {
		both, active := make(chan bool), make(chan bool, 2)
		most := 2
		if !room {
			most = 1
		}
		var said []string
		opt := Options{Dir: small(t), Out: filepath.Join(t.TempDir(), "site"), Jobs: 2, Room: func() bool { return room }}
		opt.Say = func(f string, args ...any) { said = append(said, fmt.Sprintf(f, args...)) }
		opt.Run = func(ctx context.Context, name string, nb *notebook.Notebook) (Outcome, error) {
			select {
			case active <- true:
			default:
				t.Errorf("more than %d notebooks run at once", cap(active))
			}
			defer func() { <-active }()
			if !room && len(active) > most {
				t.Errorf("%d notebooks run at once, want %d", len(active), most)
			}
			if room && name == "N01-first.ipynb" {
				<-both // the second ends before the first
			}
			if room && name == "N02-second.ipynb" {
				close(both)
			}
			return Outcome{Reused: name == "extra.ipynb"}, nil
		}
		b := newBuilder(opt)
		if err := b.do(t.Context(), b.readCourse, b.readLectures, b.execute); err != nil {
			t.Fatal(err)
		}
		want := []string{"[1/3] N01-first: ran in 0.0 s", "[2/3] N02-second: ran in 0.0 s", "[3/3] extra: unchanged, its outputs are reused"}
		if !slices.Equal(said, want) {
			t.Errorf("said %q, want %q", said, want)
		}
	}
}

// TestElements checks that attributes are parsed as in browsers, with any quotes or none.
func TestElements(t *testing.T) {
	var got []string
	for name, attributes := range elements(`<IMG SRC=//x.org/a.png alt="1 > 0"><a href='b'>&lt;i&gt;</a><script>"<p id='no'>"</script><br/>`) {
		got = append(got, name+" "+attributes["src"]+attributes["href"]+attributes["alt"])
	}
	if want := []string{"img //x.org/a.png1 > 0", "a b", "script ", "br "}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	b := newBuilder(Options{})
	b.files = map[string][]byte{"a.html": []byte(`<img src=https://x.org/a.png><a href='no.html'>`)}
	if err := b.checkLinks(t.Context()); err == nil || !strings.Contains(err.Error(), "loaded from elsewhere") || !strings.Contains(err.Error(), "the link to no.html: there is no such file") {
		t.Errorf("got %v", err)
	}
}

func TestLinesOf(t *testing.T) {
	for text, want := range map[string][]line{
		"Notes 4, lines 19 and 274, say":               {{4, 19, 19}, {4, 274, 274}},
		"(Notes 0, line 1075, calls":                   {{0, 1075, 1075}},
		"Notes 3, lines 12 to 15, and Notes 1, line 2": {{3, 12, 15}, {1, 2, 2}},
		"Notes 2, lines 54-55":                         {{2, 54, 55}},
		"Notes 1, line 5: no. (Line 7 has it.)":        {{1, 5, 5}, {1, 7, 7}},
		"Notes 1 show two, in line 5 and from line 9":  {{1, 5, 5}, {1, 9, 9}},
		"a straight line 5 long, lines 2 and 3":        nil,
		"no notes":                                     nil,
	} {
		if got := linesOf(text); !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

func TestFileNamesDiffer(t *testing.T) {
	lib := newLibrary()
	if len(lib.names) < 1000 {
		t.Fatalf("there are only %d names", len(lib.names))
	}
	seen := map[string]string{}
	for _, v := range lib.names {
		if other := seen[strings.ToLower(v.File)]; other != "" {
			t.Errorf("%s and %s have one file", v.Label, other)
		}
		seen[strings.ToLower(v.File)] = v.Label
		if v.Family == "ml" && v.Kind == "type" {
			t.Errorf("%s is of no family", v.Label)
		}
		if strings.Contains(v.Family, ".") {
			t.Errorf("%s is of the family %s", v.Label, v.Family)
		}
		if v.Synopsis == "" {
			t.Errorf("%s has no documentation", v.Label)
		}
	}
}

func TestLivePages(t *testing.T) {
	dir, out, live := small(t), filepath.Join(t.TempDir(), "site"), t.TempDir()
	build := func() error {
		return Build(t.Context(), Options{Dir: dir, Out: out, Live: live})
	}
	if err := build(); err == nil || !strings.Contains(err.Error(), "gokernel.wasm.xz") {
		t.Errorf("a folder without the kernel: %v", err)
	}
	put(t, filepath.Join(live, "gokernel.wasm.xz"), strings.Repeat("x", 1_600_000))
	put(t, filepath.Join(live, "worker.js"), "// a worker")
	put(t, filepath.Join(live, "lib/std/docs.zip"), "docs")
	if err := build(); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"live/worker.js":          "// a worker",
		"live/lib/std/docs.zip":   "docs",
		"live/files/data/a.csv":   "1,2",
		"assets/live.js":          "new Worker",
		"lectures/N01-first.html": `data-download="2 MB"`,
	} {
		content, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(file)))
		if err != nil || !strings.Contains(string(content), want) {
			t.Errorf("%s: no %q, %v", file, want, err)
		}
	}
	for file, worker := range map[string]bool{"lectures/N01-first.html": true, "index.html": false} {
		content, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(file)))
		if err != nil || strings.Contains(string(content), "worker-src") != worker {
			t.Errorf("%s: may start a worker: %v, want %v, %v", file, !worker, worker, err)
		}
	}
}
