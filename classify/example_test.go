package classify_test

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/linalg"
)

// clouds are two classes; the first ten rows carry the wrong label.
func clouds() (x *mat.Dense, labels []int) {
	x, labels = mat.NewDense(100, 2, nil), make([]int, 100)
	for i := range labels {
		class := i % 2
		x.SetRow(i, []float64{float64(6*class) + math.Sin(float64(3*i)), math.Cos(float64(5 * i))})
		if labels[i] = class; i < 10 {
			labels[i] = 1 - class
		}
	}
	return x, labels
}

// Wrong labels are found, and the classes learned without them.
func ExampleRegMaxCEM() {
	x, labels := clouds()
	model, err := classify.RegMaxCEM{}.Fit(context.Background(), linalg.FromDense(x), labels, 2)
	if err != nil {
		panic(err)
	}
	judged, _ := model.Judge(context.Background(), x, labels)
	fmt.Println("doubtful labels:", judged.Count())
	fmt.Println("row 0:", judged.Kind[0], "it should be", judged.Label[0])
	// Output:
	// doubtful labels: 10
	// row 0: doubtful label it should be 0
}
