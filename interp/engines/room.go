//go:build (linux || darwin || windows) && (amd64 || arm64)

package engines

import (
	"math"
	"reflect"

	"github.com/gokernel/gokernel/interp/engine/ssa"
	"gonum.org/v1/gonum/mat"
)

// roomy contains the functions of gonum that allocate memory according to their arguments. These
// versions end the cell if there is not enough memory, because the runtime would end the process.
var roomy = map[string]reflect.Value{
	"gonum.org/v1/gonum/mat.NewDense": reflect.ValueOf(func(r, c int, data []float64) *mat.Dense {
		room(r, c, data)
		return mat.NewDense(r, c, data)
	}),
	"gonum.org/v1/gonum/mat.NewSymDense": reflect.ValueOf(func(n int, data []float64) *mat.SymDense {
		room(n, n, data)
		return mat.NewSymDense(n, data)
	}),
	"gonum.org/v1/gonum/mat.NewTriDense": reflect.ValueOf(func(n int, kind mat.TriKind, data []float64) *mat.TriDense {
		room(n, n, data)
		return mat.NewTriDense(n, kind, data)
	}),
	"gonum.org/v1/gonum/mat.NewVecDense": reflect.ValueOf(func(n int, data []float64) *mat.VecDense {
		room(n, 1, data)
		return mat.NewVecDense(n, data)
	}),
	"gonum.org/v1/gonum/mat.NewCDense": reflect.ValueOf(func(r, c int, data []complex128) *mat.CDense {
		if data == nil {
			room(r, 2*c, nil)
		}
		return mat.NewCDense(r, c, data)
	}),
}

// room checks that there is enough memory for a matrix without data.
func room(r, c int, data []float64) {
	if data == nil && r > 0 && c > 0 && c <= math.MaxInt/8 {
		ssa.Room(r, uintptr(c)*8)
	}
}
