package site

import (
	"path/filepath"
	"strings"
	"testing"
)

// wantAll reports which of the texts a page of the site lacks.
func wantAll(t *testing.T, files map[string]string, page string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(files[page], want) {
			t.Errorf("%s lacks %s", page, want)
		}
	}
}

// TestEndsOfPages checks the authors, the license, and the links that edit or open a page.
func TestEndsOfPages(t *testing.T) {
	dir := withHomework(t)
	change(t, filepath.Join(dir, "course.json"), `"title": "A course"`, `"title": "A course", "docs": "docs", "paper": "letter", "authors": ["Ann Lee", "[Bo](https://bo.example)"],
"license": "Text: *CC BY 4.0*", "repository": {"url": "https://github.com/ann/course", "directory": "teach/notebooks"},
"binder": "https://mybinder.org/v2/gh/ann/course/main?urlpath=lab/tree/{file}", "lite": "https://ann.example/lab/index.html?path={file}"`)
	put(t, filepath.Join(dir, "docs", "README.md"), "# The docs\n\n[License](../LICENSE), [source](../solutions/x.ipynb)\n")
	files, _, err := build(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	edit := `<a href="https://github.com/ann/course/edit/main/teach/notebooks/`
	wantAll(t, files, "lectures/N01-first.html", `<p>Ann Lee, <a href="https://bo.example">Bo</a></p>`, `<p>Text: <em>CC BY 4.0</em></p>`, "<style>@page { size: letter; }</style>",
		edit+`N01-first.ipynb">Edit this page</a>`, `<a href="https://mybinder.org/v2/gh/ann/course/main?urlpath=lab/tree/N01-first.ipynb">Open on Binder</a>`,
		`<a href="https://ann.example/lab/index.html?path=N01-first.ipynb">Open in the browser</a>`)
	wantAll(t, files, "docs/index.html", edit+`docs/README.md">`, `<a href="https://github.com/ann/course/blob/main/teach/notebooks/LICENSE">`, `x.ipynb is in the repository`)
	wantAll(t, files, "glossary.html", edit+`glossary.md">`)
	wantAll(t, files, "data.html", edit+`data/README.md">`)
	wantAll(t, files, "homework.html", `?urlpath=lab/tree/homework/trees.ipynb">Open on Binder</a>`, `?path=homework/trees.ipynb">Open in the browser</a>`)
	wantAll(t, files, "api/KMeans.html", "Ann Lee")
	for page, no := range map[string]string{"api/KMeans.html": "Edit this page", "lectures/hw.html": "Edit this page", "slides/N01-first.html": "Open on Binder"} {
		if strings.Contains(files[page], no) {
			t.Errorf("%s has %s", page, no)
		}
	}
	if strings.Contains(files["lectures/hw.html"], "mybinder") {
		t.Error("a link would open the solutions")
	}
}

func TestSourceAddresses(t *testing.T) {
	for _, test := range []struct {
		from             sources
		name, edit, view string
	}{
		{sources{URL: "https://github.com/a/b"}, "N 1.ipynb", "https://github.com/a/b/edit/main/N%201.ipynb", "https://github.com/a/b/blob/main/N%201.ipynb"},
		{sources{URL: "https://gitlab.uni.example/a/b/", Branch: "course/2027", Directory: "nb"}, "../pages/x.md", "https://gitlab.uni.example/a/b/-/edit/course/2027/pages/x.md", "https://gitlab.uni.example/a/b/-/blob/course/2027/pages/x.md"},
		{sources{URL: "https://codeberg.org/a/b"}, "x.md", "https://codeberg.org/a/b/_edit/main/x.md", "https://codeberg.org/a/b/src/branch/main/x.md"},
		{sources{URL: "https://git.example/b", Edit: "https://edit.example/?f={file}"}, "x.md", "https://edit.example/?f=x.md", "https://git.example/b/blob/main/x.md"},
		{sources{URL: "https://github.com/a/b", Directory: "nb"}, "../../x.md", "", ""},
		{sources{}, "x.md", "", ""},
	} {
		if err := test.from.check(); err != nil {
			t.Errorf("%+v: %v", test.from, err)
		}
		if edit, view := test.from.edit(test.name), test.from.view(test.name); edit != test.edit || view != test.view {
			t.Errorf("%+v, %s: got %q and %q, want %q and %q", test.from, test.name, edit, view, test.edit, test.view)
		}
	}
	for want, wrong := range map[string]sources{
		"url must not be empty": {Branch: "x"}, "url must be an address": {URL: "github.com/a/b"}, "edit must contain {file}": {URL: "https://x.org", Edit: "https://x.org/edit"},
	} {
		if err := wrong.check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, want %s", wrong, err, want)
		}
	}
}

// TestHomeworkPolicy checks the page with the rules, and that it never shows the extensions of
// single students.
func TestHomeworkPolicy(t *testing.T) {
	dir := withHomework(t)
	put(t, filepath.Join(dir, "rules.md"), "# Rules\n\nSee [trees](homework/trees.ipynb#1-a-task), [the data](data/README.md) and [N01](N01-first.ipynb#2-more).\n")
	put(t, filepath.Join(dir, "late.json"), `{"due": {"trees": "2026-11-20 23:59"}, "zone": "Europe/Berlin", "penalty": 12.5, "last": 5, "free": 3, "extensions": {"zoe": {"trees": "2026-12-24 12:00"}}}`)
	change(t, filepath.Join(dir, "course.json"), `"title": "A course"`, `"title": "A course", "policy": "rules.md", "late": "late.json"`)
	files, _, err := build(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	wantAll(t, files, "policy.html", `<a href="homework.html#trees">trees</a>`, `<a href="data.html">the data</a>`, `<a href="lectures/N01-first.html#2-more">`,
		"you may be late by 3 days without a penalty", "Each further day costs 12.5 percent of the points", "more than 5 days late earns no points")
	wantAll(t, files, "homework.html", `<a href="policy.html">homework policy</a>`, "due 2026-11-20 23:59 (Europe/Berlin)")
	wantAll(t, files, "assets/searchable.js", `"t":"Rules","i":"Homework","u":"policy.html"`)
	for name, content := range files {
		if strings.Contains(content, "zoe") || strings.Contains(content, "2026-12-24") {
			t.Errorf("%s shows the extension of a student", name)
		}
	}
	change(t, filepath.Join(dir, "late.json"), `{"due": {"trees"`, `{"due": {"tres"`)
	change(t, filepath.Join(dir, "late.json"), `{"zoe": {"trees"`, `{"zoe": {"tres"`)
	change(t, filepath.Join(dir, "rules.md"), "data/README.md", "data/none.md")
	_, _, err = build(t, dir)
	for _, want := range []string{"2 problems", "late.json, due: there is no homework tres", "rules.md, line 3: the link to data/none.md: there is no such file"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
