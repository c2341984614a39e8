package main

import (
	"os"
	"time"

	"github.com/gokernel/gokernel/internal/sandbox"
	"github.com/gokernel/gokernel/interp/memory"
	"github.com/gokernel/gokernel/interp/worker"
	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/spf13/cobra"
)

// newEvaluator returns the command with which the kernel process starts the evaluator process.
// Users don't need it.
func newEvaluator() *cobra.Command {
	var (
		pipes, engine string
		rules         sessionRules
		mods          moduleRules
	)
	cmd := &cobra.Command{
		Use:    "evaluator",
		Short:  "Evaluate cells for a kernel process",
		Args:   cobra.NoArgs,
		Hidden: true,
		RunE: func(*cobra.Command, []string) error {
			if rules.dir != "" && !rules.confined {
				if err := sandbox.Confine(rules.dir, append(os.Args[1:], "--confined")); err != nil {
					return err
				}
			}
			os.Args = os.Args[:1] // cells have no arguments
			if rules.memory == 0 {
				rules.memory = memory.DefaultLimit()
			}
			tuneCollector()
			collectBefore(rules.memory)
			return worker.Serve(pipes, func() (evaluator.Session, error) {
				s, err := openSession(engine, rules, mods)
				if err != nil {
					return nil, err
				}
				if rules.dir != "" {
					if err := sandbox.Enter(rules.limits()); err != nil {
						return nil, err
					}
				}
				w := &warmed{Session: s}
				time.AfterFunc(warmDelay, w.warm)
				return w, nil
			})
		},
	}
	cmd.Flags().StringVar(&pipes, "pipes", "", "the pipes to the kernel process")
	cmd.Flags().StringVar(&engine, "engine", defaultEngine, "the engine that runs cells")
	rules.addTo(cmd.Flags())
	mods.addTo(cmd.Flags())
	return cmd
}
