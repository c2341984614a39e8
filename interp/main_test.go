package interp_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain keeps the tests from the network and from the modules of this repository;
// those about modules have a proxy of their own.
func TestMain(m *testing.M) {
	// Tests in cells that are stopped end later, and would close the log of this process
	// by which go test knows what it has read: there is none.
	flag.Parse()
	if err := flag.Set("test.testlogfile", ""); err != nil {
		panic(err)
	}
	os.Setenv("GOPROXY", "off")
	os.Setenv("GOFLAGS", "-mod=readonly")
	os.Exit(m.Run())
}
