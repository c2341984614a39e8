package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gokernel/gokernel/install"
	"github.com/gokernel/gokernel/kernel/msg"
)

// platform is a Go platform with its pip tags.
type platform struct {
	name string
	tags []string
}

// The program is statically linked, so it runs on any Linux. Go requires macOS 12.
var platforms = []platform{
	{"linux/amd64", []string{"manylinux2014_x86_64", "musllinux_1_2_x86_64"}},
	{"linux/arm64", []string{"manylinux2014_aarch64", "musllinux_1_2_aarch64"}},
	{"darwin/amd64", []string{"macosx_12_0_x86_64"}},
	{"darwin/arm64", []string{"macosx_12_0_arm64"}},
	{"windows/amd64", []string{"win_amd64"}},
	{"windows/arm64", []string{"win_arm64"}},
}

func find(name string) (platform, bool) {
	i := slices.IndexFunc(platforms, func(p platform) bool { return p.name == name })
	if i < 0 {
		return platform{}, false
	}
	return platforms[i], true
}

func names() []string {
	var all []string
	for _, p := range platforms {
		all = append(all, p.name)
	}
	return all
}

//go:embed all:python
var python embed.FS

//go:embed labextension
var labextension embed.FS

//go:embed settings
var settings embed.FS

// These are the directories in the environment where JupyterLab finds extensions, and the default
// settings of packages. The wheel has one such setting: jupyterlab-lsp waits 250 ms before it
// underlines an error.
const (
	labDir      = "share/jupyter/labextensions/" + install.DefaultName + "/"
	settingsDir = "share/jupyter/lab/settings/overrides.d/"
)

// kernelDir is the directory in the environment to which pip installs the kernelspec.
const kernelDir = "share/jupyter/kernels/" + install.DefaultName + "/"

// wheel returns the wheel of a program for a platform, and its file name. The notices are texts
// by file name in the metadata directory.
func wheel(p platform, version string, program []byte, notices map[string][]byte) (name string, archive []byte, err error) {
	stem := "gokernel-" + version
	data := stem + ".data/data/"
	files := map[string][]byte{}
	for dir, part := range map[string]embed.FS{"gokernel/": python, data + labDir: labextension, data + settingsDir: settings} {
		err := fs.WalkDir(part, ".", func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			_, name, _ := strings.Cut(path, "/")
			files[dir+name], err = part.ReadFile(path)
			return err
		})
		if err != nil {
			return "", nil, err
		}
	}
	exe := "gokernel"
	if strings.HasPrefix(p.name, "windows/") {
		exe = "gokernel.exe"
	}
	spec, err := install.NewSpec("{resource_dir}/"+exe, "", "", msg.Version).Files()
	if err != nil {
		return "", nil, err
	}
	for name, b := range spec {
		files[data+kernelDir+name] = b
	}
	files[data+kernelDir+exe] = program
	info := stem + ".dist-info/"
	for name, text := range notices {
		files[info+name] = text
	}
	files[info+"METADATA"] = metadata(version)
	files[info+"WHEEL"] = wheelFile(p)
	files[info+"entry_points.txt"] = []byte("[console_scripts]\ngokernel = gokernel:main\n\n[papermill.engine]\ngokernel = gokernel.papermill:Engine\n\n[nbconvert.exporters.script]\ngo = gokernel.nbconvert:GoExporter\n\n[jupyter_lsp_spec_v1]\ngokernel = gokernel.lsp:spec\n")
	order := slices.Sorted(maps.Keys(files))
	var record bytes.Buffer
	for _, name := range order {
		sum := sha256.Sum256(files[name])
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(files[name]))
	}
	fmt.Fprintf(&record, "%sRECORD,,\n", info)
	files[info+"RECORD"] = record.Bytes()
	archive, err = zipped(append(order, info+"RECORD"), files, data+kernelDir+exe)
	return fmt.Sprintf("%s-py3-none-%s.whl", stem, strings.Join(p.tags, ".")), archive, err
}

// epoch is the modification time of all files, so that the same files produce the same bytes.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// zipped packs the files in the given order. The executable keeps its mode.
func zipped(order []string, files map[string][]byte, executable string) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range order {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: epoch}
		h.SetMode(0o644)
		if name == executable {
			h.SetMode(0o755)
		}
		w, err := z.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(files[name]); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

// metadata returns the metadata of the wheel. It requires the extension that JupyterLab needs to
// show widgets, so that pip installs it too. Without this extension, JupyterLab shows widgets as
// text.
func metadata(version string) []byte {
	return fmt.Appendf(nil, `Metadata-Version: 2.4
Name: gokernel
Version: %s
Summary: A Jupyter kernel for Go with a machine-learning course library
License-Expression: BSD-3-Clause
License-File: LICENSE
License-File: THIRD_PARTY
Keywords: jupyter,kernel,go,golang,machine learning
Classifier: Framework :: Jupyter
Classifier: Intended Audience :: Education
Classifier: Programming Language :: Go
Requires-Python: >=3.9
Requires-Dist: jupyterlab_widgets>=3.0
Description-Content-Type: text/markdown

%s`, version, description)
}

// description is the text that package indexes show.
const description = `A Jupyter kernel for Go. Cells need no Go toolchain: the kernel interprets them, and keeps
variables, functions and types between cells. Plots, tables, trees and a library with the
algorithms of a machine-learning course are built in as compiled code.

    pip install gokernel jupyterlab
    jupyter lab

Notebooks also run without Jupyter: ` + "`gokernel run notebook.ipynb --html page.html`" + `.
`

func wheelFile(p platform) []byte {
	b := []byte("Wheel-Version: 1.0\nGenerator: gokernel/install/wheel\nRoot-Is-Purelib: false\n")
	for _, t := range p.tags {
		b = fmt.Appendf(b, "Tag: py3-none-%s\n", t)
	}
	return b
}
