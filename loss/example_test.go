package loss_test

import (
	"fmt"

	"github.com/inlier-ml/inlier/loss"
)

// A loss is a function of the squared residual; its weight is what a row still counts.
func ExampleParse() {
	for _, text := range []string{"square", "huber", "kmpe:p=2"} {
		spec, err := loss.Parse(text)
		if err != nil {
			panic(err)
		}
		at := spec.At(1) // at bandwidth 1
		fmt.Printf("%-8s weights of residuals 0.1, 1, 10: %.2f %.2f %.2f\n", text, at.Weight(0.01), at.Weight(1), at.Weight(100))
	}
	// Output:
	// square   weights of residuals 0.1, 1, 10: 1.00 1.00 1.00
	// huber    weights of residuals 0.1, 1, 10: 1.00 1.00 0.10
	// kmpe:p=2 weights of residuals 0.1, 1, 10: 1.00 0.61 0.00
}

// A mistyped parameter is refused with what is there.
func ExampleParse_mistyped() {
	_, err := loss.Parse("kmpe:q=2")
	fmt.Println(err)
	// Output: loss: kmpe has no parameter "q"; it has p, sigma
}
