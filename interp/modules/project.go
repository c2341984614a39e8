package modules

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// project is the module configuration of a notebook's folder: its go.mod, the modules of its
// workspace, or nothing.
type project struct {
	mains    []*mainModule
	work     string // the go.work, or "" without a workspace
	workFile *modfile.WorkFile
	replace  []replacement
	exclude  map[module.Version]bool
	vendor   *vendor
}

// mainModule is a module under development.
type mainModule struct {
	Path, Dir string
	File      *modfile.File
}

// replacement is a replace directive; folders are absolute.
type replacement struct {
	old, new module.Version
	dir      string // folder that replaces the module
}

// readProject reads the nearest go.mod above a folder, and the go.work that uses it.
func readProject(dir string, env Env) (*project, error) {
	p := &project{exclude: map[module.Version]bool{}}
	work := ""
	if env.Work != "off" {
		if work = env.Work; work == "" {
			work = above(dir, "go.work")
		}
	}
	mod := above(dir, "go.mod")
	if work != "" {
		if err := p.readWork(work); err != nil {
			return nil, err
		}
		if mod == "" || p.main(filepath.Dir(mod)) != nil {
			p.work = work
			return p, p.readVendor(filepath.Dir(work), env)
		}
		// A module that its workspace does not use is a project by itself.
		p = &project{exclude: map[module.Version]bool{}}
	}
	if mod == "" {
		return p, nil
	}
	if err := p.addMain(filepath.Dir(mod)); err != nil {
		return nil, err
	}
	return p, p.readVendor(filepath.Dir(mod), env)
}

// above finds a file in a folder or the nearest one above it, or returns "" if there is none.
func above(dir, name string) string {
	for {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return file
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

func (p *project) main(dir string) *mainModule {
	for _, m := range p.mains {
		if m.Dir == dir {
			return m
		}
	}
	return nil
}

func (p *project) readWork(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	w, err := modfile.ParseWork(name, data, nil)
	if err != nil {
		return err
	}
	p.workFile = w
	dir := filepath.Dir(name)
	for _, r := range w.Replace {
		p.addReplace(dir, r)
	}
	for _, u := range w.Use {
		used := filepath.FromSlash(u.Path)
		if !filepath.IsAbs(used) {
			used = filepath.Join(dir, used)
		}
		if err := p.addMain(used); err != nil {
			return err
		}
	}
	return nil
}

func (p *project) addMain(dir string) error {
	name := filepath.Join(dir, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	f, err := modfile.Parse(name, data, nil)
	if err != nil {
		return err
	}
	if f.Module == nil {
		return fmt.Errorf("%s has no module line", name)
	}
	p.mains = append(p.mains, &mainModule{Path: f.Module.Mod.Path, Dir: dir, File: f})
	for _, r := range f.Replace {
		p.addReplace(dir, r)
	}
	for _, e := range f.Exclude {
		p.exclude[e.Mod] = true
	}
	return nil
}

// addReplace adds a directive; directives that are added earlier, from a go.work, take precedence.
func (p *project) addReplace(dir string, r *modfile.Replace) {
	rep := replacement{old: r.Old, new: r.New}
	if r.New.Version == "" {
		rep.dir = filepath.FromSlash(r.New.Path)
		if !filepath.IsAbs(rep.dir) {
			rep.dir = filepath.Join(dir, rep.dir)
		}
	}
	p.replace = append(p.replace, rep)
}

// replaced returns the replacement of a module version; a replacement of one version takes
// precedence over one of all versions.
func (p *project) replaced(m module.Version) (replacement, bool) {
	for _, exact := range []bool{true, false} {
		for _, r := range p.replace {
			if r.old.Path == m.Path && (exact && r.old.Version == m.Version || !exact && r.old.Version == "") {
				return r, true
			}
		}
	}
	return replacement{}, false
}

// vendor is a vendor folder with the content of its modules.txt.
type vendor struct {
	dir     string
	modules map[string]module.Version // by package
	goLines map[string]string         // go lines of the modules, by path
}

// readVendor reads the vendor folder if the go command would use it.
func (p *project) readVendor(root string, env Env) error {
	if env.Mod == "mod" || env.Mod == "readonly" {
		return nil
	}
	if env.Mod == "" && p.work == "" && len(p.mains) == 1 {
		if g := p.mains[0].File.Go; g == nil || semver.Compare("v"+g.Version, "v1.14") < 0 {
			return nil
		}
	}
	dir := filepath.Join(root, "vendor")
	data, err := os.ReadFile(filepath.Join(dir, "modules.txt"))
	if errors.Is(err, fs.ErrNotExist) {
		if env.Mod == "vendor" {
			return fmt.Errorf("GOFLAGS has -mod=vendor, but there is no %s: run go mod vendor", filepath.Join(dir, "modules.txt"))
		}
		return nil
	}
	if err != nil {
		return err
	}
	v := &vendor{dir: dir, modules: map[string]module.Version{}, goLines: map[string]string{}}
	var now module.Version
	have := map[string]string{}
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		line := s.Text()
		if rest, ok := strings.CutPrefix(line, "# "); ok {
			f := strings.Fields(rest)
			now = module.Version{}
			if len(f) > 0 {
				now.Path = f[0]
			}
			if len(f) > 1 && strings.HasPrefix(f[1], "v") {
				now.Version = f[1]
			}
			have[now.Path] = now.Version
		} else if rest, ok := strings.CutPrefix(line, "## "); ok { // like "## explicit; go 1.24"
			for note := range strings.SplitSeq(rest, ";") {
				if goLine, ok := strings.CutPrefix(strings.TrimSpace(note), "go "); ok {
					v.goLines[now.Path] = goLine
				}
			}
		} else if line != "" && line[0] != '#' {
			v.modules[line] = now
		}
	}
	for _, m := range p.mains {
		for _, r := range m.File.Require {
			if got, ok := have[r.Mod.Path]; !ok || got != r.Mod.Version {
				return fmt.Errorf("vendor/modules.txt does not agree with go.mod about %s: run go mod vendor, or set GOFLAGS=-mod=mod", r.Mod)
			}
		}
	}
	p.vendor = v
	return nil
}
