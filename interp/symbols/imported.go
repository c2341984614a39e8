package symbols

import (
	"expvar"
	"net/http"
	"net/http/pprof"
	"net/url"
	"sync"
)

// Two packages of the standard library answer requests on http.DefaultServeMux as
// soon as a program has them. The kernel has all packages: what a session serves there
// has their handlers only when a cell has imported them.

func init() {
	http.DefaultServeMux = http.NewServeMux() // without those that they have set
}

// handlers sets those of the packages, once.
var handlers = map[string]func(){
	"expvar": sync.OnceFunc(func() {
		serve("/debug/vars", expvar.Handler())
	}),
	"net/http/pprof": sync.OnceFunc(func() {
		serve("/debug/pprof/", http.HandlerFunc(pprof.Index))
		serve("/debug/pprof/cmdline", http.HandlerFunc(pprof.Cmdline))
		serve("/debug/pprof/profile", http.HandlerFunc(pprof.Profile))
		serve("/debug/pprof/symbol", http.HandlerFunc(pprof.Symbol))
		serve("/debug/pprof/trace", http.HandlerFunc(pprof.Trace))
	}),
}

// Imported is told, before code that imports a compiled package runs, the path of the
// package.
func Imported(path string) {
	if set := handlers[path]; set != nil {
		set()
	}
}

// serve sets a handler, unless an earlier cell has set one for the path.
func serve(path string, h http.Handler) {
	pattern := http.MethodGet + " " + path
	_, has := http.DefaultServeMux.Handler(&http.Request{Method: http.MethodGet, URL: &url.URL{Path: path}})
	if has != pattern {
		http.Handle(pattern, h)
	}
}
