package check

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// A stamp that is there twice beside a gap stands for the one that lacks. Where none lacks a row was entered once more, with another value, and its stamp is
// as good as any: a repair emptied it.
func TestStampsThatAreThereTwice(t *testing.T) {
	r := random.New(6, "twice")
	var rows [][]string
	first := time.Date(2024, 3, 4, 0, 0, 0, 0, time.UTC)
	stamp := func(i int) string { return first.Add(time.Duration(i) * 10 * time.Minute).Format("2006-01-02 15:04") }
	level := 20.0
	for i := range 500 {
		level += r.NormFloat64()
		rows = append(rows, []string{stamp(i), fmt.Sprintf("%.2f", level), fmt.Sprintf("%.2f", 2*level+0.1*r.NormFloat64())})
	}
	rows[100][0], rows[200][0] = stamp(99), stamp(201) // the second of two, and the first
	again := []string{rows[300][0], rows[300][1], "400.00"}
	rows = append(rows[:301], append([][]string{again}, rows[301:]...)...)
	table := tolerant.FromStrings([]string{"time", "level", "twice"}, rows, tolerant.Options{})
	found, err := check.Run(context.Background(), table, check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for _, c := range found.Cells {
		if c.Column != 0 || !c.Wrong {
			continue
		}
		switch want := float64(first.Unix() + 600*int64(c.Row)); {
		case c.Row == 100 || c.Row == 200:
			if known++; c.Expected != want || c.Doubt {
				t.Errorf("row %d: %s; expected %g, not %g", c.Row, c.Why, c.Expected, want)
			}
		case !c.Doubt:
			t.Errorf("row %d would be changed: %s", c.Row, c.Why)
		}
	}
	if known != 2 {
		t.Errorf("%d of 2 stamps are known", known)
	}
}
