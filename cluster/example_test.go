package cluster_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/linalg"
)

// groups are rows around (0, 0) and (10, 10), and one that belongs to neither.
func groups() [][]float64 {
	rows := [][]float64{{500, -500}}
	for i := range 39 {
		at := float64(10 * (i % 2))
		rows = append(rows, []float64{at + math.Sin(float64(3*i)), at + math.Cos(float64(5*i))})
	}
	return rows
}

// A row that belongs to no group moves no center, and is told.
func ExampleRobust() {
	model, err := cluster.Robust{KMeans: cluster.KMeans{Clusters: 2}}.Fit(context.Background(), linalg.FromRows(groups()))
	if err != nil {
		log.Fatal(err)
	}
	upper := model.PredictRow([]float64{10, 10})
	for _, row := range [][]float64{{0.5, 0.5}, {9, 10}, {500, -500}} {
		v := model.JudgeRow(row)
		fmt.Printf("%v: %s, with (10, 10): %v\n", row, v.Kind, v.Label == upper)
	}
	// Output:
	// [0.5 0.5]: regular, with (10, 10): false
	// [9 10]: regular, with (10, 10): true
	// [500 -500]: far from its center, with (10, 10): false
}
