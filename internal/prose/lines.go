package main

import (
	"path"
	"strings"
)

// markerOf returns the marker of comments in a script or in assembly, or "" for other files. The
// scripts in .ci have no extension.
func markerOf(file string) string {
	switch path.Ext(file) {
	case ".sh", ".py":
		return "#"
	case ".s", ".js":
		return "//"
	}
	switch {
	case file == "Makefile", strings.HasPrefix(file, ".ci/"), file == "install/lite/compile":
		return "#"
	}
	return ""
}

// addLines adds each group of comment lines as a paragraph. It omits comments after code, because
// in these languages only a parser knows whether such a comment is part of a string.
func addLines(t *text, file, data, marker string) []finding {
	var found []finding
	inside := false
	for i, line := range strings.Split(data, "\n") {
		l, ok := strings.CutPrefix(strings.TrimSpace(line), marker)
		if !ok || directive.MatchString(marker+l) || strings.HasPrefix(l, "!") || strings.HasPrefix(l, " func ") {
			if inside {
				t.add(file, i, "")
			}
			inside = false
			continue
		}
		if !strings.HasPrefix(l, "\t") && !strings.HasPrefix(l, "  ") {
			found = append(found, tooLong(file, i+1, line)...)
		}
		t.add(file, i+1, plain(strings.TrimPrefix(l, " ")))
		inside = true
	}
	return found
}
