package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/gokernel/gokernel/interp/engines"
	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		Run:   func(cmd *cobra.Command, _ []string) { printVersion(cmd.OutOrStdout()) },
	}
}

func printVersion(w io.Writer) {
	engine := defaultEngine
	why := engines.Check()
	if why != nil {
		engine = "yaegi"
	}
	fmt.Fprintf(w, "gokernel %s, engine %s, %s %s/%s\n", version(), engine, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if why != nil {
		fmt.Fprintf(w, "The default engine cannot run here: %v\n", why)
	}
}

// version is the version of the module, as the go command recorded it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
