//go:build linux && (amd64 || arm64)

package main

import (
	"fmt"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ipc are attempts to read, change or remove objects that processes share.
func ipc() []*attempt {
	const ns = seccomp + "; an IPC namespace"
	return []*attempt{
		{name: "read a System V segment", setup: withSegment, code: "p := try(`attach`, $shmat, $SEGMENT, 0, 0)\nif p != ^uintptr(0) {\n\tfmt.Println(string(unsafe.Slice((*byte)(unsafe.Pointer(p)), 24)))\n}", stops: ns},
		{name: "write a System V segment", setup: withSegment, check: segment, code: "p := try(`attach`, $shmat, $SEGMENT, 0, 0)\nif p != ^uintptr(0) {\n\t*(*byte)(unsafe.Pointer(p)) = 'x'\n}", stops: ns},
		{name: "remove a System V segment", setup: withSegment, check: segment, code: "try(`remove`, $shmctl, $SEGMENT, 0, 0)", stops: ns},
		{name: "make a System V segment that stays", code: "id := try(`make`, $shmget, 0, 4096, 0o1600)\ntry(`remove`, $shmctl, id, 0, 0)", check: said("make: ok"), stops: seccomp},
		{name: "take a message of a System V queue", setup: withQueue, check: queue, code: "b, p := buf(100)\nn := try(`take`, $msgrcv, $QUEUE, p, 24, 0, 0o4000)\nif n < 100 {\n\tfmt.Println(string(b[8:8+n]))\n}", stops: ns},
		{name: "send a message to a System V queue", setup: withQueue, check: queue, code: "try(`send`, $msgsnd, $QUEUE, words(1, 1), 8, 0o4000)", stops: ns},
		{name: "remove a System V queue", setup: withQueue, check: queue, code: "try(`remove`, $msgctl, $QUEUE, 0, 0)", stops: ns},
		{name: "change a System V semaphore", setup: withSemaphore, check: semaphore, code: "try(`change`, $semctl, $SEMAPHORE, 0, 16, 5)", stops: ns},
		{name: "take a System V semaphore", setup: withSemaphore, check: semaphore, code: "try(`take`, $semop, $SEMAPHORE, words(0xffff0000), 1)", stops: ns},
		{name: "remove a System V semaphore", setup: withSemaphore, check: semaphore, code: "try(`remove`, $semctl, $SEMAPHORE, 0, 0, 0)", stops: ns},
		{name: "take a message of a POSIX queue", setup: withPOSIX, check: posix, code: "fd := try(`open`, $mq_open, str(`$POSIX`), 2, 0, 0)\nb, p := buf(100)\nn := try(`take`, $mq_timedreceive, fd, p, 64, 0, words(0, 0))\nif n < 100 {\n\tfmt.Println(string(b[:n]))\n}", stops: ns},
		{name: "send a message to a POSIX queue", setup: withPOSIX, check: posix, code: "fd := try(`open`, $mq_open, str(`$POSIX`), 2, 0, 0)\ntry(`send`, $mq_timedsend, fd, str(`x`), 1, 0, words(0, 0))", stops: ns},
		{name: "remove a POSIX queue", setup: withPOSIX, check: posix, code: "try(`remove`, $mq_unlink, str(`$POSIX`))", stops: ns},
		{name: "read a key of the kernel's", setup: withKey, code: "id := try(`search`, $request_key, str(`user`), str(`$KEY`), 0, ^uintptr(3))\nb, p := buf(100)\nn := try(`read`, $keyctl, 11, id, p, 100)\nif n < 100 {\n\tfmt.Println(string(b[:n]))\n}", stops: seccomp},
		{name: "add a key that stays", code: "id := try(`add`, $add_key, str(`user`), str(`escape:added`), str(`x`), 1, ^uintptr(3))\ntry(`unlink`, $keyctl, 9, id, ^uintptr(3))", check: said("add: ok"), stops: seccomp},
		{name: "trace a process", setup: withVictim, code: "runtime.LockOSThread()\ntry(`seize`, $ptrace, 0x4206, $PID, 0, 0)\ntry(`detach`, $ptrace, 17, $PID, 0, 0)", check: said("seize: ok"), stops: seccomp + ", Landlock"},
		{name: "read the memory of a process", setup: withVictim, code: "b, p := buf(40)\ntry(`read`, $process_vm_readv, $PID, words(uint64(p), 31), 1, words($ENVIRON, 31), 1, 0)\nfmt.Println(string(b))", stops: seccomp + ", Landlock"},
		{name: "write the memory of a process", setup: withVictim, code: "try(`write`, $process_vm_writev, $PID, words(uint64(str(`x`)), 1), 1, words($ENVIRON, 1), 1, 0)", stops: seccomp + ", Landlock"},
		{name: "take a descriptor of a process", setup: withVictim, code: "fd := try(`open`, $pidfd_open, $PID, 0)\ntry(`take`, $pidfd_getfd, fd, 0, 0)", check: said("take: ok"), stops: seccomp + ", Landlock"},
		{name: "compare itself with a process", setup: withVictim, code: "r, e := call($kcmp, uintptr(os.Getpid()), $PID, 1, 0, 0)\nfmt.Println(r, e.Error())\nif e == 0 {\n\tfmt.Println(`compared`)\n}", check: said("compared"), stops: seccomp + ", Landlock"},
		{name: "advise the kernel about the memory of a process", setup: withVictim, code: "fd := try(`open`, $pidfd_open, $PID, 0)\ntry(`advise`, $process_madvise, fd, words($ENVIRON&^4095, 4096), 1, 20, 0)", check: said("advise: ok"), root: true, stops: seccomp},
		{name: "memory that others can map (memfd_create)", code: "try(`make`, $memfd_create, str(`a`), 0)", check: said("make: ok"), stops: seccomp},
		{name: "memory that nobody can see (memfd_secret)", code: "r, e := call($memfd_secret, 0)\nfmt.Println(r, e.Error())", check: said("errno 0"), unshown: "this kernel does not offer it", stops: seccomp},
		{name: "handle faults of memory (userfaultfd)", root: true, code: "try(`make`, $userfaultfd, 0)", check: said("make: ok"), stops: seccomp},
		{name: "count what a process does (perf_event_open)", root: true, setup: withVictim, code: "try(`count`, $perf_event_open, words(1|112<<32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), $PID, ^uintptr(0), ^uintptr(0), 0)", check: said("count: ok"), stops: seccomp + ", capabilities"},
		{name: "load a program into the kernel (bpf)", root: true, code: "try(`map`, $bpf, 0, words(2|4<<32, 4|1<<32, 0, 0, 0, 0, 0, 0, 0), 72)", check: said("map: ok"), stops: seccomp + ", capabilities"},
		{name: "splice memory into a pipe", code: "b, p := buf(8)\ntry(`pipe`, $pipe2, p, 0)\ntry(`vmsplice`, $vmsplice, uintptr(b[4]), words(uint64(str(`x`)), 1), 1, 0)", check: said("vmsplice: ok"), stops: seccomp},
		{name: "asynchronous input and output of the kernel (io_setup)", code: "try(`setup`, $io_setup, 8, words(0))", check: said("setup: ok"), stops: seccomp},
	}
}

func sys(n int, args ...uintptr) (uintptr, error) {
	var a [6]uintptr
	copy(a[:], args)
	r, _, errno := unix.Syscall6(uintptr(n), a[0], a[1], a[2], a[3], a[4], a[5])
	if errno != 0 {
		return 0, errno
	}
	return r, nil
}

func withSegment(w *world) error {
	id, err := sys(unix.SYS_SHMGET, unix.IPC_PRIVATE, 4096, unix.IPC_CREAT|0o600)
	if err != nil {
		return err
	}
	w.vars["SEGMENT"] = fmt.Sprint(id)
	b, err := unix.SysvShmAttach(int(id), 0, 0)
	if err != nil {
		return err
	}
	copy(b, w.token)
	w.closers = append(w.closers, func() {
		_ = unix.SysvShmDetach(b)
		_, _ = unix.SysvShmCtl(int(id), unix.IPC_RMID, nil) // the attempt may have removed it
	})
	return nil
}

func segment(w *world) string {
	var id int
	if _, err := fmt.Sscan(w.vars["SEGMENT"], &id); err != nil {
		return err.Error()
	}
	b, err := unix.SysvShmAttach(id, 0, unix.SHM_RDONLY)
	if err != nil {
		return "the segment: " + err.Error()
	}
	defer func() { _ = unix.SysvShmDetach(b) }()
	if got := string(b[:len(w.token)]); got != w.token {
		return "the segment holds something else"
	}
	var st unix.SysvShmDesc
	if _, err := unix.SysvShmCtl(id, unix.IPC_STAT, &st); err != nil || st.Perm.Mode&0o1000 != 0 {
		return fmt.Sprintf("the segment is to be removed: %v", err)
	}
	return ""
}

// message is a message of a System V queue.
type message struct {
	kind int64
	text [24]byte
}

func withQueue(w *world) error {
	id, err := sys(unix.SYS_MSGGET, unix.IPC_PRIVATE, unix.IPC_CREAT|0o600)
	if err != nil {
		return err
	}
	w.vars["QUEUE"] = fmt.Sprint(id)
	w.closers = append(w.closers, func() { _, _ = sys(unix.SYS_MSGCTL, id, unix.IPC_RMID, 0) })
	m := message{kind: 1}
	copy(m.text[:], w.token)
	_, err = sys(unix.SYS_MSGSND, id, uintptr(unsafe.Pointer(&m)), unsafe.Sizeof(m.text), 0)
	return err
}

func queue(w *world) string {
	var id uintptr
	if _, err := fmt.Sscan(w.vars["QUEUE"], &id); err != nil {
		return err.Error()
	}
	var m message
	const noWait = 0o4000
	if _, err := sys(unix.SYS_MSGRCV, id, uintptr(unsafe.Pointer(&m)), unsafe.Sizeof(m.text), 0, noWait); err != nil || string(m.text[:]) != w.token {
		return fmt.Sprintf("the message is gone: %v", err)
	}
	if _, err := sys(unix.SYS_MSGRCV, id, uintptr(unsafe.Pointer(&m)), unsafe.Sizeof(m.text), 0, noWait); err == nil {
		return "there is another message"
	}
	return ""
}

func withSemaphore(w *world) error {
	id, err := sys(unix.SYS_SEMGET, unix.IPC_PRIVATE, 1, unix.IPC_CREAT|0o600)
	if err != nil {
		return err
	}
	w.vars["SEMAPHORE"] = fmt.Sprint(id)
	w.closers = append(w.closers, func() { _, _ = sys(unix.SYS_SEMCTL, id, 0, unix.IPC_RMID) })
	const setVal = 16
	_, err = sys(unix.SYS_SEMCTL, id, 0, setVal, 1)
	return err
}

func semaphore(w *world) string {
	var id uintptr
	if _, err := fmt.Sscan(w.vars["SEMAPHORE"], &id); err != nil {
		return err.Error()
	}
	const getVal = 12
	if v, err := sys(unix.SYS_SEMCTL, id, 0, getVal); err != nil || v != 1 {
		return fmt.Sprintf("the semaphore is %d, %v", v, err)
	}
	return ""
}

// posixAttributes are the attributes of a POSIX queue: flags, maximum number of messages, their
// size, and their number.
type posixAttributes [8]int64

func withPOSIX(w *world) error {
	name := "escape-" + w.token[:8]
	w.vars["POSIX"] = name
	p, err := unix.BytePtrFromString(name)
	if err != nil {
		return err
	}
	attr := posixAttributes{0, 4, 64}
	fd, err := sys(unix.SYS_MQ_OPEN, uintptr(unsafe.Pointer(p)), unix.O_RDWR|unix.O_CREAT|unix.O_EXCL, 0o600, uintptr(unsafe.Pointer(&attr)))
	if err != nil {
		return err
	}
	w.closers = append(w.closers, func() {
		unix.Close(int(fd))
		_, _ = sys(unix.SYS_MQ_UNLINK, uintptr(unsafe.Pointer(p))) // the attempt may have removed it
	})
	text := []byte(w.token)
	_, err = sys(unix.SYS_MQ_TIMEDSEND, fd, uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)), 0, 0)
	return err
}

func posix(w *world) string {
	p, err := unix.BytePtrFromString(w.vars["POSIX"])
	if err != nil {
		return err.Error()
	}
	fd, err := sys(unix.SYS_MQ_OPEN, uintptr(unsafe.Pointer(p)), unix.O_RDWR, 0, 0)
	if err != nil {
		return "the queue: " + err.Error()
	}
	defer unix.Close(int(fd))
	var attr posixAttributes
	if _, err := sys(unix.SYS_MQ_GETSETATTR, fd, 0, uintptr(unsafe.Pointer(&attr))); err != nil || attr[3] != 1 {
		return fmt.Sprintf("the queue has %d messages, %v", attr[3], err)
	}
	b := make([]byte, 64)
	soon := unix.NsecToTimespec(time.Now().UnixNano())
	if n, err := sys(unix.SYS_MQ_TIMEDRECEIVE, fd, uintptr(unsafe.Pointer(&b[0])), 64, 0, uintptr(unsafe.Pointer(&soon))); err != nil || string(b[:n]) != w.token {
		return fmt.Sprintf("the queue has another message, %v", err)
	}
	return ""
}

func withKey(w *world) error {
	w.vars["KEY"] = "escape:" + w.token[:8]
	id, err := unix.AddKey("user", w.vars["KEY"], []byte(w.token), unix.KEY_SPEC_USER_KEYRING)
	if err != nil {
		return err
	}
	w.closers = append(w.closers, func() { _, _ = unix.KeyctlInt(unix.KEYCTL_UNLINK, id, unix.KEY_SPEC_USER_KEYRING, 0, 0) })
	return nil
}
