package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/manual"
	"github.com/spf13/cobra"
)

func newMan() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "man -o DIRECTORY",
		Short: "Write the manual pages",
		Long: `Write a manual page for this program and one for each command, to be read with man(1).
The deb, rpm and Homebrew packages install these pages.`,
		Example: `  gokernel man -o ~/.local/share/man/man1      # and then: man gokernel-run`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return errors.New("man: give a directory with -o, such as ~/.local/share/man/man1")
			}
			if err := os.MkdirAll(out, 0o777); err != nil {
				return fmt.Errorf("man: %w", err)
			}
			pages := manual.Pages(cmd.Root(), version(), manual.Section{Title: "Environment", Terms: environment})
			for name, page := range pages {
				if err := os.WriteFile(filepath.Join(out, name), page, 0o666); err != nil {
					return fmt.Errorf("man: %w", err)
				}
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "wrote %d pages to %s\n", len(pages), out)
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "write the pages into this `directory`")
	return cmd
}

// environment lists the variables that users may set.
var environment = [][2]string{
	{"CHROMIUM", "The browser with which gokernel site --pdf prints PDF files."},
	{"GOGC, GOMEMLIMIT", "These variables tune the garbage collector of the session's process, as in any Go program. By default, gokernel tunes the collector itself."},
	{"GOKERNEL_ALLOW", "Packages that graded sessions may import too, separated by commas, such as \"reflect,runtime\"."},
	{"GOKERNEL_CHECKPOINT", "The maximum size, in MiB, of the variables that are kept when the process of a session ends, so that %session restore can bring them back. The default is 64; \"off\" keeps nothing."},
	{"GOKERNEL_GRADED", "If this variable is set, every session refuses what a homework submission must not do. It is meant for grading programs that start the kernel themselves."},
	{"GOKERNEL_JIT", "The JIT compiler: \"off\", \"on\" (compiles functions that run for long; Linux on amd64 and arm64), or \"force\" (compiles everything, for tests). The default is \"on\" for Linux on amd64, and \"off\" elsewhere."},
	{"GOMODCACHE, GOPROXY, GOPRIVATE, GOSUMDB", "These variables say where the modules that cells import are stored, and from where they are fetched. They have the same meaning as for the go command."},
	{"JUPYTER_DATA_DIR", "The directory below which gokernel install --user puts the kernel."},
	{"NO_COLOR", "If this variable is set, the progress of gokernel run has no colors."},
}
