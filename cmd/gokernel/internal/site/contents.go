package site

import (
	"maps"
	"path"
	"strings"
)

// contents returns what students may have, by paths relative to the directory of the notebooks. It
// has the notebooks of the site without outputs, the student versions of the homework, and the
// files that the notebooks read or link to.
func (b *builder) contents() (map[string][]byte, error) {
	files, err := b.filesBeside()
	if err != nil {
		return nil, err
	}
	all := maps.Clone(files)
	for name, content := range b.files {
		if linked, ok := strings.CutPrefix(name, "files/"); ok {
			all[linked] = content
		}
		for kind, dir := range map[string]string{"homework": b.course.Homework, "projects": b.course.Projects} {
			if sheet, ok := strings.CutPrefix(name, "downloads/"+kind+"/"); ok && !strings.HasPrefix(path.Clean(dir), "..") {
				all[path.Join(dir, sheet)] = content
			}
		}
	}
	for _, l := range b.lectures {
		all[l.Name+".ipynb"] = l.source
	}
	return all, nil
}
