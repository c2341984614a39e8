package interp_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain keeps the tests away from the network and from the modules of this repository. Tests of
// modules have their own proxy.
func TestMain(m *testing.M) {
	// Stopped tests in cells end later, and would close this process's log of the files it has
	// read, which go test uses. There is no such log here.
	flag.Parse()
	if err := flag.Set("test.testlogfile", ""); err != nil {
		panic(err)
	}
	os.Setenv("GOPROXY", "off")
	os.Setenv("GOFLAGS", "-mod=readonly")
	os.Exit(m.Run())
}
