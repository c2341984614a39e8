package symbols

import (
	"encoding/json"
	"errors"
	"go/doc"
	"io/fs"
	"sync"
)

// Doc is the documentation of a name.
type Doc struct {
	// Text is the comment, in the syntax of Go doc comments.
	Text string `json:"d"`
	// Pos is the file and line of the declaration, as "sort.go:12", the file
	// being in the package's directory.
	Pos string `json:"p"`
	// Source is the text of the declaration; only packages of this module have
	// it.
	Source string `json:"s"`
}

// entry is what is stored for a name: its documentation, or the family of mlstd
// that has it and the first sentence.
type entry struct {
	Doc
	Family string `json:"f"`
	Line   string `json:"l"`
}

var docs struct {
	sync.Mutex
	packages map[string]map[string]entry
}

// LookupDoc gives the documentation of a package (name is empty), of an exported
// name of it, or of "Type.Member", a method or field. The predeclared names of
// Go are those of package "builtin". What the facade ml exports has the
// documentation of the family that it comes from. It is safe for concurrent use.
func LookupDoc(path, name string) (Doc, bool) {
	docs.Lock()
	defer docs.Unlock()
	entries, err := entriesOf(path)
	e, ok := entries[name]
	if e.Family != "" {
		entries, err = entriesOf(path + "/" + e.Family)
		e, ok = entries[name]
	}
	if err != nil {
		return Doc{Text: "There is no documentation now: " + err.Error()}, true
	}
	return e.Doc, ok
}

// Synopsis gives the first sentence of the documentation that LookupDoc gives. For what
// the facade ml exports that takes the facade's entries only, not those of all families.
func Synopsis(path, name string) string {
	docs.Lock()
	defer docs.Unlock()
	entries, err := entriesOf(path)
	if err != nil {
		return ""
	}
	e := entries[name]
	if e.Family != "" {
		return e.Line
	}
	return new(doc.Package).Synopsis(e.Text)
}

// entriesOf reads the documentation of a package when it is first asked for; docs
// is locked. A package without documentation has no entries.
func entriesOf(path string) (map[string]entry, error) {
	entries, ok := docs.packages[path]
	if ok {
		return entries, nil
	}
	data, err := docsOf(path)
	if err == nil {
		err = json.Unmarshal(data, &entries)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if docs.packages == nil {
		docs.packages = map[string]map[string]entry{}
	}
	docs.packages[path] = entries
	return entries, nil
}
