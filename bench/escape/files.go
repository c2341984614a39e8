//go:build linux && (amd64 || arm64)

package main

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// The defenses against attempts on files.
const (
	landlock = "Landlock"
	seccomp  = "seccomp"
)

// files are attempts to read, change or watch files outside of the notebook's folder.
func files() []*attempt {
	return append([]*attempt{
		{name: "read a file", code: "b, err := os.ReadFile(`$SECRET`)\nnote(string(b), err)", stops: landlock},
		{name: "read a file by a path through the folder's parent", code: "b, err := os.ReadFile(`../out/secret`)\nnote(string(b), err)", stops: landlock},
		{name: "read a file through a symbolic link", code: "_ = os.Symlink(`$SECRET`, `link`)\nb, err := os.ReadFile(`link`)\nnote(string(b), err)", stops: landlock},
		{name: "read a file through a symbolic link to its folder", code: "_ = os.Symlink(`$OUT`, `dir`)\nb, err := os.ReadFile(`dir/secret`)\nnote(string(b), err)", stops: landlock},
		{name: "read a file through a hard link", code: "note(`link`, os.Link(`$SECRET`, `hard`))\nb, err := os.ReadFile(`hard`)\nnote(string(b), err)", stops: landlock},
		{name: "read a file that was moved into the folder", code: "note(`rename`, os.Rename(`$SECRET`, `mine`))\nb, err := os.ReadFile(`mine`)\nnote(string(b), err)", stops: landlock},
		{name: "read a file through /proc/self/root", code: "b, err := os.ReadFile(`/proc/self/root$SECRET`)\nnote(string(b), err)", stops: landlock},
		{name: "read a file through /proc/self/cwd", code: "b, err := os.ReadFile(`/proc/self/cwd/../out/secret`)\nnote(string(b), err)", stops: landlock},
		{name: "read a file by openat2", code: "_, how := buf(24)\nfd := try(`openat2`, $openat2, here, str(`$SECRET`), how, 24)\nb, p := buf(100)\nn := try(`read`, $read, fd, p, 100)\nif n < 100 {\n\tfmt.Println(string(b[:n]))\n}", stops: seccomp},
		{name: "read a file after chdir to its folder", code: "note(`chdir`, os.Chdir(`$OUT`))\nb, err := os.ReadFile(`secret`)\nnote(string(b), err)", stops: landlock},
		{name: "read a file by a descriptor of its folder (O_PATH)", code: "const path = 0o10000000\nd := try(`openat`, $openat, here, str(`$OUT`), path)\nfd := try(`openat`, $openat, d, str(`secret`), 0)\nb, p := buf(100)\nn := try(`read`, $read, fd, p, 100)\nif n < 100 {\n\tfmt.Println(string(b[:n]))\n}", stops: landlock},
		{name: "open a file by its handle", setup: withHandle, root: true, code: "h, p := buf(136)\nfor i := range len(`$HANDLE`) / 2 {\n\tfmt.Sscanf(`$HANDLE`[2*i:2*i+2], `%02x`, &h[i])\n}\nm := try(`openat`, $openat, here, str(`.`), 0)\nfd := try(`open_by_handle_at`, $open_by_handle_at, m, p, 0)\nb, q := buf(100)\nn := try(`read`, $read, fd, q, 100)\nif n < 100 {\n\tfmt.Println(string(b[:n]))\n}", stops: seccomp + ", capabilities"},
		{name: "read a file by io_uring", code: "_, p := buf(120)\ntry(`ring`, $io_uring_setup, 8, p)", check: said("ring: ok"), stops: seccomp},
		{name: "list a folder", setup: withNamedFile, code: "list, err := os.ReadDir(`$OUT/names`)\nfmt.Println(list)\nnote(`list`, err)", stops: landlock},
		{name: "list a folder through an open descriptor of the parent", setup: withNamedFile, code: "const path = 0o10000000\nd := try(`openat`, $openat, here, str(`..`), path)\nfd := try(`openat`, $openat, d, str(`out/names`), 0o200000)\nlist, err := os.NewFile(fd, `d`).ReadDir(-1)\nfmt.Println(list)\nnote(`list`, err)", stops: landlock},
		{name: "read the target of a symbolic link", setup: withNamedLink, code: "s, err := os.Readlink(`$OUT/link`)\nnote(s, err)", known: "Landlock has no rule for readlink"},
		{name: "ask whether a file is there", code: "info, err := os.Stat(`$SECRET`)\nnote(`stat`, err)\nif err == nil {\n\tfmt.Println(`size`, info.Size())\n}", check: said("size 24"), known: "Landlock has no rule for stat"},
		{name: "write over a file", code: "note(`write`, os.WriteFile(`$SECRET`, []byte(`x`), 0o600))", stops: landlock},
		{name: "write over a file through a symbolic link", code: "_ = os.Symlink(`$SECRET`, `link`)\nnote(`write`, os.WriteFile(`link`, []byte(`x`), 0o600))", stops: landlock},
		{name: "append to a file", code: "f, err := os.OpenFile(`$SECRET`, os.O_APPEND|os.O_WRONLY, 0)\nif note(`open`, err) {\n\tf.WriteString(`x`)\n}", stops: landlock},
		{name: "truncate a file by its name", code: "note(`truncate`, os.Truncate(`$SECRET`, 0))", stops: landlock},
		{name: "open a file with O_TRUNC for reading", code: "f, err := os.OpenFile(`$SECRET`, os.O_TRUNC|os.O_RDONLY, 0)\n_ = f\nnote(`open`, err)", stops: landlock},
		{name: "make a file", code: "note(`write`, os.WriteFile(`$OUT/new`, nil, 0o600))", stops: landlock},
		{name: "make a file without a name, and name it (O_TMPFILE)", code: "const tmpfile = 0o20200000\nfd := try(`openat`, $openat, here, str(`$OUT`), tmpfile|2, 0o600)\ntry(`linkat`, $linkat, here, str(fmt.Sprint(`/proc/self/fd/`, fd)), here, str(`$OUT/new`), 0x400)", stops: landlock},
		{name: "make a folder", code: "note(`mkdir`, os.Mkdir(`$OUT/new`, 0o700))", stops: landlock},
		{name: "make a symbolic link", code: "note(`symlink`, os.Symlink(`/`, `$OUT/new`))", stops: landlock},
		{name: "make a pipe (mknod)", code: "try(`mknodat`, $mknodat, here, str(`$OUT/pipe`), 0o010600, 0)", stops: seccomp},
		{name: "make a device in the notebook's folder", root: true, code: "try(`mknodat`, $mknodat, here, str(`zero`), 0o020600, 0x105)\nb := make([]byte, 4)\nf, err := os.Open(`zero`)\nif note(`device`, err) {\n\t_, err = f.Read(b)\n\tnote(`read device`, err)\n}", check: said("read device: ok"), stops: seccomp + ", Landlock, capabilities"},
		{name: "remove a file", code: "note(`remove`, os.Remove(`$SECRET`))", stops: landlock},
		{name: "remove an empty folder", setup: withFolder, code: "note(`remove`, os.Remove(`$OUT/empty`))", stops: landlock},
		{name: "rename a file", code: "note(`rename`, os.Rename(`$SECRET`, `$OUT/other`))", stops: landlock},
		{name: "move a file out of the folder", code: "_ = os.WriteFile(`mine`, nil, 0o600)\nnote(`rename`, os.Rename(`mine`, `$OUT/mine`))", stops: landlock},
		{name: "exchange a file with a file in the folder", code: "_ = os.WriteFile(`mine`, nil, 0o600)\ntry(`renameat2`, $renameat2, here, str(`mine`), here, str(`$SECRET`), 2)", stops: landlock},
		{name: "link a file of the folder elsewhere", code: "_ = os.WriteFile(`mine`, nil, 0o600)\nnote(`link`, os.Link(`mine`, `$OUT/mine`))", stops: landlock},
		{name: "copy to a file by copy_file_range", code: "_ = os.WriteFile(`mine`, []byte(`x`), 0o600)\nin := open(`mine`)\nout := try(`openat`, $openat, here, str(`$SECRET`), 1)\ntry(`copy`, $copy_file_range, in, 0, out, 0, 1, 0)", stops: landlock},
		{name: "change a mode", code: "note(`chmod`, os.Chmod(`$SECRET`, 0o777))", stops: seccomp},
		{name: "change a mode by fchmodat2", code: "try(`fchmodat2`, $fchmodat2, here, str(`$SECRET`), 0o777, 0x100)", stops: seccomp},
		{name: "change an owner", code: "note(`chown`, os.Chown(`$SECRET`, os.Getuid(), os.Getgid()))", stops: seccomp},
		{name: "change a time", code: "note(`chtimes`, os.Chtimes(`$SECRET`, time.Unix(1, 0), time.Unix(1, 0)))", stops: seccomp},
		{name: "set an attribute", code: "try(`lsetxattr`, $lsetxattr, str(`$SECRET`), str(`user.a`), str(`b`), 1, 0)", stops: seccomp},
		{name: "set an attribute by setxattrat", code: "v := str(`b`)\ntry(`setxattrat`, $setxattrat, here, str(`$SECRET`), 0, str(`user.a`), words(uint64(v), 1), 16)", stops: seccomp},
		{name: "remove an attribute", setup: withAttribute, code: "try(`lremovexattr`, $lremovexattr, str(`$SECRET`), str(`user.mark`))", stops: seccomp},
		{name: "remove an attribute by removexattrat", setup: withAttribute, code: "try(`removexattrat`, $removexattrat, here, str(`$SECRET`), 0, str(`user.mark`))", stops: seccomp},
		{name: "set flags by file_setattr", code: "const nodump = 0x80\ntry(`file_setattr`, $file_setattr, here, str(`$SECRET`), words(nodump, 0, 0), 24, 0)", stops: seccomp},
		{name: "change the program: its mode, through a descriptor for reading", check: programHas("mode"), code: "try(`fchmod`, $fchmod, open(`$PROGRAM`), 0o711)", stops: seccomp},
		{name: "change the program: its time, through a descriptor for reading", check: programHas("time"), code: "try(`utimensat`, $utimensat, open(`$PROGRAM`), 0, words(1, 0, 1, 0), 0)", stops: seccomp},
		{name: "change the program: an attribute, through a descriptor for reading", check: programHas("attribute"), code: "try(`fsetxattr`, $fsetxattr, open(`$PROGRAM`), str(`user.a`), str(`b`), 1, 0)", stops: seccomp},
		{name: "change the program: flags, through a descriptor for reading", check: programHas("flags"), code: "const getFlags, setFlags, nodump = 0x80086601, 0x40086602, 0x40\nfd := open(`$PROGRAM`)\nb, p := buf(8)\ntry(`get`, $ioctl, fd, getFlags, p)\nb[0] |= nodump\ntry(`set`, $ioctl, fd, setFlags, p)", stops: seccomp},
		{name: "change the program: owner, through a descriptor for reading", setup: noteChange, check: programHas("change"), code: "try(`fchown`, $fchown, open(`$PROGRAM`), uintptr(os.Getuid()), uintptr(os.Getgid()))", stops: seccomp},
		{name: "watch a folder by inotify", code: "fd := try(`init`, $inotify_init1, 0)\ntry(`watch`, $inotify_add_watch, fd, str(`$OUT`), 0xfff)", check: said("watch: ok"), stops: seccomp},
		{name: "watch a folder by F_NOTIFY", code: "try(`notify`, $fcntl, open(`$OUT`), 1026, 2)", check: said("notify: ok"), stops: landlock + ", seccomp"},
		{name: "watch the file system by fanotify", root: true, code: "fd := try(`init`, $fanotify_init, 0, 0)\ntry(`watch`, $fanotify_mark, fd, 1, 0x20, here, str(`$OUT`))", check: said("watch: ok"), stops: seccomp + ", capabilities"},
		{name: "hold a lease of a file", code: "try(`lease`, $fcntl, open(`$SECRET`), 1024, 0)", check: said("lease: ok"), stops: landlock + ", seccomp"},
		{name: "lock a file of others", code: "fd := open(`$PROGRAM`)\ntry(`flock`, $flock, fd, 6)", check: said("flock: ok"), known: "a shared or exclusive lock of a file that can be read is possible; such locks are advisory, and end with the process"},
		{name: "make a folder the root (chroot)", root: true, code: "try(`chroot`, $chroot, str(`$OUT`))\nb, err := os.ReadFile(`/secret`)\nnote(string(b), err)", stops: seccomp + ", capabilities"},
		{name: "mount the folder outside in a mount namespace", spaces: true, code: "runtime.LockOSThread()\nif try(`unshare`, $unshare, 0x20000) == 0 {\n\ttry(`private`, $mount, str(`none`), str(`/`), 0, 0x44000, 0)\n\ttry(`mount`, $mount, str(`$OUT`), str(`$IN`), 0, 4096, 0)\n\tb, err := os.ReadFile(`$IN/secret`)\n\tnote(string(b), err)\n}", root: true, stops: seccomp + ", Landlock, capabilities"},
		{name: "a namespace of its own", spaces: true, code: "runtime.LockOSThread()\ntry(`unshare`, $unshare, 0x4000000)", root: true, check: said("unshare: ok"), stops: seccomp},
		{name: "copy a mount (open_tree)", root: true, code: "fd := try(`open_tree`, $open_tree, here, str(`$OUT`), 1)\nf := try(`openat`, $openat, fd, str(`secret`), 0)\nb, p := buf(100)\nn := try(`read`, $read, f, p, 100)\nif n < 100 {\n\tfmt.Println(string(b[:n]))\n}", stops: seccomp},
		{name: "copy a mount with attributes (open_tree_attr)", root: true, code: "fd := try(`open_tree_attr`, $open_tree_attr, here, str(`$OUT`), 1, words(0, 0, 0, 0), 32)\nf := try(`openat`, $openat, fd, str(`secret`), 0)\nb, p := buf(100)\nn := try(`read`, $read, f, p, 100)\nif n < 100 {\n\tfmt.Println(string(b[:n]))\n}", stops: seccomp},
		{name: "make a file system of one's own (fsopen)", root: true, code: "try(`fsopen`, $fsopen, str(`tmpfs`), 0)", check: said("fsopen: ok"), stops: seccomp + ", capabilities"},
	}, systemFiles()...)
}

// systemFiles are files of the system and of processes.
func systemFiles() []*attempt {
	read := func(name, path, want string, root bool) *attempt {
		return &attempt{name: name, root: root, code: "b, err := os.ReadFile(`" + path + "`)\nif note(`read`, err) {\n\tfmt.Println(len(b) > 0, strings.Contains(string(b), `" + want + "`))\n}", check: said("true true"), stops: landlock}
	}
	return []*attempt{
		read("read /etc/passwd", "/etc/passwd", "root:", false),
		read("read /etc/shadow", "/etc/shadow", "root:", true),
		{name: "list private keys of the system", root: true, code: "_, err := os.ReadDir(`/etc/ssl/private`)\nnote(`list`, err)", check: said("list: ok"), stops: landlock},
		read("read /proc/self/maps", "/proc/self/maps", "r-xp", false),
		read("read the connections of the machine", "/proc/net/tcp", "local_address", false),
		read("read the kernel's settings", "/proc/sys/kernel/random/boot_id", "-", false),
		{name: "read the environment of gokernel run", code: "b, err := os.ReadFile(fmt.Sprintf(`/proc/%d/environ`, os.Getppid()))\nnote(string(b), err)", stops: landlock},
		{name: "read the environment that gokernel run was started with", code: "fmt.Println(os.Environ())", stops: "the environment has only HOME, TMPDIR, PATH and LANG"},
		{name: "read the environment of another process", setup: withVictim, code: "b, err := os.ReadFile(`/proc/$PID/environ`)\nnote(string(b), err)", stops: landlock},
		{name: "read the memory of another process through /proc", setup: withVictim, code: "f, err := os.Open(`/proc/$PID/mem`)\nif note(`open`, err) {\n\tb := make([]byte, 64)\n\tn, err := f.ReadAt(b, $ENVIRON)\n\tnote(string(b[:n]), err)\n}", stops: landlock},
		{name: "list the files of gokernel run", code: "list, err := os.ReadDir(fmt.Sprintf(`/proc/%d/fd`, os.Getppid()))\nif note(`list`, err) {\n\tfmt.Println(`files`, len(list) > 0)\n}", check: said("files true"), stops: landlock},
		{name: "reopen a descriptor of gokernel run for writing", code: "list, _ := os.ReadDir(fmt.Sprintf(`/proc/%d/fd`, os.Getppid()))\nok := false\nfor i := range 40 {\n\t_ = list\n\tf, err := os.OpenFile(fmt.Sprintf(`/proc/%d/fd/%d`, os.Getppid(), i), os.O_WRONLY, 0)\n\tif err == nil {\n\t\tf.Close()\n\t\tok = true\n\t}\n}\nfmt.Println(`reopened`, ok)", check: said("reopened true"), stops: landlock},
		{name: "write a setting of the kernel", root: true, code: "f, err := os.OpenFile(`/proc/sys/vm/drop_caches`, os.O_WRONLY, 0)\n_ = f\nnote(`open`, err)", check: said("open: ok"), stops: landlock},
		{name: "make another process the first victim when memory runs out", setup: withVictim, code: "note(`write`, os.WriteFile(`/proc/$PID/oom_score_adj`, []byte(`900`), 0))", stops: landlock},
		{name: "open a disk", root: true, code: "list, _ := os.ReadDir(`/sys/block`)\nn := 0\nfor _, d := range []string{`vda`, `sda`, `nvme0n1`, `xvda`, `loop0`} {\n\tif f, err := os.Open(`/dev/` + d); err == nil {\n\t\tn++\n\t\tf.Close()\n\t} else {\n\t\tfmt.Println(err)\n\t}\n}\n_ = list\nfmt.Println(`a disk is open:`, n > 0)", check: said("a disk is open: true"), stops: landlock},
		{name: "write to a device that others share", code: "f, err := os.OpenFile(`/dev/ptmx`, os.O_RDWR, 0)\n_ = f\nnote(`open`, err)", check: said("open: ok"), stops: landlock},
		{name: "make shared memory in /dev/shm", code: "name := fmt.Sprint(`/dev/shm/escape-`, os.Getpid())\nnote(`write`, os.WriteFile(name, []byte(`x`), 0o600))\n_ = os.Remove(name)", check: said("write: ok"), stops: landlock},
		{name: "leave a file in /tmp", code: "f, err := os.CreateTemp(`/tmp`, `escape-`)\nif note(`make`, err) {\n\t_ = os.Remove(f.Name())\n}", check: said("make: ok"), stops: landlock},
	}
}

func withHandle(w *world) error {
	h, _, err := unix.NameToHandleAt(unix.AT_FDCWD, w.vars["SECRET"], 0)
	if err != nil {
		return err
	}
	raw := make([]byte, 8, 136)
	raw[0], raw[4] = byte(h.Size()), byte(h.Type())
	raw[5], raw[6], raw[7] = byte(h.Type()>>8), byte(h.Type()>>16), byte(h.Type()>>24)
	w.vars["HANDLE"] = hex.EncodeToString(append(raw, h.Bytes()...))
	return nil
}

func withNamedFile(w *world) error {
	if err := os.Mkdir(filepath.Join(w.out, "names"), 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(w.out, "names", w.token), nil, 0o600)
}

func withNamedLink(w *world) error { return os.Symlink(w.token, filepath.Join(w.out, "link")) }

func withFolder(w *world) error { return os.Mkdir(filepath.Join(w.out, "empty"), 0o755) }

func withAttribute(w *world) error {
	return unix.Setxattr(w.vars["SECRET"], "user.mark", []byte("a"), 0)
}

// noteChange records when the program's inode was last changed.
func noteChange(w *world) error {
	var st unix.Stat_t
	err := unix.Stat(w.program, &st)
	w.vars["CHANGED"] = fmt.Sprint(st.Ctim)
	return err
}

// programHas returns a check of the program's file, which cells can read. It undoes changes, since
// all attempts share the file.
func programHas(what string) func(w *world) string {
	return func(w *world) string {
		var st unix.Stat_t
		if err := unix.Stat(w.program, &st); err != nil {
			return err.Error()
		}
		changed := false
		var undo error
		switch what {
		case "mode":
			changed = st.Mode&0o777 != 0o755
			undo = os.Chmod(w.program, 0o755)
		case "time":
			changed = st.Mtim.Sec == 1
			undo = unix.UtimesNanoAt(unix.AT_FDCWD, w.program, []unix.Timespec{{Nsec: unix.UTIME_NOW}, {Nsec: unix.UTIME_NOW}}, 0)
		case "attribute":
			if changed = attributes(w.program) != ""; changed {
				undo = unix.Removexattr(w.program, "user.a")
			}
		case "flags":
			const nodump = 0x40
			if changed = flags(w.program)&nodump != 0; changed {
				undo = clearFlags(w.program)
			}
		case "change":
			changed = w.vars["CHANGED"] != "" && w.vars["CHANGED"] != fmt.Sprint(st.Ctim)
		}
		if undo != nil {
			return undo.Error()
		}
		if changed {
			return "the program's file has another " + what
		}
		return ""
	}
}

func clearFlags(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	n, err := unix.IoctlGetInt(int(f.Fd()), unix.FS_IOC_GETFLAGS)
	if err != nil {
		return err
	}
	const nodump = 0x40
	return unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, n&^nodump)
}
