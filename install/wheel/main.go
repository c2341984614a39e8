// Wheel builds one wheel per platform, with which pip installs the kernel. A wheel contains the
// program, its kernelspec, a little Python code, and an extension of JupyterLab. The Python code
// puts the program on the PATH and lets papermill write parameters in Go. The extension shows quick
// fixes of the language server.
//
//	go run ./install/wheel -version 0.1.0 -o dist
//	pip install dist/gokernel-0.1.0-py3-none-manylinux2014_x86_64.musllinux_1_2_x86_64.whl
//
// The same sources produce the same bytes.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gokernel/gokernel/install/bom"
	"github.com/gokernel/gokernel/internal/gobuild"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "wheel:", err)
		os.Exit(1)
	}
}

// canonical matches normalized PEP 440 versions.
var canonical = regexp.MustCompile(`^\d+(\.\d+)*((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?$`)

// candidate matches release candidates in semantic versioning.
var candidate = regexp.MustCompile(`^(\d+\.\d+\.\d+)-rc\.(\d+)$`)

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("wheel", flag.ContinueOnError)
	version := flags.String("version", "", "the `version` of the wheels, such as 1.2.0, 1.2.0rc1, or 1.2.0-rc.1 as in tags")
	dir := flags.String("o", "dist", "directory for the wheels")
	ready := flags.String("program", "", "use this `program` instead of building one, for a single platform")
	only := flags.String("platform", "", "build for this `platform` only, such as linux/amd64 (default: all platforms)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	*version = candidate.ReplaceAllString(*version, "${1}rc$2")
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q: go run ./install/wheel -version 1.2.0 -o dist", flags.Arg(0))
	case !canonical.MatchString(*version):
		return fmt.Errorf("-version must be a version such as 1.2.0 or 1.2.0rc1, got %q", *version)
	case *ready != "" && *only == "":
		return errors.New("-program needs -platform, because a program is for one platform")
	}
	chosen := platforms
	if *only != "" {
		p, ok := find(*only)
		if !ok {
			return fmt.Errorf("-platform must be one of %s, got %q", strings.Join(names(), ", "), *only)
		}
		chosen = []platform{p}
	}
	if err := os.MkdirAll(*dir, 0o755); err != nil {
		return err
	}
	for _, p := range chosen {
		from := *ready
		if from == "" {
			tmp, err := os.MkdirTemp("", "gokernel-wheel-")
			if err != nil {
				return err
			}
			defer os.RemoveAll(tmp)
			from = filepath.Join(tmp, "gokernel")
			if err := build(p, from); err != nil {
				return err
			}
		}
		bytes, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		texts, err := notices(p, *version)
		if err != nil {
			return err
		}
		name, archive, err := wheel(p, *version, bytes, texts)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(*dir, name), archive, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s: %.1f MB\n", filepath.Join(*dir, name), float64(len(archive))/1e6)
	}
	return nil
}

// notices returns the licenses of the program, and the list of its parts, whose location PEP 770
// defines.
func notices(p platform, version string) (map[string][]byte, error) {
	list, err := bom.Of(p.name)
	if err != nil {
		return nil, err
	}
	parts, err := list.CycloneDX(version)
	return map[string][]byte{"licenses/LICENSE": list.License, "licenses/THIRD_PARTY": list.ThirdParty(), "sboms/gokernel.cdx.json": parts}, err
}

// build compiles the program for a platform.
func build(p platform, to string) error {
	goos, goarch, _ := strings.Cut(p.name, "/")
	fmt.Fprintf(os.Stderr, "building gokernel for %s\n", p.name)
	err := gobuild.Target{
		Root: ".", Package: bom.Program, Output: to,
		Flags: []string{"-trimpath", "-ldflags=-s -w -funcalign=16"},
		Env:   []string{"CGO_ENABLED=0", "GOOS=" + goos, "GOARCH=" + goarch},
	}.Build(os.Stderr)
	if err != nil {
		return fmt.Errorf("cannot build the program for %s: %w", p.name, err)
	}
	return nil
}
