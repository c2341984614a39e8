// Release writes the files that packages contain in addition to the program: shell completions,
// manual pages, the kernelspec of a program in /usr/bin, licenses, and the list of parts. The
// goreleaser configuration runs it before packing:
//
//	go run ./install/release -version 0.1.0 -o .build/release
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gokernel/gokernel/install"
	"github.com/gokernel/gokernel/install/bom"
	"github.com/gokernel/gokernel/kernel/msg"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	version := flags.String("version", "", "the `version` of the release, such as 1.2.0 or 1.2.0-rc.1")
	dir := flags.String("o", filepath.Join(".build", "release"), "directory for the files")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 || *version == "" || strings.HasPrefix(*version, "v") {
		return errors.New("-version must be a version without v: go run ./install/release -version 1.2.0")
	}
	tmp, err := os.MkdirTemp("", "gokernel-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	exe := filepath.Join(tmp, "gokernel")
	if _, err := output("go", "build", "-o", exe, bom.Program); err != nil {
		return err
	}
	return write(*dir, *version, func(args ...string) ([]byte, error) { return output(exe, args...) })
}

func output(name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", filepath.Base(name), strings.Join(args, " "), err)
	}
	return out, nil
}

// platforms are the platforms for which goreleaser packs the program.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// write writes the files to a directory. It gets some of them from the output of the program.
func write(dir, version string, program func(args ...string) ([]byte, error)) error {
	list, err := bom.Of(platforms...)
	if err != nil {
		return err
	}
	parts, err := list.CycloneDX(version)
	if err != nil {
		return err
	}
	files := map[string][]byte{"LICENSE": list.License, "THIRD_PARTY": list.ThirdParty(), "gokernel.cdx.json": parts}
	for shell, name := range map[string]string{"bash": "gokernel.bash", "zsh": "_gokernel", "fish": "gokernel.fish", "powershell": "gokernel.ps1"} {
		if files["completions/"+name], err = program("completion", shell); err != nil {
			return err
		}
	}
	spec, err := install.NewSpec("/usr/bin/gokernel", "", "", msg.Version).Files()
	if err != nil {
		return err
	}
	for name, b := range spec {
		files["kernel/"+name] = b
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	for name, b := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, b, 0o644); err != nil {
			return err
		}
	}
	_, err = program("man", "-o", filepath.Join(dir, "man"))
	return err
}
