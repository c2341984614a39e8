// Lsp measures the language server as an editor uses it: it starts the program, opens a notebook
// of 100 cells, and asks for completions and errors while the text changes.
//
//	go run ./bench/lsp -program .build/gokernel -write docs/reports/language-server.md
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"

	"github.com/gokernel/gokernel/internal/lsp"
)

// size is the number of cells.
const size = 100

// begin and end are the lines of the page around the numbers.
const begin, end = "<!-- bench -->\n", "<!-- end of bench -->\n"

func main() {
	program := flag.String("program", ".build/gokernel", "the `program` to measure")
	page := flag.String("write", "", "write the numbers to this `page`")
	rounds := flag.Int("rounds", 300, "how many times to ask")
	flag.Parse()
	text, err := measure(*program, *rounds)
	if err == nil && *page != "" {
		err = write(*page, text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "lsp:", err)
		os.Exit(1)
	}
	fmt.Print(text)
}

// write replaces the numbers of a page.
func write(page, text string) error {
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	head, rest, ok := strings.Cut(string(old), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return fmt.Errorf("%s must have the lines %q and %q", page, strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return os.WriteFile(page, []byte(head+begin+"\n"+text+"\n"+end+tail), 0o644)
}

// cell returns the text of a cell as in a lecture: data, a model, a function, output and a figure.
func cell(i int) string {
	return strings.ReplaceAll(`d# := ml.Iris()
m# := ml.Fit(&ml.DecisionTree{MaxDepth: # + 1}, d#)
func score#(x float64) float64 { return x * math.Sqrt(x) }
fmt.Println(score#(2), ml.Score(m#, d#))
Plot(Linspace(0, 1, 10), Map(Linspace(0, 1, 10), score#))`, "#", strconv.Itoa(i))
}

func uri(i int) string { return fmt.Sprintf("vscode-notebook-cell:/work/n.ipynb#%d", i) }

const book = "file:///work/n.ipynb"

// editor is a client with the notebook.
type editor struct {
	client  *jrpc2.Client
	process *exec.Cmd
	shown   chan lsp.PublishDiagnosticsParams
	version int
}

// start starts the server.
func start(program string) (*editor, error) {
	e := &editor{process: exec.Command(program, "lsp"), shown: make(chan lsp.PublishDiagnosticsParams, 1<<16)}
	e.process.Stderr = os.Stderr
	in, err := e.process.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := e.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := e.process.Start(); err != nil {
		return nil, err
	}
	e.client = jrpc2.NewClient(channel.LSP(out, in), &jrpc2.ClientOptions{OnNotify: func(r *jrpc2.Request) {
		var p lsp.PublishDiagnosticsParams
		if r.Method() == "textDocument/publishDiagnostics" && r.UnmarshalParams(&p) == nil {
			e.shown <- p
		}
	}})
	capabilities := json.RawMessage(`{"capabilities": {"textDocument": {"completion": {"completionItem": {"snippetSupport": true}}}}}`)
	if _, err := e.client.Call(context.Background(), "initialize", capabilities); err != nil {
		return nil, err
	}
	return e, e.client.Notify(context.Background(), "initialized", struct{}{})
}

// open opens the notebook and waits until each cell has been checked.
func (e *editor) open() error {
	var p lsp.DidOpenNotebookDocumentParams
	p.NotebookDocument = lsp.NotebookDocument{URI: book, NotebookType: "jupyter-notebook", Version: 1}
	for i := range size {
		p.NotebookDocument.Cells = append(p.NotebookDocument.Cells, lsp.NotebookCell{Kind: 2, Document: uri(i)})
		p.CellTextDocuments = append(p.CellTextDocuments, lsp.TextDocumentItem{URI: uri(i), LanguageId: "go", Version: 1, Text: cell(i)})
	}
	if err := e.client.Notify(context.Background(), "notebookDocument/didOpen", p); err != nil {
		return err
	}
	for seen := map[string]bool{}; len(seen) < size; {
		d := <-e.shown
		if seen[d.URI] = true; len(d.Diagnostics) > 0 {
			return fmt.Errorf("%s: %s", d.URI, d.Diagnostics[0].Message)
		}
	}
	return nil
}

// change replaces the text that was added below the original text of a cell.
func (e *editor) change(i int, text string) error {
	e.version++
	r := lsp.Range{Start: lsp.Position{Line: 4, Character: 1 << 20}, End: lsp.Position{Line: 1 << 20}}
	return e.client.Notify(context.Background(), "notebookDocument/didChange", lsp.DidChangeNotebookDocumentParams{
		NotebookDocument: lsp.VersionedNotebookDocumentIdentifier{URI: book, Version: e.version},
		Change: lsp.NotebookDocumentChangeEvent{Cells: &lsp.NotebookDocumentCellChanges{TextContent: []lsp.NotebookDocumentCellContentChanges{{
			Document: lsp.VersionedTextDocumentIdentifier{URI: uri(i), Version: e.version},
			Changes:  []lsp.TextDocumentContentChangeEvent{{Range: &r, Text: text}},
		}}}},
	})
}

// complete types the beginning of a name in a cell and asks for completions.
func (e *editor) complete(i int, typed string) (time.Duration, error) {
	began := time.Now()
	if err := e.change(i, "\n"+typed); err != nil {
		return 0, err
	}
	var list lsp.CompletionList
	err := e.client.CallResult(context.Background(), "textDocument/completion", lsp.CompletionParams{
		TextDocument: lsp.TextDocumentIdentifier{URI: uri(i)}, Position: lsp.Position{Line: 5, Character: len(typed)},
	}, &list)
	took := time.Since(began)
	if err == nil && len(list.Items) == 0 {
		err = fmt.Errorf("cell %d, %q: no completions", i, typed)
	}
	return took, errors.Join(err, e.change(i, ""))
}

// diagnose makes or removes an error in a cell and waits until the server has reported the change.
func (e *editor) diagnose(i int, text string, wrong bool) (time.Duration, error) {
	began := time.Now()
	if err := e.change(i, text); err != nil {
		return 0, err
	}
	for d := range e.shown {
		if d.URI == uri(i) && (len(d.Diagnostics) > 0) == wrong {
			return time.Since(began), nil
		}
	}
	return 0, errors.New("the server has ended")
}

// memory returns the current and the maximum resident memory of the server in MiB.
func (e *editor) memory() (now, most int) {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", e.process.Process.Pid))
	for line := range strings.Lines(string(status)) {
		var kb int
		if n, _ := fmt.Sscanf(line, "VmRSS: %d", &kb); n == 1 {
			now = kb / 1024
		} else if n, _ := fmt.Sscanf(line, "VmHWM: %d", &kb); n == 1 {
			most = kb / 1024
		}
	}
	return now, most
}

// times are measured durations.
type times []time.Duration

// at returns the duration below which a fraction of them lies, in milliseconds.
func (t times) at(f float64) float64 {
	s := slices.Sorted(slices.Values(t))
	return float64(s[int(f*float64(len(s)-1))].Microseconds()) / 1000
}

func (t times) row(what, wanted string) string {
	return fmt.Sprintf("| %s | %.1f | %.1f | %.1f | %s |\n", what, t.at(0.5), t.at(0.95), t.at(1), wanted)
}

// measure returns the table of the page.
func measure(program string, rounds int) (string, error) {
	e, err := start(program)
	if err != nil {
		return "", err
	}
	began := time.Now()
	if err := e.open(); err != nil {
		return "", err
	}
	opened := time.Since(began)
	first, _ := e.memory()
	var completions, errorsIn, declared times
	typed := []string{"ml.Dec", "m0.Pre", "score", "strings.", "for _, x := range d0.", "Plo"}
	for n := range rounds {
		took, err := e.complete(n*37%size, typed[n%len(typed)])
		if err != nil {
			return "", err
		}
		completions = append(completions, took)
	}
	for n := range rounds {
		i := n * 37 % size
		for _, text := range []string{"\nwrong", ""} {
			took, err := e.diagnose(i, text, text != "")
			if err != nil {
				return "", err
			}
			errorsIn = append(errorsIn, took)
		}
	}
	// A declaration makes the server check the cells after it, before it has checked all of them.
	for n := range rounds {
		for _, text := range []string{fmt.Sprintf("\nname%d := 1; wrong", n), ""} {
			took, err := e.diagnose(0, text, text != "")
			if err != nil {
				return "", err
			}
			declared = append(declared, took)
		}
	}
	now, most := e.memory()
	if _, err := e.client.Call(context.Background(), "shutdown", nil); err != nil {
		return "", err
	}
	if err := errors.Join(e.client.Notify(context.Background(), "exit", nil), e.process.Wait()); err != nil {
		return "", err
	}
	load, _ := os.ReadFile("/proc/loadavg")
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d cores, %s/%s, %d cells, %d rounds. Load average at the end: %s.\n\n", time.Now().Format("2006-01-02"),
		runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, size, rounds, strings.Join(strings.Fields(string(load))[:min(3, len(strings.Fields(string(load))))], " "))
	b.WriteString("| milliseconds | median | p95 | maximum | wanted (p95) |\n|---|---:|---:|---:|---:|\n")
	b.WriteString(completions.row("completion after a key", "30"))
	b.WriteString(errorsIn.row("error in a cell appears or disappears", "100"))
	b.WriteString(declared.row("the same, when the first cell declares another name", "100"))
	fmt.Fprintf(&b, "\n| memory (RSS) | MiB |\n|---|---:|\n| after opening the notebook, which takes %d ms | %d |\n| after %d changes | %d |\n| maximum | %d |\n",
		opened.Milliseconds(), first, rounds*6, now, most)
	return b.String(), nil
}
