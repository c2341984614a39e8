package native

import "unsafe"

// Type is the type of a variable or an operand. A bool is a Uint8 of 0 or 1.
type Type uint8

const (
	Int8 Type = iota
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Pointer
	Float32
	Float64
)

// Size returns the size of a value in bytes.
func (t Type) Size() int { return [...]int{1, 2, 4, 8, 1, 2, 4, 8, 8, 4, 8}[t] }

// Float reports whether values are floating-point numbers.
func (t Type) Float() bool { return t >= Float32 }

// Signed reports whether values are signed integers.
func (t Type) Signed() bool { return t <= Int64 }

// Reg is a virtual register. It holds integers of less than 64 bits sign-extended or zero-extended,
// depending on their type.
type Reg int32

const (
	None  Reg = 0 // no variable
	Frame Reg = 1 // the address of the frame
	first Reg = 2
)

// Var describes a virtual register.
type Var struct {
	Type   Type
	Placed bool  // it has a home, a frame slot
	Home   int32 // offset of the home in the frame
	Const  bool  // it always has the value Value; for a float, the bits
	Value  int64
}

// Op is an operation.
type Op uint8

const (
	Const Op = iota // D = Imm; for a float, the bits
	Move            // D = X
	Add             // D = X + Y, or X + Imm where Y is None; the other integer operations are alike
	Sub
	Mul
	And
	Or
	Xor
	AndNot
	Neg // D = -X
	Not // D = ^X
	Shl // D = X << Y, with Go's result for an unsigned Y
	Shr
	Div // D = X / Y; Y is not 0
	Rem
	Pick     // D = Y if Y Cond X, else X
	Extend   // D = X of type To, an integer
	Ones     // D = the number of one bits of X; see CountsOnes
	LowZeros // D = the number of trailing zero bits of X, 64 for 0
	BitLen   // D = the number of bits of X without leading zeros
	FAdd
	FSub
	FMul
	FDiv
	FMin // D = the builtin min(X, Y)
	FMax // D = the builtin max(X, Y); amd64 has -min(-X, -Y) instead, as compiled Go does
	FNeg
	FAbs
	FSqrt
	FRound    // D = X rounded as Imm says: a mode of ROUNDSD on amd64, 8 to 11
	FBits     // D, an integer, = the bits of X
	FromBits  // D, a float, = the bits in X
	IntFloat  // D of type To = X, an integer of 64 bits
	UintFloat // IntFloat for Uint64
	FloatInt  // D = X as an integer of type To, as compiled Go converts it on the processor
	FloatUint // FloatInt for Uint64
	FloatFloat
	Set        // D = X Cond Y, 0 or 1
	Load       // D = the value at the address
	Store      // the value at the address = Z, or Imm's low bytes where Z is None
	StorePtr   // the pointer at the address = Z, with the write barrier of the collector
	Address    // D = the address
	CallGo     // D = the Go function numbered Imm, called with Args, one or two Float64
	CallHelper // D = the helper numbered Imm, called with Args, up to four words
	Call       // D = the callee numbered Imm, called with Args; leave at Exit if it is abandoned
	CheckBelow // leave at Exit unless X < Y, or X < Imm if Y is None, as unsigned numbers
	CheckSign  // leave at Exit if X is negative
	CheckSet   // leave at Exit if X is 0
	Poll       // a safepoint: leave at Exit if the code has run for long enough
	Leave      // a side exit: leave at Exit
	CallOut    // leave at Exit; the interpreter runs ops that set Defs, and enters the next block
	CallFrame  // CallOut, unless the function described by Frame can be entered in its own frame
)

// Mem is an address: Base + Index*Scale + Disp.
type Mem struct {
	Base, Index Reg
	Scale       uint8
	Disp        int32
}

// Instr is an instruction.
type Instr struct {
	Op      Op
	Type    Type // type of the operands
	To      Type // type of the result, if different
	Cond    Cond
	D       Reg
	X, Y, Z Reg
	Imm     int64
	Mem     Mem
	Exit    int32 // exit of a check or a call; -1 in a body
	Args    []Reg // arguments of a call
	Defs    []Reg // registers whose homes a call-out sets
	Frame   *FrameCall
}

// Cond is a comparison.
type Cond uint8

const (
	Equal Cond = iota
	NotEqual
	Less
	LessEqual
	Greater
	GreaterEqual
)

// swapped returns the comparison that holds for y and x if c holds for x and y.
func (c Cond) swapped() Cond {
	return [...]Cond{Equal, NotEqual, Greater, GreaterEqual, Less, LessEqual}[c]
}

// End is the way in which a block ends.
type End uint8

const (
	Jump   End = iota // to Next[0]
	Branch            // to Next[0] if Test holds, else to Next[1]
	Return            // the results are in their variables
	Stop              // unreachable: a Leave or a CallOut comes before
)

// Test is the condition of a branch: X Cond Y, or X Cond Imm if Y is None.
type Test struct {
	Type Type
	Cond Cond
	X, Y Reg
	Imm  int64
}

// Block is a basic block.
type Block struct {
	Instrs []Instr
	End    End
	Test   Test
	Next   [2]int
	Depth  int // number of loops that contain it
}

// Exit is a side exit: the op at which the interpreter resumes.
type Exit struct {
	Block, Op int   // the interpreter's numbers
	Ops       int   // of a call-out: the number of ops that the interpreter runs
	Next      int   // the block at which the code is entered after them
	Waits     bool  // the ops may wait, or run the user's code
	Uses      []Reg // registers that the interpreter reads there, besides those live in the code

	Results []Result                                  // of a call in a frame of its own
	Called  func(frame unsafe.Pointer) unsafe.Pointer // the machine's code that such a call has called, or nil

	needs []need // all registers to write to their homes; findNeeds sets it
}

// Result is a result of a call in a frame. It has the offset in the callee's frame, and the number
// of the caller's slot.
type Result struct {
	From uintptr
	To   int
}

// need is a register to write to its home, and the register that holds the value.
type need struct {
	of, in Reg
	op     bool // only an op that a call makes unnecessary reads it
}

// Func is a function to be compiled.
type Func struct {
	Vars    []Var // indexed by Reg
	Blocks  []Block
	Order   []int // the blocks in the order of the code
	Exits   []Exit
	Entries []int // blocks at which the code is entered
	Results []Reg // registers that a return reads, each with a home

	Start     int      // the index in Entries of the function's beginning, or -1
	StartExit int32    // the exit at the function's beginning
	Captured  []Word   // words of captured variables: from the closure's block to the frame
	Clears    []int32  // words of the frame to clear when the function returns
	Callable  bool     // the function can be called in a frame of its own: Start is set
	Calls     *Runtime // set if the function is callable or calls such functions

	Leaf   *Func     // the function's form without a frame, or nil
	Env    []EnvWord // of a leaf: its captured variables, or its receiver
	Bodies []*Func   // callees
	Go     []func(x, y float64) float64
	// Params are the parameters, if the function is a callee. A callee has no frame, so its
	// registers have no homes, and at most one result. It does not change memory: at a side exit of
	// the callee, the function itself takes the side exit of the call in progress.
	Params []Reg
}

// NewFunc makes a function without blocks.
func NewFunc() *Func { return &Func{Vars: make([]Var, first)} }

// Var makes a variable.
func (f *Func) Var(v Var) Reg {
	f.Vars = append(f.Vars, v)
	return Reg(len(f.Vars) - 1)
}

// uses calls do for the registers that an instruction reads, except the registers that its side
// exit reads.
func (in *Instr) uses(do func(Reg)) {
	for _, r := range [...]Reg{in.X, in.Y, in.Z, in.Mem.Base, in.Mem.Index} {
		if r >= first {
			do(r)
		}
	}
	for _, r := range in.Args {
		if r >= first {
			do(r)
		}
	}
}

// leaves reports whether an instruction may leave at its exit.
func (in *Instr) leaves() bool { return in.Op >= Call && in.Op <= CallFrame }

// refusal is the reason why a function is not compiled.
type refusal string

func (r refusal) Error() string { return string(r) }
