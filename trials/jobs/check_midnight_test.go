package jobs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// shifts are rows of start, end and hours, some of them across midnight; halves writes AM and PM.
func shifts(n int, halves bool) (rows [][]string) {
	r := rand.New(rand.NewPCG(3, 1))
	write := func(minutes int) string {
		h, m := minutes/60%24, minutes%60
		if halves {
			return fmt.Sprintf("%02d:%02d %cM", (h+11)%12+1, m, "AP"[h/12])
		}
		return fmt.Sprintf("%02d:%02d", h, m)
	}
	for i := range n {
		start := 9*60 + int(60*r.NormFloat64())
		if i%8 == 0 {
			start = 21*60 + r.IntN(60)
		}
		long := 500 + int(40*r.NormFloat64())
		rows = append(rows, []string{write(start), write(start + long), fmt.Sprintf("%.1f", float64(long+r.IntN(15))/60), fmt.Sprint(30 + 15*r.IntN(3))})
	}
	return rows
}

// A shift that ends after midnight is not wrong. One that ends before it begins is, also in a batch of few rows.
func TestShiftsAcrossMidnight(t *testing.T) {
	names := []string{"start", "end", "hours", "pause"}
	for _, halves := range []bool{false, true} {
		rows := shifts(700, halves)
		rows[350][0], rows[350][1] = rows[350][1], rows[350][0]
		learned, err := inlier.Check{Table: tolerant.FromStrings(names, rows, tolerant.Options{})}.Run(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		nights := slices.ContainsFunc(learned.WrongRows, func(row int) bool { return row%8 == 1 })
		if !slices.Contains(learned.WrongRows, 351) || nights || len(learned.WrongRows) > 2 {
			t.Errorf("%v: %v are wrong", halves, learned.WrongRows)
		}
		batch := [][]string{rows[0], rows[51], rows[104], rows[350], rows[75]}
		r, err := inlier.Check{Table: tolerant.FromStrings(names, batch, tolerant.Options{}), Learned: learned.Model}.Run(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.WrongRows, []int{4}) {
			t.Errorf("%v: %v of the batch are wrong", halves, r.WrongRows)
		}
		for _, c := range append(learned.WrongCells, r.WrongCells...) {
			if strings.HasPrefix(fmt.Sprint(c.Expected), "2") && strings.Compare(fmt.Sprint(c.Expected), "24") > 0 {
				t.Errorf("expected %v", c.Expected)
			}
		}
	}
}
