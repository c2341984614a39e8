package main

import "github.com/gokernel/gokernel/interp/engines"

// defaultEngine is the engine that evaluates cells unless the user chooses another one.
const defaultEngine = engines.Default
