// Package install makes the kernel known to Jupyter: it writes and removes
// kernelspecs, the directories that hold a kernel.json and its logos.
package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// DefaultName is the name of the kernelspec of the default engine.
const DefaultName = "gokernel"

// Spec is a kernelspec.
type Spec struct {
	// Name is the directory's name, by which notebooks refer to the kernel.
	Name string
	// DisplayName is what people read in a launcher.
	DisplayName string
	// Argv starts the kernel; "{connection_file}" stands for the file's name.
	Argv []string
	// Copy makes Install put a copy of the program, Argv[0], into the kernelspec
	// and start that.
	Copy bool
	// Protocol is the version of the messaging protocol, such as "5.5".
	Protocol string
}

// kernelCommand is how this program is told to be a kernel.
var kernelCommand = []string{"kernel", "--connection-file"}

// NewSpec is the specification of the kernel that the program starts with the
// engine; an empty engine is the default one, an empty name the engine's usual.
func NewSpec(program, engine, name, protocol string) Spec {
	s := Spec{
		Name:        DefaultName,
		DisplayName: "Go (gokernel)",
		Argv:        slices.Concat([]string{program}, kernelCommand, []string{"{connection_file}"}),
		Protocol:    protocol,
	}
	if engine != "" {
		s.Name = DefaultName + "-" + engine
		s.DisplayName = "Go (" + engine + ")"
		s.Argv = append(s.Argv, "--engine", engine)
	}
	if name != "" && name != s.Name {
		s.Name = name
		s.DisplayName = "Go (" + name + ")"
	}
	return s
}

// kernelJSON is the file kernel.json.
type kernelJSON struct {
	Argv        []string          `json:"argv"`
	DisplayName string            `json:"display_name"`
	Language    string            `json:"language"`
	Interrupt   string            `json:"interrupt_mode"`
	Protocol    string            `json:"kernel_protocol_version"`
	Env         map[string]string `json:"env"`
	Metadata    map[string]any    `json:"metadata"`
}

// The names that Jupyter accepts.
var validName = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

func checkName(name string) error {
	if !validName.MatchString(name) || name == "." || name == ".." {
		return fmt.Errorf("install: %q cannot name a kernel: use letters, digits, dots, dashes and underscores", name)
	}
	return nil
}

// other returns the name that people read of the kernel in dir, when there is one
// and it is none of this program's; else "".
func other(dir string) string {
	b, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
	if err != nil {
		return ""
	}
	var k kernelJSON
	if json.Unmarshal(b, &k) == nil && isOurs(k) {
		return ""
	}
	if k.DisplayName == "" {
		return filepath.Base(dir)
	}
	return k.DisplayName
}

// isOurs reports whether the kernelspec is one of this program.
func isOurs(k kernelJSON) bool {
	return len(k.Argv) >= 3 && slices.Equal(k.Argv[1:3], kernelCommand)
}

// Install writes the kernelspec at the place and gives its directory. A kernel of
// this program that was there under the name is replaced as a whole; another
// program's is an error. Whatever it writes lies in that directory; under a prefix
// everybody may read it, and it may be moved.
func Install(s Spec, at Place) (string, error) {
	if err := checkName(s.Name); err != nil {
		return "", err
	}
	parent, err := at.Dir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(parent, s.Name)
	program := ""
	if s.Copy {
		program = s.Argv[0]
		s.Argv = slices.Clone(s.Argv)
		if s.Argv[0] = filepath.Join(dir, programName); at != (Place{}) {
			s.Argv[0] = "{resource_dir}/" + programName
		}
	}
	files, err := s.Files()
	if err != nil {
		return "", err
	}
	if o := other(dir); o != "" {
		return "", fmt.Errorf("install: %s holds another kernel, %q: choose another --name", dir, o)
	}
	if err := writeDir(parent, dir, files, program); err != nil {
		return "", fmt.Errorf("install: %w", err)
	}
	return dir, nil
}

// Files are those of the kernelspec but for the program, by their names.
func (s Spec) Files() (map[string][]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(kernelJSON{
		Argv:        s.Argv,
		DisplayName: s.DisplayName,
		Language:    "go",
		Interrupt:   "message",
		Protocol:    s.Protocol,
		Env:         map[string]string{},
		Metadata: map[string]any{
			"debugger":             true,              // JupyterLab offers its debugger and the variables
			"supported_encryption": []string{"curve"}, // jupyter_client may hand over keys of CurveZMQ
		},
	})
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{
		"kernel.json":  b.Bytes(),
		"logo-svg.svg": []byte(logoSVG()),
	}
	for _, size := range []int{32, 64} {
		if files[fmt.Sprintf("logo-%dx%d.png", size, size)], err = logoPNG(size); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// writeDir makes dir, in parent, hold the files, the program if there is one, and
// nothing else, in one step.
func writeDir(parent, dir string, files map[string][]byte, program string) error {
	if err := makeDirs(parent); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(parent, ".gokernel-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	fresh := filepath.Join(tmp, "new")
	if err := makeDirs(fresh); err != nil {
		return err
	}
	for name, b := range files {
		file := filepath.Join(fresh, name)
		if err := os.WriteFile(file, b, 0o644); err != nil {
			return err
		}
		if err := os.Chmod(file, 0o644); err != nil {
			return err
		}
	}
	if program != "" {
		if err := copyProgram(program, filepath.Join(fresh, programName)); err != nil {
			return fmt.Errorf("cannot copy the program: %w", err)
		}
	}
	old := filepath.Join(tmp, "old")
	if err := os.Rename(dir, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(fresh, dir); err != nil {
		// Put back what was there; the first error says what is wrong.
		_ = os.Rename(old, dir)
		return err
	}
	return nil
}

// makeDirs makes a directory and those above it, for everybody to read whatever
// the process's mask of modes is.
func makeDirs(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	if parent := filepath.Dir(dir); parent != dir {
		if err := makeDirs(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		if errors.Is(err, fs.ErrExist) { // somebody else has just made it
			return nil
		}
		return err
	}
	return os.Chmod(dir, 0o755)
}

// Uninstall removes the kernelspec name from the place, and the directories above
// it that are empty then, and gives the directory that it was in.
func Uninstall(name string, at Place) (string, error) {
	if err := checkName(name); err != nil {
		return "", err
	}
	parent, err := at.Dir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(parent, name)
	if _, err := os.Stat(filepath.Join(dir, "kernel.json")); err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("install: %w", err)
		}
		return "", fmt.Errorf("install: there is no kernel %s in %s; `jupyter kernelspec list` shows where it is", name, parent)
	}
	if o := other(dir); o != "" {
		return "", fmt.Errorf("install: %s holds another kernel, %q; `jupyter kernelspec remove %s` removes it", dir, o, name)
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", fmt.Errorf("install: %w", err)
	}
	for range at.depth() { // a directory that holds something refuses
		if os.Remove(parent) != nil {
			break
		}
		parent = filepath.Dir(parent)
	}
	return dir, nil
}

// Shadow finds a kernelspec that Jupyter prefers to the one in dir because of
// JUPYTER_PATH; "" when there is none.
func Shadow(dir string) string {
	for _, d := range searchPath() {
		other := filepath.Join(d, filepath.Base(dir))
		if other == dir {
			return ""
		}
		if _, err := os.Stat(filepath.Join(other, "kernel.json")); err == nil {
			return other
		}
	}
	return ""
}
