package report

import (
	"math"

	"github.com/inlier-ml/inlier/report"
)

func galleryLines() *report.Chart {
	x := []float64{0, 10, 20, 30, 40, 45}
	return report.Lines("Angle to the true subspace by share of outliers", report.Axis{Label: "outliers (%)"}, report.Axis{Label: "largest angle (degrees)", Log: true},
		report.Series{Name: "pca", X: x, Y: []float64{0.9, 45, 62, 71, 80, 84}, Low: []float64{0.8, 30, 50, 60, 70, 75}, High: []float64{1, 60, 75, 80, 88, 90}},
		report.Series{Name: "pca-l1", X: x, Y: []float64{1.1, 20, 45, 60, 75, 80}, Dashed: true},
		report.Series{Name: "pca-kmpe", X: x, Y: []float64{1, 1.1, 1.2, 1.4, 1.8, 2.4}, Low: []float64{0.9, 1, 1, 1.1, 1.3, 1.5}, High: []float64{1.1, 1.2, 1.4, 1.8, 2.4, 3.3}},
		report.Series{Name: "PcaHubert (R)", X: x, Y: []float64{1.08, 1.2, 1.4, 1.7, 2.1, math.NaN()}})
}
