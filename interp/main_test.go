package interp_test

import (
	"os"
	"testing"
)

// TestMain keeps the tests from the network and from the modules of this repository;
// those about modules have a proxy of their own.
func TestMain(m *testing.M) {
	os.Setenv("GOPROXY", "off")
	os.Setenv("GOFLAGS", "-mod=readonly")
	os.Exit(m.Run())
}
