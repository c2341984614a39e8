//go:build !js

package spark

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// client calls the methods of a Spark Connect server by gRPC, over the HTTP/2 of net/http.
type client struct {
	http    *http.Client
	base    string // of the addresses of methods
	headers map[string]string
}

func newClient(a *address) *client {
	t := &http.Transport{Protocols: new(http.Protocols), TLSClientConfig: &tls.Config{ServerName: a.name}}
	base := "http://"
	if a.tls {
		t.Protocols.SetHTTP2(true)
		t.ForceAttemptHTTP2 = true
		base = "https://"
	} else {
		t.Protocols.SetUnencryptedHTTP2(true)
	}
	c := &client{http: &http.Client{Transport: t}, base: base + a.host + "/spark.connect.SparkConnectService/", headers: a.headers}
	return c
}

func (c *client) close() { c.http.CloseIdleConnections() }

// status is an error that a method returns.
type status struct {
	code    int
	message string
	class   string // of Spark's errors, such as TABLE_OR_VIEW_NOT_FOUND
}

func (s *status) Error() string { return s.message }

// Codes of gRPC.
const (
	canceled        = 1
	unavailable     = 14
	unauthenticated = 16
)

// errNoAnswer reports that the server gave no answer.
var errNoAnswer = errors.New("no answer")

// maxMessage is the maximum size of a message from the server.
const maxMessage = 1 << 30

// call calls a method and passes each message of the answer to each, which must not keep it.
func (c *client) call(ctx context.Context, method string, m message, each func(b []byte) error) error {
	body := make([]byte, 5, 5+len(m))
	binary.BigEndian.PutUint32(body[1:], uint32(len(m)))
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+method, bytes.NewReader(append(body, m...)))
	if err != nil {
		return err
	}
	for name, value := range c.headers {
		r.Header.Set(name, value)
	}
	r.Header.Set("Content-Type", "application/grpc")
	r.Header.Set("TE", "trailers")
	r.Header.Set("User-Agent", "gokernel")
	answer, err := c.http.Do(r)
	if err != nil {
		return fmt.Errorf("%w: %w", errNoAnswer, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return &status{code: unavailable, message: "the server answers with HTTP status " + answer.Status}
	}
	if err := messages(answer.Body, each); err != nil {
		return err
	}
	head := answer.Trailer
	if answer.Header.Get("Grpc-Status") != "" { // an answer without messages
		head = answer.Header
	}
	return failure(head)
}

// messages reads the messages of an answer.
func messages(r io.Reader, each func(b []byte) error) error {
	var head [5]byte
	var b []byte
	for {
		if _, err := io.ReadFull(r, head[:]); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("%w: %w", errNoAnswer, err)
		}
		n := int(binary.BigEndian.Uint32(head[1:]))
		if head[0] != 0 || n > maxMessage {
			return errWire
		}
		if cap(b) < n {
			b = make([]byte, n)
		}
		b = b[:n]
		if _, err := io.ReadFull(r, b); err != nil {
			return fmt.Errorf("%w: %w", errNoAnswer, err)
		}
		if err := each(b); err != nil {
			return err
		}
	}
}

// failure returns the error in the headers that end an answer, or nil.
func failure(h http.Header) error {
	text := h.Get("Grpc-Status")
	code, err := strconv.Atoi(text)
	switch {
	case text == "":
		return fmt.Errorf("%w: the answer has no end", errNoAnswer)
	case err != nil:
		return errWire
	case code == 0:
		return nil
	}
	s := &status{code: code, message: h.Get("Grpc-Message")}
	if plain, err := url.PathUnescape(s.message); err == nil {
		s.message = plain
	}
	if s.message == "" {
		s.message = "the server reports the gRPC status " + text
	}
	// The details are a google.rpc.Status, with a google.rpc.ErrorInfo in each Any.
	details, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(h.Get("Grpc-Status-Details-Bin"), "="))
	if err != nil {
		return s
	}
	if field(details, 2) != nil {
		s.message = string(field(details, 2))
	}
	info := field(field(details, 3), 2)
	err = fields(info, func(k int, v []byte, _ uint64) {
		if k == 3 && string(field(v, 1)) == "errorClass" {
			s.class = string(field(v, 2))
		}
	})
	if err != nil {
		return errWire
	}
	return s
}
