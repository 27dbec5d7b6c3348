package check

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// deliveries are pieces ordered and delivered, never fewer but for one row in so many; it returns which.
func deliveries(seed uint64, each int) (t *tolerant.Table, broken map[int]bool) {
	r := rand.New(rand.NewPCG(seed, 41))
	broken = map[int]bool{}
	var rows [][]string
	for i := range 1000 {
		ordered := 1 + r.IntN(199)
		delivered := ordered + r.IntN(60)
		if i%each == 7 {
			delivered, broken[i] = ordered-5-r.IntN(35), true
		}
		rows = append(rows, []string{strconv.Itoa(ordered), strconv.Itoa(delivered), strconv.Itoa(100 + r.IntN(900))})
	}
	return tolerant.FromStrings([]string{"ordered", "delivered", "weight"}, rows, tolerant.Options{}), broken
}

// Rows that break an order are none of the tail that they are held against: few of them are wrong, many are told.
func TestBrokenOrders(t *testing.T) {
	for seed := range many(3, 12) {
		for _, each := range []int{200, 50, 33} {
			table, broken := deliveries(seed, each)
			wrong, found := wrongRows(t, table)
			hits := 0
			for _, row := range wrong {
				if broken[row] {
					hits++
				}
			}
			if each == 200 && hits < 5 || len(wrong)-hits > 2 {
				t.Errorf("seed %d: %d of %d that break it are wrong, and %d others", seed, hits, len(broken), len(wrong)-hits)
			}
			var law *check.Relation
			for k := range found.Relations {
				if strings.HasPrefix(found.Relations[k].Text, "ordered <= delivered") {
					law = &found.Relations[k]
				}
			}
			if law == nil || len(law.Broken) != len(broken) {
				t.Fatalf("seed %d: one in %d breaks it: %+v", seed, each, law)
			}
			for _, row := range law.Broken {
				if cells := found.CellsOf(row); !broken[row] || len(cells) == 0 {
					t.Errorf("seed %d: row %d is not told", seed, row)
				}
			}
		}
	}
}

// Bread without fibre has no more of it than sugar in any case: rows at the bottom of a column are no evidence for an order, and where the others come close
// to each other by chance none of them is wrong.
func TestBottomIsNoOrder(t *testing.T) {
	r := random.New(5, "fibre")
	called := 0
	for range 4 {
		const n = 500
		fibre, sugar, fat := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			tenths := func(v float64) float64 { return math.Round(10*max(0, v)) / 10 }
			lognormal := func(middle float64) float64 { return tenths(middle * math.Exp(0.2*r.NormFloat64())) }
			switch r.IntN(5) {
			case 0: // fruit
				fibre[i], sugar[i], fat[i] = tenths(2+0.7*r.NormFloat64()), lognormal(9), lognormal(0.3)
			case 1: // bread
				fibre[i], sugar[i], fat[i] = tenths(2+0.7*r.NormFloat64()), lognormal(4.2), lognormal(3)
			case 2: // snacks
				sugar[i], fat[i] = lognormal(12), lognormal(30)
			case 3: // cheese
				sugar[i], fat[i] = lognormal(0.4), lognormal(28)
			default: // fish
				fat[i] = lognormal(8)
			}
		}
		rows, found := wrongRows(t, numbersTable([]string{"fibre", "sugar", "fat"}, fibre, sugar, fat))
		for _, row := range rows {
			if called++; called == 1 {
				t.Log(found.Why(row))
			}
		}
	}
	if called > 2 {
		t.Errorf("%d rows are wrong", called)
	}
}
