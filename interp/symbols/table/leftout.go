package table

// LeftOut returns why a public package is excluded, in words that continue "the package ...". It
// returns "" for all other packages.
func LeftOut(path string) string {
	switch path {
	case "plugin":
		return "needs cgo and opens files built outside the session"
	case "runtime/cgo":
		return "is the compiler's side of cgo"
	case "runtime/race":
		return "is the compiler's side of the race detector"
	case "gonum.org/v1/gonum/blas/testblas",
		"gonum.org/v1/gonum/graph/testgraph",
		"gonum.org/v1/gonum/integrate/testquad",
		"gonum.org/v1/gonum/lapack/testlapack",
		"github.com/gokernel/gokernel/display/figure/figuretest",
		"github.com/gokernel/gokernel/mlstd/modeltest":
		return "holds tests only"
	}
	return ""
}
