//go:build !amd64

package linalg

import "testing"

// lessSIMD does nothing: there is one way.
func lessSIMD(*testing.T, func(t *testing.T)) {}
