package symbols

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"go/version"
	"io"
	"io/fs"
	"runtime"
	"strings"
	"sync"

	"github.com/gokernel/gokernel/interp/symbols/course"
	"github.com/gokernel/gokernel/interp/symbols/science"
	"github.com/gokernel/gokernel/interp/symbols/std"
)

// Check says why the tables do not describe the standard library that is
// compiled in; nil if they do.
func Check() error { return match(std.Version, runtime.Version()) }

// match compares versions of Go, the lesser numbers of which fix faults only.
func match(tables, built string) error {
	built, _, _ = strings.Cut(built, " ")
	if version.Lang(built) == version.Lang(tables) {
		return nil
	}
	return fmt.Errorf("symbols: the standard library is that of %s, and its description is of %s: see docs/engine-porting.md", built, tables)
}

// zips finds the files of embedded archives.
func zips(archives ...[]byte) map[string]*zip.File {
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

// exportFiles, docFiles and genericFiles have the archives of the packages that
// are not of this module.
var (
	exportFiles  = sync.OnceValue(func() map[string]*zip.File { return zips(std.Export, std.PlatformExport, science.Export) })
	docFiles     = sync.OnceValue(func() map[string]*zip.File { return zips(std.Docs, science.Docs) })
	genericFiles = sync.OnceValue(func() map[string]*zip.File { return zips(std.Generics) })
)

// module is the path of this module, whose packages have files of their own.
const module = "github.com/gokernel/gokernel/"

// exportOf and docsOf give what is embedded for a package. The error is
// [fs.ErrNotExist] if there is nothing.
func exportOf(path string) ([]byte, error) { return content(path, ".export", exportFiles) }
func docsOf(path string) ([]byte, error)   { return content(path, ".docs", docFiles) }

func content(path, ext string, files func() map[string]*zip.File) ([]byte, error) {
	if own, ok := strings.CutPrefix(path, module); ok {
		packed, err := course.Data.ReadFile("data/" + own + ext)
		if err != nil {
			return nil, fs.ErrNotExist
		}
		return io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	}
	f, ok := files()[path]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return unpack(f)
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
