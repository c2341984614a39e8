package symbols_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gokernel/gokernel/interp/symbols"
)

// The handlers of the kernel's packages are served only after code imports the packages.
func TestImportedHandlers(t *testing.T) {
	status := func(path string) int {
		w := httptest.NewRecorder()
		http.DefaultServeMux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w.Code
	}
	http.HandleFunc("GET /debug/pprof/symbol", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	served := map[string]string{"expvar": "/debug/vars", "net/http/pprof": "/debug/pprof/"}
	symbols.Imported("net/http")
	for _, path := range served {
		if got := status(path); got != http.StatusNotFound {
			t.Errorf("%s before the import: status %d", path, got)
		}
	}
	for pkg, path := range served {
		symbols.Imported(pkg)
		symbols.Imported(pkg)
		if got := status(path); got != http.StatusOK {
			t.Errorf("%s after the import of %s: status %d", path, pkg, got)
		}
	}
	if got := status("/debug/pprof/symbol"); got != http.StatusTeapot {
		t.Errorf("the handler that was there before is gone: status %d", got)
	}
}
