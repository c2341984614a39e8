//go:build linux && (amd64 || arm64)

// Command escape tries to escape from gokernel run --sandbox. Each attempt is a cell of an
// untrusted notebook, and a check from outside of its effect. First the cell runs without the
// sandbox, where the check must find an effect. Then it runs in the sandbox, where the check must
// find none. The status is 1 if an attempt escapes, or if a check that should have found an effect
// has not.
//
// In the long form, gokernel grade also grades submissions that try to earn points without the
// work, and the tests of the grader attack every homework of the course.
//
// Usage: go run ./bench/escape -program FILE [-short] [-only pattern] [-write file]
//
// As root, the attempts also run as the user nobody. Each user runs them with the
// namespaces that the system allows, and without any.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// nobody is the ordinary user that root becomes.
const nobody = 65534

// options are the command-line options.
type options struct {
	program, only, write, wrapper string
	short, verbose                bool
	unproven                      bool // the attempts are not tried without the sandbox
	child                         bool
	mode                          mode
}

// mode says how a series of attempts runs.
type mode struct {
	User       string // root, or an ordinary user
	Namespaces bool   // processes can create the namespaces that the system allows; otherwise none
	JIT        bool   // loops of cells are JIT-compiled whenever that is possible
}

func (m mode) String() string {
	s := m.User + ", without namespaces"
	if m.Namespaces {
		s = m.User + ", with namespaces"
	}
	if m.JIT {
		s += ", JIT"
	}
	return s
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench/escape: ")
	if len(os.Args) > 2 && os.Args[1] == "-without-namespaces" {
		log.Fatal(execWithoutNamespaces(os.Args[2:]))
	}
	var o options
	flag.StringVar(&o.program, "program", "", "the gokernel to test")
	flag.BoolVar(&o.short, "short", false, "leave out attempts that take seconds each, and run one series per user")
	flag.StringVar(&o.only, "only", "", "only attempts whose name or group matches this `pattern`")
	flag.StringVar(&o.write, "write", "", "write the table into this `page`, between its marks")
	flag.StringVar(&o.wrapper, "wrapper", "", "run gokernel run in this `command` instead of with --sandbox: a comparison")
	flag.BoolVar(&o.verbose, "v", false, "print what each cell has shown")
	flag.BoolVar(&o.child, "series", false, "run one series and print its outcomes as JSON")
	flag.BoolVar(&o.mode.Namespaces, "namespaces", true, "with -series: allow namespaces")
	flag.BoolVar(&o.unproven, "unproven", false, "with -series: do not try the attempts without the sandbox")
	flag.BoolVar(&o.mode.JIT, "jit", false, "with -series: JIT-compile loops whenever that is possible")
	flag.Parse()
	if _, err := regexp.Compile(o.only); err != nil || o.program == "" || flag.NArg() > 0 {
		log.Printf("-program must be given and -only must be a regular expression: %v", err)
		flag.Usage()
		os.Exit(2)
	}
	var err error
	if o.program, err = filepath.Abs(o.program); err != nil {
		log.Fatal(err)
	}
	o.mode.User = "user"
	if os.Getuid() == 0 {
		o.mode.User = "root"
	}
	if o.child {
		if err := json.NewEncoder(os.Stdout).Encode(runSeries(o)); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := o.all(); err != nil {
		log.Fatal(err)
	}
}

// modes returns the series of a run.
func (o options) modes() []mode {
	users := []string{"user"}
	if o.mode.User == "root" {
		users = []string{"root", "user"}
	}
	var list, native []mode
	for i, u := range users {
		if o.short || o.wrapper != "" {
			list = append(list, mode{User: u, Namespaces: i == 0})
			continue
		}
		list = append(list, mode{u, true, false}, mode{u, false, false})
		native = append(native, mode{u, true, true})
	}
	return append(list, native...)
}

// all runs every series and reports it.
func (o options) all() error {
	began := time.Now()
	r := &report{began: began}
	for _, m := range o.modes() {
		s, err := o.start(m)
		if err != nil {
			return err
		}
		r.series = append(r.series, s)
		r.print(s)
	}
	var graded error
	if !o.short && o.wrapper == "" && regexp.MustCompile(o.only).MatchString("grader") {
		if r.tests, graded = homework(); graded == nil {
			fmt.Printf("%d tests with attacks on every homework of the course: 0 unearned points\n", r.tests)
		}
	}
	r.spent = time.Since(began)
	if o.write != "" {
		if err := r.writeTo(o.write); err != nil {
			return err
		}
	}
	if graded != nil {
		return graded
	}
	tried, escaped, blind := r.count()
	fmt.Printf("%d attempts in %d series: %d escapes, %d checks that saw nothing without the sandbox, %.0f s\n", tried, len(r.series), escaped, blind, r.spent.Seconds())
	if escaped > 0 || blind > 0 {
		os.Exit(1)
	}
	return nil
}

// start runs a series in a process of its user, with copies of the programs that this user can
// read.
func (o options) start(m mode) (s series, err error) {
	dir, err := os.MkdirTemp("", "escape-")
	if err != nil {
		return s, err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		return s, err
	}
	self, err := os.Executable()
	if err != nil {
		return s, err
	}
	home := filepath.Join(dir, "home")
	if err := os.Mkdir(home, 0o755); err != nil {
		return s, err
	}
	for from, to := range map[string]string{self: "escape", o.program: "gokernel"} {
		if err := copyProgram(from, filepath.Join(dir, to)); err != nil {
			return s, err
		}
	}
	args := []string{"-series", "-program", filepath.Join(dir, "gokernel"), "-only", o.only, "-wrapper", o.wrapper,
		fmt.Sprintf("-short=%t", o.short), fmt.Sprintf("-namespaces=%t", m.Namespaces), fmt.Sprintf("-jit=%t", m.JIT), fmt.Sprintf("-v=%t", o.verbose),
		// A short run shows for one user that the checks find effects.
		fmt.Sprintf("-unproven=%t", o.short && m.User != o.mode.User)}
	cmd := exec.Command(filepath.Join(dir, "escape"), args...)
	cmd.Dir, cmd.Stderr = home, os.Stderr
	cmd.Env = []string{"HOME=" + home, "TMPDIR=" + home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8"}
	if m.User == "user" && o.mode.User == "root" {
		for _, name := range []string{home, filepath.Join(dir, "gokernel")} {
			if err := os.Chown(name, nobody, nobody); err != nil {
				return s, err
			}
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	b, err := cmd.Output()
	if err != nil {
		return s, fmt.Errorf("%v: %w", m, err)
	}
	if err := json.Unmarshal(b, &s); err != nil {
		return s, fmt.Errorf("%v: %w", m, err)
	}
	s.Mode = m
	return s, nil
}

func copyProgram(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	return out.Close()
}

// series holds the outcomes of the attempts of one mode.
type series struct {
	Mode     mode
	Outcomes []outcome
}

// outcome is the outcome of one attempt.
type outcome struct {
	Group, Name string
	Stops       string // what should stop it
	Known       string // why it is not stopped, if the documentation says so
	Effect      string // in the sandbox; "" for none
	Proof       string // the effect without the sandbox; "" for none
	Unshown     string // why it is not tried without the sandbox
	Unproven    bool   // it was not tried without the sandbox in this series
	Answer      string // what the system answered in the sandbox
	Problem     string // why it could not be tried
}

func (o outcome) escaped() bool { return o.Effect != "" && o.Known == "" || o.Problem != "" }
func (o outcome) blind() bool   { return o.Proof == "" && o.Unshown == "" && !o.Unproven }

// runSeries makes all attempts of one mode.
func runSeries(o options) (s series) {
	pattern := regexp.MustCompile(o.only)
	for _, a := range all() {
		if a.long && o.short || a.root && o.mode.User != "root" || a.spaces && !o.mode.Namespaces || a.page != "" && (o.mode.JIT || !o.mode.Namespaces) {
			continue
		}
		if !pattern.MatchString(a.name) && !pattern.MatchString(a.group) {
			continue
		}
		s.Outcomes = append(s.Outcomes, o.attempt(a))
	}
	if !o.short && o.wrapper == "" {
		s.Outcomes = append(s.Outcomes, o.grades(func(group, name string) bool { return pattern.MatchString(name) || pattern.MatchString(group) })...)
	}
	return s
}

// answers matches the errors in the output of a cell.
var answers = regexp.MustCompile(`operation not permitted|permission denied|function not implemented|invalid cross-device link|file too large|too many open files|cannot allocate memory|bad file descriptor|no such (file or directory|process)|inappropriate ioctl for device|no such device or address|invalid argument|fatal error: [^\n]*|executable file not found|read-only file system|operation not supported|(address family|protocol) not supported[a-z ]*|network is unreachable|identifier removed`)

func answer(shown string) string {
	var list []string
	for _, a := range answers.FindAllString(shown, -1) {
		if len(list) < 3 && !strings.Contains(strings.Join(list, "; "), a) {
			list = append(list, a)
		}
	}
	return strings.Join(list, "; ")
}
