package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/gokernel/gokernel/install"
	"github.com/gokernel/gokernel/kernel/msg"
	"github.com/spf13/cobra"
)

func newInstall() *cobra.Command {
	var (
		user, remove bool
		place        install.Place
		name, engine string
	)
	cmd := &cobra.Command{
		Use:   "install [--user | --prefix DIR | --sys-prefix]",
		Short: "Register the kernel with Jupyter",
		Long: `Write a kernelspec, so that Jupyter finds this program. The kernelspec is installed for your
user (the default), into the active Python environment (--sys-prefix), or below a directory such
as /usr/local (--prefix). With --sys-prefix or --prefix, or if this program is a temporary file,
the kernelspec contains a copy of the program. Nothing is written outside the kernelspec's
directory, and --uninstall removes that directory.`,
		Example: `  gokernel install                       # for you
  gokernel install --sys-prefix          # into the active Python environment
  gokernel install --engine yaegi        # the fallback engine, as a second kernel
  gokernel install --uninstall`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if engine != "" {
				if err := checkEngine(engine); err != nil {
					return err
				}
			}
			if engine == defaultEngine {
				engine = ""
			}
			if remove {
				spec := install.NewSpec("", engine, name, "")
				dir, err := install.Uninstall(spec.Name, place)
				if err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "Removed the kernel %s from %s\n", spec.Name, dir)
				return nil
			}
			exe, err := os.Executable()
			if err != nil {
				return fmt.Errorf("install: can't find this program's file: %w", err)
			}
			spec := install.NewSpec(exe, engine, name, msg.Version)
			spec.Copy = place != (install.Place{}) || install.Temporary(exe)
			dir, err := install.Install(spec, place)
			if errors.Is(err, fs.ErrPermission) {
				return fmt.Errorf("%w; %s", err, elsewhere(place))
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "Installed the kernel %s, \"%s\", in %s\n", spec.Name, spec.DisplayName, dir)
			if other := install.Shadow(dir); other != "" {
				fmt.Fprintf(cmd.ErrOrStderr(), "gokernel: Jupyter will use the kernel in %s instead, because JUPYTER_PATH puts it first; remove that kernel\n", other)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.BoolVar(&user, "user", false, "install for your user (the default)")
	f.StringVar(&place.Prefix, "prefix", "", "install under this `directory`, such as /usr/local")
	f.BoolVar(&place.SysPrefix, "sys-prefix", false, "install into the active Python environment")
	f.StringVar(&name, "name", "", "the kernel's `name` (default: gokernel)")
	f.StringVar(&engine, "engine", "", "the engine that runs cells: "+engineNames()+" (default: "+defaultEngine+")")
	f.BoolVar(&remove, "uninstall", false, "remove the kernel instead of installing it")
	cmd.MarkFlagsMutuallyExclusive("user", "prefix", "sys-prefix")
	return cmd
}

// elsewhere returns a hint for users without write access to the place.
func elsewhere(place install.Place) string {
	if place == (install.Place{}) {
		return "use --prefix with a directory in which you can create files"
	}
	return "use --user, which needs no special rights, or another --prefix"
}
