package report_test

import (
	"fmt"

	"github.com/inlier-ml/inlier/report"
)

func ExampleTable_Text() {
	table := &report.Table{Columns: []report.Column{
		{Name: "method"},
		{Name: "angle", Unit: "deg", Format: "%.1f", Best: report.Lowest},
	}}
	table.Add("pca", report.Spread{Value: 41.7, Deviation: 3.2})
	table.Add("pca-kmpe", report.Spread{Value: 1.3, Deviation: 0.2})
	fmt.Print(table.Text(report.TextOptions{Width: 80, ASCII: true}))
	// Output:
	// method      angle (deg)
	// --------  -------------
	// pca       41.7 +/- 3.2
	// pca-kmpe   1.3 +/- 0.2*
}

func ExampleLines() {
	chart := report.Lines("Error by components",
		report.Axis{Label: "components", Whole: true}, report.Axis{Label: "error", Log: true},
		report.Series{Name: "pca", Y: []float64{9, 4, 2.5, 2.2}},
		report.Series{Name: "pca-kmpe", Y: []float64{7, 2, 0.6, 0.5}})
	svg, err := chart.SVG()
	fmt.Println(string(svg[:4]), err)
	// Output: <svg <nil>
}
