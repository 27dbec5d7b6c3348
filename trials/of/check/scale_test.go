package check

import (
	"context"
	"fmt"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
	"gonum.org/v1/gonum/mat"
)

// A value off the scale of a column with few values is the guilty cell, and the cells that depend
// on the column are left alone.
func TestValuesOffTheScaleOfFew(t *testing.T) {
	source := random.New(3, "scale")
	var rows [][]string
	for i := range 240 {
		hours := 7 + 0.25*float64(source.IntN(8))
		pay := hours*21 + 0.5*source.NormFloat64()
		if i == 20 {
			hours = 82.5
		}
		rows = append(rows, []string{fmt.Sprint(hours), fmt.Sprintf("%.2f", pay), fmt.Sprint(1 + source.IntN(5)), fmt.Sprintf("%.3f", source.NormFloat64())})
	}
	rows[70][2] = "44"
	table := tolerant.FromStrings([]string{"hours", "pay", "answer", "noise"}, rows, tolerant.Options{})
	r, err := check.Run(context.Background(), table, check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	wrong := map[string]bool{}
	for _, c := range r.Cells {
		if c.Wrong {
			wrong[fmt.Sprintf("%d %s", c.Row, table.Columns[c.Column].Name)] = true
		}
	}
	if !wrong["20 hours"] || !wrong["70 answer"] || len(wrong) != 2 {
		t.Errorf("wrong cells %v; want those of rows 20 (hours) and 70 (answer)", wrong)
	}
}

// In a batch, be it a single row, a value is off the scale that was learned.
func TestScaleOfABatchIsTheLearnedOne(t *testing.T) {
	r := random.New(7, "answers")
	rows := func(n int) *mat.Dense {
		x := mat.NewDense(n, 3, nil)
		for i := range n {
			v := r.NormFloat64()
			x.SetRow(i, []float64{float64(1 + r.IntN(5)), v, 3*v + 0.1*r.NormFloat64()})
		}
		return x
	}
	m, err := check.Learn(context.Background(), tolerant.FromValues(nil, rows(300)), check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 6, 60} {
		x := rows(n)
		x.Set(n/2, 0, 44)
		batch, _, _ := m.Align(tolerant.FromValues(nil, x))
		got, err := m.Judge(context.Background(), batch)
		if err != nil {
			t.Fatal(err)
		}
		if countTrue(got.Wrong) != 1 || !got.Wrong[n/2] {
			t.Errorf("%d rows: %d are wrong, that with 44 is %v", n, countTrue(got.Wrong), got.Wrong[n/2])
		}
	}
}
