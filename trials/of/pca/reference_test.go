package pca

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	fixtures "github.com/inlier-ml/inlier/internal/fixture"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/pca"
	"gonum.org/v1/gonum/mat"
)

// sklearnPCA is what scikit-learn says about one table (bench/reference_pca.py).
type sklearnPCA struct {
	Asked      int         `json:"components_asked"`
	Mean       []float64   `json:"mean"`
	Components [][]float64 `json:"components"`
	Variance   []float64   `json:"explained_variance"`
	Ratio      []float64   `json:"explained_variance_ratio"`
	Scores     [][]float64 `json:"scores_first_rows"`
}

// rrcovPCA is what R's rrcov says about one table (bench/reference_pca.R).
type rrcovPCA struct {
	Eigenvalues []float64   `json:"eigenvalues"`
	Center      []float64   `json:"center"`
	Loadings    [][]float64 `json:"loadings_by_component"`
	Flagged     []int       `json:"flagged_rows"`
	ScoreCutoff float64     `json:"score_cutoff"`
	OrthoCutoff float64     `json:"orthogonal_cutoff"`
}

func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(fixtures.Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// fixture reads a table of numbers: one of testdata, or, for a name that begins with
// "data:", the first columns of one of the benchmark data, if they are there.
func fixture(t *testing.T, name string, columns int) *mat.Dense {
	t.Helper()
	path := fixtures.Path(t, name)
	if rest, real := strings.CutPrefix(name, "data:"); real {
		folder := os.Getenv("INLIER_DATA")
		if folder == "" {
			t.Skip("INLIER_DATA is not set: no benchmark data")
		}
		path = filepath.Join(folder, filepath.FromSlash(rest))
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	x := mat.NewDense(len(records)-1, columns, nil)
	for i, record := range records[1:] {
		for j := range columns {
			v, err := strconv.ParseFloat(record[j], 64)
			if err != nil {
				t.Fatal(err)
			}
			x.Set(i, j, v)
		}
	}
	return x
}

// sameUpToSign compares directions; it returns the sign that makes ours theirs.
func sameUpToSign(t *testing.T, what string, ours, theirs []float64, tolerance float64) float64 {
	t.Helper()
	dot := 0.0
	for j := range ours {
		dot += ours[j] * theirs[j]
	}
	sign := math.Copysign(1, dot)
	for j := range ours {
		if d := math.Abs(sign*ours[j] - theirs[j]); !(d <= tolerance) {
			t.Errorf("%s, entry %d: %.12g, expected %.12g", what, j+1, sign*ours[j], theirs[j])
		}
	}
	return sign
}

func TestClassicAgreesWithScikitLearn(t *testing.T) {
	var file struct {
		Sets map[string]sklearnPCA `json:"sets"`
	}
	readJSON(t, "sklearn_pca.json", &file)
	if len(file.Sets) < 4 {
		t.Fatalf("only %d tables", len(file.Sets))
	}
	for name, want := range file.Sets {
		t.Run(name, func(t *testing.T) {
			x := fixture(t, name, len(want.Mean))
			m, err := pca.Classic{pca.Options{Components: want.Asked}}.Fit(t.Context(), linalg.FromDense(x))
			if err != nil {
				t.Fatal(err)
			}
			scores, err := m.Transform(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			for j, v := range m.Mean() {
				if math.Abs(v-want.Mean[j]) > 1e-9 {
					t.Errorf("mean %d: %.12g, expected %.12g", j+1, v, want.Mean[j])
				}
			}
			for k := range want.Asked {
				if v := m.Eigenvalues()[k]; math.Abs(v-want.Variance[k]) > 1e-9*want.Variance[0] {
					t.Errorf("variance %d: %.12g, expected %.12g", k+1, v, want.Variance[k])
				}
				sign := sameUpToSign(t, "component "+strconv.Itoa(k+1), mat.Col(nil, k, m.Basis()), want.Components[k], 1e-9)
				for i, row := range want.Scores {
					if d := math.Abs(sign*scores.At(i, k) - row[k]); d > 1e-9*math.Sqrt(want.Variance[0]) {
						t.Errorf("score of row %d, component %d differs by %.2g", i+1, k+1, d)
					}
				}
			}
			sum := 0.0
			for _, r := range want.Ratio {
				sum += r
			}
			if got := m.Explained().Classical; math.Abs(got-sum) > 1e-9 {
				t.Errorf("explained variance %.12g, expected %.12g", got, sum)
			}
		})
	}
}

func TestClassicAgreesWithRrcov(t *testing.T) {
	for name, columns := range map[string]int{"outliers/hbk.csv": 3, "outliers/octane.csv": 226} {
		t.Run(name, func(t *testing.T) {
			x := fixture(t, "data:"+name, columns)
			want := readRrcov(t, name).Classic
			m, err := pca.Classic{pca.Options{Components: len(want.Eigenvalues)}}.Fit(t.Context(), linalg.FromDense(x))
			if err != nil {
				t.Fatal(err)
			}
			for k, v := range want.Eigenvalues {
				if got := m.Eigenvalues()[k]; math.Abs(got-v) > 1e-9*want.Eigenvalues[0] {
					t.Errorf("eigenvalue %d: %.12g, expected %.12g", k+1, got, v)
				}
				sameUpToSign(t, "loading "+strconv.Itoa(k+1), mat.Col(nil, k, m.Basis()), want.Loadings[k], 1e-9)
			}
			for j, v := range want.Center {
				if got := m.Mean()[j]; math.Abs(got-v) > 1e-9 {
					t.Errorf("mean %d: %.12g, expected %.12g", j+1, got, v)
				}
			}
		})
	}
}

// The robust default is another estimator than R's, but it must flag the rows that
// PcaHubert flags and find about its subspace.
func TestRobustDefaultIsNearPcaHubert(t *testing.T) {
	for _, c := range []struct {
		name    string
		columns int
		degrees float64 // largest angle to its subspace
	}{{"outliers/hbk.csv", 3, 0}, {"outliers/octane.csv", 226, 3}} {
		t.Run(c.name, func(t *testing.T) {
			x := fixture(t, "data:"+c.name, c.columns)
			want := readRrcov(t, c.name).Hubert
			k := len(want.Eigenvalues)
			m, err := pca.Robust{Options: pca.Options{Components: k, Seed: 1}, Loss: pca.DefaultLoss}.Fit(t.Context(), linalg.FromDense(x))
			if err != nil {
				t.Fatal(err)
			}
			for i := range x.RawMatrix().Rows {
				if slices.Contains(want.Flagged, i+1) && !m.Training().Outlier[i] {
					t.Errorf("row %d is flagged by PcaHubert and not here", i+1)
				}
			}
			if r := m.Eigenvalues()[0] / want.Eigenvalues[0]; r < 0.5 || r > 2 {
				t.Errorf("first eigenvalue %g, PcaHubert %g", m.Eigenvalues()[0], want.Eigenvalues[0])
			}
			if k == c.columns {
				return // both span everything
			}
			theirs := mat.NewDense(c.columns, k, nil)
			for j, v := range want.Loadings {
				theirs.SetCol(j, v)
			}
			var cross mat.Dense
			cross.Mul(m.Basis().T(), theirs)
			var svd mat.SVD
			if !svd.Factorize(&cross, mat.SVDNone) {
				t.Fatal("no singular values")
			}
			smallest := math.Min(1, svd.Values(nil)[k-1])
			if angle := math.Acos(smallest) * 180 / math.Pi; angle > c.degrees {
				t.Errorf("%.2f degrees from PcaHubert's subspace", angle)
			} else {
				t.Logf("%.2f degrees from PcaHubert's subspace", angle)
			}
		})
	}
}

type rrcovPair struct{ Classic, Hubert rrcovPCA }

func readRrcov(t *testing.T, name string) rrcovPair {
	t.Helper()
	var file map[string]json.RawMessage
	readJSON(t, "rrcov_pca.json", &file)
	var pair rrcovPair
	if err := json.Unmarshal(file[name], &pair); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return pair
}
