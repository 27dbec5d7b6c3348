package pca

import (
	"context"
	"encoding/csv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/pca"
	"gonum.org/v1/gonum/mat"
)

// realTable reads a CSV of the data folder without its target column, or skips.
func realTable(t *testing.T, name string, drop int) *mat.Dense {
	t.Helper()
	folder := os.Getenv("INLIER_DATA")
	if folder == "" {
		t.Skip("INLIER_DATA is not set: no real data")
	}
	f, err := os.Open(filepath.Join(folder, "outliers", name))
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	d := len(records[0]) - drop
	x := mat.NewDense(len(records)-1, d, nil)
	for i, record := range records[1:] {
		for j := 0; j < d; j++ {
			v, err := strconv.ParseFloat(record[j], 64)
			if err != nil {
				t.Fatal(err)
			}
			x.Set(i, j, v)
		}
	}
	return x
}

func flagged(m *pca.Model) map[int]bool {
	out := map[int]bool{}
	for i := range m.Training().Kind {
		if m.Training().Outlier[i] {
			out[i+1] = true
		}
	}
	return out
}

// robustDefaults are the methods whose defaults must find the known outliers.
func robustDefaults(o pca.Options) map[string]interface {
	Fit(context.Context, linalg.Source) (*pca.Model, error)
} {
	return map[string]interface {
		Fit(context.Context, linalg.Source) (*pca.Model, error)
	}{
		"hq-pca": pca.HQ{Options: o}, "pca-kmpe": pca.KMPE{Options: o}, "pca-robust": pca.Robust{Options: o, Loss: pca.DefaultLoss},
		"pca-gm": pca.GeneralizedMean{Options: o}, "r1-pca": pca.R1{Options: o},
	}
}

// Rows 1-14 of hbk (Hawkins, Bradu and Kass 1984) are outliers by construction.
func TestHBK(t *testing.T) {
	x := realTable(t, "hbk.csv", 1)
	src := linalg.FromDense(x)
	classic, err := pca.Classic{pca.Options{Components: 3}}.Fit(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := classic.Eigenvalues()[0], 216.162129; abs(got-want) > 1e-6 {
		t.Errorf("classical first eigenvalue %.6f, want %.6f", got, want)
	}
	for name, method := range robustDefaults(pca.Options{}) {
		m, err := method.Fit(context.Background(), src)
		if err != nil {
			t.Fatal(err)
		}
		got := flagged(m)
		t.Log(name, m.Eigenvalues(), got, m.Status(), len(m.Steps()))
		for i := 1; i <= 14; i++ {
			if !got[i] {
				t.Errorf("%s does not flag row %d", name, i)
			}
		}
		if len(got) > 14+4 {
			t.Errorf("%s flags %d rows", name, len(got))
		}
		if v := m.Eigenvalues()[0]; v < 1 || v > 3 {
			t.Errorf("%s: first eigenvalue %.3f", name, v)
		}
	}
}

// Rows 25, 26 and 36-39 of octane hold added alcohol (Hubert et al. 2005).
func TestOctane(t *testing.T) {
	x := realTable(t, "octane.csv", 1)
	for name, method := range robustDefaults(pca.Options{Components: 2}) {
		m, err := method.Fit(context.Background(), linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		got := flagged(m)
		t.Log(name, m.Eigenvalues(), got, m.Status(), len(m.Steps()))
		for _, i := range []int{25, 26, 36, 37, 38, 39} {
			if !got[i] {
				t.Errorf("%s does not flag row %d", name, i)
			}
		}
		if len(got) > 6+3 {
			t.Errorf("%s flags %d rows", name, len(got))
		}
	}
}

// On clean Gaussian data few rows are flagged.
func TestFalseAlarms(t *testing.T) {
	const n, d = 500, 10
	seeds := uint64(8)
	if os.Getenv("INLIER_CONFORMANCE") == "all" {
		seeds = 20
	}
	share := map[string]float64{}
	for seed := uint64(1); seed <= seeds; seed++ {
		random := rand.New(rand.NewPCG(seed, 7))
		x := mat.NewDense(n, d, nil)
		x.Apply(func(_, j int, _ float64) float64 { return random.NormFloat64() * float64(1+(d-j)/3) }, x)
		for name, method := range robustDefaults(pca.Options{Components: 3, Seed: seed}) {
			if name != "pca-robust" && name != "r1-pca" { // the others are the same or slower
				continue
			}
			m, err := method.Fit(context.Background(), linalg.FromDense(x))
			if err != nil {
				t.Fatal(err)
			}
			share[name] += float64(m.Training().Count()) / n / float64(seeds)
		}
	}
	for name, v := range share {
		t.Logf("%s flags %.2f %% of clean rows", name, 100*v)
		if v > 0.06 {
			t.Errorf("%s flags %.2f %% of clean rows", name, 100*v)
		}
	}
}

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}
