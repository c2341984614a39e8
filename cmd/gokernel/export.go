package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/internal/pattern"
	"github.com/gokernel/gokernel/internal/wholefile"
	"github.com/gokernel/gokernel/interp/export"
	"github.com/gokernel/gokernel/interp/modules"
	"github.com/spf13/cobra"
	"golang.org/x/mod/modfile"
)

// exportFlags are the flags of export.
type exportFlags struct {
	out, pkg, module, replace string
	stdout, force, offline    bool
}

func newExport() *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export NOTEBOOK",
		Short: "Write a notebook as a Go program",
		Long: `Write the cells of a notebook as a Go module: main.go, go.mod, the packages of the
notebook's folder that the cells import, and the data files that the cells name. In the
module, "go run ." prints what the notebook shows, and saves figures in the folder figures.

The cell language becomes plain Go, and Markdown becomes comments. Magics that work only in a
notebook become comments, and other magics become Go. Homework checks are left out. The
command prints notes about code that works only in a notebook. No cell is run.

To read a notebook from standard input, write - instead of NOTEBOOK.`,
		Example: `  gokernel export lecture.ipynb -o lecture            # and then: cd lecture && go mod tidy && go run .
  gokernel export lecture.ipynb -o stats --package stats
  gokernel export lecture.ipynb --stdout              # main.go only`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: notebooks,
		RunE: func(cmd *cobra.Command, args []string) error {
			return exportNotebook(cmd.Context(), args[0], f, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	fs := cmd.Flags()
	fs.StringVarP(&f.out, "output", "o", "", "write the module to this `directory` (default: the name of the notebook)")
	fs.BoolVar(&f.stdout, "stdout", false, "print main.go instead of writing files")
	fs.StringVar(&f.pkg, "package", "main", "the `name` of the package; if it is not main, export writes a library package, whose function Run runs the statements of the cells")
	fs.StringVar(&f.module, "module", "", "the module `path` in go.mod (default: the name of the notebook)")
	fs.StringVar(&f.replace, "replace", "", "let go.mod replace the module gokernel by its source in this `directory`")
	fs.BoolVar(&f.force, "force", false, "write into a directory that isn't empty")
	fs.BoolVar(&f.offline, "offline", false, "fetch no modules")
	cmd.MarkFlagsMutuallyExclusive("output", "stdout")
	return cmd
}

var notInPath = pattern.New(`[^A-Za-z0-9._~-]+`)

// exportNotebook writes the module for a notebook.
func exportNotebook(ctx context.Context, name string, f exportFlags, in io.Reader, out, report io.Writer) error {
	nb, dir, err := readForExport(name, in)
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(filepath.Base(name), ".ipynb")
	if name == "-" {
		base = "notebook"
	}
	if f.module == "" {
		if f.module = strings.Trim(notInPath().ReplaceAllString(base, "-"), "-."); f.module == "" {
			f.module = "notebook"
		}
	}
	if f.out == "" && !f.stdout {
		if f.out = base; name != "-" {
			f.out = filepath.Join(filepath.Dir(name), base)
		}
	}
	opt := export.Options{Package: f.pkg, Module: f.module, Dir: dir, Env: exportEnv(f.offline), TestFile: !f.stdout}
	if name != "-" {
		opt.Doc = "Written from " + path.Base(filepath.ToSlash(name)) + " by gokernel export."
	}
	if text := recordedVersions(nb); text != "[]" {
		if err := json.Unmarshal([]byte(text), &opt.Kept); err != nil {
			return fmt.Errorf("export: the module versions recorded in the notebook can't be read: %w", err)
		}
	}
	p, err := export.Notebook(ctx, exportCells(nb), opt)
	if err != nil {
		return err
	}
	if f.stdout {
		_, err := out.Write(p.Files["main.go"])
		if err != nil {
			return err
		}
	} else if err := writeModule(p, f, dir, report); err != nil {
		return err
	}
	for _, n := range p.Notes {
		fmt.Fprintln(report, "note:", n)
	}
	if grading.IsSource(nb) {
		fmt.Fprintf(report, "note: the program contains the solutions; for students, export the notebook that gokernel release %s -o DIRECTORY writes\n", name)
	}
	return nil
}

// readForExport reads a notebook, and returns its folder, too.
func readForExport(name string, in io.Reader) (*notebook.Notebook, string, error) {
	if name != "-" {
		nb, err := readNotebook("export", name)
		if err != nil {
			return nil, "", err
		}
		dir, err := filepath.Abs(filepath.Dir(name))
		return nb, dir, err
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, "", fmt.Errorf("export: %w", err)
	}
	nb, err := notebook.Decode(data)
	if err != nil {
		return nil, "", fmt.Errorf("export: %w", err)
	}
	dir, err := os.Getwd()
	return nb, dir, err
}

func exportEnv(offline bool) func() modules.Env {
	if !offline {
		return nil
	}
	return func() modules.Env {
		env := modules.ReadEnv()
		env.Offline = true
		return env
	}
}

// exportCells converts the cells of a notebook for package export.
func exportCells(nb *notebook.Notebook) []export.Cell {
	var cells []export.Cell
	for _, c := range nb.Cells {
		one := export.Cell{Text: c.Source, Prose: c.Type != notebook.Code, Fails: c.Tagged("raises-exception")}
		if leftOut(c) {
			one.Skip = "homework checks work only in a notebook"
		}
		if c.Type != notebook.Raw {
			cells = append(cells, one)
		}
	}
	return cells
}

// leftOut reports whether a cell checks homework.
func leftOut(c *notebook.Cell) bool {
	grader, ok := c.Metadata["nbgrader"].(map[string]any)
	return ok && c.Type == notebook.Code && grader["grade"] == true && grader["solution"] != true
}

// writeModule writes the files of a program, its go.mod and its data files.
func writeModule(p *export.Program, f exportFlags, dir string, report io.Writer) error {
	if entries, err := os.ReadDir(f.out); err == nil && len(entries) > 0 && !f.force {
		return fmt.Errorf("export: the directory %s isn't empty: choose another with -o, or give --force", f.out)
	}
	mod, sum, tidy, err := goMod(p, f)
	if err != nil {
		return err
	}
	files := map[string][]byte{"go.mod": mod}
	if len(sum) > 0 {
		files["go.sum"] = sum
	}
	for name, text := range p.Files {
		files[name] = text
	}
	for _, name := range p.Data {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return fmt.Errorf("export: %w", err)
		}
		files[name] = data
	}
	for name, data := range files {
		to := filepath.Join(f.out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return fmt.Errorf("export: %w", err)
		}
		if err := wholefile.Write(to, data); err != nil {
			return fmt.Errorf("export: %w", err)
		}
	}
	fmt.Fprintf(report, "wrote %s: %d files\n", f.out, len(files))
	if tidy {
		fmt.Fprintln(report, "run go mod tidy once in that directory to fetch the modules that the program needs")
	}
	return nil
}

const ownModule = "github.com/gokernel/gokernel"

// goMod returns go.mod and go.sum, and whether go mod tidy must complete them.
func goMod(p *export.Program, f exportFlags) (mod, sum []byte, tidy bool, err error) {
	file := &modfile.File{}
	if err := file.AddModuleStmt(f.module); err != nil {
		return nil, nil, false, fmt.Errorf("export: %w", err)
	}
	if err := file.AddGoStmt(modules.Language()); err != nil {
		return nil, nil, false, fmt.Errorf("export: %w", err)
	}
	versions := map[string]string{}
	var sums []string
	for _, r := range p.Requires {
		file.AddNewRequire(r.Path, r.Version, r.Indirect)
		versions[r.Path] = r.Version
		tidy = true
	}
	own := slices.ContainsFunc(p.Paths, func(s string) bool { return strings.HasPrefix(s, ownModule+"/") })
	others := slices.ContainsFunc(p.Paths, func(s string) bool { return strings.HasPrefix(s, "gonum.org/") })
	switch {
	case own && f.replace != "":
		if sums, err = requireFrom(file, f.replace, versions); err != nil {
			return nil, nil, false, err
		}
	case own || others:
		tidy = true
		requireBuilt(file, p, versions, own)
	}
	file.SortBlocks()
	file.Cleanup()
	mod, err = file.Format()
	return mod, []byte(strings.Join(sums, "")), tidy, err
}

// requireFrom adds three things to file: the requirement of gokernel, its replacement by the source
// in dir, and the requirements of gokernel's own go.mod.
func requireFrom(file *modfile.File, dir string, versions map[string]string) (sums []string, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return nil, fmt.Errorf("export: --replace: %w", err)
	}
	theirs, err := modfile.Parse(filepath.Join(dir, "go.mod"), data, nil)
	if err != nil {
		return nil, fmt.Errorf("export: --replace: %w", err)
	}
	if theirs.Module == nil || theirs.Module.Mod.Path != ownModule {
		return nil, fmt.Errorf("export: --replace: %s is not the source of gokernel", dir)
	}
	file.AddNewRequire(ownModule, "v0.0.0", false)
	if err := file.AddReplace(ownModule, "", dir, ""); err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	if theirs.Go != nil { // at least the go version of the required module
		if err := file.AddGoStmt(theirs.Go.Version); err != nil {
			return nil, fmt.Errorf("export: %w", err)
		}
	}
	for _, r := range theirs.Require {
		if versions[r.Mod.Path] == "" {
			file.AddNewRequire(r.Mod.Path, r.Mod.Version, true)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "go.sum"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("export: --replace: %w", err)
	}
	return []string{string(text)}, nil
}

// requireBuilt requires the versions with which this program was built.
func requireBuilt(file *modfile.File, p *export.Program, versions map[string]string, own bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return // go mod tidy selects the newest versions
	}
	if v := info.Main.Version; own && v != "" && v != "(devel)" {
		file.AddNewRequire(ownModule, v, false)
	}
	for _, m := range info.Deps {
		if versions[m.Path] == "" && slices.ContainsFunc(p.Paths, func(s string) bool { return s == m.Path || strings.HasPrefix(s, m.Path+"/") }) {
			file.AddNewRequire(m.Path, m.Version, false)
		}
	}
}
