//go:build linux || darwin

#include "textflag.h"

// func Goroutine() uintptr
TEXT ·Goroutine(SB),NOSPLIT,$0-8
	MOVQ R14, ret+0(FP)
	RET
