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
	engine, why := running(defaultEngine)
	fmt.Fprintf(w, "gokernel %s, engine %s, %s %s/%s\n", version(), engine, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if why != nil {
		fmt.Fprintf(w, "The default engine cannot run here: %v\n", why)
	}
}

// running names the engine that runs here where one is asked for; the error
// says why it is another.
func running(engine string) (string, error) {
	if engine != defaultEngine {
		return engine, nil
	}
	if err := engines.Check(); err != nil {
		return "yaegi", err
	}
	return engine, nil
}

// version is the version of the module, as the go command recorded it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
