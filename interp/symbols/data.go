package symbols

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"go/version"
	"io"
	"io/fs"
	"runtime"
	"strings"
	"sync"

	"github.com/gokernel/gokernel/internal/asset"
	"github.com/gokernel/gokernel/interp/symbols/library"
	"github.com/gokernel/gokernel/interp/symbols/science"
	"github.com/gokernel/gokernel/interp/symbols/std"
)

// Check explains why the tables do not describe the standard library of this program, or returns
// nil if they do.
func Check() error { return match(std.Version, runtime.Version()) }

// match compares versions of Go; patch releases only fix bugs.
func match(tables, built string) error {
	built, _, _ = strings.Cut(built, " ")
	if version.Lang(built) == version.Lang(tables) {
		return nil
	}
	return fmt.Errorf("symbols: this program has the standard library of %s, but its tables describe the library of %s: see docs/explanation/engine-porting.md", built, tables)
}

// archive is an embedded zip file, which is opened at its first use.
type archive struct {
	name    string // below the folder of this package
	content []byte
	mu      sync.Mutex
	files   map[string]*zip.File
}

// file finds a file of the archive. The error is [fs.ErrNotExist] if there is none.
func (a *archive) file(name string) (*zip.File, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.files == nil {
		b, err := asset.Read(a.name, a.content)
		if err != nil {
			return nil, err
		}
		z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return nil, err
		}
		a.files = map[string]*zip.File{}
		for _, f := range z.File {
			a.files[f.Name] = f
		}
	}
	if f, ok := a.files[name]; ok {
		return f, nil
	}
	return nil, fs.ErrNotExist
}

// archives contains the files of the standard library, and of packages of other modules.
type archives struct{ std, science []*archive }

// file finds the file of a package.
func (a archives) file(path string) (*zip.File, error) {
	list := a.std
	if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
		list = a.science
	}
	for _, archive := range list {
		if f, err := archive.file(path); !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	}
	return nil, fs.ErrNotExist
}

var (
	exportFiles = archives{
		std:     []*archive{{name: "std/export.zip", content: std.Export}, {name: "std/platform.zip", content: std.PlatformExport}},
		science: []*archive{{name: "science/export.zip", content: science.Export}},
	}
	docFiles = archives{
		std:     []*archive{{name: "std/docs.zip", content: std.Docs}},
		science: []*archive{{name: "science/docs.zip", content: science.Docs}},
	}
	genericFiles = archives{std: []*archive{{name: "std/generics.zip", content: std.Generics}}}
)

// module is the path of this module, whose packages have separate files.
const module = "github.com/gokernel/gokernel/"

// exportOf and docsOf return the embedded data of a package. The error is [fs.ErrNotExist] if there
// is none.
func exportOf(path string) ([]byte, error) { return content(path, ".export", exportFiles) }
func docsOf(path string) ([]byte, error)   { return content(path, ".docs", docFiles) }

func content(path, ext string, files archives) ([]byte, error) {
	if own, ok := strings.CutPrefix(path, module); ok {
		packed, err := library.Data.ReadFile("data/" + own + ext)
		if err != nil {
			return nil, fs.ErrNotExist
		}
		if packed, err = asset.Read("library/"+own+ext, packed); err != nil {
			return nil, err
		}
		return io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	}
	f, err := files.file(path)
	if err != nil {
		return nil, err
	}
	return unpack(f)
}

// unpack returns the content of one file of an embedded archive.
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
