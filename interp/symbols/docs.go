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
	// Pos is the file and line of the declaration, as "sort.go:12". The file is in the package's
	// directory.
	Pos string `json:"p"`
	// Source is the text of the declaration; only packages of this module have it.
	Source string `json:"s"`
}

// entry is the stored data of a name: its documentation, or the subpackage of mlstd with the
// documentation, and the first sentence.
type entry struct {
	Doc
	Family string `json:"f"`
	Line   string `json:"l"`
}

var docs struct {
	sync.Mutex
	packages map[string]map[string]entry
}

// LookupDoc returns the documentation of a package (name is empty), of one of its exported names,
// or of "Type.Member", a method or field. The predeclared names of Go belong to package "builtin".
// A name that the facade ml exports has the documentation of its subpackage. LookupDoc is safe for
// concurrent use.
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

// Synopsis returns the first sentence of the documentation that LookupDoc returns. For names of the
// facade ml, it reads only the facade's entries, and not those of all subpackages.
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

// entriesOf reads the documentation of a package at its first use; the caller holds the lock of
// docs. A package without documentation has no entries.
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
