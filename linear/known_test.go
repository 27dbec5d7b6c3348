package linear

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// realTable reads a CSV of the data folder, the target in its last column, or skips.
func realTable(t testing.TB, name string) (*mat.Dense, []float64) {
	t.Helper()
	return tableOf(t, "outliers", name)
}

func tableOf(t testing.TB, kind, name string) (*mat.Dense, []float64) {
	t.Helper()
	folder := os.Getenv("INLIER_DATA")
	if folder == "" {
		t.Skip("INLIER_DATA is not set: no real data")
	}
	f, err := os.Open(filepath.Join(folder, kind, name))
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	d := len(records[0]) - 1
	x, y := mat.NewDense(len(records)-1, d, nil), make([]float64, len(records)-1)
	for i, record := range records[1:] {
		for j, text := range record {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			if j == d {
				y[i] = v
			} else {
				x.Set(i, j, v)
			}
		}
	}
	return x, y
}

// fitDefault is the fit that the catalog makes without parameters.
func fitDefault(t testing.TB, x *mat.Dense, y []float64) *Model {
	t.Helper()
	m, err := Robust{Loss: DefaultLoss, Seed: 1}.Fit(context.Background(), linalg.FromDense(x), y)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// By the residuals of the high-breakdown stage rows 1, 3, 4 and 21 of stackloss are
// outliers (Rousseeuw and Leroy 1987, p. 76).
func TestStacklossByItsStart(t *testing.T) {
	x, y := realTable(t, "stackloss.csv")
	coef, intercept, scale := fitDefault(t, x, y).Initial()
	var far []int
	for i, v := range y {
		if r := v - intercept - dot(x.RawRowView(i), coef); math.Abs(r) > 2.5*scale {
			far = append(far, i+1)
		}
	}
	if !slices.Equal(far, []int{1, 3, 4, 21}) {
		t.Errorf("rows %v", far)
	}
}

// The sum of the h smallest squared residuals is at most what R finds (h = quan):
//
//	Rscript -e 'library(robustbase); set.seed(1); d <- read.csv("telef.csv"); l <- ltsReg(target ~ ., d);
//	  r <- d$target - cbind(1, as.matrix(d[, -ncol(d)])) %*% l$raw.coefficients; sum(sort(r^2)[1:l$quan])'
func TestTrimmedSquaresAreSmall(t *testing.T) {
	for _, c := range []struct {
		file string
		h    int
		crit float64
	}{{"stackloss", 13, 2.932391246}, {"hbk", 40, 2.952560903}, {"stars_cyg", 25, 0.8368928504}, {"telef", 13, 0.03431334424}} {
		x, y := realTable(t, c.file+".csv")
		m, err := Robust{Loss: DefaultLoss, Start: StartLTS, Seed: 1, Samples: 2000}.Fit(context.Background(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(err)
		}
		coef, intercept, _ := m.Initial()
		var squares []float64
		for i, v := range y {
			r := v - intercept - dot(x.RawRowView(i), coef)
			squares = append(squares, r*r)
		}
		slices.Sort(squares)
		sum := 0.0
		for _, s := range squares[:c.h] {
			sum += s
		}
		if sum > c.crit*(1+1e-6) {
			t.Errorf("%s: %g, in R %g", c.file, sum, c.crit)
		}
	}
}
