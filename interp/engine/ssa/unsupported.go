//go:build !((linux || darwin || windows) && (amd64 || arm64))

package ssa

import (
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// Engine cannot be made on this platform.
type Engine struct{ engine.Engine }

// Room does nothing: no cell runs.
func Room(int, uintptr) {}

// New fails: package rtype does not know the platform.
func New(Config) (*Engine, error) { return nil, Check() }

// Check says so.
func Check() error { return rtype.Check() }
