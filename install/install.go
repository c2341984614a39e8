// Package install registers the kernel with Jupyter. It writes and removes kernelspecs, the
// directories that contain a kernel.json and logos.
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

// DefaultName is the name of the kernelspec for the default engine.
const DefaultName = "gokernel"

// Spec is a kernelspec.
type Spec struct {
	// Name is the name of the directory and the kernel name that notebooks store.
	Name string
	// DisplayName is the name that launchers show.
	DisplayName string
	// Argv is the command that starts the kernel; "{connection_file}" is replaced by the path of
	// the file.
	Argv []string
	// If Copy is true, Install copies the program, Argv[0], into the kernelspec, which then uses
	// this copy.
	Copy bool
	// Protocol is the version of the messaging protocol, such as "5.5".
	Protocol string
}

// kernelCommand is the arguments that start this program as a kernel.
var kernelCommand = []string{"kernel", "--connection-file"}

// NewSpec returns the kernelspec for the program with an engine. An empty engine means the default
// engine, and an empty name means the usual name for the engine.
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

// kernelJSON is the content of kernel.json.
type kernelJSON struct {
	Argv        []string          `json:"argv"`
	DisplayName string            `json:"display_name"`
	Language    string            `json:"language"`
	Interrupt   string            `json:"interrupt_mode"`
	Protocol    string            `json:"kernel_protocol_version"`
	Env         map[string]string `json:"env"`
	Metadata    map[string]any    `json:"metadata"`
}

// validName matches the names that Jupyter accepts.
var validName = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

func checkName(name string) error {
	if !validName.MatchString(name) || name == "." || name == ".." {
		return fmt.Errorf("install: a kernel name must have only letters, digits, dots, dashes and underscores, got %q", name)
	}
	return nil
}

// other returns the display name of the kernel in dir if the kernel belongs to another program.
// Otherwise it returns "".
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

// isOurs reports whether the kernelspec belongs to this program.
func isOurs(k kernelJSON) bool {
	return len(k.Argv) >= 3 && slices.Equal(k.Argv[1:3], kernelCommand)
}

// Install writes the kernelspec and returns its directory. It replaces a kernel of this program
// with the same name. If another program has a kernel with this name, Install returns an error. All
// files of the kernelspec are in the directory. Under a prefix, everyone can read them, and the
// directory can be moved.
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

// Files returns the files of the kernelspec by name, without the program.
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
			"debugger":             true,              // lets JupyterLab show its debugger and the variables
			"supported_encryption": []string{"curve"}, // allows jupyter_client to pass CurveZMQ keys
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

// writeDir writes the files, and the program if there is one, to dir in parent. It replaces an
// existing directory as a whole.
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
		// Restore the old directory; the first error is the one to report.
		_ = os.Rename(old, dir)
		return err
	}
	return nil
}

// makeDirs creates a directory and its parents, readable by everyone regardless of the umask.
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
		if errors.Is(err, fs.ErrExist) { // another process has just created it
			return nil
		}
		return err
	}
	return os.Chmod(dir, 0o755)
}

// Uninstall removes the kernelspec with the given name, and the Jupyter directories above it that
// become empty. It returns the directory of the kernelspec.
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
		return "", fmt.Errorf("install: there is no kernel %s in %s: run `jupyter kernelspec list` to see where it is", name, parent)
	}
	if o := other(dir); o != "" {
		return "", fmt.Errorf("install: %s holds another kernel, %q: run `jupyter kernelspec remove %s` to remove it", dir, o, name)
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", fmt.Errorf("install: %w", err)
	}
	for range at.depth() { // a directory that is not empty cannot be removed
		if os.Remove(parent) != nil {
			break
		}
		parent = filepath.Dir(parent)
	}
	return dir, nil
}

// Shadow returns the kernelspec that Jupyter prefers to the one in dir because of JUPYTER_PATH,
// or "" if there is none.
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
