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
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// Run executes the notebook nb and stores the outputs in nb. The file of the notebook has the given
// name in the directory of the site's notebooks.
type Run = func(ctx context.Context, name string, nb *notebook.Notebook) error

// keptFor is how long unused entries stay in the cache.
const keptFor = 60 * 24 * time.Hour

// Cached returns a Run that stores outputs in the directory cache, and reuses them if neither the
// notebook nor a file beside it has changed. If fresh is set, it reuses nothing. Files of the site,
// which is in out, don't count as such files. Notebooks with a cell that fails are not stored.
func Cached(cache, dir, out string, fresh bool, run Run) Run {
	beside := ""
	return func(ctx context.Context, name string, nb *notebook.Notebook) error {
		if beside == "" {
			var err error
			if beside, err = sumOfFiles(dir, out); err != nil {
				return err
			}
		}
		text, err := nb.Encode()
		if err != nil {
			return err
		}
		sum := sha256.Sum256([]byte(beside + "\n" + name + "\n" + string(text)))
		file := filepath.Join(cache, hex.EncodeToString(sum[:])+".ipynb")
		if !fresh {
			if kept, err := notebook.Read(file); err == nil {
				*nb = *kept
				now := time.Now()
				return os.Chtimes(file, now, now)
			}
		}
		if err := run(ctx, name, nb); err != nil {
			return err
		}
		for _, c := range nb.Cells {
			for _, o := range c.Outputs {
				if o.Type == notebook.Error {
					return nil
				}
			}
		}
		return keep(file, nb)
	}
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
			if abs == skip || name != dir && strings.HasPrefix(d.Name(), ".") {
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
	for _, name := range []string{c.References, c.Slips, c.Notation, c.Glossary, c.Data, c.Catalogue} {
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
