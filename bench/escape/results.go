//go:build linux && (amd64 || arm64)

package main

import (
	"os"
	"path/filepath"
)

// results are attempts to make gokernel run itself, which has all rights of the user, write to a
// file elsewhere, with symbolic links that have the names of results.
func results() []*attempt {
	const stops = "results are new files in folders opened before the first cell"
	link := func(name, file, to string, args ...string) *attempt {
		return &attempt{name: name, args: args, stops: stops, proof: naive(file, to),
			code: "_ = os.Symlink(`$SECRET`, `second`)\n_ = os.Remove(`" + file + "`)\nnote(`link`, os.Symlink(`" + to + "`, `" + file + "`))"}
	}
	// As long as the evaluator lives, flip replaces the file by a symbolic link and back.
	flip := func(name, file string) *attempt {
		return &attempt{name: name, stops: stops, proof: naive(file, "$SECRET"), code: "go func() {\n\tfor {\n\t\t_ = os.Symlink(`$SECRET`, `new-link`)\n\t\t_ = os.Rename(`new-link`, `" + file + "`)\n\t\t_ = os.Remove(`" + file + "`)\n\t}\n}()\ntime.Sleep(20 * time.Millisecond)"}
	}
	return []*attempt{
		link("the page is a symbolic link", "n.html", "$SECRET"),
		link("the executed notebook is a symbolic link", "n.executed.ipynb", "$SECRET"),
		link("the notebook is a symbolic link, --inplace", "n.ipynb", "$SECRET", "--inplace"),
		link("the name of -o is a symbolic link", "r.ipynb", "$SECRET", "-o", "$IN/r.ipynb"),
		link("the name of --html is a symbolic link", "p.html", "$SECRET", "--html", "$IN/p.html"),
		link("the page is a symbolic link to a file that is not there", "n.html", "$OUT/new"),
		link("the executed notebook is a symbolic link to a file that is not there", "n.executed.ipynb", "$OUT/new"),
		link("the page is a symbolic link to a folder", "n.html", "$OUT"),
		link("the page is a symbolic link to a symbolic link", "n.html", "second"),
		{name: "the folder of the page is replaced by a symbolic link", setup: withSubfolder, args: []string{"-o", "$IN/n.executed.ipynb", "--html", "$IN/sub/secret"}, stops: stops, proof: naive("sub", "$OUT"),
			code: "note(`rename`, os.Rename(`sub`, `sub2`))\nnote(`link`, os.Symlink(`$OUT`, `sub`))"},
		{name: "the folder of the notebook is replaced by a symbolic link", stops: landlock + "; " + stops, args: []string{"-o", "$IN/secret"}, proof: naive("sub", "$OUT"),
			code: "if note(`rename`, os.Rename(`$IN`, `$TOP/moved`)) {\n\tnote(`link`, os.Symlink(`$OUT`, `$IN`))\n}"},
		flip("the page changes between a symbolic link and a file while it is written", "n.html"),
		flip("the executed notebook changes between a symbolic link and a file while it is written", "n.executed.ipynb"),
		{name: "the new file is replaced by a symbolic link before it gets its name", stops: stops, proof: naive("n.html", "$SECRET"),
			code: "go func() {\n\tfor {\n\t\tlist, _ := os.ReadDir(`.`)\n\t\tfor _, d := range list {\n\t\t\tif strings.HasPrefix(d.Name(), `.gokernel-`) {\n\t\t\t\t_ = os.Remove(d.Name())\n\t\t\t\t_ = os.Symlink(`$SECRET`, d.Name())\n\t\t\t}\n\t\t}\n\t}\n}()\ntime.Sleep(20 * time.Millisecond)"},
		{name: "the page is a hard link of a file elsewhere", stops: landlock + "; " + stops, proof: naive("n.html", "$SECRET"),
			code: "_ = os.Remove(`n.html`)\nnote(`link`, os.Link(`$SECRET`, `n.html`))"},
		{name: "the notebook names a file elsewhere as its language, title or path", stops: "no part of a notebook is used as the path of a result", proof: naive("n.html", "$SECRET"),
			code: "b, _ := os.ReadFile(`n.ipynb`)\ntext := strings.Replace(string(b), `\"metadata\":{}`, `\"metadata\":{\"title\":\"../out/secret\",\"name\":\"../out/secret\"}`, -1)\nnote(`write`, os.WriteFile(`n.ipynb`, []byte(text), 0o600))"},
	}
}

func withSubfolder(w *world) error { return os.Mkdir(filepath.Join(w.in, "sub"), 0o755) }

// naive writes a result like a program that follows symbolic links. The checks must find this
// effect.
func naive(file, to string) func(w *world) error {
	return func(w *world) error {
		to, err := w.cell(to)
		if err != nil {
			return err
		}
		file := filepath.Join(w.in, file)
		_ = os.Remove(file) // it need not be there
		if to == "second" {
			if err := os.Symlink(w.vars["SECRET"], filepath.Join(w.in, to)); err != nil {
				return err
			}
		}
		if err := os.Symlink(to, file); err != nil {
			return err
		}
		if info, err := os.Stat(file); err == nil && info.IsDir() {
			file = filepath.Join(file, "secret")
		}
		return os.WriteFile(file, []byte("a result"), 0o600)
	}
}
