package modules

import "go/version"

// The Go versions that apply if a file has no go line (https://go.dev/ref/mod#go-mod-file-go).
const (
	oldestModule    = "1.16"
	oldestWorkspace = "1.18"
)

// Settings returns the GODEBUG settings of a folder's module or workspace, in the form of
// //go:debug lines: "default=go1.20" for a go line older than this program, then its godebug lines.
// The file is their go.mod or go.work. There are no settings if there is no such file above the
// folder.
func Settings(dir string, env Env) (file string, list []string, err error) {
	p, err := readProject(dir, env)
	if err != nil || len(p.mains) == 0 {
		return "", nil, err
	}
	goLine, lines, oldest := p.mains[0].File.Go, p.mains[0].File.Godebug, oldestModule
	file = p.mains[0].File.Syntax.Name
	if p.work != "" {
		goLine, lines, oldest, file = p.workFile.Go, p.workFile.Godebug, oldestWorkspace, p.work
	}
	asked := "go" + oldest
	if goLine != nil {
		asked = "go" + goLine.Version
	}
	if version.Compare(version.Lang(asked), "go"+Language()) < 0 {
		list = append(list, "default="+asked)
	}
	for _, g := range lines {
		list = append(list, g.Key+"="+g.Value)
	}
	return file, list, nil
}
