// Prose checks the language of the project against the rules in testdata/vale: documentation,
// notebooks, comments, messages, help texts, and the subjects of commits. It collects the prose
// of each folder in one Markdown file and runs Vale on all of them at once.
//
//	go run ./internal/prose                  the paths in testdata/vale/areas.txt
//	go run ./internal/prose mlstd/tree docs  these paths, even if areas.txt does not have them
//	go run ./internal/prose -commits         the subjects of commits
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Vale links its tree-sitter grammars, so compiling it needs a C compiler.
const vale = "github.com/vale-cli/vale/v3/cmd/vale@v3.21.0"

func main() {
	commits := flag.Bool("commits", false, "check the subjects of commits instead of files")
	flag.Parse()
	var found []finding
	var err error
	if *commits {
		found, err = checkSubjects()
	} else {
		found, err = checkFiles(flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "prose:", err)
		os.Exit(2)
	}
	for _, f := range found {
		fmt.Println(f)
	}
	if len(found) > 0 {
		fmt.Fprintf(os.Stderr, "prose: %d findings; testdata/vale has the rules\n", len(found))
		os.Exit(1)
	}
}

// A finding is a place whose language breaks a rule.
type finding struct {
	file    string
	line    int
	message string
	rule    string
}

func (f finding) String() string {
	return fmt.Sprintf("%s:%d: %s [%s]", f.file, f.line, f.message, f.rule)
}

func checkFiles(paths []string) ([]finding, error) {
	root, err := command("", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	root = strings.TrimSpace(root)
	var areas []area
	if len(paths) == 0 {
		text, err := os.ReadFile(filepath.Join(root, "testdata", "vale", "areas.txt"))
		if err != nil {
			return nil, err
		}
		if areas, err = parseAreas(string(text)); err != nil {
			return nil, err
		}
	}
	for _, p := range paths {
		abs, err := filepath.Abs(p)
		if err != nil {
			return nil, err
		}
		rel, err := filepath.Rel(root, abs)
		if err != nil {
			return nil, err
		}
		areas = append(areas, area{path: filepath.ToSlash(rel), kinds: allKinds})
	}
	listed, err := command(root, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	texts, found, err := collect(root, strings.Split(strings.TrimSuffix(listed, "\x00"), "\x00"), areas)
	if err != nil {
		return nil, err
	}
	more, err := runVale(root, texts)
	if err != nil {
		return nil, err
	}
	found = append(found, more...)
	slices.SortFunc(found, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.rule, b.rule), cmp.Compare(a.message, b.message))
	})
	return slices.Compact(found), nil
}

// runVale writes the texts to a temporary folder under their names, runs Vale there and
// translates the lines of its alerts back to lines of the sources.
func runVale(root string, texts map[string]*text) ([]finding, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	dir, err := os.MkdirTemp("", "prose")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for name, t := range texts {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, []byte(strings.Join(t.lines, "\n")+"\n"), 0o666); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command("go", "run", vale, "--config", filepath.Join(root, "testdata", "vale", ".vale.ini"), "--output", "JSON", "--no-exit", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1", "GOWORK=off")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s%s", err, stderr.String(), out)
	}
	var alerts map[string][]struct {
		Check, Message string
		Line           int
	}
	if err := json.Unmarshal(out, &alerts); err != nil {
		return nil, fmt.Errorf("read the output of Vale: %w: %s", err, out)
	}
	var found []finding
	for name, list := range alerts {
		t := texts[filepath.ToSlash(filepath.Clean(name))]
		if t == nil {
			return nil, fmt.Errorf("a file that Vale was not given has alerts: %s", name)
		}
		for _, a := range list {
			at := t.from[min(max(a.Line, 1), len(t.from))-1]
			found = append(found, finding{at.file, at.line, a.Message, a.Check})
		}
	}
	return found, nil
}

func command(dir string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return "", fmt.Errorf("%s %s: %w: %s", name, args[0], err, exit.Stderr)
	}
	return string(out), err
}
