package transport

import "time"

// Limits bound what one peer may cost.
type Limits struct {
	Handshake time.Duration // for the ZMTP handshake; default 5 s
	Frames    int           // of a received message; default 4096
	Bytes     int           // of a received message; default 512 MiB
	HighWater int           // queued bytes from which a peer counts as slow; default 8 MiB
	Queue     int           // queued bytes at which a peer is cut off; default 256 MiB
	Stall     time.Duration // a slow peer that takes nothing for so long is cut off; default 10 s
}

func (l Limits) withDefaults() Limits {
	if l.Handshake <= 0 {
		l.Handshake = 5 * time.Second
	}
	if l.Frames <= 0 {
		l.Frames = 4096
	}
	if l.Bytes <= 0 {
		l.Bytes = 512 << 20
	}
	if l.HighWater <= 0 {
		l.HighWater = 8 << 20
	}
	if l.Queue <= 0 {
		l.Queue = 256 << 20
	}
	if l.Stall <= 0 {
		l.Stall = 10 * time.Second
	}
	return l
}
