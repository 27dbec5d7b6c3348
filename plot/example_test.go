package plot_test

import (
	"context"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/plot"
)

// A picture of a model: which rows lie off the line that the others follow.
func Example() {
	ctx := context.Background()
	x := mat.NewDense(12, 2, nil)
	for i := range 12 {
		x.SetRow(i, []float64{float64(i), 2*float64(i) + 0.1*float64(i%3)})
	}
	x.Set(5, 1, -40) // a wrong cell
	set := &dataset.Set{Name: "line", X: x, Columns: []string{"time", "level"}}

	method, err := catalog.Lookup("pca-robust")
	if err != nil {
		log.Fatal(err)
	}
	model, err := method.Fit(ctx, set.Source(), map[string]string{"components": "1"}, catalog.Run{Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	kind, err := plot.Lookup("outlier-map")
	if err != nil {
		log.Fatal(err)
	}
	drawing, err := kind.Draw(ctx, plot.Input{Models: []plot.Model{{Model: model}}, Data: set})
	if err != nil {
		log.Fatal(err)
	}
	svg, err := drawing.Encode("svg", "")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(drawing.Title, len(svg) > 1000)
	fmt.Println(drawing.Sections[0].Chart.Note)
	// Output:
	// Outlier map of line true
	// 1 of 12 rows lie beyond a cut-off of the pca-robust model.
}

// Kinds of pictures are data: this lists those of losses with their parameters.
func ExampleKinds() {
	for _, k := range plot.Kinds() {
		if k.Needs.Subject == plot.OfLosses {
			fmt.Printf("%s (%s): %s\n", k.Name, k.Params[0].Name, k.Shows)
		}
	}
	// Output:
	// loss (range): losses and the weights they give, against the residual
	// loss-surface (range): the mean loss of two residuals at once, as a surface with contours
}
