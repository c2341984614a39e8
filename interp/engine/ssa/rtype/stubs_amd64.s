//go:build (linux || darwin || windows) && (!go1.28 && !gokernel_closed || gokernel_port)

#include "go_asm.h"
#include "textflag.h"
#include "funcdata.h"

// The method stubs: piece n, of 16 bytes, leaves n in a scratch register.
#define S1(n) PCALIGN $16; MOVL $(n), R12; JMP dispatch;
#define S8(n) S1(8*(n)) S1(8*(n)+1) S1(8*(n)+2) S1(8*(n)+3) S1(8*(n)+4) S1(8*(n)+5) S1(8*(n)+6) S1(8*(n)+7)
#define S64(n) S8(8*(n)) S8(8*(n)+1) S8(8*(n)+2) S8(8*(n)+3) S8(8*(n)+4) S8(8*(n)+5) S8(8*(n)+6) S8(8*(n)+7)
#define S512(n) S64(8*(n)) S64(8*(n)+1) S64(8*(n)+2) S64(8*(n)+3) S64(8*(n)+4) S64(8*(n)+5) S64(8*(n)+6) S64(8*(n)+7)
#define S4096(n) S512(8*(n)) S512(8*(n)+1) S512(8*(n)+2) S512(8*(n)+3) S512(8*(n)+4) S512(8*(n)+5) S512(8*(n)+6) S512(8*(n)+7)

TEXT ·stubs(SB), NOSPLIT|NOFRAME, $0-0
	S4096(0)
	S4096(1)
	S4096(2)
	S4096(3)
	S4096(4)
	S4096(5)
	S4096(6)
	S4096(7)
dispatch:
	MOVQ ·stubTable(SB), DX
	MOVQ (DX)(R12*8), DX
	JMP  ·closureCode(SB)

DATA ·stubsPC(SB)/8, $·stubs(SB)
GLOBL ·stubsPC(SB), RODATA, $8

// closureCode is the code of every interpreted func value. The context
// register DX points to the Closure.
TEXT ·closureCode(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ Closure_sig(DX), R12 // its Signature
	MOVL Signature_stack(R12), R13
	TESTL R13, R13
	JNE  stack
	JMP  ·closureEntry(SB)
stack:
	MOVQ Closure_byStack(DX), DX // the func value that package reflect made
	MOVQ (DX), R12
	JMP  R12

DATA ·closureCodePC(SB)/8, $·closureCode(SB)
GLOBL ·closureCodePC(SB), RODATA, $8

// The frame of closureEntry holds the argument of enter and a Call: 288 bytes.
#define CALL_AT 8

// callPointers marks the last 11 words of the frame as pointers: the pointer
// registers, slow and closure of the Call.
DATA callPointers<>+0(SB)/4, $1
DATA callPointers<>+4(SB)/4, $11
DATA callPointers<>+8(SB)/1, $0xff
DATA callPointers<>+9(SB)/1, $0x07
GLOBL callPointers<>(SB), RODATA, $10

// SAVE stores integer register n, and a copy of it that the garbage collector sees. The copy is nil
// if the Signature's bit says that the register holds no pointer.
#define SAVE(n, reg) \
	MOVQ reg, (CALL_AT+Call_ints+8*n)(SP); \
	XORL R12, R12; \
	BTL $n, R13; \
	CMOVQCS reg, R12; \
	MOVQ R12, (CALL_AT+Call_pointers+8*n)(SP)

// closureEntry makes a Call from the registers and passes it to enter. It saves the floating-point
// registers only if the Signature uses any. DX points to the Closure, R12 to its Signature.
TEXT ·closureEntry(SB), NOSPLIT|WRAPPER, $288-0
	FUNCDATA $FUNCDATA_LocalsPointerMaps, callPointers<>(SB)
	MOVQ Closure_sig(DX), R12
	MOVL Signature_pointers(R12), R13
	MOVQ DX, (CALL_AT+Call_closure)(SP)
	MOVQ $0, (CALL_AT+Call_slow)(SP)
	SAVE(0, AX)
	SAVE(1, BX)
	SAVE(2, CX)
	SAVE(3, DI)
	SAVE(4, SI)
	SAVE(5, R8)
	SAVE(6, R9)
	SAVE(7, R10)
	SAVE(8, R11)
	MOVQ Closure_sig(DX), R12
	MOVL Signature_floats(R12), R12
	TESTL R12, R12
	JEQ  saved
	MOVQ X0, (CALL_AT+Call_floats+0*8)(SP)
	MOVQ X1, (CALL_AT+Call_floats+1*8)(SP)
	MOVQ X2, (CALL_AT+Call_floats+2*8)(SP)
	MOVQ X3, (CALL_AT+Call_floats+3*8)(SP)
	MOVQ X4, (CALL_AT+Call_floats+4*8)(SP)
	MOVQ X5, (CALL_AT+Call_floats+5*8)(SP)
	MOVQ X6, (CALL_AT+Call_floats+6*8)(SP)
	MOVQ X7, (CALL_AT+Call_floats+7*8)(SP)
	MOVQ X8, (CALL_AT+Call_floats+8*8)(SP)
	MOVQ X9, (CALL_AT+Call_floats+9*8)(SP)
	MOVQ X10, (CALL_AT+Call_floats+10*8)(SP)
	MOVQ X11, (CALL_AT+Call_floats+11*8)(SP)
	MOVQ X12, (CALL_AT+Call_floats+12*8)(SP)
	MOVQ X13, (CALL_AT+Call_floats+13*8)(SP)
	MOVQ X14, (CALL_AT+Call_floats+14*8)(SP)
saved:
	LEAQ CALL_AT(SP), AX
	MOVQ AX, 0(SP)
	CALL ·enter(SB)
	MOVQ (CALL_AT+Call_closure)(SP), DX
	MOVQ Closure_sig(DX), R12
	MOVL Signature_floats(R12), R12
	MOVQ (CALL_AT+Call_ints+0*8)(SP), AX
	MOVQ (CALL_AT+Call_ints+1*8)(SP), BX
	MOVQ (CALL_AT+Call_ints+2*8)(SP), CX
	MOVQ (CALL_AT+Call_ints+3*8)(SP), DI
	MOVQ (CALL_AT+Call_ints+4*8)(SP), SI
	MOVQ (CALL_AT+Call_ints+5*8)(SP), R8
	MOVQ (CALL_AT+Call_ints+6*8)(SP), R9
	MOVQ (CALL_AT+Call_ints+7*8)(SP), R10
	MOVQ (CALL_AT+Call_ints+8*8)(SP), R11
	TESTL R12, R12
	JEQ  done
	MOVQ (CALL_AT+Call_floats+0*8)(SP), X0
	MOVQ (CALL_AT+Call_floats+1*8)(SP), X1
	MOVQ (CALL_AT+Call_floats+2*8)(SP), X2
	MOVQ (CALL_AT+Call_floats+3*8)(SP), X3
	MOVQ (CALL_AT+Call_floats+4*8)(SP), X4
	MOVQ (CALL_AT+Call_floats+5*8)(SP), X5
	MOVQ (CALL_AT+Call_floats+6*8)(SP), X6
	MOVQ (CALL_AT+Call_floats+7*8)(SP), X7
	MOVQ (CALL_AT+Call_floats+8*8)(SP), X8
	MOVQ (CALL_AT+Call_floats+9*8)(SP), X9
	MOVQ (CALL_AT+Call_floats+10*8)(SP), X10
	MOVQ (CALL_AT+Call_floats+11*8)(SP), X11
	MOVQ (CALL_AT+Call_floats+12*8)(SP), X12
	MOVQ (CALL_AT+Call_floats+13*8)(SP), X13
	MOVQ (CALL_AT+Call_floats+14*8)(SP), X14
done:
	RET
