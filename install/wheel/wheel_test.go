package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"testing"
)

// TestWheel checks that each file of a wheel is in RECORD with its size and hash, that the
// program is executable and that the kernelspec starts it.
func TestWheel(t *testing.T) {
	for _, p := range platforms {
		program := []byte("program for " + p.name)
		name, archive, err := wheel(p, "1.2.0rc1", program, map[string][]byte{"licenses/LICENSE": []byte("free")})
		if err != nil {
			t.Fatal(err)
		}
		if _, again, _ := wheel(p, "1.2.0rc1", program, map[string][]byte{"licenses/LICENSE": []byte("free")}); !bytes.Equal(archive, again) {
			t.Errorf("%s: the same program produces different bytes", p.name)
		}
		if want := "gokernel-1.2.0rc1-py3-none-" + strings.Join(p.tags, ".") + ".whl"; name != want {
			t.Errorf("%s: named %s, want %s", p.name, name, want)
		}
		z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			t.Fatal(err)
		}
		files, modes := map[string][]byte{}, map[string]uint32{}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			if files[f.Name], err = io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
			modes[f.Name] = uint32(f.Mode().Perm())
		}
		for _, name := range []string{"gokernel/__init__.py", "gokernel/__main__.py", "gokernel/papermill.py", "gokernel/nbconvert.py"} {
			if files[name] == nil {
				t.Errorf("%s: there is no %s", p.name, name)
			}
		}
		checkRecord(t, files, "gokernel-1.2.0rc1.dist-info/RECORD")
		share := "gokernel-1.2.0rc1.data/data/share/jupyter/"
		checkLabExtension(t, files, share+"labextensions/gokernel/")
		if settings := files[share+"lab/settings/overrides.d/gokernel.json"]; !json.Valid(settings) {
			t.Errorf("%s: the settings are %q", p.name, settings)
		}
		data := share + "kernels/gokernel/"
		var spec struct{ Argv []string }
		if err := json.Unmarshal(files[data+"kernel.json"], &spec); err != nil {
			t.Fatal(err)
		}
		exe, ok := strings.CutPrefix(spec.Argv[0], "{resource_dir}/")
		if !ok || !bytes.Equal(files[data+exe], program) || modes[data+exe] != 0o755 {
			t.Errorf("%s: kernel.json starts %q, which has mode %o and %d bytes", p.name, spec.Argv[0], modes[data+exe], len(files[data+exe]))
		}
		if strings.HasPrefix(p.name, "windows/") != strings.HasSuffix(exe, ".exe") {
			t.Errorf("%s: the program is named %s", p.name, exe)
		}
	}
}

// checkLabExtension checks that JupyterLab finds the script and the shortcuts of the extension.
func checkLabExtension(t *testing.T, files map[string][]byte, dir string) {
	t.Helper()
	var about struct {
		Name       string
		JupyterLab struct {
			Build struct{ Load string } `json:"_build"`
		}
	}
	if err := json.Unmarshal(files[dir+"package.json"], &about); err != nil {
		t.Fatal(err)
	}
	script := string(files[dir+about.JupyterLab.Build.Load])
	if !strings.Contains(script, `globalThis._JUPYTERLAB["`+about.Name+`"] = container`) {
		t.Errorf("the extension %s has the script %q", about.Name, about.JupyterLab.Build.Load)
	}
	if !bytes.Equal(files[dir+"package.json"], files[dir+"schemas/gokernel/package.json.orig"]) {
		t.Error("package.json.orig beside the schema differs from package.json")
	}
	var schema struct {
		Shortcuts []struct{ Command string } `json:"jupyter.lab.shortcuts"`
	}
	if err := json.Unmarshal(files[dir+"schemas/gokernel/fixes.json"], &schema); err != nil || len(schema.Shortcuts) == 0 {
		t.Fatalf("no shortcuts: %v", err)
	}
	for _, s := range schema.Shortcuts {
		if !strings.Contains(script, `addCommand("`+s.Command+`"`) {
			t.Errorf("there is no command %s", s.Command)
		}
	}
}

// checkRecord compares RECORD with the files.
func checkRecord(t *testing.T, files map[string][]byte, record string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(string(files[record])), "\n")
	if len(lines) != len(files) {
		t.Errorf("RECORD has %d lines for %d files", len(lines), len(files))
	}
	for _, line := range lines {
		f := strings.Split(line, ",")
		if f[0] == record {
			continue
		}
		sum := sha256.Sum256(files[f[0]])
		if want := "sha256=" + base64.RawURLEncoding.EncodeToString(sum[:]); f[1] != want || f[2] != strconv.Itoa(len(files[f[0]])) {
			t.Errorf("RECORD: %s, want %s,%d", line, want, len(files[f[0]]))
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", "must be a version such as"},
		{"-version v1.2", "must be a version"},
		{"-version 1.2.0-rc.1 -platform plan9/amd64", "must be one of linux/amd64"},
		{"-version 1.2.0-beta", "must be a version"},
		{"-version 1.2 -platform plan9/amd64", "must be one of linux/amd64"},
		{"-version 1.2 -program x", "needs -platform"},
		{"-version 1.2 dist", "unexpected argument"},
	} {
		err := run(strings.Fields(c.args), io.Discard)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.args, err, c.want)
		}
	}
}

// TestNotices checks that the metadata contain the licenses of all parts and their list.
func TestNotices(t *testing.T) {
	p, _ := find("linux/amd64")
	texts, err := notices(p, "1.2.0")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"licenses/LICENSE": "gokernel authors", "licenses/THIRD_PARTY": "\ngonum.org/v1/gonum v", "sboms/gokernel.cdx.json": "pkg:golang/github.com/go-zeromq/zmq4@",
	} {
		if !bytes.Contains(texts[name], []byte(want)) {
			t.Errorf("%s has no %q", name, want)
		}
	}
}
