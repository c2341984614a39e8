package ssa_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
)

// A panic in a handler ends its request, and the user sees its position. That holds for each way in
// which package net/http calls handlers and other functions of the cell.
func TestPanicsOfHandlers(t *testing.T) {
	for name, test := range map[string]struct{ protocols, handler, server string }{
		"HTTP/1":  {"p.SetHTTP1(true)", `http.HandlerFunc(fails)`, ""},
		"HTTP/2":  {"p.SetUnencryptedHTTP2(true)", `http.HandlerFunc(fails)`, ""},
		"method":  {"p.SetUnencryptedHTTP2(true)", `handler{}`, ""},
		"mux":     {"p.SetHTTP1(true)", `mux()`, ""},
		"timeout": {"p.SetHTTP1(true)", `http.TimeoutHandler(http.HandlerFunc(fails), time.Minute, "")`, ""},
		"base":    {"p.SetHTTP1(true)", `http.NotFoundHandler()`, `srv.ConnState = func(_ net.Conn, s http.ConnState) { if s == http.StateActive { fails(nil, nil) } }`},
	} {
		t.Run(strings.ReplaceAll(name, "/", ""), func(t *testing.T) {
			var mu sync.Mutex
			var told []string
			s := newSession(t, engine.Hooks{
				Recovered: func(_ int, by string, p *engine.Panic) {
					mu.Lock()
					defer mu.Unlock()
					if by == engine.InHandler && len(p.Stack) > 0 {
						told = append(told, p.Stack[0].Func+": "+p.Text)
					}
				},
				GoPanic: func(_ int, p *engine.Panic) { t.Errorf("a goroutine is said to have panicked: %v", p) },
			})
			s.want(`import ("fmt"; "net"; "net/http"; "time")
var _ = time.Minute
func fails(http.ResponseWriter, *http.Request) { var m map[string]int; m["a"] = 1 }
type handler struct{}
func (handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { fails(w, r) }
func mux() http.Handler { m := http.NewServeMux(); m.HandleFunc("/", fails); return m }
func main() {
	var p http.Protocols
	`+test.protocols+`
	srv := &http.Server{Handler: `+test.handler+`, Protocols: &p}
	`+test.server+`
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil { panic(err) }
	go srv.Serve(ln)
	c := &http.Client{Transport: &http.Transport{Protocols: &p}}
	_, err = c.Get("http://" + ln.Addr().String())
	fmt.Println(err != nil)
	srv.Close()
}`, "true")
			mu.Lock()
			defer mu.Unlock()
			if len(told) == 0 || told[0] != "fails: assignment to entry in nil map" {
				t.Errorf("told %q", told)
			}
		})
	}
}
