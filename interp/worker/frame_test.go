package worker

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestFrames(t *testing.T) {
	frames := []frame{
		{kind: kindEval, id: 1, body: []byte(`{}`)},
		{kind: kindReply, id: 1<<32 - 1},
		{kind: kindDisplay, id: 7, body: bytes.Repeat([]byte("x"), 3<<20)},
	}
	tok := newToken()
	var b []byte
	var err error
	for _, f := range frames {
		if b, err = appendFrame(b, tok, f); err != nil {
			t.Fatal(err)
		}
	}
	r := iotest.HalfReader(bytes.NewReader(b))
	for _, want := range frames {
		got, err := readFrame(r, tok)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got, cmp.AllowUnexported(frame{})); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	}
	if _, err := readFrame(r, tok); err != io.EOF {
		t.Errorf("at the end: got %v, want EOF", err)
	}
	for _, cut := range []int{3, headerSize, headerSize + 1} {
		if _, err := readFrame(bytes.NewReader(b[:cut]), tok); err != io.ErrUnexpectedEOF {
			t.Errorf("cut at %d: got %v, want ErrUnexpectedEOF", cut, err)
		}
	}
}

func TestForeignBytes(t *testing.T) {
	tok := token{1, 2, 3, 4, 5, 6, 7, 8}
	for _, in := range []string{"x", "hello, pipe", "\x01\x02x", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"} {
		if f, err := readFrame(strings.NewReader(in), tok); err != errForeign {
			t.Errorf("%q: got %v, %v", in, f, err)
		}
	}
}

func FuzzReadFrame(f *testing.F) {
	var none token
	f.Add(append(none[:], 0, 0, 0, 2, byte(kindEval), 0, 0, 0, 1, '{', '}'))
	f.Add(append(none[:], 255, 255, 255, 255, 1, 0, 0, 0, 1))
	f.Fuzz(func(t *testing.T, in []byte) {
		got, err := readFrame(bytes.NewReader(in), token{})
		if err != nil {
			return
		}
		out, err := appendFrame(nil, token{}, got)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(in, out) {
			t.Errorf("read %v, which is written as %v", in, out)
		}
	})
}

func TestIncomplete(t *testing.T) {
	for in, want := range map[string]int{
		"": 0, "a": 0, "é": 0, "a\xc3": 1, "\xe4\xb8": 2, "世": 0, "\xf0\x9f\x98": 3, "😀": 0, "\xff": 0, "\x80\x80\x80\x80": 0,
	} {
		if got := incomplete([]byte(in)); got != want {
			t.Errorf("%q: got %d, want %d", in, got, want)
		}
	}
}

func TestCrashFilter(t *testing.T) {
	tests := []struct {
		name  string
		in    []string
		shown string
		last  string
	}{
		{"plain", []string{"a\n", "b"}, "a\nb", ""},
		{"crash", []string{"log line\nfatal error: all goroutines are asleep - deadlock!\n", "\ngoroutine 1:\n"},
			"log line\n", "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1:\n"},
		{"not at the start of a line", []string{"it said ", "panic: no"}, "it said panic: no", ""},
		{"on the next line", []string{"half", " line\npanic: yes"}, "half line\n", "panic: yes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var shown string
			c := crashFilter{emit: func(s string) { shown += s }}
			for _, s := range test.in {
				c.write(s)
			}
			if last := c.last(); shown != test.shown || last != test.last {
				t.Errorf("got %q and %q, want %q and %q", shown, last, test.shown, test.last)
			}
		})
	}
}

func TestCause(t *testing.T) {
	tests := []struct{ last, want string }{
		{"panic: boom\n\ngoroutine 7 [running]:\nmain.f()\n", "panic: boom"},
		{"runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n", "fatal error: stack overflow"},
		{"runtime: out of memory: cannot allocate 4194304-byte block\nfatal error: out of memory\n", "out of memory: cannot allocate 4194304-byte block"},
		{"unexpected fault address 0x1\nfatal error: fault\n[signal SIGSEGV", "fatal error: fault"},
		{"", "it did not end in an orderly way"},
	}
	for _, test := range tests {
		if got := cause(test.last, (*os.ProcessState)(nil)); got != test.want {
			t.Errorf("%q: got %q, want %q", test.last, got, test.want)
		}
	}
}
