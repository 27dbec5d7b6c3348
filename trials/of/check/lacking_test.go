package check

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// subscriptions are rows of periods that end after a month or a year, five on two days, beginning at day from.
func subscriptions(r *rand.Rand, from, n int) (rows [][]string) {
	first := time.Date(2022, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range n {
		length, cycle := 30, "monthly"
		if r.IntN(4) == 0 {
			length, cycle = 365, "yearly"
		}
		begins := first.AddDate(0, 0, from+i*4/5)
		rows = append(rows, []string{begins.Format(time.DateOnly), begins.AddDate(0, 0, length).Format(time.DateOnly), cycle, fmt.Sprintf("%.2f", math.Exp(4+0.7*r.NormFloat64()))})
	}
	return rows
}

// A cell that others tell exactly is told loosely only where one of these is missing: it is held against what is left open then, not against the
// sharpness of a row that lacks nothing. Ends of periods were called wrong in every row of a batch whose beginnings had gone on.
func TestCellsBesideOnesThatAreMissing(t *testing.T) {
	names := []string{"begins", "ends", "cycle", "amount"}
	for seed := range uint64(3) {
		r := random.New(seed, "lacking beside")
		m, err := check.Learn(context.Background(), tolerant.FromStrings(names, subscriptions(r, 0, 800), tolerant.Options{}), check.Settings{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		gaps := subscriptions(r, 100, 600)
		for i := 0; i < len(gaps); i += 5 {
			gaps[i][0] = ""
		}
		for name, rows := range map[string][][]string{"missing here and there": gaps, "next": subscriptions(r, 640, 200), "few": subscriptions(r, 640, 3)} {
			got, err := m.Judge(context.Background(), tolerant.FromStrings(names, rows, tolerant.Options{Usual: m.Kinds()}))
			if err != nil {
				t.Fatal(err)
			}
			wrong := 0
			for i := range got.Wrong {
				if got.Wrong[i] {
					if wrong++; wrong < 3 {
						t.Log(got.Why(i))
					}
				}
			}
			if wrong > len(rows)/100 {
				t.Errorf("%s, seed %d: %d of %d right rows are called wrong", name, seed, wrong, len(rows))
			}
		}
	}
}
