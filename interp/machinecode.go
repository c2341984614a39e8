package interp

import (
	"fmt"
	"strings"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// CompiledCode sets the function that receives the addresses of JIT-compiled code before the code
// runs.
func (s *Session) CompiledCode(take func(evaluator.MachineCode)) { s.machineCode.Store(&take) }

// compiled passes the addresses of JIT-compiled code to the function that CompiledCode has set, if
// there is one.
func (s *Session) compiled(c engine.JITCode) {
	take := s.machineCode.Load()
	if take == nil {
		return
	}
	code := evaluator.MachineCode{
		Func:  strings.ReplaceAll(c.Func, "ǃcell", "the cell"),
		Off:   "%jit off",
		Start: uint64(c.Start),
		End:   uint64(c.End),
	}
	if c.Pos.IsValid() {
		code.Func = fmt.Sprintf("%s (%s line %d)", code.Func, c.Pos.Filename, c.Pos.Line)
	}
	if !strings.Contains(c.Name, "ǃ") { // it is a function that users can name
		code.Off += " " + c.Name
	}
	(*take)(code)
}
