package site

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// documented writes the small course with documentation.
func documented(t *testing.T) string {
	t.Helper()
	dir := small(t)
	change(t, filepath.Join(dir, "course.json"), `"data":`, `"docs": "docs", "data":`)
	for name, content := range map[string]string{
		"README.md":       "# The map\n\n[Steps](how-to/steps.md#step-two) and [terms](../glossary.md#x), [a lecture](../N01-first.ipynb#2-more), [the license](../LICENSE), [around](../../" + filepath.Base(dir) + "/N02-second.ipynb).\n",
		"how-to/steps.md": "# Steps\n\nUse `ml.KMeans`, or go [back](../README.md).\n\n![A picture](../images/a.png)\n\n## Step two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
		"images/a.png":    "PNG",
	} {
		put(t, filepath.Join(dir, "docs", filepath.FromSlash(name)), content)
	}
	return dir
}

func TestDocs(t *testing.T) {
	dir := documented(t)
	change(t, filepath.Join(dir, "N01-first.ipynb"), "[numbers]", "[steps](docs/how-to/steps.md#step-two), [numbers]")
	files, _, err := build(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, wants := range map[string][]string{
		"docs/index.html": {"<title>The map · A course</title>", `<a href="../docs/how-to/steps.html#step-two">Steps</a>`, `<a href="../glossary.html">terms</a>`,
			`<a href="../lectures/N01-first.html#2-more">a lecture</a>`, `<a href="../lectures/N02-second.html">around</a>`, `<span class="later" title="LICENSE is in the repository">the license</span>`, `<a href="index.html" aria-current="page">Docs</a>`},
		"docs/how-to/steps.html":  {`<a href="../../docs/index.html">back</a>`, `src="../../docs/images/a.png"`, `<a href="../../api/KMeans.html">`, `id="step-two"`, "<table>"},
		"docs/images/a.png":       {"PNG"},
		"lectures/N01-first.html": {`<a href="../docs/how-to/steps.html#step-two">steps</a>`},
	} {
		for _, want := range wants {
			if !strings.Contains(files[name], want) {
				t.Errorf("%s lacks %s:\n%s", name, want, files[name])
			}
		}
	}
	if !strings.Contains(files["assets/searchable.js"], `"docs/how-to/steps.html"`) {
		t.Error("the search does not find the documentation")
	}
}

func TestWrongDocs(t *testing.T) {
	for want, test := range map[string][3]string{
		"docs/README.md, line 3: the link to gone.png: there is no such picture":                                           {"docs/README.md", "# The map", "# The map\n\n![x](gone.png)"},
		"docs/README.md, line 3: the link to how-to/steps.md#step-three: no heading or cell there has the name step-three": {"docs/README.md", "#step-two", "#step-three"},
		"has no README.md, which would be the first":                                                                       {"course.json", `"docs": "docs"`, `"docs": "docs/how-to"`},
	} {
		dir := documented(t)
		change(t, filepath.Join(dir, filepath.FromSlash(test[0])), test[1], test[2])
		if _, _, err := build(t, dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
}

// TestCourseFileOfThePage checks the course file in docs/how-to/publishing.md.
func TestCourseFileOfThePage(t *testing.T) {
	text, err := os.ReadFile(repository + "docs/how-to/publishing.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(text, []byte("```json\n"))
	example, _, ok := bytes.Cut(rest, []byte("```"))
	if !ok {
		t.Fatal("the page has no block of JSON")
	}
	var c course
	d := json.NewDecoder(bytes.NewReader(example))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		t.Fatal(err)
	}
	if err := c.check("course.json"); err != nil || c.Title == "" || len(c.Parts) == 0 {
		t.Errorf("it is %+v, %v", c, err)
	}
}

// TestBrowserPageHasNoSolutions checks that the steps for JupyterLite publish only what site writes
// with --contents.
func TestBrowserPageHasNoSolutions(t *testing.T) {
	for _, name := range []string{"docs/how-to/browser.md", "install/lite/build.py"} {
		text, err := os.ReadFile(repository + name)
		if err != nil {
			t.Fatal(err)
		}
		built := regexp.MustCompile(`jupyter lite build --contents (\S+)`).FindAllSubmatch(text, -1)
		if len(built) == 0 {
			t.Errorf("%s does not build a site", name)
		}
		for _, m := range built {
			if !bytes.Contains(text, []byte("gokernel site notebooks/ --stored -o site/ --contents "+string(m[1])+"/\n")) {
				t.Errorf("%s publishes %s, which gokernel site --contents has not written", name, m[1])
			}
		}
	}
}
