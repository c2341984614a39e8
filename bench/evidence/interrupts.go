package main

import "io"

func interrupt(n int, seed uint64, w io.Writer) error { return nil }
