package elm_test

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
)

// curve is a sine of which every tenth value is 5.
func curve() (x, y *mat.Dense) {
	x, y = mat.NewDense(200, 1, nil), mat.NewDense(200, 1, nil)
	for i := range 200 {
		at := float64(i) / 20
		x.Set(i, 0, at)
		y.Set(i, 0, math.Sin(at))
		if i%10 == 3 {
			y.Set(i, 0, 5)
		}
	}
	return x, y
}

// A curve is learned although every tenth target is wrong.
func ExampleRobust() {
	x, y := curve()
	model, err := elm.Robust{}.Fit(context.Background(), linalg.FromDense(x), y)
	if err != nil {
		panic(err)
	}
	for _, at := range []float64{1, 2.5, 4} {
		fmt.Printf("sin(%g) = %.1f, learned %.1f\n", at, math.Sin(at), model.PredictRow(nil, []float64{at})[0])
	}
	// Output:
	// sin(1) = 0.8, learned 0.8
	// sin(2.5) = 0.6, learned 0.6
	// sin(4) = -0.8, learned -0.8
}
