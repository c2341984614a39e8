package language

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/internal/lsp"
)

// testServer returns a server without a client, and the findings that it publishes.
func testServer() (*Server, chan lsp.PublishDiagnosticsParams) {
	s := newServer("test")
	shown := make(chan lsp.PublishDiagnosticsParams, 1<<16)
	s.notify = func(p lsp.PublishDiagnosticsParams) { shown <- p }
	return s, shown
}

func TestPositions(t *testing.T) {
	tx := newText("aä\n😀b\n")
	for _, tt := range []struct {
		offset          int
		line, character int
	}{{0, 0, 0}, {1, 0, 1}, {3, 0, 2}, {4, 1, 0}, {8, 1, 2}, {9, 1, 3}, {10, 2, 0}} {
		p := tx.position(tt.offset)
		if p.Line != tt.line || p.Character != tt.character {
			t.Errorf("offset %d is at %v, want %d:%d", tt.offset, p, tt.line, tt.character)
		}
		if got := tx.offset(p); got != tt.offset {
			t.Errorf("%v is offset %d, want %d", p, got, tt.offset)
		}
	}
	for _, tt := range []struct {
		p    lsp.Position
		want int
	}{{lsp.Position{Line: 0, Character: 99}, 3}, {lsp.Position{Line: 9}, 10}, {lsp.Position{Line: 1, Character: 1}, 4}} {
		if got := tx.offset(tt.p); got != tt.want {
			t.Errorf("%v is offset %d, want %d", tt.p, got, tt.want)
		}
	}
}

func TestParts(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"x := 1\n\n\ny := 2\n\n\n", []string{"x := 1", "y := 2"}},
		{"x := 1\n\ny := 2", []string{"x := 1\n\ny := 2"}},
		{"x := `a\n\n\nb`\n\n\ny := 2", []string{"x := `a\n\n\nb`", "y := 2"}},
		{"x := `a\n\n\ny := 2\n\n\nz := 3", []string{"x := `a", "y := 2", "z := 3"}},
		{"f(\n\n\ny := 2", []string{"f(", "y := 2"}},
		{"// %%\nx := 1\n\n\ny := 2\n// %% [markdown]\n// Text\n// %% title\nz := 3\n", []string{"x := 1\n\n\ny := 2", "z := 3"}},
		{"", nil},
	} {
		var got []string
		for _, p := range parts(tt.text) {
			got = append(got, p.text)
			if !strings.HasPrefix(tt.text[p.start:], p.text) {
				t.Errorf("%q: a part begins at %d, which is wrong", tt.text, p.start)
			}
		}
		if strings.Join(got, "|") != strings.Join(tt.want, "|") {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

// TestVirtualDocument opens the document that JupyterLab makes of a notebook, with an error in the
// second cell, and corrects it.
func TestVirtualDocument(t *testing.T) {
	s, shown := testServer()
	const uri = "file:///n.ipynb"
	s.didOpen(&lsp.DidOpenTextDocumentParams{TextDocument: lsp.TextDocumentItem{URI: uri, LanguageId: "go", Version: 1, Text: "x := 1\n\n\nx := \"a\"\ny\n\n\nx + \"b\"\n\n\n"}})
	p := <-shown
	if len(p.Diagnostics) != 1 || p.Diagnostics[0].Range.Start != (lsp.Position{Line: 4}) || !strings.HasPrefix(p.Diagnostics[0].Message, "undefined: y") {
		t.Fatalf("%+v, want that y is undefined", p)
	}
	s.didChange(&lsp.DidChangeTextDocumentParams{
		TextDocument:   lsp.VersionedTextDocumentIdentifier{URI: uri, Version: 2},
		ContentChanges: []lsp.TextDocumentContentChangeEvent{{Range: &lsp.Range{Start: lsp.Position{Line: 4}, End: lsp.Position{Line: 4, Character: 1}}, Text: "x"}},
	})
	if p := <-shown; len(p.Diagnostics) != 0 || p.Version != 2 {
		t.Errorf("%+v after the correction, want no findings", p)
	}
	at := lsp.TextDocumentIdentifier{URI: uri}
	locations, _ := s.references(&lsp.ReferenceParams{TextDocument: at, Position: lsp.Position{Line: 7}, Context: lsp.ReferenceContext{IncludeDeclaration: true}})
	var lines []int
	for _, l := range locations.([]lsp.Location) {
		lines = append(lines, l.Range.Start.Line)
	}
	if len(lines) != 3 || lines[0] != 3 || lines[1] != 4 || lines[2] != 7 {
		t.Errorf("the second x is mentioned in lines %v, want 3, 4 and 7", lines)
	}
	s.didClose(&lsp.DidCloseTextDocumentParams{TextDocument: at})
	if p := <-shown; p.Diagnostics == nil || len(s.books) != 0 {
		t.Errorf("%+v after the end, want an empty list", p)
	}
}

// TestCompletionImports completes a package of a required module in the middle of a cell and as its
// first word, and asks for its documentation.
func TestCompletionImports(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":       "module here\ngo 1.24\nrequire example.com/shape v1.0.0\nreplace example.com/shape => ./shape\n",
		"shape/go.mod": "module example.com/shape\n", "shape/s.go": "// Package shape computes areas.\npackage shape\n// Area returns an area.\nfunc Area(side float64) float64 { return side * side }\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, _ := testServer()
	uri := uriOf(filepath.Join(dir, "n.ipynb"))
	s.didOpen(&lsp.DidOpenTextDocumentParams{TextDocument: lsp.TextDocumentItem{URI: uri, LanguageId: "go", Version: 1, Text: "x := 1\n\n\ny := 2\nshape\n\n\nshape\n\n\nshape.A"}})
	for _, tt := range []struct {
		line, character int
		added           lsp.Position
		want, doc       string
	}{
		{4, 5, lsp.Position{Line: 3}, "shape", "package shape // import"},
		{7, 5, lsp.Position{}, "import \"example.com/shape\"\nshape", "package shape // import"},
		{10, 7, lsp.Position{Line: 10}, "Area", "Area returns an area"},
	} {
		p := lsp.CompletionParams{TextDocument: lsp.TextDocumentIdentifier{URI: uri}, Position: lsp.Position{Line: tt.line, Character: tt.character}}
		answer, err := s.completion(&p)
		if err != nil {
			t.Fatal(err)
		}
		items := answer.(lsp.CompletionList).Items
		i := slices.IndexFunc(items, func(it lsp.CompletionItem) bool { return strings.HasSuffix(tt.want, it.Label) })
		if i < 0 {
			t.Fatalf("line %d: no %s among %d completions", tt.line, tt.want, len(items))
		}
		if edit := items[i].TextEdit.(lsp.TextEdit); edit.NewText != tt.want {
			t.Errorf("line %d: inserts %q, want %q", tt.line, edit.NewText, tt.want)
		}
		add := items[i].AdditionalTextEdits
		if tt.added == (lsp.Position{}) {
			if len(add) > 0 {
				t.Errorf("line %d: %+v is added, want nothing beside the completion", tt.line, add)
			}
		} else if len(add) != 1 || add[0].Range != (lsp.Range{Start: tt.added, End: tt.added}) || add[0].NewText != "import \"example.com/shape\"\n" {
			t.Errorf("line %d: %+v is added, want an import at %v", tt.line, add, tt.added)
		}
		if _, err := s.resolve(&items[i]); err != nil {
			t.Fatal(err)
		}
		if doc, _ := items[i].Documentation.(lsp.MarkupContent); !strings.Contains(doc.Value, tt.doc) {
			t.Errorf("line %d: the documentation is %q, want %s in it", tt.line, doc.Value, tt.doc)
		}
	}
	s.closeAll()
}
