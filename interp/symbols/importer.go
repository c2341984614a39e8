package symbols

import (
	"bytes"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"io/fs"
	"sync"

	"golang.org/x/tools/go/gcexportdata"

	"github.com/gokernel/gokernel/interp/symbols/table"
)

// Importer reads packages for go/types from the embedded export data at their first import.
// Packages of one Importer belong together: types of two Importers are never identical. It is safe
// for concurrent use.
type Importer struct {
	mu       sync.Mutex
	fset     *token.FileSet
	packages map[string]*types.Package // including incomplete ones that others refer to
	generics map[string]*Generics
	sources  *token.FileSet // for generics
}

// sourceBase is the first position of the embedded sources. It is far from the positions of cells:
// go/ssa treats code between the ends of a function as part of it, whatever file set the positions
// belong to.
const sourceBase = 1 << 40

// NewImporter returns an Importer. Objects of its packages have no positions; the documentation has
// them.
func NewImporter() *Importer {
	im := &Importer{
		fset:     token.NewFileSet(),
		packages: map[string]*types.Package{},
		generics: map[string]*Generics{},
		sources:  token.NewFileSet(),
	}
	im.sources.AddFile("", sourceBase, 0)
	return im
}

// Import implements [types.Importer]. If there is no package with the path, the error is a
// [*NoPackageError].
func (im *Importer) Import(path string) (*types.Package, error) {
	im.mu.Lock()
	defer im.mu.Unlock()
	return im.load(path)
}

func (im *Importer) load(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := im.packages[path]; p != nil && p.Complete() {
		return p, nil
	}
	data, err := exportOf(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &NoPackageError{Path: path, Reason: table.LeftOut(path)}
	}
	if err != nil {
		return nil, fmt.Errorf("import %q: %w", path, err)
	}
	p, err := gcexportdata.Read(bytes.NewReader(data), im.fset, im.packages, path)
	if err != nil {
		return nil, fmt.Errorf("import %q: the embedded export data is broken: %w", path, err)
	}
	return p, nil
}

// NoPackageError is the error for an import of a package that is not in the binary.
type NoPackageError struct {
	Path   string
	Reason string // why an existing package is excluded; may be empty
}

func (e *NoPackageError) Error() string {
	if e.Reason != "" {
		return fmt.Sprintf("package %s cannot be used in cells: it %s", e.Path, e.Reason)
	}
	return fmt.Sprintf("package %s is not part of this kernel", e.Path)
}
