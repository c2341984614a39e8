package main

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
)

// peer is the Python process. For each turn, it reads a line of JSON and answers with a measured.
type peer struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *json.Decoder
	version string // of the measured library
}

func start(python, script string) (*peer, error) {
	cmd := exec.Command(python, script)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p := &peer{cmd: cmd, in: in, out: json.NewDecoder(out)}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return p, p.out.Decode(&p.version)
}

// request is one turn of the script.
type request struct {
	Name, Kind, Path string
	N, Test, Cols    int
}

func (p *peer) measure(c bench, d *dataset) (measured, error) {
	var m measured
	s := d.size
	if err := json.NewEncoder(p.in).Encode(request{c.name, s.kind, d.path, s.n, s.test, s.cols}); err != nil {
		return m, err
	}
	return m, p.out.Decode(&m)
}

func (p *peer) stop() {
	_ = p.in.Close()
	_ = p.cmd.Wait()
}
