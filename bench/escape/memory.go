//go:build linux && (amd64 || arm64)

package main

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"
)

// memory are attempts to use more memory, threads, files or disk space than a session may have.
func memory() []*attempt {
	const watched = "the process is watched"
	touch := func(flags string) string {
		return "const size = 3 << 30\np, e := call($mmap, 0, size, 3, " + flags + ", ^uintptr(0), 0)\nfmt.Println(`map:`, e.Error())\nif e == 0 {\n\tb := unsafe.Slice((*byte)(unsafe.Pointer(p)), size)\n\tfor i := 0; i < size; i += 4096 {\n\t\tb[i] = 1\n\t}\n\ttime.Sleep(300 * time.Millisecond)\n\tfmt.Println(`took`)\n}"
	}
	// copies fills files with a call that moves pages between files.
	copies := func(how string) string {
		return "src, err := os.Create(`source`)\nnote(`source`, err)\n_, err = src.Write(make([]byte, 64<<20))\nnote(`write`, err)\npipes, p := buf(8)\ntry(`pipe`, $pipe2, p, 0)\n_ = pipes\nfor i := range 12 {\n\tdst, err := os.Create(fmt.Sprint(`copy`, i))\n\tnote(`copy`, err)\n\tin, out := src.Fd(), dst.Fd()\n\tvar at uint64\n\tfor at < 64<<20 {\n\t\tn, e := uintptr(0), syscall.Errno(0)\n" + how + "\t\tif e != 0 || n == 0 {\n\t\t\tfmt.Println(e.Error())\n\t\t\tbreak\n\t\t}\n\t\tat += uint64(n)\n\t}\n\tdst.Close()\n}\ntime.Sleep(300 * time.Millisecond)"
	}
	return []*attempt{
		{name: "3 GiB of shared memory", code: touch("0x4021"), check: takes(func(p peak) int { return p.memory }, "MiB"), stops: seccomp + "; " + watched},
		{name: "3 GiB of memory", code: touch("0x4022"), check: takes(func(p peak) int { return p.memory }, "MiB"), stops: "a limit of the system"},
		{name: "3 GiB of memory that was mapped without rights at first", code: "const size = 3 << 30\np, e := call($mmap, 0, size, 0, 0x4022, ^uintptr(0), 0)\nfmt.Println(`map:`, e.Error())\nif e == 0 && note(`protect`, syscall.Mprotect(unsafe.Slice((*byte)(unsafe.Pointer(p)), size), 3)) {\n\tb := unsafe.Slice((*byte)(unsafe.Pointer(p)), size)\n\tfor i := 0; i < size; i += 4096 {\n\t\tb[i] = 1\n\t}\n\ttime.Sleep(300 * time.Millisecond)\n}", check: takes(func(p peak) int { return p.memory }, "MiB"), stops: "a limit of the system"},
		{name: "3 GiB of shared memory by /dev/zero", code: "f, err := os.OpenFile(`/dev/zero`, os.O_RDWR, 0)\nif note(`open`, err) {\n\tconst size = 3 << 30\n\tp, e := call($mmap, 0, size, 1, 1, f.Fd(), 0)\n\tfmt.Println(`map:`, e.Error())\n\tb := unsafe.Slice((*byte)(unsafe.Pointer(p)), size)\n\tif note(`protect`, syscall.Mprotect(b, 3)) {\n\t\tfor i := 0; i < size; i += 4096 {\n\t\t\tb[i] = 1\n\t\t}\n\t\ttime.Sleep(300 * time.Millisecond)\n\t}\n}", check: takes(func(p peak) int { return p.memory }, "MiB"), stops: landlock + "; " + watched},
		{name: "3 GiB of page tables", code: "const size = 3 << 39\np, e := call($mmap, 0, size, 1, 0x4022, ^uintptr(0), 0)\nfmt.Println(`map:`, e.Error())\nif e == 0 {\n\ttry(`advise`, $madvise, p, size, 15)\n\tn := 0\n\tfor i := uintptr(0); i < size; i += 2 << 20 {\n\t\tn += int(*(*byte)(unsafe.Pointer(p + i)))\n\t}\n\ttime.Sleep(300 * time.Millisecond)\n\tfmt.Println(`took`, n)\n}", check: takes(func(p peak) int { return p.tables }, "MiB of page tables"), stops: "a limit of the system; " + watched, long: true},
		{name: "3 GiB of page tables by maps of 32 GiB", code: "const size = 32 << 30\nfor range 48 {\n\tp, e := call($mmap, 0, size, 1, 0x4022, ^uintptr(0), 0)\n\tif e != 0 {\n\t\tfmt.Println(`map:`, e.Error())\n\t\tbreak\n\t}\n\ttry(`advise`, $madvise, p, size, 15)\n\tn := 0\n\tfor i := uintptr(0); i < size; i += 2 << 20 {\n\t\tn += int(*(*byte)(unsafe.Pointer(p + i)))\n\t}\n\tfmt.Println(n)\n}\ntime.Sleep(300 * time.Millisecond)", check: takes(func(p peak) int { return p.tables }, "MiB of page tables"), stops: "a limit of the system; " + watched, long: true},
		{name: "memory that is locked", code: "p, e := call($mmap, 0, 1<<20, 3, 0x2022, ^uintptr(0), 0)\n_ = p\nfmt.Println(`locked:`, e.Error())", check: said("locked: errno 0"), stops: seccomp},
		{name: "lock all memory (mlockall)", code: "try(`lock`, $mlockall, 2)", check: said("lock: ok"), stops: seccomp, root: true},
		{name: "a stack that grows", code: "p, e := call($mmap, 0, 1<<20, 3, 0x122, ^uintptr(0), 0)\n_ = p\nfmt.Println(`stack:`, e.Error())", check: said("stack: errno 0"), stops: seccomp},
		{name: "a file of its own as shared memory", code: "f, err := os.Create(`own`)\nnote(`make`, err)\nnote(`size`, f.Truncate(1<<20))\np, e := call($mmap, 0, 1<<20, 3, 1, f.Fd(), 0)\n_ = p\nfmt.Println(`map:`, e.Error())", check: said("map: errno 0"), stops: seccomp},
		{name: "4000 threads", code: "idle, q := buf(8)\ntry(`pipe`, $pipe2, q, 0)\nfrom := uintptr(idle[0])\nfor range 4000 {\n\tgo func() { call($read, from, q, 1) }()\n}\ntime.Sleep(2 * time.Second)", check: threads, stops: watched, long: true},
		{name: "2000 open files", code: "n := 0\nfor range 2000 {\n\tif _, err := syscall.Dup(0); err != nil {\n\t\tfmt.Println(err)\n\t\tbreak\n\t}\n\tn++\n}\nfmt.Println(n)\ntime.Sleep(100 * time.Millisecond)", check: openFiles, stops: "a limit of the system"},
		{name: "20 GiB of bytes written", code: "f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)\nnote(`open`, err)\nb := make([]byte, 32<<20)\nfor range 640 {\n\tif _, err := f.Write(b); err != nil {\n\t\tfmt.Println(err)\n\t\tbreak\n\t}\n\ttime.Sleep(time.Millisecond)\n}\ntime.Sleep(200 * time.Millisecond)", check: writes, stops: watched},
		{name: "a file of 1 GiB", code: "f, err := os.Create(`big`)\nnote(`make`, err)\nb := make([]byte, 16<<20)\nfor range 64 {\n\tif _, err := f.Write(b); err != nil {\n\t\tfmt.Println(err)\n\t\tbreak\n\t}\n}", check: room(900), stops: "a limit of the system", long: true},
		{name: "disk space reserved without writing (fallocate)", code: "for i := range 50 {\n\tf, err := os.Create(fmt.Sprint(`room`, i))\n\tif err != nil || try(`room`, $fallocate, f.Fd(), 0, 0, 200<<20) != 0 {\n\t\tbreak\n\t}\n\tf.Close()\n}\ntime.Sleep(200 * time.Millisecond)", check: room(5000), stops: seccomp},
		{name: "files filled by splice, which counts no bytes", long: true, check: uncounted, code: copies("\t\toff, o := buf(8)\n\t\t*(*uint64)(unsafe.Pointer(o)) = at\n\t\t_ = off\n\t\tn, e = call($splice, in, o, uintptr(pipes[4]), 0, 65536, 0)\n\t\tif e == 0 {\n\t\t\tn, e = call($splice, uintptr(pipes[0]), 0, out, 0, n, 0)\n\t\t}\n"), stops: watched + "; " + seccomp},
		{name: "files filled by shared pages that become writable (mprotect)", long: true, check: uncounted, code: "for i := range 12 {\n\tf, err := os.Create(fmt.Sprint(`copy`, i))\n\tnote(`make`, err)\n\tnote(`size`, f.Truncate(64<<20))\n\tp, e := call($mmap, 0, 64<<20, 1, 1, f.Fd(), 0)\n\tif e != 0 {\n\t\tfmt.Println(e.Error())\n\t\tbreak\n\t}\n\tb := unsafe.Slice((*byte)(unsafe.Pointer(p)), 64<<20)\n\tif !note(`protect`, syscall.Mprotect(b, 3)) {\n\t\tbreak\n\t}\n\tfor k := 0; k < len(b); k += 4096 {\n\t\tb[k] = 1\n\t}\n\ttry(`unmap`, $munmap, p, 64<<20)\n\tf.Close()\n}\ntime.Sleep(300 * time.Millisecond)", stops: watched + "; " + seccomp},
		{name: "processor time without an end", code: "for {\n}", args: []string{"--timeout", "30s"}, boxed: []string{"--max-cpu", "2s"}, check: func(w *world) string {
			if w.peak.processor > 300 {
				return fmt.Sprintf("the processes have used the processor for %d ms", 10*w.peak.processor)
			}
			return ""
		}, stops: "a limit of the system", long: true},
		{name: "heap beyond --max-memory", code: "var hoard [][]byte\nfor range 400 {\n\thoard = append(hoard, make([]byte, 8<<20))\n\tfor i := 0; i < 8<<20; i += 4096 {\n\t\thoard[len(hoard)-1][i] = 1\n\t}\n}\nfmt.Println(`took`, len(hoard))", check: said("took 400"), unshown: "the session stops the cell without the sandbox too", stops: "the session; " + watched},
		{name: "goroutines without an end", code: "for range 3 << 20 {\n\tgo func() { select {} }()\n}\ntime.Sleep(100 * time.Millisecond)\nfmt.Println(`started`)", check: takes(func(p peak) int { return p.memory }, "MiB"), unshown: "the session stops the cell without the sandbox too", stops: "the session; " + watched, long: true},
	}
}

// most is the usage in MiB above which a limit has not held. Attempts use 3072 MiB, and may use
// some memory before the excess is detected.
const most = 2560

func takes(of func(peak) int, unit string) func(*world) string {
	return func(w *world) string {
		if n := of(w.peak); n > most {
			return fmt.Sprintf("the process has taken %d %s, of %d allowed", n, unit, allMemory)
		}
		return ""
	}
}

func threads(w *world) string {
	if n := w.peak.threads; n > 3500 {
		return fmt.Sprintf("the process has had %d threads", n)
	}
	return ""
}

func openFiles(w *world) string {
	if n := w.peak.files; n > 1100 {
		return fmt.Sprintf("the process has had %d files", n)
	}
	return ""
}

func writes(w *world) string {
	if n := w.peak.written; n > 12000 {
		return fmt.Sprintf("the process has written %d MiB", n)
	}
	return ""
}

// taken returns the size of the files in the notebook's folder, in MiB.
func taken(w *world) int {
	blocks := int64(0)
	_ = filepath.WalkDir(w.in, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := d.Info(); err == nil {
			if st, ok := info.Sys().(*syscall.Stat_t); ok {
				blocks += st.Blocks
			}
		}
		return nil
	})
	return int(blocks >> 11)
}

func room(mib int) func(*world) string {
	return func(w *world) string {
		if n := taken(w); n > mib {
			return fmt.Sprintf("the files have %d MiB", n)
		}
		return ""
	}
}

// uncounted reports files that are much larger than the counted size.
func uncounted(w *world) string {
	if n := taken(w); n > 2*w.peak.counted+100 {
		return fmt.Sprintf("the files have %d MiB, of which %d were counted", n, w.peak.counted)
	}
	return ""
}
