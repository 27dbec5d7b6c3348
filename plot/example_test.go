package plot_test

import (
	"context"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/plot"
)

// line is 12 rows along a line, of which the sixth has a wrong cell.
func line() *dataset.Set {
	x := mat.NewDense(12, 2, nil)
	for i := range 12 {
		x.SetRow(i, []float64{float64(i), 2*float64(i) + 0.1*float64(i%3)})
	}
	x.Set(5, 1, -40)
	return &dataset.Set{Name: "line", X: x, Columns: []string{"time", "level"}}
}

// A picture of a model: which rows lie off the line that the others follow.
func Example() {
	ctx, set := context.Background(), line()
	fitted, err := pca.Robust{Options: pca.Options{Components: 1}}.Fit(ctx, set.Source())
	if err != nil {
		log.Fatal(err)
	}
	kind, _ := plot.Lookup("outlier-map")
	model, _ := catalog.Adapt(fitted)
	drawing, err := kind.Draw(ctx, plot.Input{Models: []plot.Model{{Model: model}}, Data: set})
	if err != nil {
		log.Fatal(err)
	}
	svg, err := drawing.Encode("svg", "")
	fmt.Println(drawing.Title, len(svg) > 1000, err)
	fmt.Println(drawing.Sections[0].Chart.Note)
	// Output:
	// Outlier map of line true <nil>
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
