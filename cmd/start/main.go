// Start compiles gokernel from a clone of its repository, shows the progress, and runs it with the
// arguments:
//
//	go run ./cmd/start run notebooks/N02-decision-trees.ipynb
//	go run ./cmd/start lab notebooks
//
// Unlike "go run ./cmd/gokernel", which prints nothing for minutes while Go compiles some 700
// packages for the first time, Start itself is compiled in seconds. The program is .build/gokernel;
// when nothing has changed, it starts after half a second.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/gokernel/gokernel/internal/gobuild"
)

func main() {
	root, err := moduleRoot()
	if err == nil {
		program := filepath.Join(root, ".build", "gokernel")
		if runtime.GOOS == "windows" {
			program += ".exe"
		}
		target := gobuild.Target{Root: root, Package: "./cmd/gokernel", Output: program}
		if os.Getenv("CGO_ENABLED") == "" {
			target.Env = []string{"CGO_ENABLED=0"} // as releases are built: no C compiler is needed
		}
		if err = target.Build(os.Stderr); err == nil {
			err = run(program, os.Args[1:])
		}
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() > 0 {
		os.Exit(exit.ExitCode())
	}
	fmt.Fprintln(os.Stderr, "start:", err)
	os.Exit(1)
}

// moduleRoot returns the folder of the clone that this program is run in.
func moduleRoot() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Path}} {{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("the go command fails in this folder: %w; change to the clone of gokernel", err)
	}
	var path, dir string
	const want = "github.com/gokernel/gokernel"
	if n, _ := fmt.Sscanf(string(out), "%s", &path); n != 1 || path != want {
		return "", fmt.Errorf("this folder must be in a clone of %s, got %s; change to the clone", want, path)
	}
	dir = string(out[len(path)+1 : len(out)-1])
	return dir, nil
}
