package checkpoint

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/gokernel/gokernel/internal/wholefile"
)

// Session is the content of a session file.
type Session struct {
	// Cell is the number of the last cell that ran.
	Cell int `json:"cell"`
	// Imports maps the package names in declarations to paths, and Aliases the package names in
	// expressions for types.
	Imports map[string]string `json:"imports,omitempty"`
	Aliases map[string]string `json:"aliases,omitempty"`
	// Declarations contains types, constants, functions and methods.
	Declarations []Declaration `json:"declarations,omitempty"`
	Values

	Platform string `json:"platform"`
}

// Declaration is the text that declares a name.
type Declaration struct {
	Name string `json:"name"` // "T.m" for a method
	Kind string `json:"kind"` // type, const, func or method
	Text string `json:"text"`
}

// magic is the start of the first line of a file, which ends in the checksum of everything after
// it. The second line is the session in JSON. The values follow.
const magic = "gokernel session 1 "

// platform returns what the memory layout depends on, in addition to the types.
func platform() string { return runtime.GOOS + "/" + runtime.GOARCH + " " + runtime.Version() }

// Write writes the session to a file, completely or not at all.
func (s *Session) Write(file string) error {
	s.Platform = platform()
	rest, err := json.Marshal(s)
	if err != nil {
		return err
	}
	rest = append(append(rest, '\n'), s.Data...)
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s%x\n", magic, sha256.Sum256(rest))
	b.Write(rest)
	return wholefile.Write(file, b.Bytes())
}

// Read reads a file written by Write.
func Read(file string) (*Session, error) { return read(file, true) }

// Summary is like Read, but leaves out the values of the variables.
func Summary(file string) (*Session, error) { return read(file, false) }

func read(file string, whole bool) (*Session, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	first, err := r.ReadString('\n')
	sum, ok := strings.CutPrefix(strings.TrimSuffix(first, "\n"), magic)
	switch {
	case !ok && strings.HasPrefix(first, "gokernel session "):
		return nil, fmt.Errorf("%s was written by another version of gokernel", file)
	case err != nil, !ok:
		return nil, fmt.Errorf("%s is not a saved session", file)
	}
	head, err := r.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("%s is cut off", file)
	}
	s := &Session{}
	if whole {
		if s.Data, err = io.ReadAll(r); err != nil {
			return nil, err
		}
		if got := sha256.Sum256(append(head[:len(head):len(head)], s.Data...)); hex.EncodeToString(got[:]) != sum {
			return nil, fmt.Errorf("%s is damaged: its checksum is wrong", file)
		}
	}
	if err := json.Unmarshal(head, s); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", file, err)
	}
	if whole && s.Platform != platform() {
		return nil, fmt.Errorf("%s was written on %s, and this is %s: the two lay out values in memory differently", file, s.Platform, platform())
	}
	return s, nil
}

// lostSuffix is the suffix of the checkpoint of an evaluator that has ended.
const lostSuffix = ".lost"

// SetAside renames the checkpoint that an earlier evaluator wrote to the file, so that it is not
// overwritten.
func SetAside(file string) error {
	if err := os.Rename(file, file+lostSuffix); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// LostFile returns the file with the checkpoint of the last evaluator that ended, or "" if there is
// none.
func LostFile(file string) string {
	for _, f := range []string{file, file + lostSuffix} {
		if _, err := os.Stat(f); err == nil && file != "" {
			return f
		}
	}
	return ""
}

// AsideFile returns the file to which SetAside moves a checkpoint.
func AsideFile(file string) string { return file + lostSuffix }

// Remove removes the checkpoints of a file.
func Remove(file string) {
	for _, f := range []string{file, file + lostSuffix} {
		_ = os.Remove(f) // there may be none
	}
}
