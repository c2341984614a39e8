//go:build linux

#include "go_asm.h"
#include "textflag.h"
#include "funcdata.h"

// func enter(c *Context, code uintptr)
//
// The code finds the context in R21 and the frame in R20, and comes back with the number
// of the exit in R0. It changes all registers but those of the stack, the goroutine, the
// frame pointer and the platform.
TEXT ·enter(SB), 0, $8-16
	NO_LOCAL_POINTERS
	MOVD c+0(FP), R21
	MOVD code+8(FP), R1
go:
	MOVD Context_frame(R21), R20
	MOVD Context_flag(R21), R2
	MOVWU (R2), R2
	MOVW R2, Context_barrier(R21)
	ISB $15 // the code may have been written by another processor
	CALL (R1)
	MOVD c+0(FP), R21
	MOVD R0, Context_exit(R21)
	TBZ $30, R0, left
	MOVD R21, 8(RSP)
	CALL ·callGo(SB)
	MOVD c+0(FP), R21
	MOVD Context_next(R21), R1
	B go
left:
	TBZ $31, R0, landed
	MOVD R21, 8(RSP)
	CALL ·land(SB)
	MOVD c+0(FP), R21
	MOVD Context_exit(R21), R0
landed:
	TBZ $29, R0, done
	MOVD R21, 8(RSP)
	CALL ·callOut(SB)
	MOVD c+0(FP), R21
	MOVD Context_next(R21), R1
	CBNZ R1, go
done:
	RET

// func framePointer() uintptr
TEXT ·framePointer(SB), NOSPLIT, $0-8
	MOVD R29, ret+0(FP)
	RET

// func cacheLines() uint64
TEXT ·cacheLines(SB), NOSPLIT, $0-8
	MRS CTR_EL0, R0
	MOVD R0, ret+0(FP)
	RET

// func cleanData(from, to, line uintptr)
TEXT ·cleanData(SB), NOSPLIT, $0-24
	MOVD from+0(FP), R0
	MOVD to+8(FP), R1
	MOVD line+16(FP), R2
clean:
	DC CVAU, R0
	ADD R2, R0
	CMP R1, R0
	BLO clean
	DSB $11 // of the processors that share memory
	RET

// func forgetInstructions(from, to, line uintptr)
TEXT ·forgetInstructions(SB), NOSPLIT, $0-24
	MOVD from+0(FP), R0
	MOVD to+8(FP), R1
	MOVD line+16(FP), R2
forget:
	WORD $0xd50b7520 // IC IVAU, R0
	ADD R2, R0
	CMP R1, R0
	BLO forget
	DSB $11
	ISB $15
	RET
