package site

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/internal/pattern"
)

// keptFor is how long unused entries stay in the cache.
const keptFor = 60 * 24 * time.Hour

// Cache stores the outputs of notebooks for the next build.
type Cache struct {
	// Dir is the directory of the cache.
	Dir string
	// Notebooks is the directory of the notebooks, and Out the directory of the site, whose files
	// are not read by notebooks.
	Notebooks, Out string
	// Key describes everything else on which outputs depend: the program and its options.
	Key string
	// Fresh means that nothing is reused.
	Fresh bool

	once   sync.Once
	beside string // a checksum of the files beside the notebooks
	err    error
}

// Run returns a Run that reuses the outputs of an earlier run if the code of the notebook, the
// files that it may read, and the key are the same. Otherwise it calls run and stores the outputs,
// unless a cell fails. The text of a notebook may change without a run.
func (c *Cache) Run(run Run) Run {
	return func(ctx context.Context, name string, nb *notebook.Notebook) (Outcome, error) {
		if c.once.Do(func() { c.beside, c.err = sumOfFiles(c.Notebooks, c.Out) }); c.err != nil {
			return Outcome{}, c.err
		}
		sum, err := c.sum(name, nb)
		if err != nil {
			return Outcome{}, err
		}
		file := filepath.Join(c.Dir, sum+".ipynb")
		if !c.Fresh {
			if kept, err := notebook.Read(file); err == nil && restore(nb, kept) {
				now := time.Now()
				return Outcome{Reused: true}, os.Chtimes(file, now, now)
			}
		}
		out, err := run(ctx, name, nb)
		if err != nil {
			return out, err
		}
		for _, cell := range nb.Cells {
			for _, o := range cell.Outputs {
				if o.Type == notebook.Error {
					return out, nil
				}
			}
		}
		return out, keep(file, nb)
	}
}

// sum returns a checksum of everything on which the outputs of a notebook depend.
func (c *Cache) sum(name string, nb *notebook.Notebook) (string, error) {
	bare := &notebook.Notebook{Metadata: nb.Metadata}
	h := sha256.New()
	fmt.Fprintln(h, c.beside, c.Key, name)
	for _, cell := range nb.Cells {
		if cell.Type != notebook.Code {
			continue
		}
		one := *cell
		one.Outputs, one.Count = nil, 0
		bare.Cells = append(bare.Cells, &one)
		for _, m := range outsideFile().FindAllStringSubmatch(cell.Source, -1) {
			if sum, err := Sum(filepath.Join(c.Notebooks, filepath.FromSlash(m[1]))); err == nil {
				fmt.Fprintln(h, m[1], sum)
			}
		}
	}
	text, err := bare.Encode()
	if err != nil {
		return "", err
	}
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// outsideFile matches a string in code that may be the path of a file outside of the directory of
// the notebooks.
var outsideFile = pattern.New("[\"`](\\.\\./[^\"`\n]+)[\"`]")

// restore copies the outputs of an executed notebook to nb, which has the same code cells. It
// reports whether it could.
func restore(nb, executed *notebook.Notebook) bool {
	codes := func(nb *notebook.Notebook) (list []*notebook.Cell) {
		for _, c := range nb.Cells {
			if c.Type == notebook.Code {
				list = append(list, c)
			}
		}
		return list
	}
	to, from := codes(nb), codes(executed)
	if len(to) != len(from) {
		return false
	}
	for i, c := range to {
		if c.ID != from[i].ID || c.Source != from[i].Source {
			return false
		}
	}
	for i, c := range to {
		c.Outputs, c.Count, c.Metadata = from[i].Outputs, from[i].Count, from[i].Metadata
	}
	nb.Metadata = executed.Metadata
	return true
}

// keep writes an executed notebook to the cache, and removes old ones.
func keep(file string, nb *notebook.Notebook) error {
	text, err := nb.Encode()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(file)), "*", "*.ipynb"))
	if err != nil {
		return err
	}
	for _, f := range old {
		if info, err := os.Stat(f); err == nil && time.Since(info.ModTime()) > keptFor {
			os.Remove(f)
		}
	}
	return notebook.WriteFile(file, text)
}

// sumOfFiles returns a checksum of the files in a directory that notebooks may read. These are all
// files except notebooks, hidden files, the files of the indexes, and the site itself.
func sumOfFiles(dir, out string) (string, error) {
	skip, err := filepath.Abs(out)
	if err != nil {
		return "", err
	}
	indexes := indexFiles(dir)
	h := sha256.New()
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		abs, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if abs == skip || isSite(name) || name != dir && strings.HasPrefix(d.Name(), ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || strings.HasSuffix(name, ".ipynb") || d.Name() == courseFile || indexes[filepath.Clean(name)] {
			return nil
		}
		sum, err := Sum(name)
		if err != nil {
			return err
		}
		fmt.Fprintln(h, name, sum)
		return nil
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

// indexFiles returns the files that course.json names. They become pages of the site, and no cell
// has to run again when they change.
func indexFiles(dir string) map[string]bool {
	var c course
	if text, err := os.ReadFile(filepath.Join(dir, courseFile)); err != nil || json.Unmarshal(text, &c) != nil {
		return nil // readCourse reports the error
	}
	files := map[string]bool{}
	for _, name := range []string{c.References, c.Slips, c.Notation, c.Glossary, c.Data, c.Catalogue, c.Policy, c.Late} {
		files[filepath.Join(dir, filepath.FromSlash(name))] = true
	}
	return files
}

// Sum returns a checksum of a file.
func Sum(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
