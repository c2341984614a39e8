package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/interp/split"
)

// notebook is a notebook with numbered questions.
type notebook struct {
	title     string
	cells     []cell
	questions []question
}

type cell struct {
	Type     string           `json:"cell_type"`
	ID       string           `json:"id"`
	Metadata json.RawMessage  `json:"metadata"`
	Source   lines            `json:"source"`
	Count    *int             `json:"execution_count,omitempty"`
	Outputs  []map[string]any `json:"outputs,omitempty"`
}

// lines is a string that a notebook stores as a string or as a list of lines.
type lines string

func (l *lines) UnmarshalJSON(b []byte) error {
	var list []string
	if json.Unmarshal(b, &list) == nil {
		*l = lines(strings.Join(list, ""))
		return nil
	}
	return json.Unmarshal(b, (*string)(l))
}

// question is the text of a question. Its end in brackets is its tolerance, such as [1e-4].
type question string

var toleranceMark = regexp.MustCompile(`\[(1e-\d+)\]$`)

// tolerance returns the relative difference that the answers may have.
func (q question) tolerance() float64 {
	if m := toleranceMark.FindStringSubmatch(string(q)); m != nil {
		t, _ := strconv.ParseFloat(m[1], 64) // the pattern is that of a number
		return t
	}
	return 1e-6
}

var heading = regexp.MustCompile(`(?m)^## (\d+)\. (.+)$`)

func readCells(path string) ([]cell, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file struct{ Cells []cell }
	if err := json.Unmarshal(b, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return file.Cells, nil
}

func readNotebook(path string) (*notebook, error) {
	cells, err := readCells(path)
	if err != nil {
		return nil, err
	}
	nb := &notebook{cells: cells}
	for _, c := range cells {
		if c.Type != "markdown" {
			continue
		}
		if t, ok := strings.CutPrefix(string(c.Source), "# "); ok && nb.title == "" {
			nb.title, _, _ = strings.Cut(t, "\n")
		}
		if m := heading.FindStringSubmatch(string(c.Source)); m != nil {
			nb.questions = append(nb.questions, question(m[2]))
			if m[1] != strconv.Itoa(len(nb.questions)) {
				return nil, fmt.Errorf("%s: question %s must have the number %d", path, m[1], len(nb.questions))
			}
		}
	}
	return nb, nil
}

// each calls do with each cell of code and the number of its question, and reports whether the
// cell is the last of its question.
func (nb *notebook) each(do func(number int, last bool, c *cell) error) error {
	number := 0
	for i := range nb.cells {
		c := &nb.cells[i]
		if c.Type == "markdown" && heading.MatchString(string(c.Source)) {
			number++
		}
		if c.Type != "code" {
			continue
		}
		last := number > 0
		for _, later := range nb.cells[i+1:] {
			if later.Type == "markdown" && heading.MatchString(string(later.Source)) {
				break
			}
			last = last && later.Type != "code"
		}
		if err := do(number, last, c); err != nil {
			return fmt.Errorf("question %d: %w", number, err)
		}
	}
	return nil
}

func parse(src string) (*split.Cell, error) {
	file := split.Reserve(token.NewFileSet(), "cell", src)
	c, errs := split.Parse(src, token.Pos(file.Base()))
	if len(errs) > 0 {
		return nil, fmt.Errorf("%v in\n%s", errs[0], src)
	}
	return c, nil
}

// statements counts the statements of all cells. Imports don't count, because gokernel doesn't
// need them and pandas does.
func (nb *notebook) statements() (n int, err error) {
	err = nb.each(func(_ int, _ bool, c *cell) error {
		parsed, err := parse(string(c.Source))
		if err != nil {
			return err
		}
		n += countCell(parsed)
		return nil
	})
	return n, err
}

func countCell(c *split.Cell) (n int) {
	for _, d := range c.Decls {
		n += count(d)
	}
	for i, s := range c.Stmts {
		// A last line that lists values is one statement.
		if e, ok := s.(*ast.ExprStmt); ok && slices.Contains(c.Values[min(1, len(c.Values)):], e) && i > 0 {
			n += count(e.X)
			continue
		}
		n += count(s)
	}
	return n
}

// count counts the statements and declarations in a node. The parts of the head of an if or for
// statement, labels, cases and braces don't count.
func count(root ast.Node) (n int) {
	head := map[ast.Node]bool{}
	ast.Inspect(root, func(node ast.Node) bool {
		switch s := node.(type) {
		case *ast.IfStmt:
			head[s.Init] = true
		case *ast.ForStmt:
			head[s.Init], head[s.Post] = true, true
		case *ast.SwitchStmt:
			head[s.Init] = true
		case *ast.TypeSwitchStmt:
			head[s.Init], head[s.Assign] = true, true
		case *ast.DeclStmt:
			return true // its declaration counts
		}
		if head[node] && node != nil {
			return true
		}
		switch node.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause, *ast.LabeledStmt, *ast.EmptyStmt, *ast.DeclStmt:
		case ast.Stmt, ast.Decl:
			n++
		}
		return true
	})
	return n
}

//go:embed answer.txt
var answerCell string

// write writes a copy of the notebook that appends the answers to a file.
func (nb *notebook) write(path, answers string) error {
	out := []cell{{Type: "code", ID: "answers", Metadata: json.RawMessage("{}"),
		Source: lines(strings.ReplaceAll(answerCell, "ANSWERS", strconv.Quote(answers)))}}
	err := nb.each(func(number int, last bool, c *cell) error {
		if !last {
			return nil
		}
		src, err := wrap(string(c.Source), number)
		c.Source = lines(src)
		return err
	})
	if err != nil {
		return err
	}
	for _, c := range nb.cells {
		c.Outputs = nil
		out = append(out, c)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	type code struct {
		cell
		Count   *int  `json:"execution_count"`
		Outputs []any `json:"outputs"`
	}
	list := make([]any, len(out))
	for i, c := range out {
		list[i] = c
		if c.Type == "code" {
			list[i] = code{cell: c, Outputs: []any{}}
		}
	}
	if err := enc.Encode(map[string]any{"cells": list, "nbformat": 4, "nbformat_minor": 5,
		"metadata": map[string]any{"kernelspec": map[string]string{
			"name": "gokernel", "display_name": "Go (gokernel)", "language": "go"}}}); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// wrap passes the last value of a cell to the function answer.
func wrap(src string, number int) (string, error) {
	c, err := parse(src)
	if err != nil {
		return "", err
	}
	if len(c.Stmts) == 0 {
		return "", fmt.Errorf("the last cell has no value:\n%s", src)
	}
	last := c.Stmts[len(c.Stmts)-1]
	from, to := last.Pos(), last.End()
	if len(c.Values) > 0 {
		from = c.Values[0].Pos()
	}
	if _, ok := last.(*ast.ExprStmt); !ok {
		return "", fmt.Errorf("the last statement of the cell is not a value:\n%s", src)
	}
	at := func(p token.Pos) int { return int(p - c.Base) }
	return fmt.Sprintf("%sanswer(%d, %s)%s", src[:at(from)], number, src[at(from):at(to)], src[at(to):]), nil
}

// readFigures returns the numbers of the questions whose last cell shows an image.
func readFigures(path string) (map[int]bool, error) {
	cells, err := readCells(path)
	if err != nil {
		return nil, err
	}
	shown := map[int]bool{}
	nb := &notebook{cells: cells}
	return shown, nb.each(func(number int, _ bool, c *cell) error {
		for _, o := range c.Outputs {
			data, _ := o["data"].(map[string]any)
			for kind := range data {
				shown[number] = shown[number] || strings.HasPrefix(kind, "image/")
			}
		}
		return nil
	})
}

func readAnswers(path string) (map[int]answer, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	list := map[int]answer{}
	for line := range bytes.Lines(b) {
		var a answer
		if err := json.Unmarshal(line, &a); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		list[a.Question] = a
	}
	return list, nil
}
