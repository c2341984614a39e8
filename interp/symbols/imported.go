package symbols

import (
	"expvar"
	"net/http"
	"net/http/pprof"
	"net/url"
	"sync"
)

// Two packages of the standard library register handlers on http.DefaultServeMux as soon as a
// program imports them. The kernel contains all packages, but a session serves these handlers only
// after a cell has imported the packages.

func init() {
	http.DefaultServeMux = http.NewServeMux() // without the handlers that they have registered
}

// handlers registers the handlers of the packages, once.
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

// Imported registers the handlers of a compiled package. It is called with the package's path
// before code that imports the package runs.
func Imported(path string) {
	if set := handlers[path]; set != nil {
		set()
	}
}

// serve registers a handler, unless an earlier cell has registered one for the path.
func serve(path string, h http.Handler) {
	pattern := http.MethodGet + " " + path
	_, has := http.DefaultServeMux.Handler(&http.Request{Method: http.MethodGet, URL: &url.URL{Path: path}})
	if has != pattern {
		http.Handle(pattern, h)
	}
}
