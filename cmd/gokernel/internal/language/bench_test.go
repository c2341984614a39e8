package language

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gokernel/gokernel/internal/lsp"
)

// hundred opens a notebook of 100 cells, as in a lecture: data, functions, models and figures.
func hundred(b *testing.B) (*Server, []string, chan lsp.PublishDiagnosticsParams) {
	b.Helper()
	s, shown := testServer()
	var cells []lsp.NotebookCell
	var docs []lsp.TextDocumentItem
	var uris []string
	for i := range 100 {
		text := fmt.Sprintf("d%d := ml.Iris()\nm%[1]d := ml.Fit(&ml.DecisionTree{MaxDepth: %[1]d + 1}, d%[1]d)\nfunc score%[1]d(x float64) float64 { return x * math.Sqrt(x) }\nfmt.Println(score%[1]d(2), ml.Score(m%[1]d, d%[1]d))\nPlot(Linspace(0, 1, 10), score%[1]d(1)*Linspace(0, 1, 10))", i)
		uri := fmt.Sprintf("vscode-notebook-cell:/n.ipynb#%d", i)
		uris = append(uris, uri)
		cells = append(cells, lsp.NotebookCell{Kind: 2, Document: uri})
		docs = append(docs, lsp.TextDocumentItem{URI: uri, LanguageId: "go", Version: 1, Text: text})
	}
	s.didOpenNotebook(&lsp.DidOpenNotebookDocumentParams{NotebookDocument: lsp.NotebookDocument{URI: "file:///n.ipynb", Cells: cells}, CellTextDocuments: docs})
	for seen := map[string]bool{}; len(seen) < 100; {
		seen[(<-shown).URI] = true
	}
	return s, uris, shown
}

// percentile returns the value below which a fraction of the times lie.
func percentile(times []time.Duration, f float64) time.Duration {
	slices.Sort(times)
	return times[int(f*float64(len(times)-1))]
}

// BenchmarkCompletion completes in each cell of a notebook of 100 cells while its text changes.
func BenchmarkCompletion(b *testing.B) {
	s, uris, _ := hundred(b)
	var times []time.Duration
	for n := 0; b.Loop(); n++ {
		uri := uris[n*37%100]
		_, doc := s.document(uri)
		end := doc.text.position(len(doc.text.s))
		typed := []string{"\nml.Dec", "\nm0.Pre", "\nscore", "\nstrings.", "\nfor _, x := range d0."}[n%5]
		change(s, uri, lsp.Range{Start: end, End: end}, typed)
		start := time.Now()
		list, err := s.completion(&lsp.CompletionParams{TextDocument: lsp.TextDocumentIdentifier{URI: uri}, Position: lsp.Position{Line: 9, Character: 99}})
		times = append(times, time.Since(start))
		if err != nil || len(list.(lsp.CompletionList).Items) == 0 {
			b.Fatalf("cell %s, %q: no completions: %v", uri, doc.text.s+typed, err)
		}
		change(s, uri, lsp.Range{Start: end, End: lsp.Position{Line: 9, Character: 99}}, "")
	}
	b.ReportMetric(float64(percentile(times, 0.95).Microseconds())/1000, "p95-ms")
}

// BenchmarkDiagnostics makes an error in each cell of a notebook of 100 cells and waits until the
// server has published it.
func BenchmarkDiagnostics(b *testing.B) {
	s, uris, shown := hundred(b)
	var times []time.Duration
	for n := 0; b.Loop(); n++ {
		uri := uris[n*37%100]
		_, doc := s.document(uri)
		end := doc.text.position(len(doc.text.s))
		for _, text := range []string{"\nwrong", ""} {
			start := time.Now()
			change(s, uri, lsp.Range{Start: end, End: lsp.Position{Line: 9, Character: 99}}, text)
			for p := range shown {
				if p.URI == uri && (len(p.Diagnostics) > 0) == (text != "") {
					break
				}
			}
			times = append(times, time.Since(start))
		}
	}
	b.ReportMetric(float64(percentile(times, 0.95).Microseconds())/1000, "p95-ms")
}

func change(s *Server, uri string, r lsp.Range, text string) {
	s.didChangeNotebook(&lsp.DidChangeNotebookDocumentParams{
		NotebookDocument: lsp.VersionedNotebookDocumentIdentifier{URI: "file:///n.ipynb"},
		Change: lsp.NotebookDocumentChangeEvent{Cells: &lsp.NotebookDocumentCellChanges{TextContent: []lsp.NotebookDocumentCellContentChanges{{
			Document: lsp.VersionedTextDocumentIdentifier{URI: uri}, Changes: []lsp.TextDocumentContentChangeEvent{{Range: &r, Text: text}},
		}}}},
	})
}
