package notebook

import (
	"path/filepath"
	"slices"
	"strings"
)

// Executed ends the name that an executed notebook has beside the one that was read.
const Executed = ".executed.ipynb"

// Glob returns the files that match a pattern, sorted, but for executed notebooks, which
// would be there twice.
func Glob(pattern string) ([]string, error) {
	files, err := filepath.Glob(pattern)
	return slices.DeleteFunc(files, IsExecuted), err
}

// IsExecuted reports whether a file is an executed notebook beside another.
func IsExecuted(name string) bool { return strings.HasSuffix(name, Executed) }
