package linear

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// realTable reads a CSV of the data folder, the target in its last column, or skips.
func realTable(t testing.TB, name string) (*mat.Dense, []float64) {
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

func flagged(m *Model) (rows []int) {
	for i := range m.Training().Kind {
		if m.Training().Outlier(i) {
			rows = append(rows, i+1)
		}
	}
	return rows
}

func TestPrint(t *testing.T) {
	for _, name := range []string{"stackloss", "hbk", "stars_cyg", "telef"} {
		x, y := realTable(t, name+".csv")
		for _, s := range []Start{StartS, StartLTS, StartClassic} {
			m, err := Robust{Loss: DefaultLoss, Intercept: true, Seed: 1, Start: s}.Fit(context.Background(), x, y)
			if err != nil {
				t.Fatal(err)
			}
			a, b := m.Table()
			c0, i0, s0 := m.Initial()
			r2, adj := m.R2()
			t.Log(name, s, flagged(m), m.Status(), len(m.Steps()), "\n", a, b, "\n S", i0, c0, s0, m.Scale(), r2, adj)
			if s == StartS {
				t.Log(m.Training().Leverage, m.Training().LeverageCutoff)
			}
		}
	}
}
