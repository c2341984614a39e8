package main

import "fmt"

// The ends of loops: a variable in the frame is stepped by k or by another
// variable and compared with n or with another variable.
var steps = []struct{ kind, by string }{{"isConst", "k"}, {"inSlot", "*ref[int64](fp, ko)"}}

var limits = []struct{ kind, with string }{{"isConst", "n"}, {"inSlot", "*ref[int64](fp, no)"}}

// The forms of a counter: a branch, and code that runs all iterations of a loop of one block, with
// one op or with several. In the last form, the ops before the first iteration have run, and the
// caller handles a stop request.
var counterForms = []struct{ name, params, doc, before, again string }{
	{"branch", "", "returns the end of a block", "", "return yes\n"},
	{"repeatOne", "pc int32, body op", "returns a branch that runs a loop whose only op has the number pc",
		"h := head(fp)\n", "if h.Thread.Bound.Load() < 0 {\nreturn yes\n}\nh.PC = pc\nbody(fp)\n"},
	{"repeatAll", "first int32, body []op", "returns a branch that runs a loop whose ops have the numbers after first",
		"h := head(fp)\n", "if h.Thread.Bound.Load() < 0 {\nreturn yes\n}\npc := first\nfor _, o := range body {\npc++\nh.PC = pc\no(fp)\n}\n"},
}

func counters() []byte {
	w := header("compile", "go/token")
	for _, f := range counterForms {
		fmt.Fprintf(w, "// %s %s.\n// It returns nil for a comparison with which no loop ends.\nfunc (c *counter) %s(%s) branch {\n", f.name, f.doc, f.name, f.params)
		fmt.Fprint(w, "i, k, ko, n, no, yes, end := c.off, c.by.k, c.by.off, c.with.k, c.with.off, c.yes, c.no\n")
		fmt.Fprint(w, "switch {\n")
		for _, o := range comparisons[1:] {
			for _, s := range steps {
				for _, l := range limits {
					fmt.Fprintf(w, "case c.op == %s && c.by.kind == %s && c.with.kind == %s:\nreturn func(fp frame) *block {\n", tokens[o.name], s.kind, l.kind)
					step := fmt.Sprintf("v := *ref[int64](fp, i) + %s\n*ref[int64](fp, i) = v\n", s.by)
					if f.name == "branch" {
						fmt.Fprintf(w, "%sif v %s %s {\nreturn yes\n}\nreturn end\n}\n", step, o.token, l.with)
						continue
					}
					fmt.Fprintf(w, "%sfor {\n%sif !(v %s %s) {\nreturn end\n}\n%s}\n}\n", f.before, step, o.token, l.with, f.again)
				}
			}
		}
		fmt.Fprint(w, "}\nreturn nil\n}\n\n")
	}
	return w.Bytes()
}
