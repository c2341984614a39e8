package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"go/token"
	"io"
	"slices"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
)

// exportData returns the export data of a package, without positions: they would double its size,
// and the documentation has them.
func exportData(s *source) ([]byte, error) {
	var b bytes.Buffer
	if err := gcexportdata.Write(&b, token.NewFileSet(), s.outline); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// archive packs named contents into a zip file. Equal contents result in equal bytes.
func archive(contents map[string][]byte) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	var names []string
	for name := range contents {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(contents[name]); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// each compresses contents into separate files below a directory, named by their keys without the
// module's path.
func each(contents map[string][]byte, dir, ext string, files map[string][]byte) error {
	for key, content := range contents {
		var b bytes.Buffer
		w, err := flate.NewWriter(&b, flate.BestCompression)
		if err != nil {
			return err
		}
		if _, err := w.Write(content); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		files[dir+strings.TrimPrefix(key, module)+ext] = b.Bytes()
	}
	return nil
}
