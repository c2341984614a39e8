package main

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/metrics"
	"time"
)

// peakHeap runs f and returns the maximum number of bytes by which the heap grew while f ran,
// including garbage that had not been collected.
func peakHeap(f func() error) (uint64, error) {
	runtime.GC()
	before := heap()
	stop, most := make(chan struct{}), make(chan uint64)
	go func() {
		tick := time.NewTicker(200 * time.Microsecond)
		defer tick.Stop()
		for top := before; ; top = max(top, heap()) {
			select {
			case <-tick.C:
			case <-stop:
				most <- max(top, heap())
				return
			}
		}
	}()
	err := f()
	close(stop)
	return <-most - before, err
}

// heap returns the size of the objects on the heap.
func heap() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// memory lists the cases whose memory was measured, with their times.
func memory(b *bytes.Buffer, rows []row) {
	b.WriteString("\n## Memory\n\nThe table shows the maximum growth of the heap during the work, without the data and with the default garbage collector settings.\n\n")
	b.WriteString("| case | data | heap, MB | time, s |\n|---|---|---:|---:|\n")
	for _, r := range rows {
		if r.heap > 0 {
			fmt.Fprintf(b, "| %s | %s | %.1f | %s |\n", r.c.name, r.size, float64(r.heap)/1e6, seconds(r.own.Fit))
		}
	}
}
