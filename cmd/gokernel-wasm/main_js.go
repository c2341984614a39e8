// Command gokernel-wasm is the kernel for a web page: the same kernel and the same session as in
// cmd/gokernel, in one program of WebAssembly. It runs in a web worker, which exchanges Jupyter's
// messages with it:
//
//	gokernelSend(channel, header, parent, metadata, content, buffers)
//
// sends a message to the kernel, once gokernelReady() has been called, and
//
//	gokernelReceive(channel, header, parent, metadata, content, buffers)
//
// is called with each message that comes back. Channel is shell, control, stdin or iopub, the four
// dictionaries are JSON, and buffers is an array of Uint8Array.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall/js"

	"github.com/gokernel/gokernel/interp"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/yaegi"
	"github.com/gokernel/gokernel/interp/symbols"
	"github.com/gokernel/gokernel/kernel"
	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/gokernel/gokernel/kernel/msg"
)

// version is set by the linker.
var version = "devel"

const (
	// collectAt makes the collector, which has no thread of its own here, run half as
	// often as usual.
	collectAt = 200
	// memoryLimit is the memory use at which a cell is stopped: a WebAssembly program can have at
	// most 4 GiB.
	memoryLimit = 2 << 30
)

func main() {
	debug.SetGCPercent(collectAt)
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gokernel:", err)
		os.Exit(1)
	}
}

func run() error {
	s, err := interp.New(interp.Options{
		Engine: func(hooks engine.Hooks, packages *symbols.Importer) (engine.Engine, error) {
			return yaegi.New(packages, hooks)
		},
		MemoryLimit: memoryLimit, Warn: true,
	})
	if err != nil {
		return err
	}
	server, err := kernel.New(kernel.Config{
		Connection: kernel.Connection{Key: key},
		Evaluator:  session{Session: s, Widgets: s},
		Info: kernel.Info{
			Version:         version,
			LanguageVersion: strings.TrimPrefix(runtime.Version(), "go"),
			Banner:          fmt.Sprintf("gokernel %s, engine yaegi, in this browser", version),
			HelpLinks: []msg.Link{
				{Text: "A Tour of Go", URL: "https://go.dev/tour/"},
				{Text: "The Go standard library", URL: "https://pkg.go.dev/std"},
			},
		},
	})
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(context.Background()) }()
	c, err := connect(server.Connection(), js.Global().Get("gokernelReceive"))
	if err != nil {
		return err
	}
	js.Global().Set("gokernelSend", c.sender())
	js.Global().Call("gokernelReady")
	return <-ended
}

// session is the session in which cells run. It has no debugger.
type session struct {
	evaluator.Session
	evaluator.Widgets
}

// Interrupt does nothing, because the kernel cancels the context of the cell. If no code in the
// worker polls the context, the page terminates the worker.
func (session) Interrupt() {}
