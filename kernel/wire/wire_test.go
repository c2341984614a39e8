package wire_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gokernel/gokernel/kernel/wire"
)

func frames(ss ...string) [][]byte {
	var out [][]byte
	for _, s := range ss {
		out = append(out, []byte(s))
	}
	return out
}

func signer(t testing.TB, key string) *wire.Signer {
	t.Helper()
	s, err := wire.NewSigner("", key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The signature was computed with Python:
// hmac.new(b"secret", b'{"a":1}{}{}{"code":"1"}', "sha256").hexdigest()
const pythonSignature = "4cd721348272a9d38f52e40f18755f0c1547d1172085474a01e7af8f3442da14"

func TestSignatureAgreesWithPython(t *testing.T) {
	m := wire.Message{
		Identities: frames("client"),
		Header:     []byte(`{"a":1}`), Parent: []byte(`{}`), Metadata: []byte(`{}`), Content: []byte(`{"code":"1"}`),
		Buffers: frames("raw"),
	}
	got := signer(t, "secret").Encode(m)
	want := frames("client", wire.Delimiter, pythonSignature, `{"a":1}`, `{}`, `{}`, `{"code":"1"}`, "raw")
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Encode (-want +got):\n%s", d)
	}
	back, err := signer(t, "secret").Decode(got)
	if err != nil {
		t.Fatal(err)
	}
	m.Signature = []byte(pythonSignature)
	if d := cmp.Diff(m, back); d != "" {
		t.Errorf("Decode(Encode(m)) (-want +got):\n%s", d)
	}
}

func TestDecode(t *testing.T) {
	good := signer(t, "k").Encode(wire.Message{Header: []byte("h"), Parent: []byte("p"), Metadata: []byte("m"), Content: []byte("c")})
	tampered := append([][]byte(nil), good...)
	tampered[5] = []byte("C")
	unsigned := append([][]byte(nil), good...)
	unsigned[1] = nil
	tests := []struct {
		name   string
		key    string
		frames [][]byte
		want   error
	}{
		{"good", "k", good, nil},
		{"wrong key", "other", good, wire.ErrSignature},
		{"tampered", "k", tampered, wire.ErrSignature},
		{"no signature", "k", unsigned, wire.ErrSignature},
		{"no key checks nothing", "", tampered, nil},
		{"no frames", "k", nil, wire.ErrFraming},
		{"no delimiter", "k", frames("a", "b"), wire.ErrFraming},
		{"too short", "k", good[:4], wire.ErrFraming},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := signer(t, tt.key).Decode(tt.frames)
			if !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
		})
	}
}

func TestUnknownScheme(t *testing.T) {
	if _, err := wire.NewSigner("hmac-md5", "k"); err == nil {
		t.Error("hmac-md5 was accepted")
	}
}

// FuzzDecode checks that no frames make Decode panic, and that each message that Decode accepts
// survives a round trip.
func FuzzDecode(f *testing.F) {
	s := signer(f, "")
	f.Add([]byte("id\x00<IDS|MSG>\x00\x00{}\x00{}\x00{}\x00{}\x00buf"))
	f.Add([]byte("<IDS|MSG>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var in [][]byte
		start := 0
		for i, b := range data {
			if b == 0 {
				in = append(in, data[start:i])
				start = i + 1
			}
		}
		in = append(in, data[start:])
		m, err := s.Decode(in)
		if err != nil {
			return
		}
		again, err := s.Decode(s.Encode(m))
		if err != nil {
			t.Fatalf("a decoded message does not decode again: %v", err)
		}
		if d := cmp.Diff(m, again); d != "" {
			t.Errorf("round trip (-want +got):\n%s", d)
		}
	})
}

func BenchmarkRoundTrip(b *testing.B) {
	s := signer(b, "0123456789abcdef")
	m := wire.Message{Identities: frames("client"), Header: make([]byte, 250), Parent: []byte("{}"), Metadata: []byte("{}"), Content: make([]byte, 200)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Decode(s.Encode(m)); err != nil {
			b.Fatal(err)
		}
	}
}
