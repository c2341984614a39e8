package main

import (
	"archive/zip"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/spf13/cobra"
)

// packageFlags are the flags of package.
type packageFlags struct {
	out, binary, show string
	feedback          string
	allow, files      []string
	memory            int // MiB
	limit             time.Duration
	hidden            bool
}

// packages maps the systems to the functions that make their packages.
var packages = map[string]func(p *packaged, f packageFlags) error{
	"gradescope": packageGradescope,
	"github":     packageGitHub,
}

func newPackage(s *settings) *cobra.Command {
	var f packageFlags
	cmd := &cobra.Command{
		Use:   "package gradescope|github NOTEBOOK",
		Short: "Create a homework package for Gradescope or GitHub",
		Long: `Create a package from the source notebook of a homework, after testing the notebook as
release does.

For Gradescope, the package is an autograder: a zip file with setup.sh, run_autograder, this
program, the source notebook and the files that it reads. It needs no network. Students see the
points of the visible checks at once, and the points of the hidden checks when --show says so.

For GitHub, the package is a directory for a template repository: the student version, the files
that it reads, README.md, and a workflow that runs the visible checks after each push. Hidden
checks and solutions are not in it. Students can read everything in their repository, so grade
the hidden checks on your machine with grade. With --hidden, the source notebook is in the
repository too, and the workflow counts all points: use this only if students may read it.`,
		Example: `  gokernel package gradescope source/homework1.ipynb -o homework1.zip
  gokernel package github source/homework1.ipynb -o homework1/`,
		Args: cobra.ExactArgs(2),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return []cobra.Completion{"github", "gradescope"}, cobra.ShellCompDirectiveNoFileComp
			}
			return []cobra.Completion{"ipynb"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			write := packages[args[0]]
			switch {
			case write == nil:
				return fmt.Errorf("package: the system must be gradescope or github, got %q", args[0])
			case f.out == "":
				return errors.New("package: name the package to write with -o: a zip file for Gradescope, a directory for GitHub")
			case f.limit <= 0 || f.memory < 64:
				return errors.New("package: --limit must be positive, and --memory must be at least 64 MiB")
			case args[0] != "github" && f.hidden:
				return errors.New("package: --hidden is for github: an autograder of Gradescope always has the hidden checks")
			}
			if _, err := grading.LevelOf(f.feedback); err != nil {
				return fmt.Errorf("package: %w", err)
			}
			p, err := newPackaged(cmd.Context(), s, args[1], f, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			if err := write(p, f); err != nil {
				return fmt.Errorf("package: %w", err)
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "wrote %s: %s\n", f.out, p.worth)
			return nil
		},
	}
	fs := cmd.Flags()
	fs.StringVarP(&f.out, "output", "o", "", "write the package to this zip `file` or directory")
	fs.StringVar(&f.binary, "binary", "", "the program to put into an autograder, a `file` for linux/amd64 (default: this program)")
	fs.StringVar(&f.show, "show", "after_due_date", "when Gradescope shows the points of hidden checks: `visible` (at once), after_due_date, after_published or hidden")
	fs.StringVar(&f.feedback, "feedback", "", "what students learn about hidden checks that fail: `points`, kind or hint; default: hint, or the setting of the source")
	fs.StringSliceVar(&f.allow, "allow", nil, "let submissions import these `packages` too, such as reflect or runtime")
	fs.StringSliceVar(&f.files, "files", nil, "let submissions read `files` with these names next to the source notebook or in the submission's folder")
	fs.IntVar(&f.memory, "memory", 512, "stop a cell whose variables use more than this many `MiB`")
	fs.DurationVar(&f.limit, "limit", 4*time.Minute, "stop a submission that takes longer than this `time`; an autograder runs each submission twice")
	fs.BoolVar(&f.hidden, "hidden", false, "also put the source with its hidden checks into the repository, where students can read it")
	return cmd
}

// packaged is a homework that has been tested and is to be packaged.
type packaged struct {
	name            string // of the notebook file
	source, student *notebook.Notebook
	worth           string
	from            string // the folder of the source
}

func newPackaged(ctx context.Context, s *settings, file string, f packageFlags, w io.Writer) (*packaged, error) {
	p := &packaged{name: filepath.Base(file), from: filepath.Dir(file)}
	var err error
	if p.source, err = readNotebook("package", file); err != nil {
		return nil, err
	}
	if p.student, p.worth, err = tested(ctx, s, "package", file, p.source, w); err != nil {
		return nil, err
	}
	return p, nil
}

// copyFiles copies the files that the checks or the submissions read into a folder.
func (p *packaged) copyFiles(to string, f packageFlags, checks bool) error {
	run := judging{solutions: p.source, from: p.from, files: f.files}
	return run.copyFiles(to, checks)
}

// gradeArguments returns flags of grade.
func (f packageFlags) gradeArguments() string {
	args := fmt.Sprintf("--memory %d --limit %v", f.memory, f.limit)
	if f.feedback != "" {
		args += " --feedback " + f.feedback
	}
	if len(f.allow) > 0 {
		args += " --allow " + shellQuote(strings.Join(f.allow, ","))
	}
	if len(f.files) > 0 {
		args += " --files " + shellQuote(strings.Join(f.files, ","))
	}
	return args
}

// shellQuote quotes a text for a shell.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// packageGradescope writes an autograder. Gradescope extracts it into /autograder/source, runs
// setup.sh once, and copies run_autograder to /autograder, where it starts it for each submission.
// See https://gradescope-autograders.readthedocs.io/en/latest/specs/.
func packageGradescope(p *packaged, f packageFlags) error {
	if !slices.Contains(grading.GradescopeTimes, f.show) {
		return fmt.Errorf("--show must be one of %s, got %q", strings.Join(grading.GradescopeTimes, ", "), f.show)
	}
	program := f.binary
	if program == "" {
		var err error
		if program, err = os.Executable(); err != nil {
			return err
		}
	}
	if err := checkProgram(program); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "gokernel-package-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := p.copyFiles(folder, f, true); err != nil {
		return err
	}
	if err := writeNotebook(filepath.Join(folder, p.name), p.source); err != nil {
		return err
	}
	setup := `#!/usr/bin/env bash
# Gradescope runs this script once, when it builds the autograder. The autograder needs no other
# packages.
set -eu
root=${AUTOGRADER_ROOT:-/autograder}
chmod +x "$root/source/gokernel" "$root/source/run_autograder"
"$root/source/gokernel" version
`
	run := fmt.Sprintf(`#!/usr/bin/env bash
# Gradescope runs this script for each submission. It grades $root/submission and writes
# $root/results/results.json.
set -eu
root=${AUTOGRADER_ROOT:-/autograder}
exec "$root/source/gokernel" grade "$root" --source "$root/source/homework/"%s --gradescope %s %s
`, shellQuote(p.name), f.show, f.gradeArguments())
	file, err := os.CreateTemp(filepath.Dir(f.out), ".gokernel-package-")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	z := zip.NewWriter(file)
	add := func(name string, mode fs.FileMode, from io.Reader) error {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Now()}
		h.SetMode(mode)
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = io.Copy(w, from)
		}
		return err
	}
	addFile := func(name string, mode fs.FileMode, path string) error {
		in, err := os.Open(path)
		if err != nil {
			return err
		}
		defer in.Close()
		return add(name, mode, in)
	}
	if err := errors.Join(add("setup.sh", 0o755, strings.NewReader(setup)), add("run_autograder", 0o755, strings.NewReader(run)), addFile("gokernel", 0o755, program)); err != nil {
		return err
	}
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		return addFile("homework/"+filepath.ToSlash(rel), 0o644, path)
	})
	if err := errors.Join(err, z.Close(), file.Chmod(0o644), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), f.out)
}

// checkProgram returns an error if a program doesn't run at Gradescope.
func checkProgram(name string) error {
	const hint = "name a gokernel for linux/amd64 with --binary"
	e, err := elf.Open(name)
	if err != nil {
		return fmt.Errorf("%s is not a program for Linux, which Gradescope runs: %s", name, hint)
	}
	defer e.Close()
	if e.Machine != elf.EM_X86_64 {
		return fmt.Errorf("%s is for %v, but Gradescope runs on amd64: %s", name, e.Machine, hint)
	}
	return nil
}

// packageGitHub writes a template repository. GitHub Classroom was retired on August 28, 2026:
// https://github.com/orgs/community/discussions/205975.
//
// Its actions are deprecated, and the workflow uses none of them:
// https://github.com/classroom-resources/autograding-grading-reporter.
//
// The layout follows the templates of an open successor, Classroom 50:
// https://github.com/foundation50/classroom50/wiki/Assignment-Templates.
func packageGitHub(p *packaged, f packageFlags) error {
	if grading.HasVariants(p.source) {
		return errors.New("the source has lines with VARIANT, but a template repository is the same for all students: use release --students")
	}
	if entries, err := os.ReadDir(f.out); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty: choose another directory", f.out)
	}
	workflows := filepath.Join(f.out, ".github", "workflows")
	if err := os.MkdirAll(workflows, 0o777); err != nil {
		return err
	}
	if err := errors.Join(p.copyFiles(f.out, f, false), writeNotebook(filepath.Join(f.out, p.name), p.student)); err != nil {
		return err
	}
	if f.hidden {
		folder := filepath.Join(f.out, ".github", "grading")
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
		if err := errors.Join(p.copyFiles(folder, f, true), writeNotebook(filepath.Join(folder, p.name), p.source)); err != nil {
			return err
		}
	}
	return errors.Join(
		notebook.WriteFile(filepath.Join(workflows, "homework.yml"), p.workflow(f)),
		notebook.WriteFile(filepath.Join(f.out, "README.md"), p.readme(f)),
	)
}

// The steps of the workflow, with places for the name of the notebook and the version, and for the
// flags of grade.
const (
	workflowSteps = `# Runs the checks of the homework after each push.

name: Homework
on: [push, workflow_dispatch]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    env:
      NOTEBOOK: %q
    steps:
      # Get the repository, and a version of Go that can compile gokernel.
      - uses: actions/checkout@11d5960a326750d5838078e36cf38b85af677262 # v4.4.0
      - uses: actions/setup-go@40f1582b2485089dde7abd97c1529aa768e1baff # v5.6.0
        with:
          go-version: stable
          cache: false
      # Compiling takes a few minutes.
      - name: Install gokernel
        run: go install github.com/gokernel/gokernel/cmd/gokernel@%s
      - name: Run the checks in the notebook
        run: |
          set -o pipefail
          gokernel check --points "$NOTEBOOK" | tee -a "$GITHUB_STEP_SUMMARY"
`
	workflowHidden = `      # The hidden checks are in this repository.
      - name: Count all points
        if: always()
        run: |
          mkdir -p "$RUNNER_TEMP/submitted/you"
          git ls-files -z -- ':!.github' | xargs -0 cp --parents -t "$RUNNER_TEMP/submitted/you"
          gokernel grade "$RUNNER_TEMP/submitted" --source ".github/grading/$NOTEBOOK" %s | tee -a "$GITHUB_STEP_SUMMARY"
`
)

// workflow returns the workflow that runs the checks.
func (p *packaged) workflow(f packageFlags) []byte {
	b := fmt.Appendf(nil, workflowSteps, p.name, moduleVersion())
	if f.hidden {
		b = fmt.Appendf(b, workflowHidden, f.gradeArguments())
	}
	return b
}

// moduleVersion returns the version of this program if it can be installed, and "latest" otherwise.
func moduleVersion() string {
	if v := version(); strings.HasPrefix(v, "v") && !strings.ContainsAny(v, "-+ ") {
		return v
	}
	return "latest"
}

// readme returns the page that students see first.
func (p *packaged) readme(f packageFlags) []byte {
	title := strings.TrimSuffix(p.name, filepath.Ext(p.name))
	for _, c := range p.student.Cells {
		if line, _, _ := strings.Cut(c.Source, "\n"); c.Type == notebook.Markdown && strings.HasPrefix(line, "# ") {
			title = strings.TrimPrefix(line, "# ")
			break
		}
	}
	rest := "The checks in the notebook decide some of the points. The rest is tested after you hand in."
	if f.hidden {
		rest = "The workflow counts all points, with the checks in `.github/grading`."
	}
	return fmt.Appendf(nil, `# %s

Open %s in JupyterLab or VS Code with the kernel of gokernel, and fill in the cells.

Test your answers before you push:

    gokernel check --points %s

After each push, GitHub does the same: look at the workflow "Homework" on the page Actions.
%s
`, title, "`"+p.name+"`", shellQuote(p.name), rest)
}
