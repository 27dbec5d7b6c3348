package check

import (
	"context"
	"fmt"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
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
	r, err := Run(context.Background(), table, Settings{}, nil)
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

// Where a law names the guilty cell, the others of the law are left alone: mending them too would break it again.
func TestCellsBesideTheGuiltyOne(t *testing.T) {
	source := random.New(4, "sums")
	var rows [][]string
	for i := range 300 {
		a, b, c := 10+source.IntN(40), 50+source.IntN(60), 100+source.IntN(20)
		sum := a + b + c
		if i%60 == 11 {
			sum += 90
		}
		rows = append(rows, []string{fmt.Sprint(a), fmt.Sprint(b), fmt.Sprint(c), fmt.Sprint(sum)})
	}
	table := tolerant.FromStrings([]string{"a", "b", "c", "sum"}, rows, tolerant.Options{})
	r, err := Run(context.Background(), table, Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, c := range r.Cells {
		if !c.Wrong {
			continue
		}
		if c.Row%60 == 11 && c.Column == 3 {
			named++
		} else {
			t.Errorf("row %d: %s", c.Row, c.Why)
		}
	}
	if named != 5 {
		t.Errorf("%d of 5 wrong sums are named", named)
	}
}
