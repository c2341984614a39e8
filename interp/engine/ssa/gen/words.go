package main

import (
	"fmt"
	"strings"
)

// results lists the forms of results for which gen writes calls by registers. Each letter is a
// register: i for an integer, p for a pointer, f for a float.
var results = []string{"", "i", "p", "f", "ii", "pi", "pp", "ip", "fi", "ff", "pii", "ipp", "ppp", "fpp", "pip", "ppi", "iii", "pipp", "piipp"}

// arguments returns the pairs (integer registers, floating-point registers) for which gen writes
// calls.
func arguments() (all [][2]int) {
	for i := range 9 {
		all = append(all, [2]int{i, 0})
	}
	for f := 1; f <= 3; f++ {
		for i := range 4 {
			all = append(all, [2]int{i, f})
		}
	}
	return all
}

var goType = map[rune]string{'i': "uintptr", 'p': "unsafe.Pointer", 'f': "float64"}

func words() []byte {
	w := header("outcall", "unsafe", "github.com/gokernel/gokernel/interp/engine/ssa/layout")
	fmt.Fprint(w, "// registerCall returns a call that passes words in integer and in floating-point registers, and\n// gets results of the given form. The call drops the results if out is nil. registerCall\n// returns nil if there is no such call.\nfunc registerCall(in, floats []uintptr, form string, out []result) Func {\nswitch form {\n")
	for _, r := range results {
		fmt.Fprintf(w, "case %q:\nreturn registerCall%s(in, floats, out)\n", r, name(r))
	}
	fmt.Fprint(w, "}\nreturn nil\n}\n\n")
	for _, r := range results {
		fmt.Fprintf(w, "func registerCall%s(in, floats []uintptr, out []result) Func {\nswitch [2]int{len(in), len(floats)} {\n", name(r))
		for _, a := range arguments() {
			var types, args, rets, vars []string
			for i := range a[0] {
				types = append(types, "uintptr")
				args = append(args, fmt.Sprintf("*layout.Ref[uintptr](fp, i%d)", i))
			}
			for i := range a[1] {
				types = append(types, "float64")
				args = append(args, fmt.Sprintf("*layout.Ref[float64](fp, f%d)", i))
			}
			for i, k := range r {
				rets = append(rets, goType[k])
				vars = append(vars, fmt.Sprintf("r%d", i))
			}
			fmt.Fprintf(w, "case [2]int{%d, %d}:\n", a[0], a[1])
			for i := range a[0] {
				fmt.Fprintf(w, "i%d := in[%d]\n", i, i)
			}
			for i := range a[1] {
				fmt.Fprintf(w, "f%d := floats[%d]\n", i, i)
			}
			fmt.Fprint(w, "return func(fp layout.Frame, f unsafe.Pointer) {\n")
			if len(vars) > 0 {
				fmt.Fprintf(w, "%s := ", strings.Join(vars, ", "))
			}
			fmt.Fprintf(w, "(*(*func(%s) (%s))(unsafe.Pointer(&f)))(%s)\n", strings.Join(types, ", "), strings.Join(rets, ", "), strings.Join(args, ", "))
			if len(vars) > 0 {
				fmt.Fprint(w, "if len(out) == 0 {\nreturn\n}\n")
			}
			for i, k := range r {
				switch k {
				case 'i':
					fmt.Fprintf(w, "out[%d].setInt(fp, r%d)\n", i, i)
				case 'f':
					fmt.Fprintf(w, "out[%d].setFloat(fp, r%d)\n", i, i)
				default:
					fmt.Fprintf(w, "*layout.Ref[unsafe.Pointer](fp, out[%d].off) = r%d\n", i, i)
				}
			}
			fmt.Fprint(w, "}\n")
		}
		fmt.Fprint(w, "}\nreturn nil\n}\n\n")
	}
	return w.Bytes()
}

// name returns the suffix of a function's name for a form.
func name(form string) string {
	if form == "" {
		return "None"
	}
	return strings.ToUpper(form)
}
