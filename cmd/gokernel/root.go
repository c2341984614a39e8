package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/spf13/cobra"
)

// settings contains the flags of the subcommands that log.
type settings struct {
	logFile string
	verbose bool
}

func newRoot() *cobra.Command {
	var s settings
	var showVersion bool
	root := &cobra.Command{
		Use:   "gokernel",
		Short: "A Jupyter kernel for Go",
		Long: `gokernel runs Go in Jupyter notebooks.

Start with "gokernel lab", which opens JupyterLab with this kernel. If you already
have Jupyter, use "gokernel install". "gokernel run" executes notebooks and turns
them into web pages, without Jupyter and without Python.`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			if filepath.Ext(args[0]) == ".ipynb" {
				return fmt.Errorf("give a command for %s: \"gokernel run\" executes it, \"gokernel lab\" opens it", args[0])
			}
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				return fmt.Errorf("there is no command %q; did you mean %q?", args[0], near[0])
			}
			return fmt.Errorf("there is no command %q; run \"gokernel help\" for a list", args[0])
		},
		PersistentPreRunE: func(*cobra.Command, []string) error {
			_, err := engine.StartJITMode()
			return err
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if showVersion {
				printVersion(cmd.OutOrStdout())
				return nil
			}
			return cmd.Help()
		},
		SuggestionsMinimumDistance: 2,
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		err = fmt.Errorf("%w; run \"%s --help\" for a list of flags", err, cmd.CommandPath())
		if cmd.HasParent() {
			err = fmt.Errorf("%s: %w", cmd.Name(), err)
		}
		return err
	})
	root.Flags().BoolVar(&showVersion, "version", false, "print the version")
	kernel, run, grade, release := newKernel(&s), newRun(&s), newGrade(&s), newRelease(&s)
	check, web, pack := newCheck(&s), newSite(&s), newPackage(&s)
	for _, cmd := range []*cobra.Command{kernel, run, grade, release, check, web, pack} {
		cmd.Flags().StringVar(&s.logFile, "log-file", "", "write the log to this `file` (default: standard error)")
		cmd.Flags().BoolVarP(&s.verbose, "verbose", "v", false, "log more")
	}
	root.AddCommand(
		newInstall(),
		kernel,
		newLab(),
		run,
		newExport(),
		newNew(),
		check,
		newDiff(),
		web,
		newExam(),
		release,
		pack,
		newRehearse(),
		grade,
		newGradebook(),
		newDoctor(),
		newUpdate(),
		newLSP(),
		newCompletion(),
		newMan(),
		newVersion(),
		newEvaluator(),
	)
	completeFlags(root)
	return root
}

// logger opens the log. It never writes to standard output, which may have another use.
func (s *settings) logger() (*slog.Logger, func(), error) {
	var w io.Writer = os.Stderr
	done := func() {}
	if s.logFile != "" {
		f, err := os.OpenFile(s.logFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, nil, fmt.Errorf("can't open the log: %w", err)
		}
		w, done = f, func() { f.Close() }
	}
	level := slog.LevelWarn
	if s.verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level})), done, nil
}
