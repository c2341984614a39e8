package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/gokernel/gokernel/install"
	"github.com/gokernel/gokernel/kernel/msg"
	"github.com/spf13/cobra"
)

func newLab() *cobra.Command {
	var noBrowser bool
	cmd := &cobra.Command{
		Use:   "lab [NOTEBOOK | DIRECTORY] [-- ARGUMENTS...]",
		Short: "Open JupyterLab with this kernel",
		Long: `Start an installed JupyterLab: the one in the Python environment of this program, or the one
on your PATH. If there is none, or if it doesn't work, install JupyterLab into a separate
directory. This installation needs Python 3.10 or newer and the network. JupyterLab finds
this kernel without further installation. Arguments after "--" are passed
to JupyterLab.`,
		Example: `  gokernel lab                          # the files of this directory
  gokernel lab notebooks/               # the files of another directory
  gokernel lab lecture.ipynb            # one notebook
  gokernel lab --no-browser -- --port=9999`,
		ValidArgsFunction: notebooks,
		RunE: func(cmd *cobra.Command, args []string) error {
			extra := []string(nil)
			if n := cmd.ArgsLenAtDash(); n >= 0 {
				args, extra = args[:n], args[n:]
			}
			if len(args) > 1 {
				return fmt.Errorf("lab: give one notebook or directory, got %d; put arguments for JupyterLab after --", len(args))
			}
			if noBrowser {
				extra = append([]string{"--no-browser"}, extra...)
			}
			if len(args) == 1 {
				if _, err := os.Stat(args[0]); errors.Is(err, fs.ErrNotExist) {
					return fmt.Errorf("lab: there is no notebook or directory %s; run \"gokernel lab\" without one to open this directory and create a notebook there", args[0])
				} else if err != nil {
					return fmt.Errorf("lab: %w", err)
				}
			}
			return runLab(cmd.Context(), cmd.ErrOrStderr(), append(args, extra...))
		},
	}
	cmd.Flags().BoolVar(&noBrowser, "no-browser", false, "do not open a browser")
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return fmt.Errorf("lab: %w; put arguments for JupyterLab after --, as in \"gokernel lab -- --port=9999\"", err)
	})
	return cmd
}

// runLab runs JupyterLab until it ends.
func runLab(ctx context.Context, status io.Writer, args []string) error {
	cache, err := os.UserCacheDir()
	if err != nil {
		return fmt.Errorf("lab: there is no directory for JupyterLab's files: %w", err)
	}
	cache = filepath.Join(cache, "gokernel")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return fmt.Errorf("lab: JupyterLab's files can't be stored in %s: %w", cache, err)
	}
	lab, err := findLab(ctx, status, cache)
	if err != nil {
		return err
	}
	path, err := labKernel(cache)
	if err != nil {
		return err
	}
	if os.Geteuid() == 0 {
		fmt.Fprintln(status, "You are root; JupyterLab is started with --allow-root.")
		args = append(args, "--allow-root")
	}
	cmd := exec.Command(lab, withDefaultKernel(args)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "JUPYTER_PATH="+path)
	// An interrupt from the terminal also reaches JupyterLab, which asks the user what to do. Only
	// SIGTERM has to be forwarded.
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("lab: %w", err)
	}
	go func() {
		for s := range signals {
			if s == syscall.SIGTERM {
				// Signal fails if the process has ended, which is fine.
				_ = cmd.Process.Signal(s)
			}
		}
	}()
	err = cmd.Wait()
	if e := (*exec.ExitError)(nil); errors.As(err, &e) && e.ExitCode() > 0 {
		return exitCode(e.ExitCode())
	}
	if err != nil {
		return fmt.Errorf("lab: JupyterLab ended: %w", err)
	}
	return nil
}

// withDefaultKernel makes this kernel the default for new notebooks, unless the arguments for
// JupyterLab set another one.
func withDefaultKernel(args []string) []string {
	const option = "default_kernel_name"
	if slices.ContainsFunc(args, func(a string) bool { return strings.Contains(a, option) }) {
		return args
	}
	return append(slices.Clone(args), "--MultiKernelManager."+option+"="+install.DefaultName)
}

// labKernel writes a kernelspec for JupyterLab processes that lab starts, and returns the
// JUPYTER_PATH with which they find it. Other Jupyter installations do not see it.
func labKernel(cache string) (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("lab: can't find this program's file: %w", err)
	}
	spec := install.NewSpec(exe, "", "", msg.Version)
	spec.Copy = install.Temporary(exe)
	if _, err := install.Install(spec, install.Place{Prefix: cache}); err != nil {
		return "", err
	}
	path := filepath.Join(cache, "share", "jupyter")
	if old := os.Getenv("JUPYTER_PATH"); old != "" {
		path += string(filepath.ListSeparator) + old
	}
	return path, nil
}
