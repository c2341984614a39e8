//go:build linux || darwin

#include "textflag.h"

// func Goroutine() uintptr
TEXT ·Goroutine(SB),NOSPLIT,$0-8
	MOVD g, ret+0(FP)
	RET
