//go:build linux && (amd64 || arm64)

package main

import "strings"

// terminal are attempts to type into the terminal of gokernel run, or to make it do something that
// its user did not want.
func terminal() []*attempt {
	const escaped = "control characters are shown as text"
	writes := func(name, code string) *attempt {
		return &attempt{name: name, tty: true, code: code, check: controls, proof: printsControls, stops: escaped}
	}
	return []*attempt{
		{name: "type a command (TIOCSTI)", tty: true, stops: landlock + ", seccomp", check: typed,
			code: "f, err := os.OpenFile(`/dev/tty`, os.O_RDWR, 0)\nif note(`open`, err) {\n\tfor _, c := range []byte(`typed by the cell`) {\n\t\ttry(`type`, $ioctl, f.Fd(), 0x5412, str(string(rune(c))))\n\t}\n}"},
		{name: "type a command on its standard input (TIOCSTI)", tty: true, proof: types, stops: "standard streams are pipes; seccomp", check: typed,
			code: "for fd := range uintptr(3) {\n\tfor _, c := range []byte(`typed by the cell`) {\n\t\tcall($ioctl, fd, 0x5412, str(string(rune(c))))\n\t}\n}\ntry(`type`, $ioctl, 0, 0x5412, str(`x`))"},
		{name: "write to the terminal", tty: true, stops: landlock, check: typed,
			code: "f, err := os.OpenFile(`/dev/tty`, os.O_WRONLY, 0)\nif note(`open`, err) {\n\tf.WriteString(`typed by the cell`)\n}"},
		{name: "paste into the terminal (TIOCLINUX)", tty: true, stops: landlock + ", seccomp", check: said("paste: ok"), unshown: "only a console of the machine has it",
			code: "try(`paste`, $ioctl, 0, 0x541c, str(`x`))"},
		writes("control characters in what a cell prints", "fmt.Println(\"\\x1b]0;title\\x07\")"),
		writes("control characters on standard error", "os.Stderr.WriteString(\"\\x1b]0;title\\x07\\n\")"),
		writes("control characters in an error", "panic(\"\\x1b]0;title\\x07\")"),
		writes("control characters in a value", "\"\\x1b]0;title\\x07\""),
		writes("control characters in the name of an error", "import \"errors\"\nvar err error = errors.New(\"\\x1b]0;title\\x07\")\npanic(err)"),
		writes("control characters in what the evaluator says as it ends", "go func() { panic(\"\\x1b]0;title\\x07\") }()\ntime.Sleep(200 * time.Millisecond)\nsyscall.Write(2, []byte(\"fatal error: \\x1b]0;title\\x07\\n\"))\nsyscall.Kill(os.Getpid(), 9)"),
		{name: "control characters in the source", tty: true, code: "// \x1b]0;title\x07\nfmt.Println(1)", bare: true, check: controls, proof: printsControls, stops: escaped},
	}
}

const title = "\x1b]0;title"

func controls(w *world) string {
	if strings.Contains(w.said, title) {
		return "the terminal gets control characters"
	}
	return ""
}

// printsControls is a program that prints its input.
func printsControls(w *world) error {
	w.said = "[1/1] ok " + title + "\x07"
	return nil
}

func typed(w *world) string {
	if strings.Contains(w.said, "typed by the cell") {
		return "the terminal has what the cell typed"
	}
	return ""
}

func types(w *world) error {
	w.said = "typed by the cell"
	return nil
}
