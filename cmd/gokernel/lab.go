package main

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/gokernel/gokernel/install"
	"github.com/gokernel/gokernel/kernel/msg"
	"github.com/spf13/cobra"
)

// labRequirements are the versions that a fresh environment gets.
//
//go:embed lab-requirements.txt
var labRequirements []byte

func newLab() *cobra.Command {
	var noBrowser bool
	cmd := &cobra.Command{
		Use:   "lab [NOTEBOOK | DIRECTORY] [-- ARGUMENTS...]",
		Short: "Open JupyterLab with this kernel",
		Long: `Lab starts the JupyterLab that is on the PATH; when there is none, it sets one
up in a directory of its own, for which it needs Python 3 and the network, once.
What stands behind "--" is given to JupyterLab.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			extra := []string(nil)
			if n := cmd.ArgsLenAtDash(); n >= 0 {
				args, extra = args[:n], args[n:]
			}
			if len(args) > 1 {
				return fmt.Errorf("lab: want one notebook or directory, have %d; arguments for JupyterLab go behind --", len(args))
			}
			if noBrowser {
				extra = append([]string{"--no-browser"}, extra...)
			}
			if len(args) == 1 {
				if _, err := os.Stat(args[0]); err != nil {
					return fmt.Errorf("lab: %w", err)
				}
			}
			return runLab(cmd.Context(), cmd.ErrOrStderr(), append(args, extra...))
		},
	}
	cmd.Flags().BoolVar(&noBrowser, "no-browser", false, "do not open a browser")
	return cmd
}

// runLab runs JupyterLab until it ends.
func runLab(ctx context.Context, status io.Writer, args []string) error {
	cache, err := os.UserCacheDir()
	if err != nil {
		return fmt.Errorf("lab: there is no place to keep JupyterLab: %w", err)
	}
	cache = filepath.Join(cache, "gokernel")
	lab, err := exec.LookPath("jupyter-lab")
	if err != nil {
		if lab, err = setUpLab(ctx, status, cache); err != nil {
			return err
		}
	}
	path, err := labKernel(status, cache)
	if err != nil {
		return err
	}
	if os.Geteuid() == 0 {
		fmt.Fprintln(status, "You are root; JupyterLab is told to allow that.")
		args = append(args, "--allow-root")
	}
	cmd := exec.Command(lab, withDefaultKernel(args)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "JUPYTER_PATH="+path)
	// An interrupt from the terminal reaches JupyterLab too, which asks what to
	// do; a request to end is passed on.
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("lab: %w", err)
	}
	go func() {
		for s := range signals {
			if s == syscall.SIGTERM {
				// It fails when the process is gone, which is what is wanted.
				_ = cmd.Process.Signal(s)
			}
		}
	}()
	err = cmd.Wait()
	if e := (*exec.ExitError)(nil); errors.As(err, &e) && e.ExitCode() > 0 {
		return exitCode(e.ExitCode())
	}
	return nil
}

// withDefaultKernel makes new notebooks be of this kernel, unless the arguments
// for JupyterLab say otherwise.
func withDefaultKernel(args []string) []string {
	const option = "default_kernel_name"
	if slices.ContainsFunc(args, func(a string) bool { return strings.Contains(a, option) }) {
		return args
	}
	return append(slices.Clone(args), "--MultiKernelManager."+option+"="+install.DefaultName)
}

// labKernel writes a kernelspec for JupyterLab processes that lab starts, and
// gives the JUPYTER_PATH by which they find it. Other Jupyters do not see it.
func labKernel(status io.Writer, cache string) (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("lab: cannot find this program's file: %w", err)
	}
	program, copied, err := install.Program(exe)
	if err != nil {
		return "", err
	}
	if copied {
		fmt.Fprintf(status, "This program is a temporary file, so a copy is kept as %s\n", program)
	}
	spec := install.NewSpec(program, "", "", msg.Version)
	if _, err := install.Install(spec, install.Place{Prefix: cache}); err != nil {
		return "", err
	}
	path := filepath.Join(cache, "share", "jupyter")
	if old := os.Getenv("JUPYTER_PATH"); old != "" {
		path += string(filepath.ListSeparator) + old
	}
	return path, nil
}

// setUpLab gives the program of a JupyterLab in an environment of its own,
// which it makes when there is none with the wanted versions.
func setUpLab(ctx context.Context, status io.Writer, cache string) (string, error) {
	sum := sha256.Sum256(labRequirements)
	env := filepath.Join(cache, "lab-"+hex.EncodeToString(sum[:4]))
	bin := filepath.Join(env, "bin")
	if runtime.GOOS == "windows" {
		bin = filepath.Join(env, "Scripts")
	}
	lab := filepath.Join(bin, "jupyter-lab")
	done := filepath.Join(env, "complete") // written last: a broken set-up is done again
	if _, err := os.Stat(done); err == nil {
		return lab, nil
	}
	python, err := findPython(ctx)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(status, "Setting up JupyterLab in %s; this takes a minute, once.\n", env)
	err = quietly(ctx, []string{python, "-m", "venv", "--clear", env})
	if err != nil {
		return "", fmt.Errorf("lab: %w\nOn Debian and Ubuntu, \"sudo apt install python3-venv\" provides what is missing", err)
	}
	list := filepath.Join(env, "requirements.txt")
	if err := os.WriteFile(list, labRequirements, 0o644); err != nil {
		return "", fmt.Errorf("lab: %w", err)
	}
	if err := quietly(ctx, []string{filepath.Join(bin, "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", list}); err != nil {
		return "", fmt.Errorf("lab: %w\nInstalling needs the network; try again, or install JupyterLab yourself so that jupyter-lab is on the PATH", err)
	}
	if err := os.WriteFile(done, nil, 0o644); err != nil {
		return "", fmt.Errorf("lab: %w", err)
	}
	return lab, nil
}

// findPython looks for a Python that can make environments.
func findPython(ctx context.Context) (string, error) {
	for _, name := range []string{"python3", "python"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if exec.CommandContext(ctx, path, "-c", "import sys; sys.exit(sys.version_info < (3, 10))").Run() == nil {
			return path, nil
		}
	}
	return "", errors.New(`lab: JupyterLab is not on the PATH, and neither is Python 3.10 or newer, with which it could be set up.
Install Python from your system's packages or from https://www.python.org, then run this command again.
Without Python, "gokernel run NOTEBOOK" executes notebooks and makes web pages of them`)
}

// quietly runs a command and shows its output only when it fails.
func quietly(ctx context.Context, args []string) error {
	out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(args[0]), err, out)
	}
	return nil
}
