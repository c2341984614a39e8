package main

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// markdownPages returns the Markdown files of the repository by their paths in it, without
// those of tools and of generated folders.
func markdownPages(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	root := "../.."
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") && name != ".github" || name == "node_modules" || name == "dist") {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".md" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		pages[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil || len(pages) < 30 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	return pages
}

var (
	codeOfPage = regexp.MustCompile("(?ms)^(?:```|~~~).*?^(?:```|~~~)[ \t]*$|^(?: {4}|\t).*?$|`[^`\n]*`")
	linkOfPage = regexp.MustCompile(`\]\(([^()\s]+)\)|(?:src|href|srcset)="([^"]+)"`)
	headOfPage = regexp.MustCompile(`(?m)^#+ (.+)$`)
	notInSlug  = regexp.MustCompile(`[^\p{L}\p{N}_\- ]`)
	linkText   = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// slugs returns the anchors that GitHub gives the headings of a page.
func slugs(text string) []string {
	var list []string
	fenced := regexp.MustCompile("(?ms)^```.*?^```[ \t]*$").ReplaceAllString(text, "")
	for _, m := range headOfPage.FindAllStringSubmatch(fenced, -1) {
		head := linkText.ReplaceAllString(m[1], "$1")
		s := strings.ReplaceAll(notInSlug.ReplaceAllString(strings.ToLower(head), ""), " ", "-")
		list = append(list, s)
	}
	return list
}

// deadLinks returns the relative links of a page whose file, or whose anchor in that file, does not
// exist.
func deadLinks(pages map[string]string, name string, exists func(string) bool) (wrong []string) {
	text := codeOfPage.ReplaceAllString(pages[name], "")
	for _, m := range linkOfPage.FindAllStringSubmatch(text, -1) {
		u, err := url.Parse(m[1] + m[2])
		if err != nil {
			wrong = append(wrong, m[0]+": "+err.Error())
			continue
		}
		if u.Scheme != "" || u.Host != "" {
			continue
		}
		to := name
		if u.Path != "" {
			to = filepath.ToSlash(filepath.Join(filepath.Dir(name), filepath.FromSlash(u.Path)))
			if !exists(to) {
				wrong = append(wrong, u.String()+": there is no such file")
				continue
			}
		}
		if page, ok := pages[to]; ok && u.Fragment != "" && !slices.Contains(slugs(page), u.Fragment) {
			wrong = append(wrong, u.String()+": the page has no such heading")
		}
	}
	return wrong
}

// TestLinksOfPages checks that each relative link of a Markdown file leads to a file, and each
// anchor to a heading.
func TestLinksOfPages(t *testing.T) {
	pages := markdownPages(t)
	for name := range pages {
		for _, w := range deadLinks(pages, name, func(path string) bool {
			_, err := os.Stat(filepath.Join("../..", path))
			return err == nil
		}) {
			t.Errorf("%s: %s", name, w)
		}
	}
}

func TestDeadLinks(t *testing.T) {
	pages := map[string]string{
		"docs/a.md": "# One: `two`, three\n[a](#one-two-three) [b](b.md#there) [c](b.md#gone) [d](../x.png) [e](gone.md) [f](https://go.dev/x) `[g](no.md)`\n```\n[h](no.md)\n# Not a head\n```\n    [i](no.md)\n<img src=\"no.png\">\n[j](#not-a-head)",
		"docs/b.md": "## There\n",
	}
	got := deadLinks(pages, "docs/a.md", func(path string) bool { return pages[path] != "" || path == "x.png" })
	want := []string{"b.md#gone: the page has no such heading", "gone.md: there is no such file", "no.png: there is no such file", "#not-a-head: the page has no such heading"}
	if !slices.Equal(got, want) {
		t.Errorf("dead links are %q, want %q", got, want)
	}
}

// pathOfPage matches the path of a page in texts and comments.
var pathOfPage = regexp.MustCompile(`\bdocs/[a-z0-9/_-]+\.md\b`)

// TestMapOfDocs checks that docs/README.md links to every page of docs, and names only existing
// pages.
func TestMapOfDocs(t *testing.T) {
	pages := markdownPages(t)
	linked := map[string]bool{}
	for _, m := range linkOfPage.FindAllStringSubmatch(pages["docs/README.md"], -1) {
		linked["docs/"+m[1]] = true
	}
	for name := range pages {
		if strings.HasPrefix(name, "docs/") && name != "docs/README.md" && !linked[name] {
			t.Errorf("docs/README.md has no link to %s", name)
		}
	}
}

// TestNamesOfPages checks that the pages of docs named in sources exist.
func TestNamesOfPages(t *testing.T) {
	pages := markdownPages(t)
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && (path != "../.." && strings.HasPrefix(name, ".") && name != ".ci" && name != ".github" || name == "node_modules" || name == "prose"):
			return fs.SkipDir // internal/prose tries its rules on pages that do not exist
		case d.IsDir() || !slices.Contains([]string{".go", ".py", ".md", ".yaml", ".yml", ".json", ".ipynb", ".sh", ""}, filepath.Ext(name)):
			return nil
		case name == "CHANGELOG.md" || name == "docs_test.go":
			return nil // these name the pages of their time, or pages for this test
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, page := range pathOfPage.FindAllString(string(text), -1) {
			if _, ok := pages[page]; !ok {
				t.Errorf("%s names %s, which is not there", path, page)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
