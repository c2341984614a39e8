package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gokernel/gokernel/install"
	"github.com/gokernel/gokernel/internal/sandbox"
	"github.com/gokernel/gokernel/interp/modules"
)

func checkProgram(_ context.Context, p Patient) []Finding {
	f := Finding{Check: "program", Verdict: OK, Text: p.Version + "\n" + p.Program}
	if p.Temporary {
		f.Verdict, f.Remedy = Note, "This program is a temporary file, so gokernel install copies it into the kernelspec."
	}
	return []Finding{f}
}

func checkEngine(_ context.Context, p Patient) []Finding {
	const name = "engine"
	if p.Engine == nil {
		return []Finding{{name, OK, fmt.Sprintf("the default engine runs on %s/%s with %s", runtime.GOOS, runtime.GOARCH, runtime.Version()), ""}}
	}
	return []Finding{{name, Note, "the default engine can't run here, so the fallback engine is used: it's slower and refuses some Go\n" + p.Engine.Error(),
		"Install a release, or build gokernel with a version of Go that the default engine supports."}}
}

// checkSpecs checks the kernels that Jupyter finds, and the programs that they start.
func checkSpecs(ctx context.Context, p Patient) []Finding {
	const name = "installed"
	found := install.Find(p.Environment)
	if len(found) == 0 {
		return []Finding{{name, Note, "this kernel isn't registered with Jupyter", `Run "gokernel install" to register it; "gokernel lab" works without.`}}
	}
	var list []Finding
	for _, k := range found {
		list = append(list, checkSpec(ctx, p, name, k))
	}
	return list
}

func checkSpec(ctx context.Context, p Patient, name string, k install.Found) Finding {
	if k.Hidden != "" {
		return Finding{name, Note, k.Dir + "\nJupyter uses the kernel of the same name in " + k.Hidden + " instead", "Remove one of them."}
	}
	program, err := exec.LookPath(k.Program)
	if err != nil {
		return Finding{name, Fault, fmt.Sprintf("%s\nits program %s can't be started: %v", k.Dir, k.Program, reason(err)), `Run "gokernel install" to write it again.`}
	}
	if same(program, p.Program) {
		return Finding{name, OK, k.Dir, ""}
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, program, "version").Output()
	version, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	switch {
	case err != nil:
		return Finding{name, Fault, fmt.Sprintf("%s\nits program %s fails: %v", k.Dir, program, err), `Run "gokernel install" to write it again.`}
	case version != p.Version:
		return Finding{name, Note, k.Dir + "\nits program is another version, " + version, `Run "gokernel install" to replace it by this one.`}
	}
	return Finding{name, OK, k.Dir, ""}
}

// reason returns the cause of an error without the name of the file.
func reason(err error) error {
	var e *exec.Error
	if errors.As(err, &e) {
		err = e.Err
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return err
}

// same reports whether two names refer to one file.
func same(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

func checkLab(ctx context.Context, p Patient) []Finding {
	const name = "lab"
	switch lab, err := p.Lab(ctx); {
	case err != nil:
		return []Finding{{name, Note, strings.TrimPrefix(err.Error(), "lab: "), ""}}
	case lab == "":
		return []Finding{{name, OK, "there is no JupyterLab; \"gokernel lab\" sets one up, which needs the network once", ""}}
	default:
		if remedy := p.Widgets(ctx, lab); remedy != "" {
			return []Finding{{name, OK, lab, ""}, {"widgets", Note, "this JupyterLab shows sliders and other controls as text: jupyterlab_widgets is missing", remedy}}
		}
		return []Finding{{name, OK, lab, ""}, {"widgets", OK, "this JupyterLab shows sliders and other controls", ""}}
	}
}

func checkHistory(_ context.Context, p Patient) []Finding {
	const name = "history"
	if p.History == "" {
		return []Finding{{name, Note, "you have no data directory, so the input history isn't stored", "Set HOME or XDG_DATA_HOME."}}
	}
	dir := filepath.Dir(p.History)
	if err := writable(dir); err != nil {
		return []Finding{{name, Note, fmt.Sprintf("%s can't be written: %v; the input history isn't stored", dir, reason(err)), "Change its owner, or set XDG_DATA_HOME to another directory."}}
	}
	return []Finding{{name, OK, p.History, ""}}
}

// writable tries to write a file to the directory, or to its nearest existing parent.
func writable(dir string) error {
	for {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) || filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	f, err := os.CreateTemp(dir, ".gokernel-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// The kernel and an idle evaluator use about 150 MB together. With less memory than wanted, the
// course's larger examples do not fit.
const (
	needed = 256 << 20
	wanted = 1 << 30
)

func checkMemory(context.Context, Patient) []Finding {
	const name = "memory"
	free, limit := memory()
	if free == 0 {
		return nil // unknown here
	}
	text := fmt.Sprintf("%s are free", megabytes(free))
	if limit != "" {
		text += " (" + limit + ")"
	}
	switch {
	case free < needed:
		return []Finding{{name, Fault, text, "A kernel needs " + megabytes(needed) + ": end other kernels, or raise the limit."}}
	case free < wanted:
		return []Finding{{name, Note, text, "This is enough for a kernel, but not for large data."}}
	}
	return []Finding{{name, OK, text, ""}}
}

func megabytes(n uint64) string {
	if n >= 10<<30 {
		return fmt.Sprintf("%d GB", n>>30)
	}
	return fmt.Sprintf("%d MB", n>>20)
}

func checkDisk(_ context.Context, p Patient) []Finding {
	const name = "files"
	if err := writable(os.TempDir()); err != nil {
		return []Finding{{name, Fault, fmt.Sprintf("temporary files can't be written in %s: %v", os.TempDir(), reason(err)), "Free disk space there, or set TMPDIR to another directory."}}
	}
	if p.Cache != "" {
		if err := writable(p.Cache); err != nil {
			return []Finding{{name, Note, fmt.Sprintf("%s can't be written: %v", p.Cache, reason(err)), `"gokernel lab" and "gokernel site" store files there; set XDG_CACHE_HOME to another directory.`}}
		}
	}
	return []Finding{{name, OK, "temporary files and " + p.Cache + " can be written", ""}}
}

// checkGrading reports whether submissions can be confined.
func checkGrading(context.Context, Patient) []Finding {
	const name = "grading"
	if lacks := sandbox.Lacks(); len(lacks) > 0 {
		return []Finding{{name, Note, "\"gokernel grade\" can't prevent these actions of submissions here: " + strings.Join(lacks, ", "), "Grade submissions on a current Linux, or in a container."}}
	}
	return []Finding{{name, OK, "submissions are restricted to their files, without network and programs", ""}}
}

// checkModules reports where modules come from. It fetches nothing.
func checkModules(context.Context, Patient) []Finding {
	const name = "modules"
	env := modules.ReadEnv()
	text := "kept in " + env.ModCache + ", fetched from " + env.Proxy
	if env.Proxy == "off" {
		text = "kept in " + env.ModCache + "; none are fetched, since GOPROXY is off"
	}
	if err := writable(env.ModCache); err != nil {
		return []Finding{{name, Note, text + fmt.Sprintf("\nwhich can't be written: %v", reason(err)), "Only packages in this directory can be imported. Set GOMODCACHE to a directory of your own."}}
	}
	return []Finding{{name, OK, text, ""}}
}
