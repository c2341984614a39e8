package kernel

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gokernel/gokernel/kernel/history"
	"github.com/gokernel/gokernel/kernel/msg"
	"github.com/gokernel/gokernel/kernel/transport"
	"github.com/gokernel/gokernel/kernel/wire"
)

// Config configures a Server. Evaluator is required, and so is either ConnectionFile or Connection.
type Config struct {
	// ConnectionFile is the path of the connection file. If the kernel chooses ports, it writes the
	// port numbers to this file.
	ConnectionFile string
	// Connection is used when ConnectionFile is empty.
	Connection Connection
	Evaluator  Evaluator
	// HistoryPath is the path of the history file. If it is empty, history is kept in memory and
	// lost when the process ends.
	HistoryPath string
	// Beside runs work that takes milliseconds of CPU time, without delaying messages. If it is
	// nil, the work is called directly.
	Beside func(work func())
	// Logger receives errors and warnings. By default they are dropped.
	Logger *slog.Logger
	Info   Info
	// ParentPID is the process with which the kernel ends; 0 means none. See the function
	// ParentPID.
	ParentPID int
	// Limits bound the resources of each client; the zero value has good defaults.
	Limits transport.Limits
}

// Info is the kernel's description in kernel_info_reply.
type Info struct {
	Implementation  string // default "gokernel"
	Version         string // version of the implementation
	LanguageVersion string // version of Go, such as "1.26.8"
	Banner          string
	HelpLinks       []msg.Link
}

// Server is a running kernel.
type Server struct {
	cfg     Config
	conn    Connection
	log     *slog.Logger
	signer  *wire.Signer
	session string
	nextID  atomic.Uint64

	shell, control, stdin, heartbeat *transport.Router
	iopub                            *transport.Publisher

	handlers  map[string]handler
	queues    *requestQueues
	evaluator chan struct{} // holds one element while a cell runs
	comms     *Comms
	debugging atomic.Pointer[request] // the last debug_request
	// callbacksWait is true while callbacks of widgets wait for the running cell.
	callbacksWait atomic.Bool
	pages         pages
	history       *history.Store
	stdinGate     inputGate
	usage         usageMeter

	running   atomic.Pointer[output] // the output of the running cell
	busyCells busyCells
	memory    *memory

	dropped  atomic.Int64 // messages that could not be decoded or had been received before
	seenLock sync.Mutex
	seen     wire.Seen
	stop     chan struct{}
	stopOnce sync.Once
}

// New binds the sockets of the connection, so that clients can connect, and returns a Server. The
// server starts to answer when Serve is called.
func New(cfg Config) (*Server, error) {
	if cfg.Evaluator == nil {
		return nil, errors.New("kernel: Config.Evaluator is missing")
	}
	conn := cfg.Connection
	var err error
	if cfg.ConnectionFile != "" {
		conn, err = ReadConnection(cfg.ConnectionFile)
	} else {
		err = conn.check()
	}
	if err != nil {
		return nil, err
	}
	signer, err := wire.NewSigner(conn.SignatureScheme, conn.Key)
	if err != nil {
		return nil, fmt.Errorf("kernel: %w", err)
	}
	conn.SignatureScheme = wire.Scheme
	lns, chosen, err := conn.bind()
	if err != nil {
		return nil, err
	}
	if chosen && cfg.ConnectionFile != "" {
		if err := conn.Write(cfg.ConnectionFile); err != nil {
			closeAll(lns[:])
			return nil, err
		}
	}
	keys, err := conn.Keys()
	if err != nil {
		closeAll(lns[:])
		return nil, err
	}
	return newServer(cfg, conn, signer, keys, lns), nil
}

func closeAll(lns []net.Listener) {
	for _, ln := range lns {
		ln.Close()
	}
}

func newServer(cfg Config, conn Connection, signer *wire.Signer, keys *transport.Keys, lns [5]net.Listener) *Server {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if cfg.Info.Implementation == "" {
		cfg.Info.Implementation = "gokernel"
	}
	s := &Server{
		cfg: cfg, conn: conn, log: cfg.Logger, signer: signer,
		session:   newSession(),
		shell:     transport.NewRouter(lns[0], keys, cfg.Limits),
		iopub:     transport.NewPublisher(lns[1], keys, cfg.Limits),
		stdin:     transport.NewRouter(lns[2], keys, cfg.Limits),
		control:   transport.NewRouter(lns[3], keys, cfg.Limits),
		heartbeat: transport.NewRouter(lns[4], keys, cfg.Limits),
		queues:    newRequestQueues(),
		evaluator: make(chan struct{}, 1),
		history:   history.New(cfg.HistoryPath, cfg.Logger, cfg.Beside),
		memory:    newMemory(cfg.Beside),
		stop:      make(chan struct{}),
	}
	s.handlers = s.table()
	s.comms = newComms(s)
	s.registerWidgets()
	return s
}

// handler answers a request. If it returns an error, the error becomes the reply.
type handler func(ctx context.Context, r *request) error

// table maps each message type to its handler.
func (s *Server) table() map[string]handler {
	return map[string]handler{
		"kernel_info_request": s.kernelInfo,
		"connect_request":     s.connect,
		"execute_request":     s.execute,
		"complete_request":    s.complete,
		"inspect_request":     s.inspect,
		"is_complete_request": s.isComplete,
		"history_request":     s.historyRequest,
		"comm_info_request":   s.commInfo,
		"comm_open":           s.commOpen,
		"comm_msg":            s.commMsg,
		"comm_close":          s.commClose,
		"interrupt_request":   s.interruptRequest,
		"shutdown_request":    s.shutdown,
		"debug_request":       s.debug,
		"usage_request":       s.usageRequest,

		"create_subshell_request": s.createSubshell,
		"delete_subshell_request": s.deleteSubshell,
		"list_subshell_request":   s.listSubshells,
	}
}

func newSession() string {
	var b [16]byte
	rand.Read(b[:]) // documented never to fail
	return hex.EncodeToString(b[:])
}

// Connection returns the connection with the actual port numbers.
func (s *Server) Connection() Connection { return s.conn }

// Comms returns the registry of comm targets.
func (s *Server) Comms() *Comms { return s.comms }

// These are time limits for the steps of shutDown. Jupyter's client sends SIGTERM 2.5 s after its
// shutdown_request.
const (
	softStop = 300 * time.Millisecond // limit for the interrupted cell to stop
	hardStop = 700 * time.Millisecond // limit for the evaluator to close
	drain    = 800 * time.Millisecond // limit for queued messages to be sent
)

// Serve answers requests until a shutdown_request has been answered, ctx is done, a SIGTERM
// arrives or the parent process ends. Then it closes the Evaluator. While Serve runs, SIGINT
// interrupts the running cell and never ends the process.
func (s *Server) Serve(ctx context.Context) error {
	stopSignals := s.handleSignals()
	defer stopSignals()

	evalCtx, cancelEval := context.WithCancel(context.WithoutCancel(ctx))
	defer cancelEval()
	s.registerDebugger()
	s.iopub.Start(s.welcome)
	s.heartbeat.StartEcho()
	s.stdin.Start(s.receiveInput)
	s.publish(nil, "status", msg.Status{State: "starting"})
	s.queues.start(func(r *request) { s.handle(evalCtx, r) })
	s.control.Start(s.receiveControl)
	s.shell.Start(s.receiveShell)
	go s.watchParent()

	select {
	case <-ctx.Done():
	case <-s.stop:
	}
	s.end()
	return s.shutDown(cancelEval, s.queues.end())
}

// shutDown ends the running cell, the evaluator and the sockets, in this order, so that the last
// output of the cell is still sent.
func (s *Server) shutDown(cancelEval func(), idle <-chan struct{}) error {
	cancelEval()
	s.interrupt(false)
	within(softStop, idle)
	closed := make(chan struct{})
	var closeErr error
	go func() { defer close(closed); closeErr = s.cfg.Evaluator.Close() }()
	if !within(hardStop, closed) {
		closeErr = errors.New("kernel: the evaluator did not close in time")
		s.log.Error("the evaluator did not close in time")
	} else {
		within(softStop, idle)
	}
	if err := s.history.Close(); err != nil {
		s.log.Error("history", "error", err)
	}
	if n := s.dropped.Load(); n > 0 {
		s.log.Warn("messages were dropped: malformed, with a wrong signature, or a second time", "count", n)
	}
	ctx, cancel := context.WithTimeout(context.Background(), drain)
	defer cancel()
	var g sync.WaitGroup
	for _, c := range []interface{ Close(context.Context) }{s.iopub, s.control, s.shell, s.stdin, s.heartbeat} {
		g.Go(func() { c.Close(ctx) })
	}
	g.Wait()
	return closeErr
}

func within(d time.Duration, done <-chan struct{}) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
		return true
	case <-t.C:
		return false
	}
}

// end makes Serve return.
func (s *Server) end() { s.stopOnce.Do(func() { close(s.stop) }) }

// welcome returns the message that tells a new subscriber that it will receive all further
// messages.
func (s *Server) welcome(topic []byte) [][]byte {
	frames, err := s.encode([][]byte{topic}, nil, "iopub_welcome", msg.Welcome{Subscription: string(topic)}, nil, nil)
	if err != nil {
		return nil
	}
	return frames
}
