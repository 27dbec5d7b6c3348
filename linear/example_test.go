package linear_test

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
)

// line is y = 1 + 2x with noise; every fifth target is wrong by 50.
func line() (x *mat.Dense, y []float64) {
	x, y = mat.NewDense(100, 1, nil), make([]float64, 100)
	for i := range y {
		x.Set(i, 0, float64(i)/10)
		if y[i] = 1 + 2*x.At(i, 0) + math.Sin(float64(7*i)); i%5 == 2 {
			y[i] += 50
		}
	}
	return x, y
}

// Regression with standard errors, though a fifth of the targets is wrong.
func ExampleRobust() {
	x, y := line()
	model, err := linear.Robust{}.Fit(context.Background(), linalg.FromDense(x), y)
	if err != nil {
		panic(err)
	}
	intercept, columns := model.Table()
	fmt.Printf("intercept %.1f (%.1f), slope %.2f (%.2f)\n", intercept.Value, intercept.Error, columns[0].Value, columns[0].Error)
	fmt.Println("rejected rows:", len(model.Rejected()))
	// Output:
	// intercept 1.0 (0.2), slope 2.00 (0.03)
	// rejected rows: 20
}
