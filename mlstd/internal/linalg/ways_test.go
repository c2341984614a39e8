//go:build !amd64

package linalg

import "testing"

// lessSIMD does nothing, because there is only one implementation.
func lessSIMD(*testing.T, func(t *testing.T)) {}
