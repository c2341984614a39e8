//go:build linux && (amd64 || arm64)

package main

import "golang.org/x/sys/unix"

// numbers holds the numbers of the system calls that cells make, by name.
var numbers = map[string]int{
	"add_key": unix.SYS_ADD_KEY, "bind": unix.SYS_BIND, "bpf": unix.SYS_BPF, "chdir": unix.SYS_CHDIR, "chroot": unix.SYS_CHROOT,
	"clone": unix.SYS_CLONE, "clone3": unix.SYS_CLONE3, "close": unix.SYS_CLOSE, "connect": unix.SYS_CONNECT, "copy_file_range": unix.SYS_COPY_FILE_RANGE,
	"dup3": unix.SYS_DUP3, "epoll_create1": unix.SYS_EPOLL_CREATE1, "eventfd2": unix.SYS_EVENTFD2, "execve": unix.SYS_EXECVE, "execveat": unix.SYS_EXECVEAT,
	"exit": unix.SYS_EXIT, "exit_group": unix.SYS_EXIT_GROUP,
	"faccessat": unix.SYS_FACCESSAT, "fallocate": unix.SYS_FALLOCATE, "fanotify_init": unix.SYS_FANOTIFY_INIT, "fanotify_mark": unix.SYS_FANOTIFY_MARK,
	"fchmod": unix.SYS_FCHMOD, "fchmodat": unix.SYS_FCHMODAT, "fchmodat2": unix.SYS_FCHMODAT2, "fchown": unix.SYS_FCHOWN, "fchownat": unix.SYS_FCHOWNAT,
	"fcntl": unix.SYS_FCNTL, "file_setattr": unix.SYS_FILE_SETATTR, "flock": unix.SYS_FLOCK, "fremovexattr": unix.SYS_FREMOVEXATTR, "fsconfig": unix.SYS_FSCONFIG,
	"fsetxattr": unix.SYS_FSETXATTR, "fsmount": unix.SYS_FSMOUNT, "fsopen": unix.SYS_FSOPEN, "ftruncate": unix.SYS_FTRUNCATE, "futex": unix.SYS_FUTEX,
	"getsid": unix.SYS_GETSID, "inotify_add_watch": unix.SYS_INOTIFY_ADD_WATCH, "inotify_init1": unix.SYS_INOTIFY_INIT1, "io_setup": unix.SYS_IO_SETUP,
	"io_uring_setup": unix.SYS_IO_URING_SETUP, "ioctl": unix.SYS_IOCTL, "ioprio_set": unix.SYS_IOPRIO_SET, "kcmp": unix.SYS_KCMP, "keyctl": unix.SYS_KEYCTL,
	"kill": unix.SYS_KILL, "linkat": unix.SYS_LINKAT, "listen": unix.SYS_LISTEN, "lremovexattr": unix.SYS_LREMOVEXATTR, "lsetxattr": unix.SYS_LSETXATTR,
	"madvise": unix.SYS_MADVISE, "memfd_create": unix.SYS_MEMFD_CREATE, "memfd_secret": unix.SYS_MEMFD_SECRET, "mknodat": unix.SYS_MKNODAT, "mlock": unix.SYS_MLOCK,
	"mlockall": unix.SYS_MLOCKALL, "mmap": unix.SYS_MMAP, "mount": unix.SYS_MOUNT, "mount_setattr": unix.SYS_MOUNT_SETATTR, "move_mount": unix.SYS_MOVE_MOUNT,
	"mq_open": unix.SYS_MQ_OPEN, "mq_timedreceive": unix.SYS_MQ_TIMEDRECEIVE, "mq_timedsend": unix.SYS_MQ_TIMEDSEND, "mq_unlink": unix.SYS_MQ_UNLINK,
	"mremap": unix.SYS_MREMAP, "munmap": unix.SYS_MUNMAP, "msgctl": unix.SYS_MSGCTL, "msgget": unix.SYS_MSGGET, "msgrcv": unix.SYS_MSGRCV, "msgsnd": unix.SYS_MSGSND,
	"name_to_handle_at": unix.SYS_NAME_TO_HANDLE_AT, "open_by_handle_at": unix.SYS_OPEN_BY_HANDLE_AT, "open_tree": unix.SYS_OPEN_TREE, "open_tree_attr": unix.SYS_OPEN_TREE_ATTR,
	"openat": unix.SYS_OPENAT, "openat2": unix.SYS_OPENAT2, "perf_event_open": unix.SYS_PERF_EVENT_OPEN, "personality": unix.SYS_PERSONALITY,
	"pidfd_getfd": unix.SYS_PIDFD_GETFD, "pidfd_open": unix.SYS_PIDFD_OPEN, "pidfd_send_signal": unix.SYS_PIDFD_SEND_SIGNAL, "pipe2": unix.SYS_PIPE2,
	"pivot_root": unix.SYS_PIVOT_ROOT, "pkey_alloc": unix.SYS_PKEY_ALLOC, "prctl": unix.SYS_PRCTL, "prlimit64": unix.SYS_PRLIMIT64, "process_madvise": unix.SYS_PROCESS_MADVISE,
	"process_vm_readv": unix.SYS_PROCESS_VM_READV, "process_vm_writev": unix.SYS_PROCESS_VM_WRITEV, "ptrace": unix.SYS_PTRACE, "read": unix.SYS_READ,
	"readlinkat": unix.SYS_READLINKAT, "recvfrom": unix.SYS_RECVFROM, "renameat2": unix.SYS_RENAMEAT2, "request_key": unix.SYS_REQUEST_KEY,
	"rt_sigqueueinfo": unix.SYS_RT_SIGQUEUEINFO, "rt_tgsigqueueinfo": unix.SYS_RT_TGSIGQUEUEINFO, "sched_setaffinity": unix.SYS_SCHED_SETAFFINITY,
	"sched_setattr": unix.SYS_SCHED_SETATTR, "sched_setscheduler": unix.SYS_SCHED_SETSCHEDULER, "semctl": unix.SYS_SEMCTL, "semget": unix.SYS_SEMGET, "semop": unix.SYS_SEMOP,
	"sendmsg": unix.SYS_SENDMSG, "sendto": unix.SYS_SENDTO, "setfsuid": unix.SYS_SETFSUID, "setns": unix.SYS_SETNS, "setpgid": unix.SYS_SETPGID, "setpriority": unix.SYS_SETPRIORITY,
	"setresuid": unix.SYS_SETRESUID, "setsid": unix.SYS_SETSID, "setxattrat": unix.SYS_SETXATTRAT, "removexattrat": unix.SYS_REMOVEXATTRAT,
	"shmat": unix.SYS_SHMAT, "shmctl": unix.SYS_SHMCTL, "shmget": unix.SYS_SHMGET, "socket": unix.SYS_SOCKET, "socketpair": unix.SYS_SOCKETPAIR, "splice": unix.SYS_SPLICE,
	"symlinkat": unix.SYS_SYMLINKAT, "tee": unix.SYS_TEE, "tgkill": unix.SYS_TGKILL, "timer_create": unix.SYS_TIMER_CREATE, "timerfd_create": unix.SYS_TIMERFD_CREATE,
	"tkill": unix.SYS_TKILL, "truncate": unix.SYS_TRUNCATE, "unlinkat": unix.SYS_UNLINKAT, "unshare": unix.SYS_UNSHARE, "userfaultfd": unix.SYS_USERFAULTFD,
	"utimensat": unix.SYS_UTIMENSAT, "vmsplice": unix.SYS_VMSPLICE, "write": unix.SYS_WRITE,
}
