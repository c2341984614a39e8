package main

import (
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/symbols"
)

// defaultEngine is what evaluates cells unless the user chooses another one.
const defaultEngine = "ssa"

// engines are what can evaluate cells, by name.
var engines = map[string]func(engine.Hooks, *symbols.Importer) (engine.Engine, error){}
