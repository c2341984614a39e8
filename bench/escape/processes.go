//go:build linux && (amd64 || arm64)

package main

import "strings"

// processes are attempts to start programs, to become another program, and to get rights.
func processes() []*attempt {
	touch := "`touch`, `$OUT/touched`"
	forks := func(name, call string) *attempt {
		return &attempt{name: name, check: said("forked"), stops: seccomp, code: "r, _, e := syscall.RawSyscall6(" + call + ")\nif r == 0 && e == 0 {\n\tsyscall.RawSyscall($exit_group, 0, 0, 0)\n}\nfmt.Println(e.Error())\nif e == 0 {\n\tfmt.Println(`forked`)\n}"}
	}
	return []*attempt{
		{name: "a program by os/exec", code: "import \"os/exec\"\nnote(`run`, exec.Command(" + touch + ").Run())", stops: seccomp},
		{name: "a program by syscall.ForkExec", code: "_, err := syscall.ForkExec(`/bin/sh`, []string{`sh`, `-c`, `echo x >$OUT/touched`}, nil)\nnote(`start`, err)\ntime.Sleep(100 * time.Millisecond)", stops: seccomp},
		{name: "a program by os.StartProcess", code: "p, err := os.StartProcess(`/bin/sh`, []string{`sh`, `-c`, `echo x >$OUT/touched`}, &os.ProcAttr{})\nif note(`start`, err) {\n\tp.Wait()\n}", stops: seccomp},
		{name: "another program instead of the evaluator (execve)", code: "v := words(uint64(str(`sh`)), uint64(str(`-c`)), uint64(str(`echo x >$OUT/touched`)), 0)\ntry(`exec`, $execve, str(`/bin/sh`), v, words(0))", check: replaced, stops: seccomp},
		{name: "another program by its descriptor (execveat)", code: "fd := open(`/bin/sh`)\nif fd == ^uintptr(0) {\n\tfd = open(`/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2`)\n}\nv := words(uint64(str(`sh`)), uint64(str(`-c`)), uint64(str(`echo x >$OUT/touched`)), 0)\ntry(`exec`, $execveat, fd, str(``), v, words(0), 0x1000)", check: replaced, stops: seccomp},
		{name: "a shell command by !", code: "!echo x > $OUT/touched", stops: seccomp, bare: true},
		{name: "a shell script by %%bash", code: "%%bash\necho x > $OUT/touched", stops: seccomp, bare: true},
		{name: "a program that outlives gokernel run", code: "import \"os/exec\"\nc := exec.Command(`setsid`, `sh`, `-c`, `echo x >$OUT/touched`)\nnote(`start`, c.Start())\n_ = c.Wait()", stops: seccomp},
		forks("a process by clone", "$clone, 17, 0, 0, 0, 0, 0"),
		forks("a process by clone, child of gokernel run (CLONE_PARENT)", "$clone, 0x8000|17, 0, 0, 0, 0, 0"),
		{name: "a process by clone3", spaces: true, check: said("forked"), stops: seccomp, code: "args := words(0, 0, 0, 0, 17, 0, 0, 0)\nr, _, e := syscall.RawSyscall6($clone3, args, 64, 0, 0, 0, 0)\nif r == 0 && e == 0 {\n\tsyscall.RawSyscall($exit_group, 0, 0, 0)\n}\nfmt.Println(e.Error())\nif e == 0 {\n\tfmt.Println(`forked`)\n}"},
		{name: "a fork bomb", code: "import \"os/exec\"\nc := exec.Command(`bash`, `-c`, `for i in {1..200}; do sleep 1 & done; wait`)\nnote(`run`, c.Run())", check: manyProcesses, stops: seccomp},
		{name: "threads in namespaces of their own", root: true, code: "try(`clone`, $clone, 0x10f00|0x4000000, 0)", check: said("clone: ok"), unshown: "a thread without a stack would end the evaluator", stops: seccomp},
		{name: "enter the namespaces of another process", root: true, setup: withVictim, code: "runtime.LockOSThread()\nfd := try(`open`, $pidfd_open, $PID, 0)\ntry(`enter`, $setns, fd, 0x4000000)", check: said("enter: ok"), stops: seccomp + ", capabilities"},
		{name: "another user", root: true, code: "try(`user`, $setresuid, 65533, ^uintptr(0), ^uintptr(0))\ntry(`back`, $setresuid, 0, ^uintptr(0), ^uintptr(0))", check: said("user: ok"), stops: seccomp + ", capabilities"},
		{name: "another user for files", root: true, code: "try(`user`, $setfsuid, 65533)\nr, e := call($setfsuid, 0)\nfmt.Println(`was`, r, e.Error())", check: said("was 65533"), stops: seccomp + ", capabilities"},
		{name: "the personality of another system", code: "try(`personality`, $personality, 0x0040000)", check: said("personality: ok"), stops: seccomp},
		{name: "capabilities in a user namespace", code: "import \"os/exec\"\nc := exec.Command(`sh`, `-c`, `echo x >$OUT/touched`)\nc.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER}\nnote(`run`, c.Run())", stops: seccomp, spaces: true},
		{name: "a program in a set of its own (os/exec with Setsid and Setpgid)", code: "import \"os/exec\"\nc := exec.Command(" + touch + ")\nc.SysProcAttr = &syscall.SysProcAttr{Setsid: true}\nnote(`run`, c.Run())", stops: seccomp},
		{name: "memory that is written and then run", code: "p, e := call($mmap, 0, 4096, 7, 0x22, ^uintptr(0), 0)\n_ = p\nfmt.Println(`map:`, e.Error())", check: said("map: errno 0"), known: "code that the cell writes itself has the same rights as the cell"},
		{name: "a system call by the numbers of x32", check: said("getppid: ok"), code: "try(`getppid`, 0x40000000+110)", unshown: "this kernel does not offer them", stops: seccomp},
	}
}

func manyProcesses(w *world) string {
	if w.peak.processes > 100 {
		return "there were more than 100 processes"
	}
	return ""
}

// replaced reports that the evaluator has become another program.
func replaced(w *world) string {
	if strings.Contains(w.shown, "session lost") {
		return "the evaluator has become another program"
	}
	return ""
}
