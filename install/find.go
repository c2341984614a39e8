package install

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Found is a kernelspec of this program that Jupyter can find.
type Found struct {
	// Dir is the directory of the kernelspec. Its last part is the kernel name that notebooks
	// store.
	Dir string
	// Program is the path of the program that the kernelspec starts.
	Program string
	// Hidden is the directory of a kernelspec with the same name that Jupyter finds first, or ""
	// if there is none.
	Hidden string
}

// Environment returns the prefix of the environment, such as a virtual environment, into which
// the program was installed as part of a kernelspec. It returns "" for a program in any other
// location.
func Environment(program string) string {
	if real, err := filepath.EvalSymlinks(program); err == nil {
		program = real
	}
	kernels := filepath.Dir(filepath.Dir(program))
	prefix, ok := strings.CutSuffix(kernels, filepath.Join("share", "jupyter", "kernels"))
	if _, err := os.Stat(filepath.Join(filepath.Dir(program), "kernel.json")); !ok || err != nil {
		return ""
	}
	return filepath.Clean(prefix)
}

// Find lists the kernelspecs of this program in the directories that Jupyter searches, in the
// same order. environment is the prefix of the Python environment to which Jupyter belongs; ""
// means the active one.
func Find(environment string) []Found {
	var list []Found
	first := map[string]string{} // directories by name
	for _, parent := range allPaths(environment) {
		entries, err := os.ReadDir(parent)
		if err != nil {
			continue
		}
		for _, e := range entries {
			dir := filepath.Join(parent, e.Name())
			b, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
			if err != nil {
				continue
			}
			// Jupyter compares names in lower case.
			name := strings.ToLower(e.Name())
			hidden := first[name]
			if hidden == "" {
				first[name] = dir
			}
			var k kernelJSON
			if json.Unmarshal(b, &k) != nil || !isOurs(k) {
				continue
			}
			program := strings.ReplaceAll(k.Argv[0], "{resource_dir}", dir)
			list = append(list, Found{Dir: dir, Program: filepath.FromSlash(program), Hidden: hidden})
		}
	}
	return list
}

// allPaths lists the directories of kernelspecs in the order in which Jupyter searches them.
func allPaths(environment string) []string {
	dirs := searchPath()
	var own []string
	if environment == "" {
		environment, _ = sysPrefix() // "" without Python
	}
	if environment != "" {
		own = []string{filepath.Join(environment, "share", "jupyter", "kernels")}
	}
	// Jupyter prefers a virtual environment to the user's directory, but the user's directory to
	// the system's Python.
	_, err := os.Stat(filepath.Join(environment, "pyvenv.cfg"))
	virtual := environment != "" && err == nil
	if virtual {
		dirs = append(dirs, own...)
	}
	if data, err := userDataDir(runtime.GOOS, os.Getenv, os.UserHomeDir); err == nil {
		dirs = append(dirs, filepath.Join(data, "kernels"))
	}
	if !virtual {
		dirs = append(dirs, own...)
	}
	if runtime.GOOS == "windows" {
		if d := os.Getenv("PROGRAMDATA"); d != "" {
			dirs = append(dirs, filepath.Join(d, "jupyter", "kernels"))
		}
	} else {
		dirs = append(dirs, "/usr/local/share/jupyter/kernels", "/usr/share/jupyter/kernels")
	}
	var list []string
	for _, d := range dirs {
		if !slices.Contains(list, d) {
			list = append(list, d)
		}
	}
	return list
}
