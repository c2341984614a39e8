package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestCompletion sends the requests of the shells' scripts.
func TestCompletion(t *testing.T) {
	const (
		files = cobra.ShellCompDirectiveDefault
		none  = cobra.ShellCompDirectiveNoFileComp
		ext   = cobra.ShellCompDirectiveFilterFileExt
		dirs  = cobra.ShellCompDirectiveFilterDirs
	)
	for _, tt := range []struct {
		line, want string // the completions
		directive  cobra.ShellCompDirective
	}{
		{"comp", "completion", none},
		{"completion ", "bash fish powershell zsh", none},
		{"completion bash ", "", none},
		{"run ", "ipynb", ext},
		{"run a.ipynb ", "ipynb", ext},
		{"run --engine ", "ssa yaegi", none},
		{"run --timeout ", "", none},
		{"run -o ", "", files},
		{"install --prefix ", "", dirs},
		{"site ", "", dirs},
		{"grade --source ", "ipynb", ext},
		{"grade --html ", "", dirs},
		{"new ", "homework lecture", none},
		{"new lecture ", "ipynb", ext},
		{"eval", "", none},
	} {
		// A started argument is the last one; after a space it is empty.
		args := append([]string{cobra.ShellCompNoDescRequestCmd}, strings.Split(tt.line, " ")...)
		out, _ := executeCommand(t, args...)
		lines := strings.Split(strings.TrimSpace(out), "\n")
		offers, directive := lines[:len(lines)-1], lines[len(lines)-1]
		if got := strings.Join(offers, " "); got != tt.want || directive != fmt.Sprintf(":%d", tt.directive) {
			t.Errorf("%q: offers %q with directive %s, want %q with :%d", tt.line, got, directive, tt.want, tt.directive)
		}
	}
}

func TestCompletionScripts(t *testing.T) {
	for shell, mark := range map[string]string{
		"bash": "complete -o default -F __start_gokernel gokernel", "zsh": "#compdef gokernel",
		"fish": "complete -c gokernel", "powershell": "Register-ArgumentCompleter -CommandName 'gokernel'",
	} {
		script, _ := executeCommand(t, "completion", shell)
		if !strings.Contains(script, mark) {
			t.Errorf("%s: the script has no %q", shell, mark)
		}
	}
}

func TestCompletionRefusesOtherShells(t *testing.T) {
	for _, args := range [][]string{{"completion"}, {"completion", "tcsh"}, {"completion", "bash", "zsh"}} {
		cmd := newRoot()
		cmd.SetArgs(args)
		if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), "bash, fish, powershell, zsh") {
			t.Errorf("%v: %v", args, err)
		}
	}
}

// TestManual requires a page for each command that help lists.
func TestManual(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man1")
	executeCommand(t, "man", "-o", dir)
	for _, cmd := range newRoot().Commands() {
		_, err := os.Stat(filepath.Join(dir, "gokernel-"+cmd.Name()+".1"))
		if cmd.IsAvailableCommand() != (err == nil) {
			t.Errorf("%s: available is %v, its page: %v", cmd.Name(), cmd.IsAvailableCommand(), err)
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, "gokernel.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{".SH ENVIRONMENT\n", ".BR gokernel\\-run (1),\n", "CHROMIUM"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("gokernel.1 has no %q", want)
		}
	}
}

// TestEnvironmentIsListed searches the sources for variables of the environment whose names begin
// with GOKERNEL_, and requires that the manual lists them.
func TestEnvironmentIsListed(t *testing.T) {
	internal := []string{
		"GOKERNEL_SESSION", // marks the process of a session
		"GOKERNEL_NATIVE",  // the former name of GOKERNEL_JIT, which is refused
	}
	listed := map[string]bool{}
	for _, v := range environment {
		for name := range strings.SplitSeq(v[0], ", ") {
			listed[name] = true
		}
	}
	variable := regexp.MustCompile(`"(GOKERNEL_[A-Z_]+)"`)
	found := map[string]bool{}
	for _, dir := range []string{".", "../../interp", "../../internal", "../../kernel", "../../display", "../../mlstd", "../../install"} {
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				if d.Name() == "enginetest" || d.Name() == "node_modules" {
					return fs.SkipDir
				}
				return err
			}
			if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(d.Name(), "zz_") || d.Name() == "man.go" {
				return nil
			}
			text, err := os.ReadFile(name)
			for _, m := range variable.FindAllSubmatch(text, -1) {
				found[string(m[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(found) < 4 {
		t.Errorf("the sources have only %v", found)
	}
	for name := range found {
		if !listed[name] && !slices.Contains(internal, name) {
			t.Errorf("the manual (environment in man.go) doesn't list %s", name)
		}
	}
	for name := range listed {
		if strings.HasPrefix(name, "GOKERNEL_") && !found[name] {
			t.Errorf("the manual lists %s, which no source has", name)
		}
	}
}
