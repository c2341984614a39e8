package install

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInstall(t *testing.T) {
	data := t.TempDir()
	t.Setenv("JUPYTER_DATA_DIR", data)
	t.Setenv("JUPYTER_PATH", "")
	prefix := t.TempDir()
	venv := t.TempDir()
	t.Setenv("VIRTUAL_ENV", venv)
	tests := []struct {
		name  string
		spec  Spec
		place Place
		want  string
	}{
		{"user", NewSpec("/bin/gokernel", "", "", "5.5"), Place{}, filepath.Join(data, "kernels", "gokernel")},
		{"engine", NewSpec("/bin/gokernel", "yaegi", "", "5.5"), Place{}, filepath.Join(data, "kernels", "gokernel-yaegi")},
		{"prefix", NewSpec("/bin/gokernel", "", "course", "5.5"), Place{Prefix: prefix}, filepath.Join(prefix, "share", "jupyter", "kernels", "course")},
		{"sys-prefix", NewSpec("/bin/gokernel", "", "", "5.5"), Place{SysPrefix: true}, filepath.Join(venv, "share", "jupyter", "kernels", "gokernel")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for range 2 { // the second time, it replaces itself
				got, err := Install(test.spec, test.place)
				if err != nil || got != test.want {
					t.Fatalf("got %s, %v, want %s", got, err, test.want)
				}
			}
			var names []string
			files, err := os.ReadDir(test.want)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				names = append(names, f.Name())
			}
			if d := cmp.Diff([]string{"kernel.json", "logo-32x32.png", "logo-64x64.png", "logo-svg.svg"}, names); d != "" {
				t.Errorf("files (-want +got):\n%s", d)
			}
			if left, err := filepath.Glob(filepath.Join(filepath.Dir(test.want), ".gokernel*")); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
			dir, err := Uninstall(test.spec.Name, test.place)
			if err != nil || dir != test.want {
				t.Errorf("Uninstall: got %s, %v", dir, err)
			}
			if _, err := os.Stat(test.want); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("after Uninstall: %v", err)
			}
			if _, err := Uninstall(test.spec.Name, test.place); err == nil || !strings.Contains(err.Error(), "kernelspec list") {
				t.Errorf("Uninstall again: got %v, want advice", err)
			}
		})
	}
}

func TestKernelJSON(t *testing.T) {
	files, err := NewSpec("/opt/go kernel/gokernel", "yaegi", "", "5.5").Files()
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(files["kernel.json"], &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"argv":         []any{"/opt/go kernel/gokernel", "kernel", "--connection-file", "{connection_file}", "--engine", "yaegi"},
		"display_name": "Go (yaegi)", "language": "go", "interrupt_mode": "message",
		"kernel_protocol_version": "5.5", "env": map[string]any{}, "metadata": map[string]any{"debugger": true, "supported_encryption": []any{"curve"}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestNamesAndPlacesThatAreRefused(t *testing.T) {
	t.Setenv("JUPYTER_DATA_DIR", t.TempDir())
	for _, name := range []string{"", "..", "a/b", "a b"} {
		if _, err := Install(Spec{Name: name}, Place{}); err == nil || !strings.Contains(err.Error(), "letters") {
			t.Errorf("Install(%q): got %v", name, err)
		}
		if _, err := Uninstall(name, Place{}); err == nil || !strings.Contains(err.Error(), "letters") {
			t.Errorf("Uninstall(%q): got %v", name, err)
		}
	}
	if _, err := (Place{Prefix: "x", SysPrefix: true}).Dir(); err == nil {
		t.Error("both prefixes: no error")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Install(NewSpec("x", "", "", "5.5"), Place{Prefix: file}); err == nil {
		t.Error("a file as prefix: no error")
	}
}

// TestOtherKernelsAreLeftAlone checks that kernels of other programs are not replaced or removed.
func TestOtherKernelsAreLeftAlone(t *testing.T) {
	t.Setenv("JUPYTER_DATA_DIR", t.TempDir())
	for name, spec := range map[string]string{
		"Python 3": `{"argv": ["python", "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "Python 3"}`,
		"python3":  `not JSON`,
	} {
		parent, err := Place{}.Dir()
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(parent, "python3", "kernel.json")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(spec), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Install(NewSpec("x", "", "python3", "5.5"), Place{}); err == nil || !strings.Contains(err.Error(), `another kernel, "`+name+`"`) {
			t.Errorf("Install over %s: got %v", name, err)
		}
		if _, err := Uninstall("python3", Place{}); err == nil || !strings.Contains(err.Error(), "jupyter kernelspec remove python3") {
			t.Errorf("Uninstall of %s: got %v", name, err)
		}
		if b, err := os.ReadFile(file); err != nil || string(b) != spec {
			t.Errorf("%s was changed: %q, %v", name, b, err)
		}
	}
}

func TestUserDataDir(t *testing.T) {
	tests := []struct {
		goos string
		env  map[string]string
		want string
	}{
		{"linux", nil, "/home/u/.local/share/jupyter"},
		{"linux", map[string]string{"XDG_DATA_HOME": "/data"}, "/data/jupyter"},
		{"freebsd", nil, "/home/u/.local/share/jupyter"},
		{"darwin", map[string]string{"XDG_DATA_HOME": "/data"}, "/home/u/Library/Jupyter"},
		{"windows", map[string]string{"APPDATA": "/roaming"}, "/roaming/jupyter"},
		{"windows", nil, "/home/u/.jupyter/data"},
		{"windows", map[string]string{"JUPYTER_DATA_DIR": "/mine", "APPDATA": "/roaming"}, "/mine"},
		{"linux", map[string]string{"JUPYTER_DATA_DIR": "/mine", "XDG_DATA_HOME": "/data"}, "/mine"},
	}
	for _, test := range tests {
		got, err := userDataDir(test.goos, func(k string) string { return test.env[k] }, func() (string, error) { return "/home/u", nil })
		if err != nil || filepath.ToSlash(got) != test.want {
			t.Errorf("%s %v: got %s, %v, want %s", test.goos, test.env, got, err, test.want)
		}
	}
	_, err := userDataDir("linux", func(string) string { return "" }, func() (string, error) { return "", errors.New("no home") })
	if err == nil || !strings.Contains(err.Error(), "JUPYTER_DATA_DIR") {
		t.Errorf("without a home: got %v, want advice", err)
	}
}

func TestShadow(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	t.Setenv("JUPYTER_DATA_DIR", second)
	t.Setenv("JUPYTER_PATH", first+string(filepath.ListSeparator))
	dir, err := Install(NewSpec("x", "", "", "5.5"), Place{})
	if err != nil {
		t.Fatal(err)
	}
	if got := Shadow(dir); got != "" {
		t.Errorf("got %s, want none", got)
	}
	t.Setenv("JUPYTER_DATA_DIR", first)
	other, err := Install(NewSpec("x", "", "", "5.5"), Place{})
	if err != nil {
		t.Fatal(err)
	}
	if got := Shadow(dir); got != other {
		t.Errorf("got %q, want %s", got, other)
	}
	if got := Shadow(other); got != "" {
		t.Errorf("the first on the path: got %s, want none", got)
	}
}

// tree lists the files below dir. Names of directories end in a slash.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if d.IsDir() {
			name += "/"
		}
		names = append(names, filepath.ToSlash(name))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestNoTrace installs a copy of the program in every place, removes it again, and checks that
// the prefix and the user's home are unchanged.
func TestNoTrace(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "go-build1", "b001", "exe", "gokernel")
	if err := os.MkdirAll(filepath.Dir(exe), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(exe, []byte("program"), 0o700); err != nil {
		t.Fatal(err)
	}
	home, prefix := t.TempDir(), t.TempDir()
	for _, name := range []string{"HOME", "USERPROFILE", "APPDATA", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, home)
	}
	t.Setenv("JUPYTER_DATA_DIR", filepath.Join(home, "jupyter"))
	t.Setenv("VIRTUAL_ENV", prefix)
	for _, tt := range []struct {
		name      string
		place     Place
		root, dir string
		argv      string
	}{
		{"user", Place{}, home, "jupyter/kernels/gokernel/", filepath.Join(home, "jupyter", "kernels", "gokernel", programName)},
		{"prefix", Place{Prefix: prefix}, prefix, "share/jupyter/kernels/gokernel/", "{resource_dir}/" + programName},
		{"sys-prefix", Place{SysPrefix: true}, prefix, "share/jupyter/kernels/gokernel/", "{resource_dir}/" + programName},
	} {
		t.Run(tt.name, func(t *testing.T) {
			spec := NewSpec(exe, "", "", "5.5")
			spec.Copy = true
			for range 2 { // the second time, it replaces the first
				if _, err := Install(spec, tt.place); err != nil {
					t.Fatal(err)
				}
			}
			var want []string
			for i, r := range tt.dir {
				if r == '/' {
					want = append(want, tt.dir[:i+1])
				}
			}
			for _, name := range []string{programName, "kernel.json", "logo-32x32.png", "logo-64x64.png", "logo-svg.svg"} {
				want = append(want, tt.dir+name)
			}
			if d := cmp.Diff(want, slices.Concat(tree(t, home), tree(t, prefix))); d != "" {
				t.Errorf("what is written (-want +got):\n%s", d)
			}
			copied := filepath.Join(tt.root, filepath.FromSlash(tt.dir), programName)
			if b, err := os.ReadFile(copied); err != nil || string(b) != "program" {
				t.Errorf("the copy: %q, %v", b, err)
			}
			var k kernelJSON
			b, err := os.ReadFile(filepath.Join(filepath.Dir(copied), "kernel.json"))
			if err == nil {
				err = json.Unmarshal(b, &k)
			}
			if err != nil || k.Argv[0] != tt.argv {
				t.Errorf("argv %q, %v, want %s first", k.Argv, err, tt.argv)
			}
			if _, err := Uninstall(spec.Name, tt.place); err != nil {
				t.Fatal(err)
			}
			if left := slices.Concat(tree(t, home), tree(t, prefix)); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

// TestUninstallKeepsOthers checks that directories with other content are kept.
func TestUninstallKeepsOthers(t *testing.T) {
	prefix := t.TempDir()
	place := Place{Prefix: prefix}
	other := filepath.Join(prefix, "share", "jupyter", "other")
	if err := os.MkdirAll(other, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Install(NewSpec("x", "", "", "5.5"), place); err != nil {
		t.Fatal(err)
	}
	if _, err := Uninstall("gokernel", place); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"share/", "share/jupyter/", "share/jupyter/other/"}, tree(t, prefix)); d != "" {
		t.Errorf("what is left (-want +got):\n%s", d)
	}
}

func TestTemporary(t *testing.T) {
	home := t.TempDir()
	if !Temporary(filepath.Join(home, "gokernel")) {
		t.Error("a program in the temporary directory does not count as temporary")
	}
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TMP", t.TempDir())
	for file, want := range map[string]bool{
		filepath.Join(home, "gokernel"):                              false,
		filepath.Join(home, "go-build12", "b001", "exe", "gokernel"): true,
		filepath.Join(home, "clone", ".build", "gokernel"):           true,
	} {
		if got := Temporary(file); got != want {
			t.Errorf("Temporary(%s): got %v", file, got)
		}
	}
}

func TestLogos(t *testing.T) {
	for _, size := range []int{32, 64} {
		b, err := logoPNG(size)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(b))
		if err != nil || img.Bounds().Dx() != size || img.Bounds().Dy() != size {
			t.Fatalf("%d: %v, %v", size, img, err)
		}
		if _, _, _, a := img.At(0, 0).RGBA(); a != 0 {
			t.Errorf("%d: the corner is not transparent", size)
		}
		if got := hexAt(img.At(size/2, size/2).RGBA()); got != hex(dotColor) {
			t.Errorf("%d: middle: got %s, want %s", size, got, hex(dotColor))
		}
	}
	d := xml.NewDecoder(strings.NewReader(logoSVG()))
	var elements []string
	for {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := tok.(xml.StartElement); ok {
			elements = append(elements, s.Name.Local)
		}
	}
	if want := []string{"svg", "rect", "path", "circle"}; !slices.Equal(elements, want) {
		t.Errorf("elements: got %v, want %v", elements, want)
	}
}

func hexAt(r, g, b, _ uint32) string {
	return hex(color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255})
}

// TestEnvironmentThatIsNotActive runs a program in a virtual environment that only its path
// identifies.
func TestEnvironmentThatIsNotActive(t *testing.T) {
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX", "JUPYTER_PATH"} {
		t.Setenv(name, "")
	}
	user, env := t.TempDir(), t.TempDir()
	t.Setenv("JUPYTER_DATA_DIR", user)
	t.Setenv("PATH", t.TempDir()) // without Python
	exe := filepath.Join(t.TempDir(), "gokernel")
	if err := os.WriteFile(exe, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	spec := NewSpec(exe, "", "", "5.4")
	spec.Copy = true
	dir, err := Install(spec, Place{Prefix: env})
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, programName)
	real, err := filepath.EvalSymlinks(env)
	if err != nil {
		t.Fatal(err)
	}
	if got := Environment(program); got != real {
		t.Errorf("Environment(%s): got %q, want %q", program, got, real)
	}
	if Temporary(program) {
		t.Error("the program of an environment in the temporary directory counts as temporary")
	}
	if got := Environment(exe); got != "" {
		t.Errorf("Environment of a program elsewhere: got %q", got)
	}
	if list := Find(""); len(list) != 0 {
		t.Errorf("without the environment: got %v", list)
	}
	list := Find(env)
	if len(list) != 1 || list[0].Dir != dir || list[0].Program != program {
		t.Errorf("with the environment: got %v, want %s", list, dir)
	}

	// Jupyter prefers the user's kernel to the system's, and a virtual environment's to both.
	if _, err := Install(NewSpec(exe, "", "", "5.4"), Place{}); err != nil {
		t.Fatal(err)
	}
	if list := Find(env); len(list) != 2 || list[1].Dir != dir || list[1].Hidden == "" {
		t.Errorf("with one of the user: got %v", list)
	}
	if err := os.WriteFile(filepath.Join(env, "pyvenv.cfg"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if list := Find(env); len(list) != 2 || list[0].Dir != dir || list[1].Hidden != dir {
		t.Errorf("in a virtual environment: got %v", list)
	}
}
