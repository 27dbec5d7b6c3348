package inlier_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/judge"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"github.com/inlier-ml/inlier/loss"
)

// readings are a table in memory: y follows x, z follows both, and row 9 is wrong.
func readings(rows int) string {
	var b strings.Builder
	b.WriteString("x,y,z\n")
	for i := range rows {
		x := float64(i) / 2
		wobble := float64((i*7)%5) / 20
		y, z := 3*x+wobble, x-2*wobble
		if i == 8 {
			y = -40
		}
		fmt.Fprintf(&b, "%g,%g,%g\n", x, y, z)
	}
	return b.String()
}

// A robust fit to a table in memory, and what is wrong in it.
func Example() {
	ctx, table := context.Background(), readings(30)
	fit, err := inlier.Fit{Data: inlier.Data{Reader: strings.NewReader(table)}, Parameters: catalog.Parameters{"components": "2"}}.Run(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fit.Method, "finds the outlying rows", fit.OutlierRows)

	verdict, err := inlier.Judge{Model: fit.Fitted(), Data: inlier.Data{Reader: strings.NewReader(table)}, Why: true, Flagged: true}.Run(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range verdict.Rows {
		fmt.Printf("row %d: %s has %g\n", row.Row, row.Why[0].Column, row.Why[0].Value)
	}
	// Output:
	// pca-robust finds the outlying rows [9]
	// row 9: y has -40
}

// Classical and robust methods on the same data: the angle tells how far the outlier has
// turned each of them from the default.
func ExampleCompare() {
	result, err := inlier.Compare{
		Data:       inlier.Data{Reader: strings.NewReader(readings(30))},
		Methods:    []string{"pca", "pca-robust"},
		Parameters: catalog.Parameters{"components": "1"},
	}.Run(context.Background(), nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range result.Reduced.Methods {
		fmt.Printf("%s: turned by more than a degree: %v\n", m.Method, m.Angle > 1)
	}
	// Output:
	// pca: turned by more than a degree: true
	// pca-robust: turned by more than a degree: false
}

// Parameters chosen by cross-validation, and progress on the way.
func ExampleTune() {
	fits := 0
	watch := func(e inlier.Event) {
		if e.Phase == "search" {
			fits = e.Done
		}
	}
	data := inlier.Data{Reader: strings.NewReader(readings(40)), Target: "y"}
	result, err := inlier.Tune{Method: "relm", Data: data, Grid: []string{"lambda=0.0001,100"}, Folds: 4}.Run(context.Background(), watch)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("chosen: lambda", result.Best.Parameters["lambda"], "after", fits, "fits")
	// Output:
	// chosen: lambda 0.0001 after 8 fits
}

// A mistake is told with the parameter that is meant.
func ExampleAsError() {
	_, err := inlier.Fit{Method: "linear-robust", Data: inlier.Data{Reader: strings.NewReader(readings(30))}}.Run(context.Background(), nil)
	if mistake, ok := inlier.AsError(err); ok {
		_, hint := mistake.Word(inlier.Words{
			Parameter: func(name string) string { return "the field " + name },
			Job:       func(name string) string { return "the page " + name },
		})
		fmt.Println(mistake.Parameter)
		fmt.Println(hint)
	}
	// Output:
	// target
	// the field target names it
}

// The reasons of a verdict in one line each.
func ExampleJudge() {
	ctx := context.Background()
	fit, err := inlier.Fit{Method: "linear-robust", Data: inlier.Data{Reader: strings.NewReader(readings(30)), Target: "y"}}.Run(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	verdict, err := inlier.Judge{Model: fit.Fitted(), Data: inlier.Data{Reader: strings.NewReader(readings(30))}, Why: true, Top: 1}.Run(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(judge.ReasonText(verdict.Rows[0].Why))
	// Output:
	// y=-40 (expected 12.05, -52.05)
}

// gemanMcClure is a loss of one's own: any type with these two methods.
type gemanMcClure struct{}

func (gemanMcClure) Rho(s float64) float64    { return s / (1 + s) }
func (gemanMcClure) Weight(s float64) float64 { return 1 / (1 + s) / (1 + s) }

// A loss of one's own stands wherever a loss can be named.
func Example_ownLoss() {
	x := mat.NewDense(20, 1, nil)
	y := make([]float64, 20)
	for i := range y {
		x.Set(i, 0, float64(i))
		y[i] = 3 + 2*float64(i) + 0.1*math.Sin(float64(7*i))
	}
	y[4], y[11] = 900, -500
	m, err := linear.Robust{Loss: gemanMcClure{}}.Fit(context.Background(), linalg.FromDense(x), y)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("y = %.1f + %.1f x, rows left out: %.0f %.0f\n", m.Intercept(), m.Coef()[0], m.Weights()[4], m.Weights()[11])
	fmt.Println(loss.Check(gemanMcClure{}))
	// Output:
	// y = 3.0 + 2.0 x, rows left out: 0 0
	// <nil>
}
