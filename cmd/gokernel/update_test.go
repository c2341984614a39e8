package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNewestRelease(t *testing.T) {
	var target string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path != "/releases/latest" || r.Method != http.MethodHead:
			t.Errorf("asked for %s %s", r.Method, r.URL)
		case target == "":
			http.NotFound(w, r)
		default:
			http.Redirect(w, r, target, http.StatusFound)
		}
	}))
	for _, tt := range []struct{ target, want, err string }{
		{"/releases/tag/v1.2.3", "1.2.3", ""},
		{"/releases/tag/v1.3.0-rc.1", "1.3.0-rc.1", ""},
		{"/releases", "", "isn't a release"},
		{"", "", "404 Not Found"},
	} {
		target = tt.target
		got, err := newestRelease(t.Context(), server.URL)
		if got != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%q: got %q, %v", tt.target, got, err)
		}
	}
	server.Close()
	_, err := newestRelease(t.Context(), server.URL)
	if err == nil || !strings.Contains(err.Error(), "can't be reached") || strings.Count(err.Error(), server.URL) != 1 {
		t.Errorf("without a server: %v", err)
	}
}

func TestCompareVersions(t *testing.T) {
	for _, tt := range []struct {
		have, newest, want string
		newer              bool
	}{
		{"1.2.3", "1.2.3", "no newer", false},
		{"1.2.3", "1.10.0", "1.10.0", true},
		{"1.3.0-rc.1", "1.3.0", "1.3.0", true},
		{"1.3.0", "1.2.9", "no newer", false},
		{"0.0.0-20261122060711-0123456789ab+dirty", "0.1.0", "0.1.0", true},
		{"devel-0123456789ab", "0.1.0", "built from source", false},
	} {
		text, newer := compareVersions(tt.have, tt.newest)
		if newer != tt.newer || !strings.Contains(text, tt.want) {
			t.Errorf("%s and %s: %q, %v", tt.have, tt.newest, text, newer)
		}
	}
}

func TestHowToUpdate(t *testing.T) {
	for _, tt := range []struct{ exe, beside, want string }{
		{"opt/Cellar/gokernel/1.0.0/bin/gokernel", "", "brew upgrade gokernel"},
		{"opt/homebrew/Caskroom/gokernel/1.0.0/gokernel", "", "brew upgrade gokernel"},
		{"scoop/apps/gokernel/current/gokernel.exe", "", "scoop update gokernel"},
		{"env/share/jupyter/kernels/gokernel/gokernel", "env/lib/python3.12/site-packages/gokernel-1.0.0.dist-info", "pip install --upgrade gokernel"},
		{"win/share/jupyter/kernels/gokernel/gokernel.exe", "win/Lib/site-packages/gokernel-1.0.0.dist-info", "pip install --upgrade gokernel"},
		{"conda/share/jupyter/kernels/gokernel/gokernel", "conda/conda-meta/gokernel-1.0.0-0.json", "conda update gokernel"},
		{"prefix/share/jupyter/kernels/gokernel/gokernel", "", "/releases/tag/v1.1.0"},
		{"go/bin/gokernel", "", "go install github.com/gokernel/gokernel/cmd/gokernel@v1.1.0"},
	} {
		root := t.TempDir()
		for _, f := range []string{tt.exe, tt.beside} {
			if err := os.MkdirAll(filepath.Join(root, filepath.FromSlash(f)), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		if got := howToUpdate(filepath.Join(root, filepath.FromSlash(tt.exe)), "1.1.0"); !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %q", tt.exe, got)
		}
	}
}
