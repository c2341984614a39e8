package site

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
)

// program is the largest file of the kernel for web pages.
const program = "gokernel.wasm.xz"

// liveFiles is the folder where the kernel finds the files beside the notebooks.
const liveFiles = "live/files/"

// addLive adds the files of live pages: the script, the kernel for web pages, and the files beside
// the notebooks, which cells read.
func (b *builder) addLive(context.Context) error {
	if b.Live == "" {
		return nil
	}
	err := fs.WalkDir(os.DirFS(b.Live), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b.files["live/"+name], err = os.ReadFile(filepath.Join(b.Live, name))
		return err
	})
	if err != nil {
		return err
	}
	packed, ok := b.files["live/"+program]
	if !ok {
		return fmt.Errorf("%s must have the file %s, as written by make lite", b.Live, program)
	}
	b.download = fmt.Sprintf("%.0f MB", float64(len(packed))/1e6)
	if b.files["assets/live.js"], err = assetFiles.ReadFile("assets/live.js"); err != nil {
		return err
	}
	beside, err := b.filesBeside()
	for name, content := range beside {
		b.files[liveFiles+name] = content
	}
	return err
}

// filesBeside reads the files beside the notebooks that are neither notebooks nor part of a site.
// It leaves out the rules for late submissions, which name students.
func (b *builder) filesBeside() (map[string][]byte, error) {
	files := map[string][]byte{}
	dir, err := filepath.Abs(b.Dir)
	if err != nil {
		return nil, err
	}
	private := map[string]bool{}
	if b.course.Late != "" {
		late := path.Clean(b.course.Late)
		private[late], private[path.Join(path.Dir(late), "late-days.csv")] = true, true
	}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != dir && (strings.HasPrefix(d.Name(), ".") || isSite(name)):
			return fs.SkipDir
		case !d.Type().IsRegular() || strings.HasPrefix(d.Name(), ".") || path.Ext(name) == ".ipynb":
			return nil
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		if rel = filepath.ToSlash(rel); private[rel] {
			return nil
		}
		content, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrPermission) {
			return nil // cells of the site can't read it either
		}
		if err == nil && grading.HasMarks(string(content)) {
			return wrong(b.in(rel), "it would be published, and has solutions or hidden checks", "move the file out of "+b.Dir)
		}
		files[rel] = content
		return err
	})
	return files, err
}

// isSite reports whether a directory was written by this package.
func isSite(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, manifest))
	return err == nil
}
