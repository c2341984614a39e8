package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/interp/engines"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// shells maps names of shells to functions that write their completion scripts.
var shells = map[string]func(root *cobra.Command, w io.Writer) error{
	"bash":       func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) },
	"zsh":        (*cobra.Command).GenZshCompletion,
	"fish":       func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) },
	"powershell": (*cobra.Command).GenPowerShellCompletionWithDesc,
}

func newCompletion() *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Generate a shell completion script",
		Long: `Print a script that lets a shell complete commands, flags, notebooks and directories with
the Tab key. The deb, rpm and Homebrew packages install these scripts.

For bash, which needs the package bash-completion:

  mkdir -p ~/.local/share/bash-completion/completions
  gokernel completion bash > ~/.local/share/bash-completion/completions/gokernel

For zsh, use a directory that ~/.zshrc adds to $fpath before it calls compinit:

  gokernel completion zsh > "${fpath[1]}/_gokernel"

For fish:

  gokernel completion fish > ~/.config/fish/completions/gokernel.fish

For PowerShell, add this line to your profile ($PROFILE):

  gokernel completion powershell | Out-String | Invoke-Expression

New shells then offer completion for gokernel.`,
		Example: `  source <(gokernel completion bash)      # only for this shell`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && shells[args[0]] != nil {
				return nil
			}
			return fmt.Errorf("completion: give one shell: %s", strings.Join(slices.Sorted(maps.Keys(shells)), ", "))
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return slices.Sorted(maps.Keys(shells)), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return shells[args[0]](cmd.Root(), cmd.OutOrStdout())
		},
	}
}

// These functions return the values that shells offer after a command or a flag.
var (
	notebooks   = cobra.FixedCompletions([]cobra.Completion{"ipynb"}, cobra.ShellCompDirectiveFilterFileExt)
	directories = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	nothing     = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveNoFileComp)
)

// completeFlags makes shells offer values of all flags below a command, according to the
// placeholder of the value in the flag's usage.
func completeFlags(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		offer := nothing
		switch word, _ := pflag.UnquoteUsage(f); {
		case f.Name == "engine":
			offer = cobra.FixedCompletions(slices.Sorted(maps.Keys(engines.ByName)), cobra.ShellCompDirectiveNoFileComp)
		case f.Value.Type() == "bool", word == "file":
			return
		case word == "directory":
			offer = directories
		case word == "notebook":
			offer = notebooks
		}
		if err := cmd.RegisterFlagCompletionFunc(f.Name, offer); err != nil {
			panic(err) // only for an unknown flag, or one that has a completion
		}
	})
	for _, sub := range cmd.Commands() {
		completeFlags(sub)
	}
}
