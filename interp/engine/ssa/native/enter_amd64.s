//go:build linux

#include "go_asm.h"
#include "textflag.h"
#include "funcdata.h"

// func enter(c *Context, code uintptr)
//
// The code finds the context in R14 and the frame in DI, and comes back with the number of the exit
// in AX. It changes all registers but the stack pointer. It restores the frame pointer before any
// Go function runs, because the runtime follows frame pointers through stacks.
TEXT ·enter(SB), 0, $8-16
	NO_LOCAL_POINTERS
	MOVQ c+0(FP), R14
	MOVQ code+8(FP), AX
go:
	MOVQ Context_frame(R14), DI
	MOVQ Context_flag(R14), DX
	MOVL (DX), DX
	MOVL DX, Context_barrier(R14)
	CALL AX
	LEAQ 8(SP), BP // the frame pointer of the caller is behind the frame
	MOVQ c+0(FP), R14
	MOVQ AX, Context_exit(R14)
	BTQ $30, AX
	JCC left
	MOVQ R14, 0(SP)
	CALL ·callGo(SB)
	MOVQ c+0(FP), R14
	MOVQ Context_next(R14), AX
	JMP go
left:
	BTQ $31, AX
	JCC landed
	MOVQ R14, 0(SP)
	CALL ·land(SB)
	MOVQ c+0(FP), R14
	MOVQ Context_exit(R14), AX
landed:
	BTQ $29, AX
	JCC done
	MOVQ R14, 0(SP)
	CALL ·callOut(SB)
	MOVQ c+0(FP), R14
	MOVQ Context_next(R14), AX
	TESTQ AX, AX
	JNE go
done:
	RET

// func framePointer() uintptr
TEXT ·framePointer(SB), NOSPLIT, $0-8
	MOVQ BP, ret+0(FP)
	RET

// func features() uint32
TEXT ·features(SB), NOSPLIT, $0-4
	MOVL $1, AX
	XORL CX, CX
	CPUID
	MOVL CX, ret+0(FP)
	RET
