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
	return b.addFiles()
}

// addFiles copies the files beside the notebooks that are neither notebooks nor part of the site.
func (b *builder) addFiles() error {
	out, err := filepath.Abs(b.Out)
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(b.Dir)
	if err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == out || name != dir && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular() || path.Ext(name) == ".ipynb":
			return nil
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrPermission) {
			return nil // cells of the site can't read it either
		}
		if err == nil && grading.HasMarks(string(content)) {
			return fmt.Errorf("--live would publish %s, which has solutions or hidden checks: move it out of %s", name, b.Dir)
		}
		b.files[liveFiles+filepath.ToSlash(rel)] = content
		return err
	})
}
