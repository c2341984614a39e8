package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

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
		fmt.Fprintf(w, "The default engine can't run here: %v\n", why)
	}
}

// version returns the version of this program.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	return versionOf(info)
}

// versionOf returns the version of the module, as the go command recorded it: a tag, or a version
// with the time and the hash of the commit. If no version is recorded, it returns the hash if the
// hash is known; `go run` records nothing.
func versionOf(info *debug.BuildInfo) string {
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return strings.TrimPrefix(v, "v")
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	revision := settings["vcs.revision"]
	if revision == "" {
		return "devel"
	}
	v := "devel-" + revision[:min(12, len(revision))]
	if settings["vcs.modified"] == "true" {
		v += "+dirty"
	}
	return v
}
