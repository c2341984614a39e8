package debug

import "testing"

// The expected hashes come from ipykernel 7.3.0: ipykernel.compiler.murmur2_x86.
func TestMurmur2(t *testing.T) {
	for text, want := range map[string]uint32{"": 3990065800, "x := 1": 2984684956, `fmt.Println("ab")`: 8722774} {
		if got := murmur2([]byte(text), hashSeed); got != want {
			t.Errorf("%q has the hash %d, want %d", text, got, want)
		}
	}
}
