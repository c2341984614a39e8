//go:build linux

package sandbox

import "golang.org/x/sys/unix"

// ownAllowed are the older forms of allowed calls, which this architecture does not have.
var ownAllowed = []uint32{}

const fstatat = unix.SYS_FSTATAT
