package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/doctor"
	"github.com/gokernel/gokernel/install"
	"github.com/gokernel/gokernel/interp/engines"
	"github.com/spf13/cobra"
)

func newDoctor() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check whether a kernel can run on this machine",
		Long: `Start a kernel the way Jupyter does, run a cell over the kernel's sockets, and check
everything else that a kernel needs. Typical problems are a kernelspec whose program is
missing, a JupyterLab that doesn't start, a directory that can't be written, and too little
memory. doctor prints a remedy for each problem. It changes nothing and downloads nothing.

The exit status is 1 if there is a problem that keeps a kernel from running.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := patient()
			if err != nil {
				return err
			}
			faults := 0
			var findings []doctor.Finding
			doctor.Examine(cmd.Context(), p, func(f doctor.Finding) {
				if f.Verdict == doctor.Fault {
					faults++
				}
				if findings = append(findings, f); !asJSON {
					doctor.Write(cmd.OutOrStdout(), f)
				}
			})
			if asJSON {
				e := json.NewEncoder(cmd.OutOrStdout())
				e.SetIndent("", "  ")
				if err := e.Encode(findings); err != nil {
					return err
				}
			}
			if faults > 0 {
				return exitCode(1)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	return cmd
}

// patient describes this program on this machine.
func patient() (doctor.Patient, error) {
	exe, err := os.Executable()
	if err != nil {
		return doctor.Patient{}, fmt.Errorf("doctor: can't find this program's file: %w", err)
	}
	var v strings.Builder
	printVersion(&v)
	version, _, _ := strings.Cut(v.String(), "\n")
	p := doctor.Patient{
		Program: exe, Version: version, Engine: engines.Check(),
		History: historyPath(), Temporary: install.Temporary(exe),
	}
	if cache, err := os.UserCacheDir(); err == nil {
		p.Cache = filepath.Join(cache, "gokernel")
	}
	p.Environment = install.Environment(exe)
	p.Lab = func(ctx context.Context) (string, error) { return labThere(ctx, p.Cache) }
	p.Widgets = lacksWidgets
	return p, nil
}

// labThere returns the JupyterLab that gokernel lab would start, or "" if gokernel lab would
// install one.
func labThere(ctx context.Context, cache string) (string, error) {
	for _, lab := range installedLabs() {
		if labRuns(ctx, lab) == nil {
			return lab, nil
		}
	}
	if lab, ready := labEnv(ctx, cache); ready() {
		return lab, nil
	}
	_, err := findPython(ctx)
	return "", err
}
