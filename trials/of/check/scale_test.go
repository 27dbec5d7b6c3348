package check

import (
	"context"
	"fmt"
	"math"
	"slices"
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

// Several slips in a column of few values are slips, if each is one of its values but for the decimal mark or the sign; numbers that no slip
// explains are a list that goes on.
func TestSlipsInColumnsOfFewValues(t *testing.T) {
	r := random.New(6, "hulls")
	const n = 300
	list, speed, drag := []float64{4.34, 4.77, 4.78, 5.1, 5.14}, make([]float64, n), make([]float64, n)
	ratio := make([]float64, n)
	for i := range n {
		ratio[i], speed[i] = list[r.IntN(len(list))], math.Round(100*r.Float64())/100
		drag[i] = math.Round(1000*(speed[i]+0.1*ratio[i]+0.05*r.NormFloat64())) / 1000
	}
	slips := []int{40, 110, 200}
	ratio[40], ratio[110], ratio[200] = 47.8, -4.34, 0.51
	if rows, _ := wrongRows(t, numbersTable([]string{"ratio", "speed", "drag"}, ratio, speed, drag)); !slices.Equal(rows, slips) {
		t.Errorf("%v are wrong, want %v", rows, slips)
	}
	ratio[40], ratio[110], ratio[200] = 13.2, 17.9, 23.4
	if rows, _ := wrongRows(t, numbersTable([]string{"ratio", "speed", "drag"}, ratio, speed, drag)); len(rows) > 0 {
		t.Errorf("%v are wrong", rows)
	}
}
