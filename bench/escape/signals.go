//go:build linux && (amd64 || arm64)

package main

import "golang.org/x/sys/unix"

// signals are attempts to end or stop processes, and to change how they run.
func signals() []*attempt {
	at := func(name, code, stops string) *attempt {
		return &attempt{name: name, setup: withVictim, code: code, stops: stops}
	}
	const scope = "; Landlock's scope for signals"
	owner := "b, p := buf(8)\ntry(`pipe`, $pipe2, p, 0)\nr, w := uintptr(b[0]), uintptr(b[4])\n"
	async := "try(`signal`, $fcntl, r, 10, 9)\ntry(`async`, $fcntl, r, 4, 0o20000)\ntry(`write`, $write, w, str(`x`), 1)\ntime.Sleep(50 * time.Millisecond)"
	return []*attempt{
		at("kill", "try(`kill`, $kill, $PID, 9)", seccomp+scope),
		at("kill with SIGSTOP", "try(`kill`, $kill, $PID, 19)", seccomp+scope),
		at("kill a process group", "var group uintptr = $PID\ntry(`kill`, $kill, -group, 9)", seccomp+scope),
		at("os.Process.Kill", "p, err := os.FindProcess($PID)\nif note(`find`, err) {\n\tnote(`kill`, p.Kill())\n}", seccomp+scope),
		at("tkill", "try(`tkill`, $tkill, $PID, 9)", seccomp+scope),
		at("tgkill", "try(`tgkill`, $tgkill, $PID, $PID, 9)", seccomp+scope),
		at("rt_sigqueueinfo", "const queued = ^uint64(0)\ntry(`sigqueue`, $rt_sigqueueinfo, $PID, 9, words(9, queued&0xffffffff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))", seccomp+scope),
		at("rt_tgsigqueueinfo", "const queued = ^uint64(0)\ntry(`sigqueue`, $rt_tgsigqueueinfo, $PID, $PID, 9, words(9, queued&0xffffffff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))", seccomp+scope),
		at("a signal by pidfd", "fd := try(`open`, $pidfd_open, $PID, 0)\ntry(`signal`, $pidfd_send_signal, fd, 9, 0, 0)", seccomp+scope),
		at("a signal by a descriptor of /proc", "fd := try(`open`, $openat, here, str(`/proc/$PID`), 0o200000)\ntry(`signal`, $pidfd_send_signal, fd, 9, 0, 0)", landlock+", seccomp"),
		at("a signal when a pipe has data (F_SETOWN, F_SETSIG, O_ASYNC)", owner+"try(`own`, $fcntl, r, 8, $PID)\n"+async, seccomp+scope),
		at("a signal when a pipe has data (F_SETOWN_EX)", owner+"try(`own`, $fcntl, r, 15, words(1|$PID<<32))\n"+async, seccomp+scope),
		at("a signal when a pipe has data (FIOASYNC)", owner+"try(`own`, $fcntl, r, 8, $PID)\ntry(`signal`, $fcntl, r, 10, 9)\ntry(`async`, $ioctl, r, 0x5452, words(1))\ntry(`write`, $write, w, str(`x`), 1)\ntime.Sleep(50 * time.Millisecond)", seccomp+scope),
		at("a signal when a socket has data (SIOCSPGRP)", "fds, err := syscall.Socketpair(1, 2, 0)\nif note(`pair`, err) {\n\ttry(`own`, $ioctl, uintptr(fds[0]), 0x8902, words($PID))\n\ttry(`signal`, $fcntl, uintptr(fds[0]), 10, 9)\n\ttry(`async`, $fcntl, uintptr(fds[0]), 4, 0o20000)\n\tsyscall.Write(fds[1], []byte(`x`))\n\ttime.Sleep(50 * time.Millisecond)\n}", seccomp+scope),
		{name: "kill gokernel run", kills: true, code: "try(`kill`, $kill, uintptr(os.Getppid()), 9)", stops: seccomp + scope},
		{name: "end gokernel run by SIGTERM", kills: true, code: "note(`kill`, syscall.Kill(os.Getppid(), syscall.SIGTERM))\ntime.Sleep(200 * time.Millisecond)", stops: seccomp + scope},
		{name: "kill gokernel run by F_SETOWN", kills: true, code: owner + "try(`own`, $fcntl, r, 8, uintptr(os.Getppid()))\n" + async, stops: seccomp + scope},
		{name: "kill all processes of the user", setup: withVictim, proof: killVictim, code: "try(`kill`, $kill, ^uintptr(0), 9)", stops: seccomp + scope},
		{name: "kill its own process group", setup: withVictim, proof: killVictim, code: "try(`kill`, $kill, 0, 0)", stops: "the session has a process group of its own"},
		at("a higher priority (nice)", "try(`nice`, $setpriority, 0, $PID, 15)", seccomp),
		at("another scheduler", "try(`scheduler`, $sched_setscheduler, $PID, 3, words(0))", seccomp),
		at("another scheduler (sched_setattr)", "try(`scheduler`, $sched_setattr, $PID, words(48|3<<32, 0, 19, 0, 0, 0), 0)", seccomp),
		at("other processors", "try(`affinity`, $sched_setaffinity, $PID, 8, words(1))", seccomp),
		at("another priority of input and output", "try(`priority`, $ioprio_set, 1, $PID, 3<<13)", seccomp),
		at("limits", "try(`limits`, $prlimit64, $PID, 7, words(10, 10), 0)", seccomp),
		{name: "limits of gokernel run", code: "try(`limits`, $prlimit64, uintptr(os.Getppid()), 4, words(0, 0), 0)", check: said("limits: ok"), stops: seccomp},
		{name: "live on when gokernel run is killed (PR_SET_PDEATHSIG)", code: "try(`death`, $prctl, 1, 0)", check: said("death: ok"), stops: seccomp},
		{name: "leave its process group", code: "try(`group`, $setpgid, 0, uintptr(syscall.Getpgrp()))", check: said("group: ok"), stops: seccomp},
		{name: "let everybody trace it (PR_SET_PTRACER)", code: "try(`dumpable`, $prctl, 4, 1)", check: said("dumpable: ok"), stops: seccomp},
		{name: "raise its own limits", root: true, code: "try(`limits`, $prlimit64, 0, 1, words(1<<40, 1<<40), 0)", check: said("limits: ok"), stops: "capabilities"},
		{name: "real-time scheduling for itself", root: true, code: "try(`scheduler`, $sched_setscheduler, 0, 1, words(1))\ntry(`back`, $sched_setscheduler, 0, 0, words(0))", check: said("scheduler: ok"), stops: seccomp + ", capabilities"},
	}
}

func killVictim(w *world) error {
	if err := unix.Kill(w.victim.cmd.Process.Pid, unix.SIGKILL); err != nil {
		return err
	}
	<-w.victim.exited
	return nil
}
