package report

import (
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

var galleryDir = flag.String("out", "", "directory for the pictures of TestGallery")

// TestGallery draws every kind of chart in every format. With -out the files stay
// for looking at:
//
//	go test ./report -run Gallery -args -out gallery
func TestGallery(t *testing.T) {
	dir := *galleryDir
	if dir == "" {
		dir = t.TempDir()
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, e := range gallery() {
		for _, extension := range []string{".svg", ".png", ".pdf"} {
			path := filepath.Join(dir, e.name+extension)
			if err := e.chart.Save(path); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}

type exhibit struct {
	name  string
	chart *Chart
}

func gallery() []exhibit {
	r := rand.New(rand.NewPCG(1, 2))
	return []exhibit{
		{"lines", galleryLines()},
		{"scatter", galleryScatter(r)},
		{"outliermap", galleryOutlierMap(r, 220)},
		{"outliermap-large", galleryOutlierMap(r, 100_000)},
	}
}

func galleryLines() *Chart {
	x := []float64{0, 10, 20, 30, 40, 45}
	return Lines("Angle to the true subspace by share of outliers", Axis{Label: "outliers (%)"}, Axis{Label: "largest angle (degrees)", Log: true},
		Series{Name: "pca", X: x, Y: []float64{0.9, 45, 62, 71, 80, 84}, Low: []float64{0.8, 30, 50, 60, 70, 75}, High: []float64{1, 60, 75, 80, 88, 90}},
		Series{Name: "pca-l1", X: x, Y: []float64{1.1, 20, 45, 60, 75, 80}, Dashed: true},
		Series{Name: "pca-kmpe", X: x, Y: []float64{1, 1.1, 1.2, 1.4, 1.8, 2.4}, Low: []float64{0.9, 1, 1, 1.1, 1.3, 1.5}, High: []float64{1.1, 1.2, 1.4, 1.8, 2.4, 3.3}},
		Series{Name: "PcaHubert (R)", X: x, Y: []float64{1.08, 1.2, 1.4, 1.7, 2.1, math.NaN()}})
}

func galleryScatter(r *rand.Rand) *Chart {
	var a, b Series
	for range 150 {
		u := r.NormFloat64() * 4
		a.X, a.Y = append(a.X, u+r.NormFloat64()*0.4), append(a.Y, 0.5*u+r.NormFloat64()*0.4)
	}
	for range 20 {
		b.X, b.Y = append(b.X, 3+r.NormFloat64()), append(b.Y, 9+r.NormFloat64())
	}
	a.Name, b.Name = "inliers", "outliers"
	end := []float64{-11, 11}
	return Scatter("First direction of a plane with 12 % outliers", Axis{Label: "x₁"}, Axis{Label: "x₂"}, a, b,
		Series{Name: "pca", X: end, Y: []float64{-11, 11}, Mark: Line, Dashed: true, Color: 7},
		Series{Name: "pca-kmpe", X: end, Y: []float64{-5.5, 5.5}, Mark: Line, Color: 3}).EqualUnits()
}

func galleryOutlierMap(r *rand.Rand, n int) *Chart {
	d := Distances{ScoreCut: 3.06, OrthogonalCut: 1.35}
	for i := range n {
		sd, od := math.Sqrt(sq(r)+sq(r)+sq(r)), 0.3*math.Sqrt(sq(r)+sq(r)+sq(r)+sq(r)+sq(r))
		switch {
		case i%40 == 3:
			sd, od = 6+r.Float64(), 5+2*r.Float64()
		case i%70 == 9:
			sd += 3.3
		case i%55 == 4:
			od += 2
		}
		d.Score, d.Orthogonal = append(d.Score, sd), append(d.Orthogonal, od)
	}
	return OutlierMap("Outlier map: two distances of every row", d)
}

func sq(r *rand.Rand) float64 { v := r.NormFloat64(); return v * v }
