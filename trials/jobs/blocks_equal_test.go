package jobs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/npy"
)

// blockCases are the methods that fit tables larger than memory.
var blockCases = []struct {
	method, target, shape string
	parameters            catalog.Parameters
}{
	{method: "pca"},
	{method: "hq-pca"},
	{method: "pca-kmpe"},
	{method: "pca-robust"},
	{method: "pca-gm"},
	{method: "pca-cell"},
	{method: "relm", target: "number", parameters: catalog.Parameters{"hidden": "25"}},
	{method: "relm", target: "class", parameters: catalog.Parameters{"hidden": "25"}},
	{method: "elm-rcc", target: "number", parameters: catalog.Parameters{"hidden": "25"}},
	{method: "elm-rcc", target: "class", parameters: catalog.Parameters{"hidden": "25"}},
	{method: "elm-kmpe", target: "number", parameters: catalog.Parameters{"hidden": "25"}},
	{method: "elm-kmpe", target: "class", parameters: catalog.Parameters{"hidden": "25"}},
	{method: "elm-robust", target: "number", parameters: catalog.Parameters{"hidden": "25"}},
	{method: "elm-robust", target: "class", parameters: catalog.Parameters{"hidden": "25"}},
	{method: "linear-robust", target: "number"},
	{method: "regmaxcem", target: "class"},
	{method: "square", target: "class"},
	{method: "logistic", target: "class"},
	{method: "2dsvd", shape: "2x4"},
	{method: "corr-2dsvd", shape: "2x4"},
	{method: "corr-tensor", shape: "2x2x2"},
	{method: "kmeans", parameters: catalog.Parameters{"clusters": "3"}},
	{method: "kmeans-robust", parameters: catalog.Parameters{"clusters": "3"}},
}

// dirtyRows are eight columns about three places, a number and a class; one row in twenty is far off, as are as many numbers and classes.
func dirtyRows(n int, seed uint64) *npy.Array {
	draw := rand.New(rand.NewPCG(seed, 15))
	const columns = 8
	out := &npy.Array{Shape: []int{n, columns + 2}}
	for i := range n {
		class := i % 3
		hidden := []float64{draw.NormFloat64() + 5*float64(class), 2 * draw.NormFloat64(), draw.NormFloat64() - 4*float64(class%2)}
		number := 0.3 * draw.NormFloat64()
		for j := range columns {
			v := 0.4*draw.NormFloat64() + float64(j)
			for k, h := range hidden {
				v += h * math.Cos(float64(3*j+5*k+1))
			}
			if i%20 == 7 {
				v += 30 * draw.NormFloat64()
			}
			number += v * float64(j-3) / 4
			out.Data = append(out.Data, v)
		}
		if i%20 == 11 {
			number, class = number-60, draw.IntN(3)
		}
		out.Data = append(out.Data, number, float64(class))
	}
	return out
}

// blockData is where the rows are of a fit of a method.
func blockData(path, target, shape string) inlier.Data {
	data := inlier.Data{Path: path, Shape: shape}
	switch target {
	case "number":
		data.Target, data.Drop = "9", []string{"10"}
	case "class":
		data.Target, data.Drop = "10", []string{"9"}
	default:
		data.Drop = []string{"9", "10"}
	}
	return data
}

func writeRows(t *testing.T, path string, rows *npy.Array) {
	t.Helper()
	f, err := os.Create(path)
	if err == nil {
		err = npy.Write(f, rows)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestEqualInBlocks: where the sample has all rows, a fit in blocks ends in the model that the fit in memory ends in, in each of its
// numbers and in what it says of other rows.
func TestEqualInBlocks(t *testing.T) {
	folder := t.TempDir()
	learned, others := filepath.Join(folder, "learned.npy"), filepath.Join(folder, "others.npy")
	writeRows(t, learned, dirtyRows(900, 1))
	writeRows(t, others, dirtyRows(300, 2))
	for _, c := range blockCases {
		t.Run(c.method+c.target, func(t *testing.T) {
			t.Parallel()
			f := inlier.Fit{Method: c.method, Data: blockData(learned, c.target, c.shape), Parameters: c.parameters, Seed: 5}
			whole := fitOf(t, f)
			f.Data.Memory = 1 << 17
			parts := fitOf(t, f)
			if whole.Reads != 0 || parts.Reads == 0 {
				t.Fatalf("read %d and %d times", whole.Reads, parts.Reads)
			}
			compareModels(t, whole, parts, blockData(others, c.target, c.shape), 1e-6)
		})
	}
}

// TestUnlikeColumnsInBlocks: the same of columns in units that differ by 1e12, with ties and a constant, and of few rows in the last block.
func TestUnlikeColumnsInBlocks(t *testing.T) {
	folder := t.TempDir()
	unlike := func(name string, n int, seed uint64) string {
		rows, path := dirtyRows(n, seed), filepath.Join(folder, name)
		for at := 0; at < len(rows.Data); at += rows.Shape[1] {
			row := rows.Data[at:]
			row[1], row[2], row[3], row[6] = 1e6*row[1], 1e-6*row[2], math.Round(row[3]), 7
		}
		writeRows(t, path, rows)
		return path
	}
	learned, others := unlike("learned.npy", 1025, 3), unlike("others.npy", 300, 4)
	for _, c := range blockCases {
		t.Run(c.method+c.target, func(t *testing.T) {
			t.Parallel()
			f := inlier.Fit{Method: c.method, Data: blockData(learned, c.target, c.shape), Parameters: c.parameters, Seed: 5}
			whole := fitOf(t, f)
			f.Data.Memory = 1 << 17
			parts := fitOf(t, f)
			if whole.Reads != 0 || parts.Reads == 0 {
				t.Fatalf("read %d and %d times", whole.Reads, parts.Reads)
			}
			compareModels(t, whole, parts, blockData(others, c.target, c.shape), 1e-6)
		})
	}
}

// compareModels compares all numbers of two models with the size of the largest of their array, and what they say of rows.
func compareModels(t *testing.T, a, b *inlier.FitResult, rows inlier.Data, within float64) {
	t.Helper()
	var files [2]*archive.Contents
	var paths [2]string
	for k, r := range []*inlier.FitResult{a, b} {
		paths[k] = filepath.Join(t.TempDir(), fmt.Sprint(k, ".npz"))
		if err := r.Save(paths[k]); err != nil {
			t.Fatal(err)
		}
		var err error
		if files[k], err = archive.Open(paths[k]); err != nil {
			t.Fatal(err)
		}
	}
	for name, x := range files[0].Arrays {
		y, has := files[1].Arrays[name]
		switch {
		case !has:
			t.Logf("%s is in memory alone", name)
		case name == "objective" || name == "steps":
		default:
			differ(t, name, x.Data, y.Data, within)
		}
	}
	for name := range files[1].Arrays {
		if _, has := files[0].Arrays[name]; !has {
			t.Logf("%s is in blocks alone", name)
		}
	}
	differ(t, "objective", []float64{float64(a.Objective)}, []float64{float64(b.Objective)}, within)
	if fmt.Sprint(a.OutlierRows) != fmt.Sprint(b.OutlierRows) {
		t.Errorf("%d and %d outliers", len(a.OutlierRows), len(b.OutlierRows))
	}
	said := func(k int) (string, [][]float64) {
		m := inlier.Model{Path: paths[k]}
		var numbers [][]float64
		text := ""
		if p, err := (inlier.Predict{Model: m, Data: rows, Probabilities: true}).Run(t.Context(), nil); err == nil {
			text += fmt.Sprint(p.Prediction.Labels)
			numbers = append(numbers, p.Prediction.Values)
		} else if p, err := (inlier.Predict{Model: m, Data: rows}).Run(t.Context(), nil); err == nil {
			text += fmt.Sprint(p.Prediction.Labels)
			numbers = append(numbers, p.Prediction.Values)
		}
		if p, err := (inlier.Transform{Model: m, Data: rows}).Run(t.Context(), nil); err == nil {
			numbers = append(numbers, p.Set.X.RawMatrix().Data)
		}
		if p, err := (inlier.Judge{Model: m, Data: rows}).Run(t.Context(), nil); err == nil {
			for _, row := range p.Rows {
				text += fmt.Sprint(" ", row.Outlier)
			}
		} else {
			t.Error(err)
		}
		return text, numbers
	}
	textA, numbersA := said(0)
	textB, numbersB := said(1)
	if textA != textB {
		t.Error("verdicts or classes differ")
	}
	for k := range numbersA {
		differ(t, fmt.Sprint("said ", k), numbersA[k], numbersB[k], within)
	}
}

func differ(t *testing.T, name string, a, b []float64, within float64) {
	t.Helper()
	if len(a) != len(b) {
		t.Errorf("%s: %d and %d numbers", name, len(a), len(b))
		return
	}
	size, apart := 0.0, 0.0
	for i := range a {
		size = math.Max(size, math.Abs(a[i]))
		apart = math.Max(apart, math.Abs(a[i]-b[i]))
	}
	if !(apart <= within*size) {
		t.Errorf("%s: %.3g apart, of %.3g", name, apart, size)
	}
}
