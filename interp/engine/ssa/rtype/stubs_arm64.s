//go:build (linux || darwin || windows) && (!go1.28 && !gokernel_closed || gokernel_port)

#include "go_asm.h"
#include "textflag.h"
#include "funcdata.h"

// The method stubs: piece n, of 8 bytes, leaves n+1 in a scratch register (the
// assembler has no MOVZ of 0).
#define S1(n) MOVZ $((n)+1), R20; JMP dispatch;
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
	SUB  $1, R20
	MOVD ·stubTable(SB), R26
	MOVD (R26)(R20<<3), R26
	JMP  ·closureCode(SB)

DATA ·stubsPC(SB)/8, $·stubs(SB)
GLOBL ·stubsPC(SB), RODATA, $8

// closureCode is the code of every interpreted func value. The context
// register R26 points to the Closure.
TEXT ·closureCode(SB), NOSPLIT|NOFRAME, $0-0
	MOVD  Closure_sig(R26), R20 // its Signature
	MOVWU Signature_stack(R20), R21
	CBNZ  R21, stack
	JMP   ·closureEntry(SB)
stack:
	MOVD Closure_byStack(R26), R26 // the func value that package reflect made
	MOVD (R26), R20
	JMP  (R20)

DATA ·closureCodePC(SB)/8, $·closureCode(SB)
GLOBL ·closureCodePC(SB), RODATA, $8

// The frame of closureEntry holds the link register, the argument of enter, 8 bytes of padding and
// a Call: 416 bytes after the link register.
#define CALL_AT 24

// callPointers marks the last 18 words of the frame as pointers: the pointer
// registers, slow and closure of the Call.
DATA callPointers<>+0(SB)/4, $1
DATA callPointers<>+4(SB)/4, $18
DATA callPointers<>+8(SB)/1, $0xff
DATA callPointers<>+9(SB)/1, $0xff
DATA callPointers<>+10(SB)/1, $0x03
GLOBL callPointers<>(SB), RODATA, $11

// SAVE stores integer register n, and a copy of it that the garbage collector sees. The copy is nil
// if the Signature's bit says that the register holds no pointer.
#define SAVE(n, reg) \
	MOVD reg, (CALL_AT+Call_ints+8*n)(RSP); \
	TST $(1<<n), R21; \
	CSEL NE, reg, ZR, R20; \
	MOVD R20, (CALL_AT+Call_pointers+8*n)(RSP)

// closureEntry makes a Call from the registers and passes it to enter. It saves the floating-point
// registers only if the Signature uses any. R26 points to the Closure.
TEXT ·closureEntry(SB), NOSPLIT|WRAPPER, $416-0
	FUNCDATA $FUNCDATA_LocalsPointerMaps, callPointers<>(SB)
	MOVD Closure_sig(R26), R20
	MOVWU Signature_pointers(R20), R21
	MOVD R26, (CALL_AT+Call_closure)(RSP)
	MOVD ZR, (CALL_AT+Call_slow)(RSP)
	SAVE(0, R0)
	SAVE(1, R1)
	SAVE(2, R2)
	SAVE(3, R3)
	SAVE(4, R4)
	SAVE(5, R5)
	SAVE(6, R6)
	SAVE(7, R7)
	SAVE(8, R8)
	SAVE(9, R9)
	SAVE(10, R10)
	SAVE(11, R11)
	SAVE(12, R12)
	SAVE(13, R13)
	SAVE(14, R14)
	SAVE(15, R15)
	MOVD Closure_sig(R26), R20
	MOVWU Signature_floats(R20), R20
	CBZ  R20, saved
	FMOVD F0, (CALL_AT+Call_floats+0*8)(RSP)
	FMOVD F1, (CALL_AT+Call_floats+1*8)(RSP)
	FMOVD F2, (CALL_AT+Call_floats+2*8)(RSP)
	FMOVD F3, (CALL_AT+Call_floats+3*8)(RSP)
	FMOVD F4, (CALL_AT+Call_floats+4*8)(RSP)
	FMOVD F5, (CALL_AT+Call_floats+5*8)(RSP)
	FMOVD F6, (CALL_AT+Call_floats+6*8)(RSP)
	FMOVD F7, (CALL_AT+Call_floats+7*8)(RSP)
	FMOVD F8, (CALL_AT+Call_floats+8*8)(RSP)
	FMOVD F9, (CALL_AT+Call_floats+9*8)(RSP)
	FMOVD F10, (CALL_AT+Call_floats+10*8)(RSP)
	FMOVD F11, (CALL_AT+Call_floats+11*8)(RSP)
	FMOVD F12, (CALL_AT+Call_floats+12*8)(RSP)
	FMOVD F13, (CALL_AT+Call_floats+13*8)(RSP)
	FMOVD F14, (CALL_AT+Call_floats+14*8)(RSP)
	FMOVD F15, (CALL_AT+Call_floats+15*8)(RSP)
saved:
	ADD  $CALL_AT, RSP, R20
	MOVD R20, 8(RSP)
	CALL ·enter(SB)
	MOVD (CALL_AT+Call_closure)(RSP), R20
	MOVD Closure_sig(R20), R20
	MOVWU Signature_floats(R20), R20
	MOVD (CALL_AT+Call_ints+0*8)(RSP), R0
	MOVD (CALL_AT+Call_ints+1*8)(RSP), R1
	MOVD (CALL_AT+Call_ints+2*8)(RSP), R2
	MOVD (CALL_AT+Call_ints+3*8)(RSP), R3
	MOVD (CALL_AT+Call_ints+4*8)(RSP), R4
	MOVD (CALL_AT+Call_ints+5*8)(RSP), R5
	MOVD (CALL_AT+Call_ints+6*8)(RSP), R6
	MOVD (CALL_AT+Call_ints+7*8)(RSP), R7
	MOVD (CALL_AT+Call_ints+8*8)(RSP), R8
	MOVD (CALL_AT+Call_ints+9*8)(RSP), R9
	MOVD (CALL_AT+Call_ints+10*8)(RSP), R10
	MOVD (CALL_AT+Call_ints+11*8)(RSP), R11
	MOVD (CALL_AT+Call_ints+12*8)(RSP), R12
	MOVD (CALL_AT+Call_ints+13*8)(RSP), R13
	MOVD (CALL_AT+Call_ints+14*8)(RSP), R14
	MOVD (CALL_AT+Call_ints+15*8)(RSP), R15
	CBZ  R20, done
	FMOVD (CALL_AT+Call_floats+0*8)(RSP), F0
	FMOVD (CALL_AT+Call_floats+1*8)(RSP), F1
	FMOVD (CALL_AT+Call_floats+2*8)(RSP), F2
	FMOVD (CALL_AT+Call_floats+3*8)(RSP), F3
	FMOVD (CALL_AT+Call_floats+4*8)(RSP), F4
	FMOVD (CALL_AT+Call_floats+5*8)(RSP), F5
	FMOVD (CALL_AT+Call_floats+6*8)(RSP), F6
	FMOVD (CALL_AT+Call_floats+7*8)(RSP), F7
	FMOVD (CALL_AT+Call_floats+8*8)(RSP), F8
	FMOVD (CALL_AT+Call_floats+9*8)(RSP), F9
	FMOVD (CALL_AT+Call_floats+10*8)(RSP), F10
	FMOVD (CALL_AT+Call_floats+11*8)(RSP), F11
	FMOVD (CALL_AT+Call_floats+12*8)(RSP), F12
	FMOVD (CALL_AT+Call_floats+13*8)(RSP), F13
	FMOVD (CALL_AT+Call_floats+14*8)(RSP), F14
	FMOVD (CALL_AT+Call_floats+15*8)(RSP), F15
done:
	RET
