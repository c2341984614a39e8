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
		Short: "Run the kernel of a notebook (Jupyter runs this command)",
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
	cmd.Flags().StringVarP(&file, "connection-file", "f", "", "the connection `file`, which names the sockets to open")
	cmd.Flags().StringVar(&engine, "engine", defaultEngine, "the engine that runs cells: "+engineNames())
	cmd.Flags().BoolVar(&mods.offline, "offline", false, "fetch no modules")
	cmd.Flags().IntVar(&most, "max-memory", 0, limitUsage)
	cmd.Flags().StringVar(&history, "history", "", "store the input history in this `file`; an empty name stores no history (default: a file in the user's data directory)")
	return cmd
}

// historyPath returns the file with the history of cells, or "" if the user has no place for it.
func historyPath() string {
	dir, err := install.DataDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "history.jsonl")
}

// settleDelay is the time after which clients are connected to a new kernel process.
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
	// Open the sockets first: a client that finds them closed waits before it tries again.
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
	reserve(spareThreads) // before any cell can use up the threads
	time.AfterFunc(settleDelay, releaseProgram)
	return server.Serve(ctx)
}

// info returns the kernel's description of itself. It names the requested engine even if this
// engine can't run here. A check would take longer than the start, and the first cell reports that
// the engine can't run.
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

// evaluatorArgs returns the arguments that make this program the evaluator.
func evaluatorArgs(engine string) []string {
	return []string{"evaluator", "--engine", engine}
}
