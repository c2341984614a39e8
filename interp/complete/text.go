package complete

import (
	"go/scanner"
	"go/token"
	"strings"

	"github.com/gokernel/gokernel/kernel/evaluator"
)

// inText reports whether the code ends where Go code is not allowed: in a string, or in the
// arguments of a magic or a shell command. It also returns where the path begins that can be
// completed there. In a comment the path is empty.
func inText(code string) (from int, ok bool) {
	start := strings.LastIndexByte(code, '\n') + 1
	if line := strings.TrimLeft(code[start:], " \t"); line != "" {
		name, _, args := strings.Cut(line, " ")
		if line[0] == '!' || args && fileMagics[name] {
			return start + strings.LastIndexAny(code[start:], " \t!") + 1, true
		}
	}
	return inLiteral(code)
}

// fileMagics lists the magics whose argument is a file.
var fileMagics = map[string]bool{"%cd": true, "%load": true, "%save": true, "%%writefile": true}

// inLiteral reports whether the code ends in a string or a comment, and returns where the text of
// the string begins.
func inLiteral(code string) (from int, ok bool) {
	file := token.NewFileSet().AddFile("", -1, len(code))
	broken := map[int]bool{} // offsets of literals that are not terminated
	var s scanner.Scanner
	s.Init(file, []byte(code), func(pos token.Position, msg string) {
		if strings.Contains(msg, "not terminated") {
			broken[pos.Offset] = true
		}
	}, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return 0, false
		}
		at := file.Offset(pos)
		if at+len(lit) < len(code) {
			continue
		}
		switch {
		case tok == token.COMMENT && (broken[at] || strings.HasPrefix(lit, "//")):
			return len(code), true
		case tok == token.STRING && broken[at]:
			return at + 1, true
		}
	}
}

// files lists the files that can complete the text between from and offset. If nothing is typed
// yet, it lists files only if the argument must be a file.
func files(env *Env, code string, from, offset int) []evaluator.Match {
	if env.Files == nil || from == offset && !takesFile(code[:from]) {
		return nil
	}
	var list []evaluator.Match
	for _, name := range env.Files(code[from:offset]) {
		list = append(list, evaluator.Match{Text: name, Kind: "file"})
	}
	return list
}

// takesFile reports whether the code ends with a quote that begins an argument of a function whose
// name shows that it reads or writes a file, such as os.ReadFile.
func takesFile(code string) bool {
	call, ok := strings.CutSuffix(code[:max(0, len(code)-1)], "(")
	if !ok || !strings.HasSuffix(code, `"`) && !strings.HasSuffix(code, "`") {
		return false
	}
	name := lastWord(call)
	for _, word := range []string{"Read", "Open", "Load", "File", "Dir", "Save", "Create", "Stat", "Image", "Remove"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}
