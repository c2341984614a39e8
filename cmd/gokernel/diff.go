package main

import (
	"fmt"
	"io"
	"os"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/difference"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
)

// gitArguments is the number of arguments with which git calls an external diff command: the path,
// then file, sum and mode of the old and of the new contents.
const gitArguments = 7

func newDiff() *cobra.Command {
	var opt difference.Options
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Compare two notebooks cell by cell",
		Long: `Compare two notebooks cell by cell: the sources of their cells (line by line), the outputs
and the metadata. Also list the cells that were added, removed, moved or renamed. Cells are
matched by ID or, if the IDs differ, by equal or similar sources.

The exit status is 0 if the notebooks are equal, and 1 if they differ. To use this command
in git, run:

  git config diff.gokernel.command "gokernel diff"
  echo "*.ipynb diff=gokernel" >> .gitattributes`,
		Example: `  gokernel diff old.ipynb new.ipynb
  gokernel diff --sources lecture.ipynb lecture.executed.ipynb`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 && len(args) != gitArguments {
				return fmt.Errorf("diff: give two notebooks, got %d arguments", len(args))
			}
			return nil
		},
		ValidArgsFunction: notebooks,
		RunE: func(cmd *cobra.Command, args []string) error {
			byGit := len(args) == gitArguments
			from, to := args[0], args[1]
			if byGit {
				from, to = args[1], args[4]
			}
			n, err := showDifferences(cmd.OutOrStdout(), from, to, opt)
			if err != nil {
				return err
			}
			if n > 0 && !byGit { // git treats any other status as an error
				return exitCode(1)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&opt.Sources, "sources", false, "ignore outputs")
	return cmd
}

// showDifferences writes and counts the differences of two notebooks. git passes the null device
// for a missing file, which counts as a notebook without cells.
func showDifferences(w io.Writer, from, to string, opt difference.Options) (int, error) {
	a, err := readOrNothing(from)
	if err != nil {
		return 0, err
	}
	b, err := readOrNothing(to)
	if err != nil {
		return 0, err
	}
	changes := difference.Notebooks(a, b, opt)
	if len(changes) == 0 {
		return 0, nil
	}
	out, isFile := w.(*os.File)
	paint := painter(isFile && isatty.IsTerminal(out.Fd()))
	fmt.Fprintf(w, "%s\n%s\n", paint('h', "--- "+from), paint('h', "+++ "+to))
	for _, c := range changes {
		fmt.Fprintf(w, "\n%s\n", paint('h', c.About))
		for _, l := range c.Lines {
			fmt.Fprintln(w, paint(l[0], l))
		}
	}
	return len(changes), nil
}

// painter returns a function that colors a line if colors is true. The color depends on sign: '-'
// or '+' for a line that differs, and 'h' for a heading.
func painter(colors bool) func(sign byte, line string) string {
	codes := map[byte]string{'h': "\x1b[1m", '-': "\x1b[31m", '+': "\x1b[32m"}
	return func(sign byte, line string) string {
		if code := codes[sign]; colors && code != "" {
			return code + line + "\x1b[0m"
		}
		return line
	}
}

func readOrNothing(name string) (*notebook.Notebook, error) {
	if name == os.DevNull {
		return &notebook.Notebook{}, nil
	}
	return readNotebook("diff", name)
}
