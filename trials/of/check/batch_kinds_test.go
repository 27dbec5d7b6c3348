package check

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// calledOfBatch are the rows of a batch that are called wrong by what was learned of a table.
func calledOfBatch(t *testing.T, names []string, learned, batch [][]string) (wrong int, why string) {
	t.Helper()
	m, err := check.Learn(context.Background(), tolerant.FromStrings(names, learned, tolerant.Options{}), check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	table, _, _ := m.Align(tolerant.FromStrings(names, batch, tolerant.Options{Like: m.Table().Columns, Usual: m.Kinds()}))
	r, err := m.Judge(context.Background(), table)
	if err != nil {
		t.Fatal(err)
	}
	for i, is := range r.Wrong {
		if is {
			wrong++
			why = r.Why(i)
		}
	}
	return wrong, why
}

// A machine that was not there before runs as some of the others do: nothing is known of it, so that its cells are held against those of all machines
// (79 of 100 rows were called wrong by what is expected of the most frequent one).
func TestBatchOfANewMachine(t *testing.T) {
	source := rand.New(rand.NewPCG(3, 5))
	draw := func(rows int, name string) (cells [][]string) {
		for range rows {
			k := source.IntN(5)
			load, heat := 10+80*source.Float64(), []float64{0, 5, 15, 30, 60}[k]
			word := name
			if word == "" {
				word = fmt.Sprint("M", k)
			}
			cells = append(cells, []string{word, fmt.Sprintf("%.1f", load), fmt.Sprintf("%.1f", 20+heat+0.3*load+source.NormFloat64()),
				fmt.Sprintf("%.3f", 0.5+heat/25+0.01*load+0.05*source.NormFloat64())})
		}
		return cells
	}
	learned := draw(1000, "")
	if wrong, why := calledOfBatch(t, []string{"machine", "load", "heat", "shake"}, learned, draw(100, "M9")); wrong > 2 {
		t.Errorf("%d of 100 clean rows of a new machine are called wrong: %s", wrong, why)
	}
}

// Rows of a batch that are unlike most, as three in a hundred of the learned ones were, are far and not wrong.
func TestBatchWithAFarGroup(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e"}
	for seed := range uint64(3) {
		source := rand.New(rand.NewPCG(seed, 7))
		draw := func(rows, far int) (cells [][]string) {
			for i := range rows {
				x, y := source.NormFloat64(), source.NormFloat64()
				row := []float64{10 + x, 20 + 2*x - y, 5 + y, 100 + 10*x + 5*y, 3}
				for j := range row {
					row[j] += []float64{.3, .4, .3, 2, .5}[j] * source.NormFloat64()
					if i%33 < far {
						row[j] += []float64{12, -14, 9, 90, 6}[j]
					}
				}
				cells = append(cells, make([]string, 5))
				for j, v := range row {
					cells[i][j] = fmt.Sprintf("%.3f", v)
				}
			}
			return cells
		}
		learned := draw(1000, 1)
		if wrong, why := calledOfBatch(t, names, learned, draw(132, 1)); wrong > 1 {
			t.Errorf("%d of 132 clean rows are called wrong: %s", wrong, why)
		}
	}
}
