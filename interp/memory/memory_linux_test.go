package memory

import (
	"os"
	"path/filepath"
	"testing"
)

// TestGroupLimit creates the files of control groups as the kernel's documentation
// (admin-guide/cgroup-v1/memory.rst, admin-guide/cgroup-v2.rst) describes them.
func TestGroupLimit(t *testing.T) {
	const most = 8 << 30
	for name, tt := range map[string]struct {
		membership string
		files      map[string]string
		want       uint64
	}{
		"none":                    {"", nil, most},
		"version 2, no bound":     {"0::/user.slice\n", map[string]string{"user.slice/memory.max": "max\n"}, most},
		"version 2":               {"0::/a/b\n", map[string]string{"a/b/memory.max": "1073741824\n"}, 1 << 30},
		"version 2, above it":     {"0::/a/b\n", map[string]string{"a/b/memory.max": "max\n", "a/memory.max": "536870912\n"}, 512 << 20},
		"version 2, at the root":  {"0::/docker/abc\n", map[string]string{"memory.max": "268435456\n"}, 256 << 20},
		"version 1":               {"5:cpu:/x\n4:memory:/docker/abc\n", map[string]string{"memory/docker/abc/memory.limit_in_bytes": "1073741824\n"}, 1 << 30},
		"version 1, at the root":  {"4:memory:/docker/abc\n", map[string]string{"memory/memory.limit_in_bytes": "1073741824\n"}, 1 << 30},
		"version 1, no bound":     {"4:memory:/\n", map[string]string{"memory/memory.limit_in_bytes": "9223372036854771712\n"}, most},
		"a path that leaves them": {"0::/../../..\n", map[string]string{"memory.max": "1073741824\n"}, 1 << 30},
		"lines that are none":     {"nonsense\n0::\n", map[string]string{"memory.max": "x\n"}, most},
	} {
		root := t.TempDir()
		for file, text := range tt.files {
			file = filepath.Join(root, file)
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got := groupLimit(root, tt.membership, most); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
}
