package elm

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"gonum.org/v1/gonum/mat"
)

// splits is how many random splits the paper's tables are repeated over; the tests are
// skipped without INLIER_TABLES, because 50 splits take minutes.
func splits(t *testing.T) int {
	n, err := strconv.Atoi(os.Getenv("INLIER_TABLES"))
	if err != nil || n < 1 {
		t.Skip("INLIER_TABLES is not set to a number of splits, such as 50")
	}
	return n
}

// tableFile reads a CSV of the data folder with the target last. Text is coded by its
// order in the alphabet.
func tableFile(t *testing.T, path string) (x *mat.Dense, target []string) {
	t.Helper()
	folder := os.Getenv("INLIER_DATA")
	if folder == "" {
		t.Skip("INLIER_DATA is not set: no real data")
	}
	f, err := os.Open(filepath.Join(folder, path))
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	d := len(records[0]) - 1
	x = mat.NewDense(len(records)-1, d, nil)
	for j := range d {
		var words []string
		for _, r := range records[1:] {
			if _, err := strconv.ParseFloat(r[j], 64); err != nil && !slices.Contains(words, r[j]) {
				words = append(words, r[j])
			}
		}
		slices.Sort(words)
		for i, r := range records[1:] {
			v, err := strconv.ParseFloat(r[j], 64)
			if err != nil {
				v = float64(slices.Index(words, r[j]))
			}
			x.Set(i, j, v)
		}
	}
	for _, r := range records[1:] {
		target = append(target, r[d])
	}
	return x, target
}

// unit brings every column to [0, 1].
func unit(x *mat.Dense) {
	n, d := x.Dims()
	for j := range d {
		c := mat.Col(nil, j, x)
		low, high := slices.Min(c), slices.Max(c)
		for i := range n {
			x.Set(i, j, (x.At(i, j)-low)/math.Max(high-low, 1e-300))
		}
	}
}

func pick(x *mat.Dense, rows []int) *mat.Dense {
	_, d := x.Dims()
	out := mat.NewDense(len(rows), d, nil)
	for k, i := range rows {
		copy(out.RawRowView(k), x.RawRowView(i))
	}
	return out
}

// setting is a line of Table V or VI, read as L, sigma, lambda, p: the columns of sigma
// and lambda are printed in exchanged places.
type setting struct {
	file             string
	train, test      int
	raw              bool // inputs as they are; otherwise in [0, 1]
	plain            int
	ridge            int
	ridgeLambda      float64
	rcc              int
	rccSigma, rccL   float64
	kmpe             int
	kmpeSigma, kmpeL float64
	p                float64
	published        [4][2]float64 // mean and standard deviation on test rows
}

func (s setting) fits(ctx context.Context, x, y *mat.Dense, seed uint64) ([4]*elm.Model, error) {
	src := linalg.FromDense(x)
	o := func(hidden int, lambda float64) elm.Options {
		return elm.Options{Hidden: hidden, Lambda: lambda, Seed: seed, Tol: 1e-7}
	}
	var out [4]*elm.Model
	var err error
	if out[0], err = (elm.Plain{o(s.plain, 0)}).Fit(ctx, src, y); err != nil {
		return out, err
	}
	if out[1], err = (elm.Ridge{o(s.ridge, s.ridgeLambda)}).Fit(ctx, src, y); err != nil {
		return out, err
	}
	if out[2], err = (elm.RCC{Options: o(s.rcc, s.rccL), Sigma: loss.FixedAt(s.rccSigma)}).Fit(ctx, src, y); err != nil {
		return out, err
	}
	out[3], err = elm.KMPE{Options: o(s.kmpe, s.kmpeL), P: s.p, Sigma: loss.FixedAt(s.kmpeSigma)}.Fit(ctx, src, y)
	return out, err
}

var methodNames = [4]string{"elm", "relm", "elm-rcc", "elm-kmpe"}

// report compares the mean with the published cell: it may be one published standard
// deviation off, and twice the standard error of our own mean.
//
// Concrete's 0.0994 +- 0.0013 of ELM needs the latter: a digit of the published deviation
// is missing. With the paper's protocol in NumPy (pinv, 1000 splits) the test error is
// 0.0994 +- 0.0107 and the training error 0.0616 +- 0.0027 (published 0.0612 +- 0.0026);
// here it is 0.0990 +- 0.0112. So the mean of 50 splits has a standard error of 0.0015,
// more than the published deviation, and 61 % of such means fall within it.
func report(t *testing.T, name string, values []float64, published [2]float64) {
	t.Helper()
	mean, sd := 0.0, 0.0
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		sd += (v - mean) * (v - mean) / float64(max(len(values)-1, 1))
	}
	off := math.Abs(mean-published[0]) / published[1]
	line := fmt.Sprintf("%-22s ours %.4f +- %.4f, published %.4f +- %.4f, %.2f published sd off", name, mean, math.Sqrt(sd), published[0], published[1], off)
	if math.Abs(mean-published[0]) > published[1]+2*math.Sqrt(sd/float64(len(values))) {
		t.Error(line)
	} else {
		t.Log(line)
	}
}

// Table VII: test RMSE of the four machines on seven regressions. Servo's lambda of RELM
// and Concrete's lambda of KMPE are read as 1e-4 and 5e-6, the values that reproduce the
// cells (misprints).
func TestTableVII(t *testing.T) {
	count := splits(t)
	for _, s := range []setting{
		{"servo", 83, 83, false, 25, 90, 1e-4, 65, 0.8, 1e-4, 75, 0.9, 1e-5, 1.6, [4][2]float64{{0.1183, 0.0204}, {0.1036, 0.0152}, {0.1032, 0.0148}, {0.1022, 0.0184}}},
		{"concrete", 515, 515, false, 120, 185, 2e-4, 200, 0.6, 5e-6, 200, 0.7, 5e-6, 2.2, [4][2]float64{{0.0994, 0.0013}, {0.0914, 0.0042}, {0.0879, 0.0077}, {0.0864, 0.0058}}},
		{"winequality_red", 799, 799, false, 15, 15, 2e-6, 25, 0.3, 1e-3, 115, 0.5, 1e-3, 2.2, [4][2]float64{{0.1312, 0.0032}, {0.1309, 0.0031}, {0.1306, 0.0032}, {0.1302, 0.0035}}},
		{"boston_housing", 253, 253, false, 40, 180, 1e-3, 200, 0.8, 1e-3, 200, 0.9, 2e-3, 2.2, [4][2]float64{{0.0994, 0.0120}, {0.0835, 0.0100}, {0.0832, 0.0099}, {0.0821, 0.0101}}},
		{"airfoil", 751, 751, false, 130, 200, 2e-4, 150, 0.4, 1e-7, 195, 1.2, 1e-7, 2.4, [4][2]float64{{0.0942, 0.0099}, {0.1025, 0.0058}, {0.0896, 0.0050}, {0.0880, 0.0058}}},
		{"concrete_slump_3targets", 52, 51, false, 195, 190, 2.5e-5, 165, 0.6, 1e-6, 190, 0.4, 2e-6, 2.8, [4][2]float64{{0.0429, 0.0091}, {0.0424, 0.0097}, {0.0423, 0.0130}, {0.0410, 0.0107}}},
		{"yacht", 154, 154, false, 90, 185, 2.5e-5, 195, 0.4, 1e-7, 175, 1, 1e-7, 1.0, [4][2]float64{{0.0740, 0.1267}, {0.0530, 0.0086}, {0.0333, 0.0086}, {0.0250, 0.0147}}},
	} {
		t.Run(s.file, func(t *testing.T) { regressionTable(t, s, count) })
	}
}

// regressionFile reads a table of the papers' regressions and its targets.
func regressionFile(t *testing.T, name string) (x, y *mat.Dense) {
	t.Helper()
	x, text := tableFile(t, "regression/"+name+".csv")
	y = mat.NewDense(len(text), 1, nil)
	for i, v := range text {
		number, err := strconv.ParseFloat(v, 64)
		if err != nil {
			t.Fatal(err)
		}
		y.Set(i, 0, number)
	}
	return x, y
}

func regressionTable(t *testing.T, s setting, count int) {
	ctx := context.Background()
	x, y := regressionFile(t, s.file)
	n, _ := x.Dims()
	unit(x)
	unit(y)
	var rmse [4][]float64
	ends := map[irls.Status]int{}
	for split := range count {
		order := rand.New(rand.NewPCG(uint64(split), 77)).Perm(n)
		train, test := order[:s.train], order[s.train:min(s.train+s.test, n)]
		models, err := s.fits(ctx, pick(x, train), pick(y, train), uint64(split))
		if err != nil {
			t.Fatal(err)
		}
		truth := pick(y, test)
		for k, m := range models {
			got, err := m.Predict(ctx, pick(x, test))
			if err != nil {
				t.Fatal(err)
			}
			var e mat.Dense
			e.Sub(got, truth)
			rmse[k] = append(rmse[k], mat.Norm(&e, 2)/math.Sqrt(float64(len(test))))
			if k >= 2 {
				ends[m.Status()]++
				falling(t, m)
			}
		}
	}
	for k, name := range methodNames {
		report(t, s.file+" "+name, rmse[k], s.published[k])
	}
	t.Log(s.file, ends)
}

// falling checks that within a stage the objective never ends above an earlier value.
func falling(t *testing.T, m *elm.Model) {
	t.Helper()
	lowest, stage := math.Inf(1), -1
	for _, s := range m.Steps() {
		if s.Stage != stage {
			lowest, stage = math.Inf(1), s.Stage
		}
		if s.Objective > lowest*(1+1e-11) {
			t.Errorf("step %d rises to %.15g from %.15g", s.Number, s.Objective, lowest)
			return
		}
		lowest = math.Min(lowest, s.Objective)
	}
}

// Table VIII: test accuracy in per cent on the four sets that reproduce. Wine and Vehicle
// in [0, 1], Leaf and Seed raw.
func TestTableVIII(t *testing.T) {
	count := splits(t)
	for _, s := range []setting{
		{"wine", 89, 89, false, 15, 15, 2.5e-5, 20, 1.4, 1e-3, 25, 0.8, 1e-3, 2.8, [4][2]float64{{96.91, 2.07}, {96.92, 2.07}, {97.43, 1.95}, {97.58, 1.73}}},
		{"leaf", 180, 160, true, 70, 130, 1e-5, 200, 1.7, 2.5e-5, 180, 1.3, 1e-4, 2.8, [4][2]float64{{68.86, 3.92}, {71.51, 3.71}, {71.56, 3.88}, {73.87, 4.20}}},
		{"vehicle", 500, 346, false, 130, 155, 1e-5, 195, 1.3, 1e-5, 200, 1, 5e-5, 2.4, [4][2]float64{{81.14, 1.91}, {81.51, 1.99}, {81.61, 2.03}, {82.23, 2.25}}},
		{"seeds", 110, 100, true, 30, 130, 1e-4, 200, 1.5, 1e-3, 170, 1.5, 1e-3, 2.8, [4][2]float64{{92.26, 2.65}, {94.40, 2.13}, {94.65, 1.95}, {95.01, 1.96}}},
	} {
		t.Run(s.file, func(t *testing.T) { classificationTable(t, s, count) })
	}
}

func classificationTable(t *testing.T, s setting, count int) {
	ctx := context.Background()
	x, text := tableFile(t, "classification/"+s.file+".csv")
	n, _ := x.Dims()
	if !s.raw {
		unit(x)
	}
	classes := slices.Clone(text)
	slices.Sort(classes)
	classes = slices.Compact(classes)
	labels := make([]int, n)
	for i, v := range text {
		labels[i] = slices.Index(classes, v)
	}
	targets := elm.OneVsAll(labels, len(classes))
	var accuracy [4][]float64
	ends := map[irls.Status]int{}
	for split := range count {
		order := rand.New(rand.NewPCG(uint64(split), 78)).Perm(n)
		train, test := order[:s.train], order[s.train:s.train+s.test]
		models, err := s.fits(ctx, pick(x, train), pick(targets, train), uint64(split))
		if err != nil {
			t.Fatal(err)
		}
		for k, m := range models {
			got, err := m.Predict(ctx, pick(x, test))
			if err != nil {
				t.Fatal(err)
			}
			right := 0.0
			for i, label := range largestOf(got) {
				if label == labels[test[i]] {
					right++
				}
			}
			accuracy[k] = append(accuracy[k], 100*right/float64(len(test)))
			if k >= 2 {
				ends[m.Status()]++
			}
		}
	}
	for k, name := range methodNames {
		report(t, s.file+" "+name, accuracy[k], s.published[k])
	}
	t.Log(s.file, ends)
}

// largestOf is the column of the largest number of each row.
func largestOf(scores *mat.Dense) []int {
	n, _ := scores.Dims()
	out := make([]int, n)
	for i := range out {
		row := scores.RawRowView(i)
		out[i] = slices.Index(row, slices.Max(row))
	}
	return out
}
