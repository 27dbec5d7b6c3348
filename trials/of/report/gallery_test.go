package report

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/inlier-ml/inlier/report"
)

var galleryDir = flag.String("out", "", "directory for the pictures of TestGallery")

// TestGallery writes every kind of chart in every format, and the page, for
// looking at:
//
//	go test -C trials ./of/report -run Gallery -args -out gallery
func TestGallery(t *testing.T) {
	dir := *galleryDir
	if dir == "" {
		t.Skip("no -out directory: the pictures are not kept for looking at")
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
	if err := galleryPage().Save(filepath.Join(dir, "page.html")); err != nil {
		t.Error(err)
	}
}

// galleryPage shows every chart and every kind of block.
func galleryPage() *report.Page {
	p := &report.Page{
		Title:  "Half of the rows were wrong",
		Lead:   "Classical PCA follows the outliers; the robust methods find the **same plane** with and without them. Made by `inlier demo`.",
		Facts:  []report.Fact{{"rows", "200"}, {"columns", "20"}, {"outliers", "45 %"}, {"time", "1.8 s"}},
		Footer: "Inlier 0.1.0, seed 1.",
	}
	table := &report.Table{
		Title: "Largest angle to the true plane",
		Columns: []report.Column{{Name: "method"}, {Name: "loss"}, {Name: "angle", Unit: "degrees", Format: "%.2f", Best: report.Lowest},
			{Name: "clean angle", Unit: "degrees", Format: "%.2f", Best: report.Lowest}, {Name: "steps"}, {Name: "effective rows", Format: "%.1f"}, {Name: "status"}},
		Notes: []string{"Mean and standard deviation of 10 draws. Lower is better."},
	}
	table.Add("pca", "square", report.Spread{83.4, 5.1}, report.Spread{0.91, 0.1}, 1, 200.0, "converged").
		Add("pca-l1", "l1", report.Spread{71.2, 9.4}, report.Spread{1.12, 0.2}, 14, 163.2, "converged").
		Add("hq-pca", "welsch", report.Spread{2.21, 0.4}, report.Spread{0.98, 0.1}, 22, 101.7, "converged").
		Add("pca-kmpe", "kmpe:p=2,sigma=auto", report.Spread{1.42, 0.2}, report.Spread{0.97, 0.1}, 19, 104.5, "step limit")
	charts := map[string]*report.Chart{}
	var rest []report.Block
	for _, e := range gallery() {
		charts[e.name] = e.chart
	}
	for _, name := range []string{"bars", "bars-lying", "bars-signed", "boxplot-names", "histogram", "boxplot", "heatmap", "surface", "residuals", "curve", "decision", "outliermap-large"} {
		rest = append(rest, charts[name])
	}
	charts["outliermap"].Note = "Rows beyond both lines do not belong to the plane **and** pull it towards themselves."
	p.Add("What came out", "The table gives the largest angle between the fitted and the true plane:\n\n- 0 degrees is perfect,\n- 90 degrees is a plane that misses a direction altogether.", table,
		report.Callout{"good", "The default method stays within **1.5 degrees** at 45 % outliers."}, report.Callout{"warn", "`pca-kmpe` stopped at its step limit; see [convergence](#convergence)."})
	p.Add("Which rows are outliers", "", charts["outliermap"])
	p.Add("Convergence", "", charts["convergence"], report.Beside{charts["roc"], charts["pr"]})
	p.Add("Components and weights", "", charts["scree"], charts["weights"])
	p.Add("Pictures", "", charts["images"])
	p.Add("Matrices", "", report.Beside{charts["confusion"], charts["similarity"]}, charts["reliability"])
	p.Add("Try it", "", report.Code("inlier fit pca-kmpe sales.csv --set components=3 --out model.npz\ninlier outliers model.npz sales.csv --plot map.svg"))
	p.Add("All other charts", "", append([]report.Block{charts["lines"], charts["scatter"]}, rest...)...)
	return p
}

type exhibit struct {
	name  string
	chart *report.Chart
}

func gallery() []exhibit {
	r := rand.New(rand.NewPCG(1, 2))
	return []exhibit{
		{"lines", galleryLines()},
		{"scatter", galleryScatter(r)},
		{"outliermap", galleryOutlierMap(r, 220)},
		{"outliermap-large", galleryOutlierMap(r, 100_000)},
		{"scree", report.Scree("Scree plot: hbk",
			report.Spectrum{Name: "classical", Values: []float64{216.2, 1.98, 0.91}},
			report.Spectrum{Name: "robust", Values: []float64{1.9, 1.4, 1.1}})},
		{"weights", galleryWeights(r)},
		{"convergence", galleryConvergence()},
		{"bars", galleryBars()},
		{"bars-lying", report.Bars("Contribution of each column to the distance of row 118", report.Axis{Label: "share of squared distance (%)"},
			[]string{"alcohol", "malic acid", "ash", "alcalinity of ash", "magnesium", "total phenols", "flavanoids", "proline"},
			report.BarSeries{Values: []float64{2, 1, 4.5, 61.25, 7, 3, 12.4, 8.9}})},
		{"bars-signed", report.Bars("Change of the error by method", report.Axis{Label: "change (%)"}, methodNames,
			report.BarSeries{Values: []float64{12.5, -3.25, 0.4, -41, 7, -0.02, 55}, Color: 5})},
		{"boxplot-names", galleryLongBoxplot(r)},
		{"histogram", galleryHistogram(r)},
		{"boxplot", galleryBoxplot(r)},
		{"heatmap", galleryHeatMap(r)},
		{"similarity", gallerySimilarity(r)},
		{"confusion", report.Confusion("Confusion matrix: seeds", []string{"Kama", "Rosa", "Canadian"}, [][]int{{61, 3, 6}, {2, 68, 0}, {5, 0, 65}})},
		{"surface", gallerySurface()},
		{"images", galleryImages(r)},
		{"decision", galleryDecision(r)},
		{"roc", galleryROC()},
		{"pr", report.PrecisionRecall("Precision and recall", 0.17,
			report.RateCurve{Name: "regmaxcem", X: []float64{0, .1, .3, .5, .7, .9, 1}, Y: []float64{1, 1, .96, .93, .88, .71, .17}, Area: 0.886},
			report.RateCurve{Name: "hinge", X: []float64{0, .1, .3, .5, .7, .9, 1}, Y: []float64{1, .9, .81, .78, .6, .41, .17}, Area: 0.672})},
		{"residuals", galleryResiduals(r)},
		{"reliability", report.Reliability("Reliability",
			report.Calibration{Name: "logistic", Predicted: []float64{.05, .2, .4, .6, .8, .95}, Observed: []float64{.04, .18, .42, .61, .77, .96}, Count: []float64{210, 80, 40, 38, 90, 190}},
			report.Calibration{Name: "hinge, uncalibrated", Predicted: []float64{.05, .2, .4, .6, .8, .95}, Observed: []float64{.2, .3, .45, .55, .66, .75}, Count: []float64{20, 120, 210, 220, 80, 20}})},
		{"curve", galleryCurve(r)},
		{"nothing", report.Lines("A chart without data", report.Axis{Label: "x"}, report.Axis{Label: "y"})},
	}
}

func galleryWeights(r *rand.Rand) *report.Chart {
	w := make([]float64, 200)
	for i := range w {
		w[i] = math.Exp(-sq(r) / 6)
		if i%9 == 4 {
			w[i] = 0.01 * r.Float64()
		}
	}
	return report.Weights("Weights of the rows", w, 0.05)
}

func galleryConvergence() *report.Chart {
	var a, b report.Trace
	a.Name, b.Name = "kmpe:p=2,sigma=0.8", "welsch"
	for i := range 18 {
		u := math.Exp(-float64(i) / 3)
		a.Objective, a.Effective = append(a.Objective, 0.21+0.3*u), append(a.Effective, 160-40*u)
		if i < 12 {
			b.Objective, b.Effective = append(b.Objective, 0.33+0.2*u*u), append(b.Effective, 140+50*u)
		}
	}
	return report.Convergence("Convergence", a, b)
}

func galleryBars() *report.Chart {
	return report.Bars("Accuracy with wrong labels", report.Axis{Label: "accuracy (%)"}, []string{"wine", "seeds", "vehicle", "glass", "ecoli", "wdbc"},
		report.BarSeries{Name: "square", Values: []float64{91, 88, 71, 55, 79, 90}, Low: []float64{89, 85, 69, 50, 77, 88}, High: []float64{93, 91, 73, 60, 81, 92}},
		report.BarSeries{Name: "logistic", Values: []float64{92, 89, 73, 57, 81, 92}, Low: []float64{90, 86, 71, 52, 79, 90}, High: []float64{94, 92, 75, 62, 83, 94}},
		report.BarSeries{Name: "regmaxcem", Values: []float64{96, 92, 76, 60, 84, 95}, Low: []float64{95, 90, 74, 56, 82, 94}, High: []float64{97, 94, 78, 64, 86, 96}})
}

func galleryHistogram(r *rand.Rand) *report.Chart {
	var a, b report.Sample
	a.Name, b.Name = "inliers", "outliers"
	for range 900 {
		a.Values = append(a.Values, math.Sqrt(sq(r)+sq(r)))
	}
	for range 120 {
		b.Values = append(b.Values, 4+0.8*r.NormFloat64())
	}
	return report.Histogram("Orthogonal distances", report.Axis{Label: "orthogonal distance"}, a, b).MarkX(2.7, "cut-off 2.7")
}

func galleryBoxplot(r *rand.Rand) *report.Chart {
	var list []report.Sample
	for i, name := range []string{"pca", "pca-l1", "r1-pca", "hq-pca", "pca-gm", "pca-kmpe", "pca-robust"} {
		s := report.Sample{Name: name}
		for range 50 {
			s.Values = append(s.Values, math.Exp(0.6*r.NormFloat64())*float64(9-i))
		}
		list = append(list, s)
	}
	return report.Boxplot("Largest angle over 50 draws", report.Axis{Label: "angle (degrees)", Log: true}, list...)
}

// methodNames are as long as methods with their settings get.
var methodNames = []string{"linear-robust", "elm-kmpe kmpe:p=2,sigma=auto", "relm", "elm-robust gcorr:alpha=2,beta=0.8", "corr-2dsvd", "nearest-subspace after pca-robust", "pca-robust"}

func galleryLongBoxplot(r *rand.Rand) *report.Chart {
	var list []report.Sample
	for _, name := range methodNames {
		s := report.Sample{Name: name}
		for range 30 {
			s.Values = append(s.Values, 5+r.NormFloat64())
		}
		list = append(list, s)
	}
	return report.Boxplot("Scores of the repeats", report.Axis{Label: "RMSE"}, list...)
}

func galleryHeatMap(r *rand.Rand) *report.Chart {
	g := report.Grid{Columns: []string{"alcohol", "malic acid", "ash", "alcalinity", "magnesium", "phenols", "flavanoids", "proline"},
		Key: "% of distance", Print: "%.0f", Colors: report.Intensity, Y: report.Axis{Label: "row"}}
	for _, name := range []string{"row 60", "row 70", "row 74", "row 96", "row 122", "row 159"} {
		row := make([]float64, len(g.Columns))
		sum := 0.0
		for j := range row {
			row[j] = sq(r) * sq(r)
			sum += row[j]
		}
		for j := range row {
			row[j] *= 100 / sum
		}
		g.Rows, g.Values = append(g.Rows, name), append(g.Values, row)
	}
	g.Values[2][3] = math.NaN()
	return report.HeatMap("Why these rows are outliers", g)
}

func gallerySimilarity(r *rand.Rand) *report.Chart {
	g := report.Grid{Blocks: []int{20, 45}, Key: "similarity", Max: 1, X: report.Axis{Label: "row, ordered by cluster"}}
	cluster := func(i int) int { return map[bool]int{true: 1}[i >= 20] + map[bool]int{true: 1}[i >= 45] }
	for i := range 60 {
		row := make([]float64, 60)
		for j := range row {
			row[j] = 0.15 + 0.1*r.Float64()
			if cluster(i) == cluster(j) {
				row[j] += 0.5 + 0.1*r.Float64()
			}
			if i == j {
				row[j] = 1
			}
		}
		g.Values = append(g.Values, row)
	}
	return report.HeatMap("Similarity of rows", g)
}

func gallerySurface() *report.Chart {
	g := report.Grid{X: report.Axis{Label: "first residual", Min: -3, Max: 3}, Y: report.Axis{Label: "second residual", Min: -3, Max: 3}, Contours: 10, Key: "loss"}
	const n = 90
	for i := range n {
		row := make([]float64, n)
		for j := range row {
			x, y := 6*(float64(j)+0.5)/n-3, 3-6*(float64(i)+0.5)/n
			row[j] = 1 - math.Exp(-math.Pow(x*x+y*y, 1.5)/6)
		}
		g.Values = append(g.Values, row)
	}
	return report.HeatMap("Generalised correntropy loss, α = 3", g)
}

func galleryImages(r *rand.Rand) *report.Chart {
	const n = 32
	face := func(a, b float64) []float64 {
		p := make([]float64, n*n)
		for i := range p {
			x, y := float64(i%n)/n-0.5, float64(i/n)/n-0.5
			p[i] = math.Exp(-6*(x*x+0.7*y*y)) + a*math.Exp(-90*((x-.15)*(x-.15)+(y+.1)*(y+.1))) + a*math.Exp(-90*((x+.15)*(x+.15)+(y+.1)*(y+.1))) - b*math.Exp(-60*(x*x*0.3+(y-.2)*(y-.2)))
		}
		return p
	}
	g := report.Gallery{Shape: []int{n, n}, RowNames: []string{"original", "corrupted", "pca", "pca-kmpe", "residual"},
		RowColors: []report.Colormap{report.Grey, report.Grey, report.Grey, report.Grey, report.Heat}, Captions: make([][]string, 5)}
	for range 5 {
		g.Cells = append(g.Cells, nil)
	}
	for j := range 7 {
		f := face(r.Float64()-0.8, r.Float64())
		dirty := append([]float64(nil), f...)
		for i := range dirty {
			if x, y := i%n, i/n; x > 4+j && x < 16+j && y > 12 && y < 24 {
				dirty[i] = r.Float64()
			}
		}
		rough, smooth, residual := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
		for i := range f {
			rough[i] = 0.5*f[i] + 0.5*dirty[i]
			smooth[i] = f[i] + 0.02*r.NormFloat64()
			residual[i] = math.Abs(dirty[i] - smooth[i])
		}
		for k, p := range [][]float64{f, dirty, rough, smooth, residual} {
			g.Cells[k] = append(g.Cells[k], p)
		}
		g.ColumnNames = append(g.ColumnNames, []string{"row 3", "row 17", "row 40", "row 41", "row 77", "row 80", "row 99"}[j])
		g.Captions[2] = append(g.Captions[2], "error "+fmt.Sprintf("%.3g", 4+r.Float64()))
		g.Captions[3] = append(g.Captions[3], "error "+fmt.Sprintf("%.3g", 0.6+0.1*r.Float64()))
	}
	return report.Images("Reconstruction of occluded faces", g)
}

func galleryDecision(r *rand.Rand) *report.Chart {
	var density, distance []float64
	for range 150 {
		density = append(density, 40*r.Float64())
		distance = append(distance, 0.2*math.Abs(r.NormFloat64()))
	}
	density = append(density, 38, 31, 27, 22)
	distance = append(distance, 3.1, 2.2, 1.9, 1.7)
	return report.DecisionGraph("Decision graph", density, distance, []int{150, 151, 152, 153})
}

func galleryROC() *report.Chart {
	curve := func(name string, k float64) report.RateCurve {
		c := report.RateCurve{Name: name, Area: 1 - 1/(k+1)}
		for i := 0; i <= 100; i++ {
			x := float64(i) / 100
			c.X, c.Y = append(c.X, x), append(c.Y, math.Pow(x, 1/k))
		}
		return c
	}
	return report.ROC("ROC, 1:5 imbalance, 20 % wrong labels", curve("regmaxcem", 9), curve("square", 5), curve("hinge", 3))
}

func galleryResiduals(r *rand.Rand) *report.Chart {
	d := report.Residuals{DistanceCut: 3.2}
	for i := range 75 {
		fit, e := 10*r.Float64(), r.NormFloat64()
		leverage := math.Sqrt(sq(r) + sq(r) + sq(r))
		switch {
		case i < 10:
			e, leverage = -12+r.NormFloat64(), 25+3*r.Float64()
		case i < 14:
			leverage = 30 + r.Float64()
		}
		d.Fitted, d.Standardized = append(d.Fitted, fit), append(d.Standardized, e)
		d.Observed, d.Distance = append(d.Observed, fit+e), append(d.Distance, leverage)
		d.Weights = append(d.Weights, math.Exp(-e*e/8))
	}
	return report.ResidualPlots("Residuals of the robust fit", d)
}

func galleryCurve(r *rand.Rand) *report.Chart {
	sinc := func(x float64) float64 {
		if x == 0 {
			return 1
		}
		return math.Sin(x) / x
	}
	data := report.Series{Name: "rows"}
	truth, fit := report.Series{Name: "sinc", Dashed: true, Color: 8}, report.Series{Name: "elm-kmpe", Color: 1}
	other := report.Series{Name: "relm", Color: 2}
	for range 200 {
		x := 20*r.Float64() - 10
		e := 0.05 * r.NormFloat64()
		if r.Float64() < 0.15 {
			e = 1.5 * r.NormFloat64()
		}
		data.X, data.Y = append(data.X, x), append(data.Y, sinc(x)+e)
	}
	for i := -100; i <= 100; i++ {
		x := float64(i) / 10
		truth.X, truth.Y = append(truth.X, x), append(truth.Y, sinc(x))
		fit.X, fit.Y = append(fit.X, x), append(fit.Y, sinc(x)+0.02*math.Sin(3*x))
		other.X, other.Y = append(other.X, x), append(other.Y, sinc(x)+0.15*math.Sin(2*x)+0.05)
	}
	return report.Curve("Learned function", report.Axis{Label: "x"}, report.Axis{Label: "y"}, data, other, fit, truth)
}

func galleryLines() *report.Chart {
	x := []float64{0, 10, 20, 30, 40, 45}
	return report.Lines("Angle to the true subspace by share of outliers", report.Axis{Label: "outliers (%)"}, report.Axis{Label: "largest angle (degrees)", Log: true},
		report.Series{Name: "pca", X: x, Y: []float64{0.9, 45, 62, 71, 80, 84}, Low: []float64{0.8, 30, 50, 60, 70, 75}, High: []float64{1, 60, 75, 80, 88, 90}},
		report.Series{Name: "pca-l1", X: x, Y: []float64{1.1, 20, 45, 60, 75, 80}, Dashed: true},
		report.Series{Name: "pca-kmpe", X: x, Y: []float64{1, 1.1, 1.2, 1.4, 1.8, 2.4}, Low: []float64{0.9, 1, 1, 1.1, 1.3, 1.5}, High: []float64{1.1, 1.2, 1.4, 1.8, 2.4, 3.3}},
		report.Series{Name: "PcaHubert (R)", X: x, Y: []float64{1.08, 1.2, 1.4, 1.7, 2.1, math.NaN()}})
}

func galleryScatter(r *rand.Rand) *report.Chart {
	var a, b report.Series
	for range 150 {
		u := r.NormFloat64() * 4
		a.X, a.Y = append(a.X, u+r.NormFloat64()*0.4), append(a.Y, 0.5*u+r.NormFloat64()*0.4)
	}
	for range 20 {
		b.X, b.Y = append(b.X, 3+r.NormFloat64()), append(b.Y, 9+r.NormFloat64())
	}
	a.Name, b.Name = "inliers", "outliers"
	end := []float64{-11, 11}
	return report.Scatter("First direction of a plane with 12 % outliers", report.Axis{Label: "x₁"}, report.Axis{Label: "x₂"}, a, b,
		report.Series{Name: "pca", X: end, Y: []float64{-11, 11}, Mark: report.Line, Dashed: true, Color: 7},
		report.Series{Name: "pca-kmpe", X: end, Y: []float64{-5.5, 5.5}, Mark: report.Line, Color: 3}).EqualUnits()
}

func galleryOutlierMap(r *rand.Rand, n int) *report.Chart {
	d := report.Distances{ScoreCut: 3.06, OrthogonalCut: 1.35}
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
	return report.OutlierMap("Outlier map: two distances of every row", d)
}

func sq(r *rand.Rand) float64 { v := r.NormFloat64(); return v * v }
