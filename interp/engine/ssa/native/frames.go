package native

import (
	"sync/atomic"
	"unsafe"
)

// Code can call a function that then runs in a frame of its own, as in the interpreter. The caller
// takes a frame from the callee's stack of frames, sets the parameters, and jumps to the callee.
// Before that, it writes the registers that it still needs to its own frame. No state of the calls
// in progress is then on the code's stack, so each call can leave to Go and be continued there.
//
// The callee jumps back to the address that the caller has left in the frame. If there is no such
// address, the caller is Go.

// FrameCall is a call of a function in a frame of its own.
type FrameCall struct {
	Function, Code unsafe.Pointer // the machine's function and code, if the callee is known
	Targets        *Targets       // of a method of the interface value X, Y; otherwise X is a func value
	Args           []Word         // copied to the callee's frame: the registers Args, or words of the own frame
	Results        []Word         // copied from the callee's frame to the own frame
	Clears         []int32        // words of results in the callee's frame that are pointers
	PC             int32          // of the call
	Leaf           bool           // the callee may have a form without a frame
	LeafWords      int            // the number of words of the results
	LeafResults    []LeafResult   // results that are copied to the own frame
}

// Targets caches the targets of a call through an interface.
type Targets [8]atomic.Pointer[Target]

// Target is the method of one type. It has the machine's function, and the form in which the
// receiver is passed.
type Target struct {
	Table, Function unsafe.Pointer
	Words           int64 // of the receiver at the data word; 0: the data word itself is the receiver
	To              int64 // offset of the receiver in the callee's frame
}

// maxReceiver is the maximum number of words of a receiver.
const maxReceiver = 4

// Put adds a target to the cache, if code can call it.
func (t *Targets) Put(table, function unsafe.Pointer, direct bool, size, to uintptr) {
	if !direct && (size%8 != 0 || size == 0 || size > 8*maxReceiver) {
		return
	}
	n := &Target{Table: table, Function: function, To: int64(to)}
	if !direct {
		n.Words = int64(size / 8)
	}
	p := uintptr(table)
	t[(p>>5^p>>9)%8].Store(n)
}

// Word is a word to be copied.
type Word struct {
	Type     Type
	From, To int32
}

// EnvWord is one word of a leaf's captured variables or receiver.
type EnvWord struct {
	Reg    Reg
	Off    int32
	Direct bool // it is the scratch register itself
}

// LeafResult says where the caller stores one word of a leaf's results: Number is the index of the
// word among the result words, and To is the word's offset in the caller's frame.
type LeafResult struct {
	Type   Type
	Number int
	To     int32
}

// Runtime has the field offsets of the machine's objects that code needs.
type Runtime struct {
	FrameThread, FrameStack, FrameDepth, FrameReturn, FrameCaller, FrameCode, FrameSite, FramePC int32
	ThreadDepth, ThreadBound, ThreadMask, ThreadTable                                            int32
	EntryCode, EntryStack                                                                        int32
	StackFrames, StackLen, StackN, StackCode                                                     int32
	CodeID, CodeStart, CodeLeaf, CodeMethod                                                      int32
	FunctionCode                                                                                 int32
	ClosureFn, ClosureEnv                                                                        int32
	ClosurePC                                                                                    uintptr
}

// bitsOfEntry is the binary logarithm of the size of an entry in a thread's table.
const bitsOfEntry = 4
