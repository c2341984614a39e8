//go:build linux

package sandbox

import "golang.org/x/sys/unix"

// ownAllowed lists the older forms of allowed calls, which other architectures do not have.
var ownAllowed = []uint32{
	unix.SYS_OPEN, unix.SYS_ACCESS, unix.SYS_STAT, unix.SYS_LSTAT, unix.SYS_READLINK, unix.SYS_GETDENTS,
	unix.SYS_MKDIR, unix.SYS_RMDIR, unix.SYS_UNLINK, unix.SYS_RENAME, unix.SYS_LINK, unix.SYS_SYMLINK,
	unix.SYS_PIPE, unix.SYS_DUP2, unix.SYS_POLL, unix.SYS_SELECT, unix.SYS_EPOLL_CREATE, unix.SYS_EPOLL_WAIT,
	unix.SYS_EVENTFD, unix.SYS_TIME, unix.SYS_PAUSE, unix.SYS_ALARM, unix.SYS_GETPGRP,
}

const fstatat = unix.SYS_NEWFSTATAT
