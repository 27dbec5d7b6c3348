package synthetic_test

import (
	"fmt"

	"github.com/inlier-ml/inlier/dataset/synthetic"
)

// Make the set-up of the breakdown study with 45 % of the rows in one far cluster.
func ExampleGenerate() {
	g, err := synthetic.Generate("low-rank", map[string]string{"outliers": "clustered", "fraction": "0.45"}, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	outliers := 0
	for _, o := range g.Truth.Outlier {
		if o {
			outliers++
		}
	}
	d, m := g.Truth.Basis.Dims()
	fmt.Printf("%d rows, %d columns, %d outliers, true subspace %d x %d\n", g.Set.Rows(), g.Set.Dim(), outliers, d, m)
	// Output: 200 rows, 20 columns, 90 outliers, true subspace 20 x 3
}
