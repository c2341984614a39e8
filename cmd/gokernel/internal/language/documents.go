package language

import (
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/internal/lsp"
	"github.com/gokernel/gokernel/interp/draft"
)

// book is a notebook that a client has opened: a notebook document with a text document for each
// cell, or one text document with all cells.
type book struct {
	draft   *draft.Notebook
	all     []string             // the URIs of all cells of a notebook document
	order   []string             // those of its text documents with code
	docs    map[string]*document // by URI
	changed chan struct{}        // has an element after a change
	closed  chan struct{}
}

// document is a text document.
type document struct {
	uri     string
	version int
	text    text
	parts   []part // the cells
	cells   []string
	shown   bool   // whether any findings were published
	last    string // the findings that were published last, in JSON
}

// place is a position in a notebook.
type place struct {
	book   *book
	doc    *document
	cell   string // the ID of the cell
	start  int    // where the cell begins in the document
	offset int    // in the cell
}

// isCode reports whether a text document of this language has cells of Go.
func isCode(language string) bool {
	return language == "go" || language == "gokernel" || language == ""
}

// newBook opens a notebook that belongs to a file.
func (s *Server) newBook(uri string) *book {
	dir := ""
	if file, ok := fileOf(uri); ok {
		dir = filepath.Dir(file)
	}
	return &book{draft: draft.New(dir, s.packages), docs: map[string]*document{}, changed: make(chan struct{}, 1), closed: make(chan struct{})}
}

// update passes the cells of the documents to the draft. If notebook is true, each document is a
// cell.
func (b *book) update(notebook bool) {
	var cells []draft.Cell
	for _, uri := range b.order {
		d := b.docs[uri]
		d.cells = d.cells[:0]
		if notebook {
			d.parts = []part{{0, d.text.s}}
		} else {
			d.parts = parts(d.text.s)
		}
		for i, p := range d.parts {
			id := uri
			if !notebook {
				id = fmt.Sprintf("%s#%d", uri, i)
			}
			d.cells = append(d.cells, id)
			cells = append(cells, draft.Cell{ID: id, Text: p.text})
		}
	}
	b.draft.Set(cells)
	select {
	case b.changed <- struct{}{}:
	default:
	}
}

// find returns the document and the start of a cell.
func (b *book) find(cell string) (*document, int) {
	for _, uri := range []string{cell, cell[:max(0, strings.LastIndexByte(cell, '#'))]} {
		if d := b.docs[uri]; d != nil {
			if i := slices.Index(d.cells, cell); i >= 0 {
				return d, d.parts[i].start
			}
		}
	}
	return nil, 0
}

// at returns the place of a position in a text document. A position between two cells is in no
// cell.
func (s *Server) at(uri string, p lsp.Position) (place, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.books[uri]
	if b == nil {
		return place{}, false
	}
	d := b.docs[uri]
	offset := d.text.offset(p)
	for i, part := range d.parts {
		if part.start <= offset && offset <= part.start+len(part.text) {
			return place{b, d, d.cells[i], part.start, offset - part.start}, true
		}
	}
	return place{}, false
}

// document returns an open text document.
func (s *Server) document(uri string) (*book, *document) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.books[uri]
	if b == nil {
		return nil, nil
	}
	d := *b.docs[uri] // requests may come while it changes
	d.parts, d.cells = slices.Clone(d.parts), slices.Clone(d.cells)
	return b, &d
}

// location returns the location of a range of a cell.
func (s *Server) location(b *book, r draft.Range) (lsp.Location, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, start := b.find(r.Cell)
	if d == nil {
		return lsp.Location{}, false
	}
	return lsp.Location{URI: d.uri, Range: d.text.span(start+r.Start, start+r.End)}, true
}

// fileOf returns the file of a URI.
func fileOf(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" && u.Scheme != "vscode-notebook-cell" || u.Path == "" {
		return "", false
	}
	path := u.Path
	if runtime.GOOS == "windows" && len(path) > 2 && path[0] == '/' && path[2] == ':' {
		path = path[1:]
	}
	return filepath.FromSlash(path), true
}

// uriOf returns the URI of a file.
func uriOf(file string) string {
	path := filepath.ToSlash(file)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// didOpen opens a text document that is not a cell of a notebook document.
func (s *Server) didOpen(p *lsp.DidOpenTextDocumentParams) {
	if !isCode(string(p.TextDocument.LanguageId)) || strings.HasPrefix(strings.TrimSpace(p.TextDocument.Text), "{") && strings.HasSuffix(p.TextDocument.URI, ".ipynb") {
		return // the JSON of a notebook
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	uri := p.TextDocument.URI
	if s.books[uri] != nil {
		return // a cell of a notebook document
	}
	b := s.newBook(uri)
	b.order = []string{uri}
	b.docs[uri] = &document{uri: uri, version: p.TextDocument.Version, text: newText(p.TextDocument.Text)}
	s.books[uri] = b
	b.update(false)
	go s.watch(b)
}

func (s *Server) didChange(p *lsp.DidChangeTextDocumentParams) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.books[p.TextDocument.URI]
	if b == nil {
		return
	}
	d := b.docs[p.TextDocument.URI]
	for _, c := range p.ContentChanges {
		d.text = d.text.change(c)
	}
	d.version = p.TextDocument.Version
	b.update(s.notebooks[p.TextDocument.URI] != nil)
}

func (s *Server) didClose(p *lsp.DidCloseTextDocumentParams) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.books[p.TextDocument.URI]; b != nil && s.notebooks[p.TextDocument.URI] == nil {
		s.drop(b)
	}
}

// drop forgets a notebook.
func (s *Server) drop(b *book) {
	close(b.closed)
	for uri, d := range b.docs {
		if s.books[uri] == b {
			delete(s.books, uri)
			delete(s.notebooks, uri)
		}
		if d.shown {
			s.notify(lsp.PublishDiagnosticsParams{URI: uri, Diagnostics: []lsp.Diagnostic{}})
		}
	}
}

func (s *Server) didOpenNotebook(p *lsp.DidOpenNotebookDocumentParams) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[p.NotebookDocument.URI] != nil {
		return
	}
	b := s.newBook(p.NotebookDocument.URI)
	s.open[p.NotebookDocument.URI] = b
	s.addCells(b, p.CellTextDocuments)
	b.splice(lsp.NotebookCellArrayChange{Cells: p.NotebookDocument.Cells})
	b.update(true)
	go s.watch(b)
}

// addCells opens text documents of a notebook.
func (s *Server) addCells(b *book, docs []lsp.TextDocumentItem) {
	for _, d := range docs {
		if !isCode(string(d.LanguageId)) {
			continue
		}
		b.docs[d.URI] = &document{uri: d.URI, version: d.Version, text: newText(d.Text)}
		s.books[d.URI], s.notebooks[d.URI] = b, b
	}
}

func (s *Server) didChangeNotebook(p *lsp.DidChangeNotebookDocumentParams) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.open[p.NotebookDocument.URI]
	if b == nil || p.Change.Cells == nil {
		return
	}
	if st := p.Change.Cells.Structure; st != nil {
		s.addCells(b, st.DidOpen)
		b.splice(st.Array)
		for _, closed := range st.DidClose {
			b.order = slices.DeleteFunc(b.order, func(uri string) bool { return uri == closed.URI })
			delete(b.docs, closed.URI)
			delete(s.books, closed.URI)
			delete(s.notebooks, closed.URI)
		}
	}
	for _, c := range p.Change.Cells.TextContent {
		if d := b.docs[c.Document.URI]; d != nil {
			for _, change := range c.Changes {
				d.text = d.text.change(change)
			}
			d.version = c.Document.Version
		}
	}
	b.update(true)
}

// splice adds, removes or moves cells. The positions in a count all cells, not only cells with
// code.
func (b *book) splice(a lsp.NotebookCellArrayChange) {
	var added []string
	for _, c := range a.Cells {
		added = append(added, c.Document)
	}
	start := min(max(a.Start, 0), len(b.all))
	end := min(start+max(a.DeleteCount, 0), len(b.all))
	b.all = slices.Replace(b.all, start, end, added...)
	b.order = b.order[:0]
	for _, uri := range b.all {
		if b.docs[uri] != nil {
			b.order = append(b.order, uri)
		}
	}
}

func (s *Server) didCloseNotebook(p *lsp.DidCloseNotebookDocumentParams) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.open[p.NotebookDocument.URI]; b != nil {
		delete(s.open, p.NotebookDocument.URI)
		s.drop(b)
	}
}
