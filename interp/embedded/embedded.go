// Package embedded reads the files named by the //go:embed directive of a cell.
package embedded

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unsafe"
)

// File is an embedded file; its name is relative to the folder of the notebook.
type File struct{ Name, Data string }

// Patterns returns the patterns after "//go:embed", some of which may be quoted.
func Patterns(text string) ([]string, error) {
	var list []string
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimLeftFunc(text, unicode.IsSpace) {
		var p string
		switch text[0] {
		case '"', '`':
			quoted, err := strconv.QuotedPrefix(text)
			if err != nil {
				return nil, errors.New("a quoted pattern has no end: " + text)
			}
			if p, err = strconv.Unquote(quoted); err != nil {
				return nil, err
			}
			text = text[len(quoted):]
			if text != "" && !unicode.IsSpace(rune(text[0])) {
				return nil, errors.New("patterns are separated by spaces: " + quoted + text)
			}
		default:
			end := strings.IndexFunc(text, unicode.IsSpace)
			if end < 0 {
				end = len(text)
			}
			p, text = text[:end], text[end:]
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		return nil, errors.New("the directive names no file")
	}
	return list, nil
}

// Read reads the files that match the patterns, as Go does: names with * and ?, and folders with
// their contents. Within folders, it skips names that begin with a dot or an underscore, unless the
// pattern begins with "all:".
func Read(dir string, patterns []string) ([]File, error) {
	root := os.DirFS(dir)
	have := map[string]bool{}
	var files []File
	add := func(name string) error {
		if have[name] {
			return nil
		}
		have[name] = true
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		files = append(files, File{name, string(data)})
		return nil
	}
	for _, p := range patterns {
		if err := match(root, p, add); err != nil {
			return nil, fmt.Errorf("pattern %s: %w", p, err)
		}
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return files, nil
}

func match(root fs.FS, pattern string, add func(string) error) error {
	glob, all := strings.CutPrefix(pattern, "all:")
	if _, err := path.Match(glob, ""); err != nil || !fs.ValidPath(glob) {
		return errors.New("a pattern is a relative path without . and .., with / between its parts")
	}
	names, err := fs.Glob(root, glob)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return errors.New("no matching files found")
	}
	for _, name := range names {
		info, err := fs.Stat(root, name)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			if !info.Mode().IsRegular() {
				return errors.New("cannot embed irregular file " + name)
			}
			if err := add(name); err != nil {
				return err
			}
			continue
		}
		found := false
		err = fs.WalkDir(root, name, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if hidden := strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_"); hidden && !all && p != name {
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			if !d.Type().IsRegular() {
				return nil
			}
			found = true
			return add(p)
		})
		if err != nil {
			return err
		}
		if !found {
			return errors.New("cannot embed directory " + name + ": contains no embeddable files")
		}
	}
	return nil
}

// FS returns the files in the form of the Go compiler: sorted by folder and name, including
// folders, whose names end in a slash.
func FS(files []File) (embed.FS, error) {
	entries := map[string]string{}
	for _, f := range files {
		entries[f.Name] = f.Data
		for d := path.Dir(f.Name); d != "."; d = path.Dir(d) {
			entries[d+"/"] = ""
		}
	}
	var names []string
	for n := range entries {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int {
		a, b = strings.TrimSuffix(a, "/"), strings.TrimSuffix(b, "/")
		return cmp.Or(cmp.Compare(path.Dir(a), path.Dir(b)), cmp.Compare(path.Base(a), path.Base(b)))
	})
	var out embed.FS
	field := reflect.ValueOf(&out).Elem().FieldByName("files")
	if !field.IsValid() || field.Kind() != reflect.Pointer || field.Type().Elem().Kind() != reflect.Slice {
		return out, errors.New("this version of gokernel does not know the layout of embed.FS")
	}
	list := reflect.MakeSlice(field.Type().Elem(), len(names), len(names))
	for i, n := range names {
		name, data := list.Index(i).FieldByName("name"), list.Index(i).FieldByName("data")
		if name.Kind() != reflect.String || data.Kind() != reflect.String {
			return out, errors.New("this version of gokernel does not know the layout of embed.FS")
		}
		*(*string)(name.Addr().UnsafePointer()) = n
		*(*string)(data.Addr().UnsafePointer()) = entries[n]
	}
	p := reflect.New(list.Type())
	p.Elem().Set(list)
	*(*unsafe.Pointer)(field.Addr().UnsafePointer()) = p.UnsafePointer()
	return out, nil
}
