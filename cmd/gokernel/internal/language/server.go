// Package language is the language server for notebooks: it speaks the Language Server Protocol and
// gets its answers from package draft. It supports notebook documents, in which each cell is a text
// document. It also supports scripts in the percent format, and the single text document that
// JupyterLab sends for a notebook.
package language

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/creachadair/jrpc2/handler"

	"github.com/gokernel/gokernel/internal/lsp"
	"github.com/gokernel/gokernel/interp/draft"
	"github.com/gokernel/gokernel/interp/symbols"
)

// Server answers one client.
type Server struct {
	version  string
	packages *symbols.Importer
	rpc      *jrpc2.Server
	notify   func(lsp.PublishDiagnosticsParams)

	mu        sync.Mutex
	books     map[string]*book // by the URI of a text document
	notebooks map[string]*book // only for cells of notebook documents
	open      map[string]*book // by the URI of a notebook document
	client    lsp.ClientCapabilities
	down      bool // after shutdown

	exit chan struct{} // closed by exit
	once sync.Once
}

// errNoShutdown is the error of a client that ends the server without a shutdown request.
var errNoShutdown = errors.New("lsp: the client sent exit before shutdown")

func newServer(version string) *Server {
	return &Server{
		version: version, packages: symbols.NewImporter(),
		books: map[string]*book{}, notebooks: map[string]*book{}, open: map[string]*book{}, exit: make(chan struct{}),
	}
}

// Serve answers one client until it sends exit or closes the connection.
func Serve(in io.Reader, out io.WriteCloser, version string) error {
	s := newServer(version)
	s.notify = func(p lsp.PublishDiagnosticsParams) {
		// An error means that the client has gone.
		_ = s.rpc.Notify(context.Background(), "textDocument/publishDiagnostics", p)
	}
	s.rpc = jrpc2.NewServer(s.methods(), &jrpc2.ServerOptions{AllowPush: true, DisableBuiltin: true, Concurrency: 4})
	s.rpc.Start(channel.LSP(in, out))
	ended := make(chan error, 1)
	go func() { ended <- s.rpc.Wait() }()
	select {
	case err := <-ended:
		s.closeAll()
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("lsp: %w", err)
		}
		return nil
	case <-s.exit:
		s.closeAll()
		s.rpc.Stop()
		if !s.down {
			return errNoShutdown
		}
		return nil
	}
}

func (s *Server) closeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	closed := map[*book]bool{}
	for _, b := range s.books {
		if !closed[b] {
			closed[b] = true
			close(b.closed)
		}
	}
}

// request converts f, which takes the parameters of a request, to a handler.
func request[P, R any](f func(p *P) (R, error)) jrpc2.Handler {
	return func(ctx context.Context, req *jrpc2.Request) (any, error) {
		p := new(P)
		if req.HasParams() {
			if err := json.Unmarshal([]byte(req.ParamString()), p); err != nil {
				return nil, jrpc2.Errorf(jrpc2.InvalidParams, "%s: %v", req.Method(), err)
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, jrpc2.Errorf(jrpc2.Code(lsp.LSPErrorCodesRequestCancelled), "%s: canceled", req.Method())
		}
		r, err := f(p)
		if err != nil {
			return nil, jrpc2.Errorf(jrpc2.Code(lsp.LSPErrorCodesRequestFailed), "%v", err)
		}
		return r, nil
	}
}

// notification converts f, which takes the parameters of a notification, to a handler.
func notification[P any](f func(p *P)) jrpc2.Handler {
	return request(func(p *P) (any, error) {
		f(p)
		return nil, nil
	})
}

func (s *Server) methods() handler.Map {
	return handler.Map{
		"initialize":                       s.initialize,
		"initialized":                      notification(func(*struct{}) {}),
		"shutdown":                         request(s.shutdown),
		"exit":                             notification(func(*struct{}) { s.once.Do(func() { close(s.exit) }) }),
		"$/cancelRequest":                  s.cancel,
		"$/setTrace":                       notification(func(*struct{}) {}),
		"workspace/didChangeConfiguration": notification(func(*struct{}) {}),
		"workspace/didChangeWatchedFiles":  notification(func(*struct{}) {}),
		"textDocument/didOpen":             notification(s.didOpen),
		"textDocument/didChange":           notification(s.didChange),
		"textDocument/didClose":            notification(s.didClose),
		"textDocument/didSave":             notification(func(*struct{}) {}),
		"notebookDocument/didOpen":         notification(s.didOpenNotebook),
		"notebookDocument/didChange":       notification(s.didChangeNotebook),
		"notebookDocument/didSave":         notification(func(*struct{}) {}),
		"notebookDocument/didClose":        notification(s.didCloseNotebook),
		"textDocument/completion":          request(s.completion),
		"completionItem/resolve":           request(s.resolve),
		"textDocument/hover":               request(s.hover),
		"textDocument/signatureHelp":       request(s.signatureHelp),
		"textDocument/definition":          request(s.definition),
		"textDocument/references":          request(s.references),
		"textDocument/documentHighlight":   request(s.highlights),
		"textDocument/documentSymbol":      request(s.documentSymbols),
		"workspace/symbol":                 request(s.workspaceSymbols),
		"textDocument/prepareRename":       request(s.prepareRename),
		"textDocument/rename":              request(s.rename),
		"textDocument/semanticTokens/full": request(s.semanticTokens),
		"textDocument/foldingRange":        request(s.foldingRanges),
		"textDocument/inlayHint":           request(s.inlayHints),
		"textDocument/codeAction":          request(s.codeActions),
		"textDocument/formatting":          request(s.formatting),
	}
}

// tokenTypes and tokenModifiers are the legend of semantic tokens.
var (
	tokenTypes     = []string{"namespace", "type", "typeParameter", "function", "method", "variable", "parameter", "property", "macro"}
	tokenModifiers = []string{"declaration", "readonly", "defaultLibrary"}
)

func (s *Server) initialize(_ context.Context, req *jrpc2.Request) (any, error) {
	var p lsp.InitializeParams
	// A capability that does not follow the protocol counts as missing.
	_ = json.Unmarshal([]byte(req.ParamString()), &p)
	s.mu.Lock()
	s.client = p.Capabilities
	s.mu.Unlock()
	return lsp.InitializeResult{
		ServerInfo: &lsp.ServerInfo{Name: "gokernel", Version: s.version},
		Capabilities: lsp.ServerCapabilities{
			PositionEncoding:           lsp.PositionEncodingKindUTF16,
			TextDocumentSync:           lsp.TextDocumentSyncOptions{OpenClose: true, Change: lsp.TextDocumentSyncKindIncremental},
			NotebookDocumentSync:       lsp.NotebookDocumentSyncOptions{NotebookSelector: []any{map[string]any{"notebook": "*", "cells": []any{map[string]string{"language": "go"}, map[string]string{"language": "gokernel"}}}}},
			CompletionProvider:         &lsp.CompletionOptions{TriggerCharacters: []string{".", "\"", "%", "\\", "["}, ResolveProvider: true},
			HoverProvider:              true,
			SignatureHelpProvider:      &lsp.SignatureHelpOptions{TriggerCharacters: []string{"(", ","}},
			DefinitionProvider:         true,
			ReferencesProvider:         true,
			DocumentHighlightProvider:  true,
			DocumentSymbolProvider:     true,
			WorkspaceSymbolProvider:    true,
			RenameProvider:             lsp.RenameOptions{PrepareProvider: true},
			SemanticTokensProvider:     lsp.SemanticTokensOptions{Legend: lsp.SemanticTokensLegend{TokenTypes: tokenTypes, TokenModifiers: tokenModifiers}, Full: true},
			FoldingRangeProvider:       true,
			InlayHintProvider:          true,
			CodeActionProvider:         lsp.CodeActionOptions{CodeActionKinds: []lsp.CodeActionKind{"quickfix", "refactor.rewrite", "source"}},
			DocumentFormattingProvider: true,
		},
	}, nil
}

func (s *Server) shutdown(*struct{}) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = true
	return nil, nil
}

// cancel cancels a request whose handler has not started.
func (s *Server) cancel(_ context.Context, req *jrpc2.Request) (any, error) {
	var p struct {
		ID json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal([]byte(req.ParamString()), &p); err == nil {
		s.rpc.CancelRequest(string(p.ID))
	}
	return nil, nil
}

// watch checks a notebook after each change, and publishes the findings cell by cell. It checks
// immediately, without waiting for a pause in typing, because a check takes a few milliseconds and
// clients have delays of their own.
func (s *Server) watch(b *book) {
	for {
		select {
		case <-b.closed:
			return
		case <-b.changed:
		}
		for {
			select {
			case <-b.closed:
				return
			default:
			}
			id, _, more := b.draft.Step()
			if !more {
				break
			}
			s.show(b, id)
		}
		s.show(b, "")
	}
}

// show publishes the findings of the document that contains the cell, or of all documents if cell
// is "". It skips documents whose findings have not changed since they were published.
func (s *Server) show(b *book, cell string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := b.draft.Known()
	for _, uri := range b.order {
		d := b.docs[uri]
		if d == nil || cell != "" && len(d.parts) != 1 || cell != "" && (len(d.cells) == 0 || d.cells[0] != cell) {
			continue
		}
		p := lsp.PublishDiagnosticsParams{URI: uri, Version: d.version, Diagnostics: []lsp.Diagnostic{}}
		for i, id := range d.cells {
			p.Diagnostics = append(p.Diagnostics, d.diagnostics(d.parts[i].start, found[id])...)
		}
		text, err := json.Marshal(p.Diagnostics)
		if err != nil || d.shown && string(text) == d.last {
			continue
		}
		d.shown, d.last = true, string(text)
		s.notify(p)
	}
}

// diagnostics converts the findings of a cell that begins at an offset of the document.
func (d *document) diagnostics(start int, found []draft.Finding) []lsp.Diagnostic {
	var list []lsp.Diagnostic
	for _, f := range found {
		item := lsp.Diagnostic{
			Range: d.text.span(start+f.Start, start+f.End), Severity: lsp.DiagnosticSeverityError, Source: "gokernel", Message: f.Message,
		}
		if f.Warning {
			item.Severity = lsp.DiagnosticSeverityWarning
		}
		if f.Hint != "" {
			item.Message += "\n" + f.Hint
		}
		if f.Unused {
			item.Tags = []lsp.DiagnosticTag{lsp.DiagnosticTagUnnecessary}
		}
		list = append(list, item)
	}
	return list
}
