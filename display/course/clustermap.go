package course

import (
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/data"
)

// Clustermap draws a heat map whose rows and columns are in the order of their dendrograms. z is a
// matrix, a data set or a frame. Clustermap draws the features of a data set, and the named columns
// or, without names, all numeric columns of a frame. Clusters are merged by average linkage of
// Euclidean distances.
func Clustermap(z any, columns ...string) *chart.ClusterMap {
	if d, ok := z.(*data.Dataset); ok && d != nil && d.X != nil {
		if len(columns) == 0 {
			columns = d.FeatureNames()
		}
		z = Columns(d)
	}
	return chart.Clustermap(averageLinkage, z, columns...)
}

func averageLinkage(rows [][]float64) ([][]float64, error) {
	x := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		x.SetRow(i, row)
	}
	m := &cluster.Agglomerative{Linkage: cluster.AverageLinkage}
	if _, err := m.FitPredict(x); err != nil {
		return nil, err
	}
	return m.Tree.Merges, nil
}
