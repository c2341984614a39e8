package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/gokernel/gokernel/install"
	"github.com/gokernel/gokernel/interp/worker"
	"github.com/gokernel/gokernel/kernel"
	"github.com/gokernel/gokernel/kernel/msg"
	"github.com/spf13/cobra"
)

func newKernel(s *settings) *cobra.Command {
	var (
		file, engine, history string
		mods                  moduleRules
		rules                 sessionRules
		most                  int
	)
	cmd := &cobra.Command{
		Use:   "kernel --connection-file FILE",
		Short: "Run the kernel of a notebook (started by Jupyter)",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if file == "" {
				return errors.New("kernel: --connection-file must be given, as Jupyter does; to open notebooks, run \"gokernel lab\"")
			}
			if err := checkEngine(engine); err != nil {
				return err
			}
			if err := rules.setMemory(most); err != nil {
				return fmt.Errorf("kernel: %w", err)
			}
			if !cmd.Flags().Changed("history") {
				history = historyPath()
			}
			rules.warn = true
			return runKernel(cmd.Context(), s, file, history, slices.Concat(evaluatorArgs(engine), mods.args(), rules.args()), info(engine))
		},
	}
	cmd.Flags().StringVarP(&file, "connection-file", "f", "", "the connection `file` with the sockets to open")
	cmd.Flags().StringVar(&engine, "engine", defaultEngine, "the engine that runs cells: "+engineNames())
	cmd.Flags().BoolVar(&mods.offline, "offline", false, "fetch no modules")
	cmd.Flags().IntVar(&most, "max-memory", 0, limitUsage)
	cmd.Flags().StringVar(&history, "history", "", "store the input history in this `file`; empty stores none (default: in the user's data directory)")
	return cmd
}

// historyPath is where the history of cells is kept, "" when the user has no
// place for it.
func historyPath() string {
	dir, err := install.DataDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "history.jsonl")
}

// settleDelay is when the kernel process has started: clients are connected.
const settleDelay = time.Second

func runKernel(ctx context.Context, s *settings, file, history string, evaluator []string, info kernel.Info) error {
	log, done, err := s.logger()
	if err != nil {
		return err
	}
	defer done()
	tuneCollector()
	var running threads
	running.add(0)
	// The sockets come first: a client that finds them closed waits before it
	// tries again.
	ev := &struct{ *worker.Client }{}
	server, err := kernel.New(kernel.Config{
		ConnectionFile: file,
		Evaluator:      ev,
		HistoryPath:    history,
		Beside:         running.beside,
		Logger:         log,
		ParentPID:      kernel.ParentPID(),
		Info:           info,
	})
	if err != nil {
		return err
	}
	checkpoint, limit, remove, err := checkpointFile()
	if err != nil {
		return err
	}
	defer remove()
	if checkpoint != "" {
		evaluator = append(slices.Clone(evaluator), "--checkpoint", checkpoint, "--checkpoint-limit", strconv.FormatInt(limit, 10))
	}
	ev.Client, err = worker.Start(worker.Options{Args: evaluator, Checkpoint: checkpoint, Log: log})
	if err != nil {
		return err
	}
	reserve(spareThreads) // before any cell can take what there is
	time.AfterFunc(settleDelay, releaseProgram)
	return server.Serve(ctx)
}

// info is what the kernel says of itself. The engine is the one that was asked
// for: to find out whether it runs here takes longer than to start, and the
// first cell tells when it does not.
func info(engine string) kernel.Info {
	return kernel.Info{
		Version: version(),
		Banner:  fmt.Sprintf("gokernel %s, engine %s", version(), engine),
		HelpLinks: []msg.Link{
			{Text: "A Tour of Go", URL: "https://go.dev/tour/"},
			{Text: "The Go Programming Language Specification", URL: "https://go.dev/ref/spec"},
			{Text: "The Go standard library", URL: "https://pkg.go.dev/std"},
			{Text: "Gonum", URL: "https://pkg.go.dev/gonum.org/v1/gonum"},
		},
	}
}

// evaluatorArgs are the arguments with which this program is the evaluator.
func evaluatorArgs(engine string) []string {
	return []string{"evaluator", "--engine", engine}
}
