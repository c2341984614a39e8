package language

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/internal/lsp"
	"github.com/gokernel/gokernel/interp/draft"
	"github.com/gokernel/gokernel/interp/split"
)

// kinds maps the kinds of completions to the kinds of the protocol.
var kinds = map[string]lsp.CompletionItemKind{
	"function": lsp.CompletionItemKindFunction, "method": lsp.CompletionItemKindMethod, "type": lsp.CompletionItemKindClass,
	"module": lsp.CompletionItemKindModule, "field": lsp.CompletionItemKindField, "variable": lsp.CompletionItemKindVariable,
	"constant": lsp.CompletionItemKindConstant, "keyword": lsp.CompletionItemKindKeyword, "magic": lsp.CompletionItemKindKeyword,
	"file": lsp.CompletionItemKindFile,
}

// symbolKinds maps the kinds of declarations to the kinds of the protocol.
var symbolKinds = map[string]lsp.SymbolKind{
	"function": lsp.SymbolKindFunction, "method": lsp.SymbolKindMethod, "type": lsp.SymbolKindClass,
	"variable": lsp.SymbolKindVariable, "constant": lsp.SymbolKindConstant,
}

// maxItems is the maximum number of completions in an answer. If there are more, the client asks
// again after each typed character.
const maxItems = 200

// item is what a client sends back to ask for the documentation of a completion.
type item struct {
	URI        string `json:"uri"`
	Cell       string `json:"cell"`
	Start, End int
	Text       string `json:"text"`
	Import     string `json:"import,omitempty"` // the package that the cell must import
}

func (s *Server) completion(p *lsp.CompletionParams) (any, error) {
	at, ok := s.at(p.TextDocument.URI, p.Position)
	if !ok {
		return lsp.CompletionList{Items: []lsp.CompletionItem{}}, nil
	}
	found := at.book.draft.Complete(at.cell, at.offset)
	list := lsp.CompletionList{IsIncomplete: len(found.Matches) > maxItems, Items: []lsp.CompletionItem{}}
	_, doc := s.document(p.TextDocument.URI)
	if doc == nil {
		return list, nil
	}
	span := doc.text.span(at.start+found.Start, at.start+found.End)
	typed := doc.text.s[min(at.start+found.Start, len(doc.text.s)):min(at.start+found.End, len(doc.text.s))]
	next := doc.text.s[min(at.start+at.offset, len(doc.text.s)):]
	imports := map[string]draft.Edit{} // by path
	for i, m := range found.Matches[:min(len(found.Matches), maxItems)] {
		it := lsp.CompletionItem{
			Label: strings.TrimSuffix(m.Text, ": "), Kind: kinds[m.Kind], Detail: m.Signature,
			SortText: fmt.Sprintf("%05d", i), FilterText: m.Text,
			Data: item{p.TextDocument.URI, at.cell, found.Start, found.End, m.Text, m.Import},
		}
		if typed != "" && !strings.HasPrefix(strings.ToLower(m.Text), strings.ToLower(typed)) {
			it.FilterText = typed + m.Text // the completion matches by its parts, which clients may not support
		}
		edit := lsp.TextEdit{Range: span, NewText: m.Text}
		if s.snippets() && (m.Kind == "function" || m.Kind == "method") && !strings.HasPrefix(next, "(") && strings.HasPrefix(m.Signature, "(") {
			it.InsertTextFormat = lsp.InsertTextFormatSnippet
			call := "($0)"
			if strings.HasPrefix(m.Signature, "()") {
				call = "()$0"
			}
			edit.NewText += call
		}
		if m.Import != "" {
			e, ok := imports[m.Import]
			if !ok {
				if e, ok = at.book.draft.Import(at.cell, m.Import); !ok {
					continue // the cell no longer exists
				}
				imports[m.Import] = e
			}
			switch e.Start { // two edits must not start at the same place
			case found.Start:
				edit.NewText = e.Text + edit.NewText
			case found.End:
				edit.NewText += e.Text
			default:
				it.AdditionalTextEdits = []lsp.TextEdit{{Range: doc.text.span(at.start+e.Start, at.start+e.End), NewText: e.Text}}
			}
		}
		it.TextEdit = edit
		list.Items = append(list.Items, it)
	}
	if len(list.Items) > 0 {
		list.Items[0].Preselect = true
	}
	return list, nil
}

// snippets reports whether the client accepts snippets.
func (s *Server) snippets() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.client.TextDocument
	return t != nil && t.Completion != nil && t.Completion.CompletionItem != nil && t.Completion.CompletionItem.SnippetSupport
}

func (s *Server) resolve(it *lsp.CompletionItem) (any, error) {
	raw, err := json.Marshal(it.Data)
	if err != nil {
		return it, nil
	}
	var data item
	if json.Unmarshal(raw, &data) != nil {
		return it, nil
	}
	if b, _ := s.document(data.URI); b != nil {
		if doc := b.draft.Document(data.Cell, data.Start, data.End, strings.TrimSuffix(data.Text, ": "), data.Import); doc != "" {
			it.Documentation = lsp.MarkupContent{Kind: lsp.MarkupKindMarkdown, Value: doc}
		}
	}
	return it, nil
}

func (s *Server) hover(p *lsp.HoverParams) (any, error) {
	at, ok := s.at(p.TextDocument.URI, p.Position)
	if !ok {
		return nil, nil
	}
	text, r, ok := at.book.draft.Hover(at.cell, at.offset)
	if !ok {
		return nil, nil
	}
	span := at.span(s, r)
	return lsp.Hover{Contents: lsp.MarkupContent{Kind: lsp.MarkupKindMarkdown, Value: text}, Range: &span}, nil
}

// span converts a range of the cell.
func (p place) span(s *Server, r draft.Range) lsp.Range {
	s.mu.Lock()
	defer s.mu.Unlock()
	return p.doc.text.span(p.start+r.Start, p.start+r.End)
}

func (s *Server) signatureHelp(p *lsp.SignatureHelpParams) (any, error) {
	at, ok := s.at(p.TextDocument.URI, p.Position)
	if !ok {
		return nil, nil
	}
	call, ok := at.book.draft.Signature(at.cell, at.offset)
	if !ok {
		return nil, nil
	}
	sig := lsp.SignatureInformation{Label: call.Label, Parameters: []lsp.ParameterInformation{}}
	if call.Doc != "" {
		sig.Documentation = lsp.MarkupContent{Kind: lsp.MarkupKindMarkdown, Value: call.Doc}
	}
	for _, b := range call.Params {
		sig.Parameters = append(sig.Parameters, lsp.ParameterInformation{Label: call.Label[b[0]:b[1]]})
	}
	return lsp.SignatureHelp{Signatures: []lsp.SignatureInformation{sig}, ActiveParameter: &call.Active}, nil
}

func (s *Server) definition(p *lsp.DefinitionParams) (any, error) {
	at, ok := s.at(p.TextDocument.URI, p.Position)
	if !ok {
		return nil, nil
	}
	r, file, ok := at.book.draft.Definition(at.cell, at.offset)
	switch {
	case !ok:
		return nil, nil
	case file.Filename != "":
		pos := lsp.Position{Line: max(0, file.Line-1), Character: max(0, file.Column-1)}
		return []lsp.Location{{URI: uriOf(file.Filename), Range: lsp.Range{Start: pos, End: pos}}}, nil
	}
	if loc, ok := s.location(at.book, r); ok {
		return []lsp.Location{loc}, nil
	}
	return nil, nil
}

func (s *Server) references(p *lsp.ReferenceParams) (any, error) {
	list := []lsp.Location{}
	at, ok := s.at(p.TextDocument.URI, p.Position)
	if !ok {
		return list, nil
	}
	for _, r := range at.book.draft.References(at.cell, at.offset, p.Context.IncludeDeclaration) {
		if loc, ok := s.location(at.book, r); ok {
			list = append(list, loc)
		}
	}
	return list, nil
}

func (s *Server) highlights(p *lsp.DocumentHighlightParams) (any, error) {
	list := []lsp.DocumentHighlight{}
	at, ok := s.at(p.TextDocument.URI, p.Position)
	if !ok {
		return list, nil
	}
	for _, r := range at.book.draft.References(at.cell, at.offset, true) {
		if loc, ok := s.location(at.book, r); ok && loc.URI == p.TextDocument.URI {
			list = append(list, lsp.DocumentHighlight{Range: loc.Range, Kind: lsp.DocumentHighlightKindText})
		}
	}
	return list, nil
}

func (s *Server) documentSymbols(p *lsp.DocumentSymbolParams) (any, error) {
	list := []lsp.DocumentSymbol{}
	b, doc := s.document(p.TextDocument.URI)
	if b == nil {
		return list, nil
	}
	for i, id := range doc.cells {
		start := doc.parts[i].start
		for _, sym := range b.draft.Symbols(id) {
			list = append(list, lsp.DocumentSymbol{
				Name: sym.Name, Detail: sym.Detail, Kind: symbolKinds[sym.Kind],
				Range: doc.text.span(start+sym.Start, start+sym.End), SelectionRange: doc.text.span(start+sym.Ident.Start, start+sym.Ident.End),
			})
		}
	}
	return list, nil
}

func (s *Server) workspaceSymbols(p *lsp.WorkspaceSymbolParams) (any, error) {
	list := []lsp.WorkspaceSymbol{}
	for _, b := range s.allBooks() {
		for _, sym := range b.draft.AllSymbols(p.Query) {
			if loc, ok := s.location(b, sym.Ident); ok {
				list = append(list, lsp.WorkspaceSymbol{Name: sym.Name, Kind: symbolKinds[sym.Kind], Location: loc})
			}
		}
	}
	return list, nil
}

// allBooks returns the open notebooks in the order of their documents.
func (s *Server) allBooks() []*book {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*book
	for _, b := range s.books {
		if !slices.Contains(list, b) && len(b.order) > 0 {
			list = append(list, b)
		}
	}
	slices.SortFunc(list, func(a, b *book) int { return strings.Compare(a.order[0], b.order[0]) })
	return list
}

func (s *Server) prepareRename(p *lsp.PrepareRenameParams) (any, error) {
	at, ok := s.at(p.TextDocument.URI, p.Position)
	if !ok {
		return nil, nil
	}
	r, err := at.book.draft.Renameable(at.cell, at.offset)
	if err != nil {
		return nil, err
	}
	return at.span(s, r), nil
}

func (s *Server) rename(p *lsp.RenameParams) (any, error) {
	at, ok := s.at(p.TextDocument.URI, p.Position)
	if !ok {
		return nil, nil
	}
	edits, err := at.book.draft.Rename(at.cell, at.offset, p.NewName)
	if err != nil {
		return nil, err
	}
	return s.workspaceEdit(at.book, edits), nil
}

// workspaceEdit converts edits of cells.
func (s *Server) workspaceEdit(b *book, edits map[string][]draft.Edit) *lsp.WorkspaceEdit {
	s.mu.Lock()
	defer s.mu.Unlock()
	changes := map[string][]lsp.TextEdit{}
	for cell, list := range edits {
		d, start := b.find(cell)
		if d == nil {
			continue
		}
		for _, e := range list {
			changes[d.uri] = append(changes[d.uri], lsp.TextEdit{Range: d.text.span(start+e.Start, start+e.End), NewText: e.Text})
		}
	}
	w := s.client.Workspace
	if w == nil || w.WorkspaceEdit == nil || !w.WorkspaceEdit.DocumentChanges {
		return &lsp.WorkspaceEdit{Changes: changes}
	}
	we := &lsp.WorkspaceEdit{DocumentChanges: []any{}}
	for _, uri := range b.order {
		if list := changes[uri]; list != nil {
			var all []any
			for _, e := range list {
				all = append(all, e)
			}
			version := b.docs[uri].version
			we.DocumentChanges = append(we.DocumentChanges, map[string]any{
				"textDocument": map[string]any{"uri": uri, "version": version}, "edits": all,
			})
		}
	}
	return we
}

func (s *Server) semanticTokens(p *lsp.SemanticTokensParams) (any, error) {
	result := lsp.SemanticTokens{Data: []int{}}
	b, doc := s.document(p.TextDocument.URI)
	if b == nil {
		return result, nil
	}
	var last lsp.Position
	for i, id := range doc.cells {
		for _, t := range b.draft.Tokens(id) {
			span := doc.text.span(doc.parts[i].start+t.Start, doc.parts[i].start+t.End)
			column := span.Start.Character
			if span.Start.Line == last.Line {
				column -= last.Character
			}
			modifiers := 0
			for bit, on := range []bool{t.Declaration, t.Constant, t.Static} {
				if on {
					modifiers |= 1 << bit
				}
			}
			result.Data = append(result.Data, span.Start.Line-last.Line, column, span.End.Character-span.Start.Character,
				slices.Index(tokenTypes, t.Type), modifiers)
			last = span.Start
		}
	}
	return result, nil
}

func (s *Server) foldingRanges(p *lsp.FoldingRangeParams) (any, error) {
	list := []lsp.FoldingRange{}
	_, doc := s.document(p.TextDocument.URI)
	if doc == nil {
		return list, nil
	}
	for _, part := range doc.parts {
		for _, f := range draft.Folds(part.text) {
			span := doc.text.span(part.start+f.Start, part.start+f.End)
			list = append(list, lsp.FoldingRange{
				StartLine: span.Start.Line, StartCharacter: span.Start.Character,
				EndLine: span.End.Line, EndCharacter: span.End.Character, Kind: lsp.FoldingRangeKind(f.Kind),
			})
		}
	}
	return list, nil
}

func (s *Server) inlayHints(p *lsp.InlayHintParams) (any, error) {
	list := []lsp.InlayHint{}
	b, doc := s.document(p.TextDocument.URI)
	if b == nil {
		return list, nil
	}
	from, to := doc.text.offset(p.Range.Start), doc.text.offset(p.Range.End)
	for i, id := range doc.cells {
		start := doc.parts[i].start
		if start > to || start+len(doc.parts[i].text) < from {
			continue
		}
		for _, h := range b.draft.InlayTypes(id) {
			if at := start + h.At; from <= at && at <= to {
				list = append(list, lsp.InlayHint{Position: doc.text.position(at), Label: h.Type, Kind: lsp.InlayHintKindType, PaddingLeft: true})
			}
		}
	}
	return list, nil
}

func (s *Server) codeActions(p *lsp.CodeActionParams) (any, error) {
	list := []lsp.CodeAction{}
	b, doc := s.document(p.TextDocument.URI)
	if b == nil {
		return list, nil
	}
	from, to := doc.text.offset(p.Range.Start), doc.text.offset(p.Range.End)
	for i, id := range doc.cells {
		start, end := doc.parts[i].start, doc.parts[i].start+len(doc.parts[i].text)
		if start > to || end < from {
			continue
		}
		for _, a := range b.draft.Actions(id, max(from-start, 0), min(to, end)-start) {
			if len(p.Context.Only) > 0 && !slices.ContainsFunc(p.Context.Only, func(k lsp.CodeActionKind) bool {
				return a.Kind == string(k) || strings.HasPrefix(a.Kind, string(k)+".")
			}) {
				continue
			}
			action := lsp.CodeAction{
				Title: a.Title, Kind: lsp.CodeActionKind(a.Kind), IsPreferred: a.Kind == "quickfix",
				Edit: s.workspaceEdit(b, map[string][]draft.Edit{id: a.Edits}),
			}
			if a.Finding != nil {
				action.Diagnostics = doc.diagnostics(start, []draft.Finding{*a.Finding})
			}
			list = append(list, action)
		}
	}
	return list, nil
}

func (s *Server) formatting(p *lsp.DocumentFormattingParams) (any, error) {
	edits := []lsp.TextEdit{}
	_, doc := s.document(p.TextDocument.URI)
	if doc == nil {
		return edits, nil
	}
	for _, part := range doc.parts {
		text, err := split.Format(part.text)
		if err != nil {
			if len(doc.parts) == 1 {
				return nil, fmt.Errorf("format: %w", err)
			}
			continue // the other cells can be formatted
		}
		if text != part.text {
			edits = append(edits, lsp.TextEdit{Range: doc.text.span(part.start, part.start+len(part.text)), NewText: text})
		}
	}
	return edits, nil
}
