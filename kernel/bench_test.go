package kernel_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/gokernel/gokernel/kernel"
	"github.com/gokernel/gokernel/kernel/kerneltest"
)

// BenchmarkKernelInfo measures the time from a kernel_info_request to its reply and idle.
func BenchmarkKernelInfo(b *testing.B) {
	_, conn := start(b)
	c := kerneltest.Connect(b, conn)
	for b.Loop() {
		c.Request("shell", "kernel_info_request", map[string]any{})
	}
}

// BenchmarkCell measures the time that the kernel, the transport and the client (in the same
// process) add to the time of a cell, from the request to idle.
func BenchmarkCell(b *testing.B) {
	_, conn := start(b, func(c *kernel.Config) { c.HistoryPath = filepath.Join(b.TempDir(), "history.jsonl") })
	c := kerneltest.Connect(b, conn)
	for b.Loop() {
		c.Execute("value 1")
	}
}

// BenchmarkLines prints 100,000 lines.
func BenchmarkLines(b *testing.B) {
	_, conn := start(b)
	c := kerneltest.Connect(b, conn)
	messages := 0
	for b.Loop() {
		messages = len(c.Execute("lines 100000").Of("stream"))
	}
	b.ReportMetric(float64(messages), "messages")
}

// BenchmarkStart measures the time from New to the end of the first kernel_info_request, and the
// time of the shutdown.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		srv, err := kernel.New(kernel.Config{Evaluator: newFake(), HistoryPath: "unused.jsonl"})
		if err != nil {
			b.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- srv.Serve(ctx) }()
		kerneltest.Connect(b, srv.Connection()).Request("shell", "kernel_info_request", map[string]any{})
		cancel()
		if err := <-done; err != nil {
			b.Fatal(err)
		}
	}
}
