// Command kernel measures how long a running kernel takes to answer. Its client implements the
// wire protocol without ZeroMQ's threads or an interpreter, so the client itself costs little. It
// prints one JSON object with times in milliseconds. The script bench.py starts the kernels and
// runs this command.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gokernel/gokernel/kernel"
	"github.com/gokernel/gokernel/kernel/msg"
	"github.com/gokernel/gokernel/kernel/transport"
	"github.com/gokernel/gokernel/kernel/wire"
)

const (
	timeout = time.Minute // of each answer
	// begun is the time that a busy cell gets to start before control is queried.
	begun = 500 * time.Millisecond
)

func main() {
	file := flag.String("connection-file", "", "the kernel's connection `file`")
	cells := flag.Int("cells", 200, "the `number` of cells of each kind")
	trivial := flag.String("trivial", "1 + 1", "the `code` that is run again and again")
	different := flag.String("different", "1 + {}", "the `code` of cells that differ, with {} for their number")
	busy := flag.String("busy", "", "the `code` of a cell that runs while control is asked")
	asked := flag.Int("asked", 50, "the `number` of requests on control while it runs")
	flag.Parse()
	if err := run(*file, *cells, *trivial, *different, *busy, *asked); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(file string, cells int, trivial, different, busy string, asked int) error {
	c, err := connect(file)
	if err != nil {
		return err
	}
	same := make([]float64, cells)
	for i := range same {
		if same[i], err = c.cell(trivial); err != nil {
			return err
		}
	}
	differing := make([]float64, cells)
	for i := range differing {
		if differing[i], err = c.cell(strings.ReplaceAll(different, "{}", strconv.Itoa(i))); err != nil {
			return err
		}
	}
	control, err := c.controlWhile(busy, asked)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]float64{
		"trivial p50": quantile(same, 0.5), "trivial p99": quantile(same, 0.99),
		"different p50": quantile(differing, 0.5), "different p99": quantile(differing, 0.99),
		"control p50": quantile(control, 0.5), "control worst": quantile(control, 1),
	})
}

// quantile returns the smallest time that a fraction q of the times does not exceed.
func quantile(times []float64, q float64) float64 {
	slices.Sort(times)
	return times[max(0, int(q*float64(len(times))+0.5)-1)]
}

// client is connected to one kernel.
type client struct {
	signer                *wire.Signer
	shell, control, iopub *transport.Conn
	sent                  int
}

func connect(file string) (*client, error) {
	conn, err := kernel.ReadConnection(file)
	if err != nil {
		return nil, err
	}
	c := &client{}
	if c.signer, err = wire.NewSigner(conn.SignatureScheme, conn.Key); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	for _, s := range []struct {
		to   **transport.Conn
		port int
		kind transport.Kind
	}{
		{&c.shell, conn.ShellPort, transport.Dealer},
		{&c.control, conn.ControlPort, transport.Dealer},
		{&c.iopub, conn.IOPubPort, transport.Sub},
	} {
		if *s.to, err = conn.Dial(ctx, s.port, s.kind, "bench"); err != nil {
			return nil, err
		}
		if err := (*s.to).SetReadDeadline(time.Now().Add(10 * timeout)); err != nil {
			return nil, err
		}
	}
	if err := c.iopub.Subscribe(""); err != nil {
		return nil, err
	}
	// Messages that are published before the subscription has arrived are lost, so requests are
	// sent until a message comes.
	come := make(chan error, 1)
	go func() {
		_, err := c.receive(c.iopub)
		come <- err
	}()
	for {
		id, err := c.request(c.shell, "kernel_info_request", struct{}{})
		if err == nil {
			err = c.reply(c.shell, id)
		}
		if err != nil {
			return nil, err
		}
		select {
		case err := <-come:
			return c, err
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// answer is the part of a message that the client reads.
type answer struct {
	parent  string
	content []byte
	kind    string
}

func (c *client) receive(from *transport.Conn) (answer, error) {
	frames, err := from.Recv()
	if err != nil {
		return answer{}, err
	}
	m, err := c.signer.Decode(frames)
	if err != nil {
		return answer{}, err
	}
	var header, parent msg.Header
	if err := json.Unmarshal(m.Header, &header); err != nil {
		return answer{}, err
	}
	if err := json.Unmarshal(m.Parent, &parent); err != nil {
		return answer{}, err
	}
	return answer{parent: parent.ID, kind: header.Type, content: m.Content}, nil
}

func (c *client) request(to *transport.Conn, kind string, content any) (id string, err error) {
	c.sent++
	id = "bench-" + strconv.Itoa(os.Getpid()) + "-" + strconv.Itoa(c.sent)
	header, err := json.Marshal(msg.Header{
		ID: id, Session: "bench", Username: "bench", Date: msg.Date(time.Now()), Type: kind, Version: msg.Version,
	})
	if err != nil {
		return "", err
	}
	body, err := json.Marshal(content)
	if err != nil {
		return "", err
	}
	empty := []byte("{}")
	return id, to.Send(c.signer.Encode(wire.Message{Header: header, Parent: empty, Metadata: empty, Content: body}))
}

// reply waits for the reply to a request.
func (c *client) reply(from *transport.Conn, id string) error {
	for {
		a, err := c.receive(from)
		if err != nil || a.parent == id {
			return err
		}
	}
}

// idle waits for the idle of a request.
func (c *client) idle(id string) error {
	for {
		a, err := c.receive(c.iopub)
		if err != nil {
			return err
		}
		if a.parent == id && a.kind == "status" && bytes.Contains(a.content, []byte(`"idle"`)) {
			return nil
		}
	}
}

func (c *client) execute(code string) (id string, err error) {
	return c.request(c.shell, "execute_request", map[string]any{
		"code": code, "silent": false, "store_history": true,
		"user_expressions": struct{}{}, "allow_stdin": false, "stop_on_error": true,
	})
}

// cell runs a cell and returns the time from the request to idle.
func (c *client) cell(code string) (float64, error) {
	begin := time.Now()
	id, err := c.execute(code)
	if err == nil {
		err = c.idle(id)
	}
	took := time.Since(begin)
	if err == nil {
		err = c.reply(c.shell, id)
	}
	return milliseconds(took), err
}

// controlWhile requests kernel_info on control while a cell runs.
func (c *client) controlWhile(code string, asked int) ([]float64, error) {
	cell, err := c.execute(code)
	if err != nil {
		return nil, err
	}
	time.Sleep(begun)
	times := make([]float64, asked)
	for i := range times {
		begin := time.Now()
		id, err := c.request(c.control, "kernel_info_request", struct{}{})
		if err == nil {
			err = c.reply(c.control, id)
		}
		if err != nil {
			return nil, err
		}
		times[i] = milliseconds(time.Since(begin))
	}
	if err := c.idle(cell); err != nil {
		return nil, err
	}
	return times, c.reply(c.shell, cell)
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1e3 }
