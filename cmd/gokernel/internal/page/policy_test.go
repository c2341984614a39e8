package page

import (
	"html"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// TestHandlers compares the hashes with the scripts that package display writes into attributes:
// one with its white space folded, the other unchanged.
func TestHandlers(t *testing.T) {
	for file, attribute := range map[string]func(string) string{
		"course/player.js": func(s string) string { return "{ " + strings.Join(strings.Fields(s), " ") + " }" },
		"plot3d/turn.js":   func(s string) string { return s },
	} {
		b, err := os.ReadFile("../../../../display/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if h := Hash(attribute(string(b))); !slices.Contains(handlers, h) {
			t.Errorf("display/%s has changed: %s belongs into handlers", file, h)
		}
	}
}

var (
	policyElement = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`)
	scriptElement = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
)

// TestPolicy checks a page with formulas, a chart and a script of its author.
func TestPolicy(t *testing.T) {
	nb := &notebook.Notebook{Cells: []*notebook.Cell{
		{ID: "a", Type: notebook.Markdown, Source: "$x^2$"},
		{ID: "b", Type: notebook.Code, Source: "x", Outputs: []*notebook.Output{{Type: notebook.DisplayData, Data: map[string]any{"text/html": "<script>alert(1)</script>"}}}},
	}}
	render := func(opt Options) string {
		b, err := Render(nb, "x", opt)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	page := render(Options{})
	m := policyElement.FindStringSubmatch(page)
	if m == nil || strings.Index(page, m[0]) > strings.Index(page, "<style") {
		t.Fatalf("there is no policy before everything else")
	}
	p := html.UnescapeString(m[1])
	own := 0
	for _, s := range scriptElement.FindAllStringSubmatch(page, -1) {
		if allowed := strings.Contains(p, Hash(s[1])); allowed == (s[1] == "alert(1)") {
			t.Errorf("the policy %s has the script %.40q: %t", p, s[1], allowed)
		} else if allowed {
			own++
		}
	}
	if own != 3 { // KaTeX, what sets formulas with it, and the page's
		t.Errorf("the page has %d scripts of its own, want 3", own)
	}
	for _, bad := range []string{"unsafe-eval", "'unsafe-inline'; script", "script-src *", "data: 'sha"} {
		if strings.Contains(p, bad) {
			t.Errorf("the policy %s has %s", p, bad)
		}
	}
	if policyElement.MatchString(render(Options{Trust: true})) {
		t.Error("a page that is trusted has a policy")
	}
}

// TestDeckPolicy checks that a deck allows exactly one more script: that of the speaker view.
func TestDeckPolicy(t *testing.T) {
	policy, err := DeckPolicy()
	if err != nil {
		t.Fatal(err)
	}
	plugin, err := unpacked(revealFiles, "reveal/notes.js.gz")
	if err != nil {
		t.Fatal(err)
	}
	script := speakerScript(string(plugin))
	if !strings.Contains(script, "window.opener") || strings.Contains(script, "</html>") || strings.Contains(script, `\\`) {
		t.Errorf("the script of the speaker view is %q", script)
	}
	if want := SharedPolicy() + " '" + Hash(script) + "'; frame-src 'self'"; policy != want {
		t.Errorf("the policy is %s, want %s", policy, want)
	}
}
