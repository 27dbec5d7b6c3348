package cluster_test

import (
	"context"
	"fmt"
	"math"

	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/linalg"
)

// Two groups around (0, 0) and (10, 10), and a row that belongs to neither.
func ExampleRobust() {
	var rows [][]float64
	for i := range 40 {
		at := float64(10 * (i % 2))
		rows = append(rows, []float64{at + math.Sin(float64(3*i)), at + math.Cos(float64(5*i))})
	}
	rows[0] = []float64{500, -500}
	model, err := cluster.Robust{KMeans: cluster.KMeans{Clusters: 2}}.Fit(context.Background(), linalg.FromRows(rows))
	if err != nil {
		panic(err)
	}
	for _, row := range [][]float64{{0.5, 0.5}, {9, 10}, {500, -500}} {
		v := model.JudgeRow(row)
		fmt.Printf("%v: %s, with (10, 10): %v\n", row, v.Kind, v.Label == model.PredictRow([]float64{10, 10}))
	}
	// Output:
	// [0.5 0.5]: regular, with (10, 10): false
	// [9 10]: regular, with (10, 10): true
	// [500 -500]: far from its center, with (10, 10): false
}
