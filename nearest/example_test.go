package nearest_test

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/nearest"
)

// A row goes to the class with the nearest center; one that carries the label of another
// class is found.
func ExampleCenters() {
	x, labels := mat.NewDense(40, 2, nil), make([]int, 40)
	for i := range labels {
		labels[i] = i % 2
		x.SetRow(i, []float64{float64(10*labels[i]) + math.Sin(float64(3*i)), math.Cos(float64(5 * i))})
	}
	model, err := nearest.Centers{}.Fit(context.Background(), linalg.FromDense(x), labels, 2)
	if err != nil {
		panic(err)
	}
	fmt.Println(model.PredictRow([]float64{9, 0}))
	fmt.Println(model.JudgeRow([]float64{9.5, 0.5}, 0).Kind)
	// Output:
	// 1
	// mislabelled
}
