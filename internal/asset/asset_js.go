// Package asset reads the large files that a program embeds: fonts and package descriptions. The
// WebAssembly program does not embed these files, but fetches them from its own site.
package asset

import (
	"fmt"
	"os"
)

// folder is the location in which the page's worker provides the program's files. It is set when
// the program is linked.
var folder string

// Read returns the content of an embedded file. If embedded is empty, it reads the file with the
// given name from folder.
func Read(name string, embedded []byte) ([]byte, error) {
	if len(embedded) > 0 {
		return embedded, nil
	}
	b, err := os.ReadFile(folder + name)
	if err != nil {
		return nil, fmt.Errorf("cannot load %s: %v: check that the site is reachable", name, err)
	}
	return b, nil
}
