package notebook

import (
	"path/filepath"
	"slices"
	"strings"
)

// Executed is the suffix of the executed notebook beside the original.
const Executed = ".executed.ipynb"

// Glob returns the files that match a pattern, sorted, without executed notebooks, which would be
// duplicates.
func Glob(pattern string) ([]string, error) {
	files, err := filepath.Glob(pattern)
	return slices.DeleteFunc(files, IsExecuted), err
}

// IsExecuted reports whether a file is an executed notebook beside the original notebook.
func IsExecuted(name string) bool { return strings.HasSuffix(name, Executed) }
