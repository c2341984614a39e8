// Package asset has the large files that a program holds: fonts, and what describes
// packages. The program for a browser is made without them, and asks for them where
// the program itself is from.
package asset

import (
	"fmt"
	"os"
)

// folder is where the worker of a page shows the files that belong to this program. It is
// set when the program is linked.
var folder string

// Read returns the content of a file that is embedded, or of the file of that name beside
// the program where an empty one is embedded.
func Read(name string, embedded []byte) ([]byte, error) {
	if len(embedded) > 0 {
		return embedded, nil
	}
	b, err := os.ReadFile(folder + name)
	if err != nil {
		return nil, fmt.Errorf("%s, which is loaded when it is first needed, cannot be had: is the site reachable? (%v)", name, err)
	}
	return b, nil
}
