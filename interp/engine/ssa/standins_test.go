package ssa_test

import (
	"errors"
	"log"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gokernel/gokernel/interp/engine"
)

func TestRefusalComesBeforeAnythingRuns(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	s.want(`var ran = false; func keep() bool { return ran }`, "")
	for name, src := range map[string]string{
		"called":     `func missing(); func main() { ran = true; missing() }`,
		"value":      `func missing(); func main() { ran = true; f := missing; _ = f }`,
		"in literal": `func missing(); func main() { ran = true; func() { missing() }() }`,
		"in method":  `type T int; func missing(); func (T) M() { missing() }; func main() { ran = true }`,
		"deferred":   `func missing(); func main() { ran = true; defer missing() }`,
		"generic":    `func missing(); func g[T any](x T) { missing() }; func main() { ran = true; g(1) }`,
		"variable":   `func missing() int; var x = missing(); func main() { ran = true }`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.compile(src)
			var r *engine.Refusal
			if !errors.As(err, &r) {
				t.Fatalf("error is %v, want a refusal", err)
			}
			if !strings.Contains(r.What, "missing") || !r.Pos.IsValid() {
				t.Errorf("refusal is %+v", r)
			}
		})
	}
	for _, name := range []string{"missing", "main", "T", "g", "x"} {
		delete(s.visible, name)
	}
	s.want(`import "fmt"; func main() { fmt.Println(ran, keep()) }`, "false false")
}

// resetLog restores the settings of the standard logger that cells change.
func resetLog(t *testing.T) {
	flags, prefix, w := log.Flags(), log.Prefix(), log.Writer()
	t.Cleanup(func() { log.SetFlags(flags); log.SetPrefix(prefix); log.SetOutput(w) })
}

func TestLogIsTheCells(t *testing.T) {
	resetLog(t)
	s := newSession(t, engine.Hooks{})
	s.want(`import "log"; func main() {
	log.SetFlags(log.Lshortfile)
	log.Print("a")
	log.Printf("b%d", 1)
	log.Println("c", 2)
	log.SetPrefix("p: ")
	log.Print("d")
	log.SetFlags(log.Lshortfile | log.Lmsgprefix)
	log.Print("e\n")
	log.SetFlags(0)
	log.Output(1, "f")
	log.SetPrefix("")
}`, "cell [1]:3: a\ncell [1]:4: b1\ncell [1]:5: c 2\np: cell [1]:7: d\ncell [1]:9: p: e\np: f")
	s.want(`import ("log"; "os"; "bytes"; "fmt")
func helper(l *log.Logger) {
	l.Output(2, "caller")
}
func main() {
	var b bytes.Buffer
	l := log.New(&b, "", log.Llongfile)
	l.Print("own")
	helper(l)
	log.New(os.Stdout, "out ", 0).Println(1)
	fmt.Print(b.String())
}`, "out 1\ncell [2]:8: own\ncell [2]:9: caller")
}

func TestLogHasTheTimeThatFlagsAskFor(t *testing.T) {
	resetLog(t)
	s := newSession(t, engine.Hooks{})
	out, err := s.run(t.Context(), `import "log"; func main() { log.SetFlags(log.LstdFlags | log.Lmicroseconds | log.LUTC); log.Print("x") }`)
	if err != nil {
		t.Fatal(err)
	}
	at, err := time.Parse("2006/01/02 15:04:05.000000", strings.TrimSuffix(out, " x\n"))
	if err != nil || time.Since(at).Abs() > time.Minute {
		t.Errorf("printed %q: %v", out, err)
	}
}

func TestLogPanicAndFatal(t *testing.T) {
	resetLog(t)
	s := newSession(t, engine.Hooks{})
	s.want(`import ("log"; "fmt"); func main() { log.SetFlags(0); defer func() { fmt.Println("recovered", recover()) }(); log.Panicf("p%d", 1) }`,
		"p1\nrecovered p1")
	out, err := s.run(t.Context(), `import "log"; func main() { log.Fatalf("f%d", 1) }`)
	if diff := cmp.Diff(&engine.Exit{Code: 1}, err, cmpopts.IgnoreFields(engine.Exit{}, "Stack")); diff != "" || out != "f1\n" {
		t.Errorf("printed %q; error (-want +got):\n%s", out, diff)
	}
}

// A panic in a sequence reaches the call that asks the sequence for a value.
func TestPanicInPull(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	s.want(`import "iter"; func main() {
		next, stop := iter.Pull(func(yield func(int) bool) { yield(1); panic("in the sequence") })
		defer stop()
		defer func() { print(" ", recover().(string)) }()
		n, _ := next()
		print(n)
		next()
	}`, "1 in the sequence")
}

// No cell can close the files of the session.
func TestCloseStandardFiles(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	s.want(`import ("io"; "os"); func main() {
		var c io.Closer = os.Stdout
		c.Close()
		os.Stdout.Close()
		if f, ok := c.(*os.File); !ok || f != os.Stdout { print("another file") }
	}`, "")
	if _, err := os.Stdout.Write(nil); err != nil {
		t.Error(err)
	}
}

// A standard file is the same value in every interface, and its reads and writes use the cell's
// files.
func TestStandardFilesInInterfaces(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	s.want(`import ("fmt"; "io"; "os"; "reflect")
type progress struct{ w io.Writer }
func main() {
	p := progress{os.Stdout}
	var x, y any = os.Stdout, p.w
	fmt.Println(x == y, y == x, y == any(os.Stderr), p.w == os.Stdout, reflect.DeepEqual(os.Stdout, p.w))
	fmt.Printf("%T %T %t\n", p.w, y, fmt.Sprintf("%p", p.w) == fmt.Sprintf("%p", os.Stdout))
	defer func() { fmt.Println(recover()) }()
	fmt.Println(map[any]int{os.Stdout: 1}[p.w])
	_ = p.w.(fmt.Stringer)
}`, "true true false true true\n*os.File *os.File true\n1\ninterface conversion: *os.File is not fmt.Stringer: missing method String")
	s.want(`import ("fmt"; "io"; "os")
func main() {
	var w io.Writer = os.Stdout
	back := any(w).(io.StringWriter)
	io.WriteString(back.(io.Writer), "a ")
	fmt.Fprint(any(os.Stdout).(io.Writer), "b ")
	switch w := any(os.Stdout).(type) {
	case io.Writer:
		fmt.Fprint(w, "c ", w == back.(io.Writer), " ")
	}
	if f, ok := any(w).(interface{ Fd() uintptr }); ok { fmt.Print(f == any(os.Stdout), " ") }
	_, ok := any(w).(fmt.Stringer)
	var none io.Writer
	fmt.Print(ok, any(none) == nil)
}`, "a b c true true false true")
}

// Keys are derived as in the vectors of RFC 5869 (A.1) and RFC 7914 (11), even with hash types
// declared in the cell.
func TestDerivedKeys(t *testing.T) {
	newSession(t, engine.Hooks{}).want(`import ("bytes"; "crypto/hkdf"; "crypto/pbkdf2"; "crypto/sha256"; "fmt"; "hash")
type own struct{ hash.Hash }
func new256() own { return own{sha256.New()} }
func main() {
	secret, salt := bytes.Repeat([]byte{0x0b}, 22), []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
	info := "\xf0\xf1\xf2\xf3\xf4\xf5\xf6\xf7\xf8\xf9"
	prk, err := hkdf.Extract(new256, secret, salt)
	fmt.Printf("%x %v\n", prk, err)
	okm, err := hkdf.Expand(sha256.New, prk, info, 42)
	all, err2 := hkdf.Key(sha256.New, secret, salt, info, 42)
	fmt.Printf("%x %v %v %v\n", okm, err, bytes.Equal(okm, all), err2)
	_, err = hkdf.Expand(sha256.New, prk, info, 1<<20)
	fmt.Println(err)
	key, err := pbkdf2.Key(new256, "passwd", []byte("salt"), 1, 64)
	fmt.Printf("%x %v\n", key, err)
}`, `077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5 <nil>
3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865 <nil> true <nil>
hkdf: requested key length too large
55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783 <nil>`)
}
