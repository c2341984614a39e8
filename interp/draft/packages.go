package draft

import (
	"go/build"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"

	"golang.org/x/mod/module"

	"github.com/gokernel/gokernel/interp/symbols"
)

// positionOf returns the position of a declaration of a package.
func (n *Notebook) positionOf(name Name, o types.Object) (token.Position, bool) {
	if q := n.compiler.Sources.Lookup(name.Pkg); q != nil {
		if _, ok := o.(*types.PkgName); ok && len(q.Files) > 0 {
			return q.Fset.Position(q.Files[0].Package), true
		}
		at := q.Fset.Position(o.Pos())
		return at, at.IsValid() && filepath.IsAbs(at.Filename)
	}
	if name.Path == "" {
		dir := n.directory(name.Pkg)
		files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
		for _, f := range files {
			if !strings.HasSuffix(f, "_test.go") {
				return token.Position{Filename: f, Line: 1, Column: 1}, true
			}
		}
		return token.Position{}, false
	}
	d, ok := symbols.LookupDoc(name.Pkg, name.Path)
	if !ok {
		return token.Position{}, false
	}
	file, line, ok := strings.Cut(d.Pos, ":")
	dir := n.directory(name.Pkg)
	if !ok || dir == "" {
		return token.Position{}, false
	}
	at := token.Position{Filename: filepath.Join(dir, file), Column: 1}
	at.Line, _ = strconv.Atoi(line)
	if _, err := os.Stat(at.Filename); err != nil {
		return token.Position{}, false
	}
	return at, at.Line > 0
}

// directory returns the directory with the source of a package that is compiled into the kernel, or
// "" if this computer does not have it.
func (n *Notebook) directory(path string) string {
	if dir := filepath.Join(build.Default.GOROOT, "src", filepath.FromSlash(path)); path != "" && build.Default.GOROOT != "" && isDir(dir) {
		return dir
	}
	cache := os.Getenv("GOMODCACHE")
	if cache == "" {
		cache = filepath.Join(build.Default.GOPATH, "pkg", "mod")
	}
	for _, m := range modulesOf(path) {
		if dir := filepath.Join(cache, filepath.FromSlash(m.dir), filepath.FromSlash(m.rest)); isDir(dir) {
			return dir
		}
	}
	return ""
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// moduleDir is the directory of a module in the module cache, and the rest of a package's path.
type moduleDir struct{ dir, rest string }

// modulesOf returns the modules of this program that may contain a package.
func modulesOf(path string) []moduleDir {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	var list []moduleDir
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		rest, inside := strings.CutPrefix(path, m.Path)
		if !inside || rest != "" && rest[0] != '/' {
			continue
		}
		if m.Replace != nil {
			m = m.Replace
		}
		if escaped, err := module.EscapePath(m.Path); err == nil {
			list = append(list, moduleDir{escaped + "@" + m.Version, rest})
		}
	}
	return list
}

// declarationFile writes the documentation and declaration of a name of a package to a file, for
// computers that do not have the source.
func (n *Notebook) declarationFile(name Name, text string) (token.Position, bool) {
	dir, err := os.UserCacheDir()
	if err != nil || text == "" {
		return token.Position{}, false
	}
	base := name.Path
	if base == "" {
		base = "package"
	}
	file := filepath.Join(dir, "gokernel", "declarations", filepath.FromSlash(name.Pkg), base+".go")
	if os.MkdirAll(filepath.Dir(file), 0o755) != nil || os.WriteFile(file, []byte(text), 0o644) != nil {
		return token.Position{}, false
	}
	return token.Position{Filename: file, Line: 1, Column: 1}, true
}
