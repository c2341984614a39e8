package symbols

import (
	"archive/zip"
	"bytes"
	_ "embed" // for the export data
	"fmt"
	"go/token"
	"go/types"
	"io"
	"sync"

	"golang.org/x/tools/go/gcexportdata"

	"github.com/gokernel/gokernel/interp/symbols/table"
)

//go:embed data/export_std.zip
var exportStd []byte

//go:embed data/export_science.zip
var exportScience []byte

//go:embed data/export_course.zip
var exportCourse []byte

// exportFiles finds the export data of each package.
var exportFiles = sync.OnceValue(func() map[string]*zip.File {
	return contents(exportStd, exportPlatformStd, exportScience, exportCourse, exportPlatformCourse)
})

// contents indexes the files of embedded archives.
func contents(archives ...[]byte) map[string]*zip.File {
	files := map[string]*zip.File{}
	for _, a := range archives {
		z, err := zip.NewReader(bytes.NewReader(a), int64(len(a)))
		if err != nil {
			panic("symbols: an embedded archive is broken: " + err.Error())
		}
		for _, f := range z.File {
			files[f.Name] = f
		}
	}
	return files
}

// unpack gives the content of one file of an embedded archive.
func unpack(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	b := make([]byte, f.UncompressedSize64)
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, err
	}
	return b, nil
}

// Importer reads packages for go/types from the embedded export data, each when
// it is first imported. What one Importer gives out belongs together: types of
// two Importers are never identical. It is safe for concurrent use.
type Importer struct {
	mu       sync.Mutex
	fset     *token.FileSet
	packages map[string]*types.Package // also incomplete ones that others refer to
	generics map[string]*Generics
	sources  *token.FileSet // of generics
}

// sourceBase is the first position of the embedded sources. It is far from those
// of cells: go/ssa takes what lies between the ends of a function for a part of
// it, whatever file set the positions are of.
const sourceBase = 1 << 40

// NewImporter makes an Importer. Objects of the packages have no positions;
// the documentation has them.
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

// Import implements [types.Importer]. The error for a path that there is no
// package of is a [*NoPackageError].
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
	f, ok := exportFiles()[path]
	if !ok {
		return nil, &NoPackageError{Path: path, Reason: table.LeftOut(path)}
	}
	data, err := unpack(f)
	if err != nil {
		return nil, fmt.Errorf("import %q: the embedded export data is broken: %w", path, err)
	}
	p, err := gcexportdata.Read(bytes.NewReader(data), im.fset, im.packages, path)
	if err != nil {
		return nil, fmt.Errorf("import %q: the embedded export data is broken: %w", path, err)
	}
	return p, nil
}

// NoPackageError is the error for an import of what is not in the binary.
type NoPackageError struct {
	Path   string
	Reason string // why a package that exists is left out; may be empty
}

func (e *NoPackageError) Error() string {
	if e.Reason != "" {
		return fmt.Sprintf("package %s cannot be used in cells: it %s", e.Path, e.Reason)
	}
	return fmt.Sprintf("package %s is not part of this kernel", e.Path)
}
