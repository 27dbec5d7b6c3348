package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Products of three and four columns are laws of the file: a slip in one of their cells is named and given its value, and nothing
// is called exchanged.
func TestLongProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 2))
	of := func(middle, spread float64, decimals int) float64 {
		unit := math.Pow10(decimals)
		return math.Round(unit*math.Exp(middle+spread*r.NormFloat64())) / unit
	}
	one := func(values ...float64) float64 { return values[r.IntN(len(values))] }
	for _, c := range []struct {
		law   string
		names []string
		guilt int
		as    string // decimals of the columns
		row   func() []float64
	}{
		{"volume = length * width * height", []string{"length", "width", "height", "volume"}, 3, "1110", func() []float64 {
			l, w, h := of(3, 0.4, 1), of(3.2, 0.4, 1), of(2.8, 0.4, 1)
			return []float64{l, w, h, l * w * h}
		}},
		{"weight = 7.85 * length * width * height", []string{"weight", "length", "width", "height"}, 2, "1222", func() []float64 {
			l, w, h := of(1, 0.5, 2), of(2, 0.5, 2), of(1.5, 0.4, 2)
			return []float64{7.85 * l * w * h, l, w, h}
		}},
		{"pieces = layers * rows * box", []string{"layers", "rows", "box", "pieces"}, 3, "0000", func() []float64 {
			l, w, b := one(1, 2, 3, 4, 5, 6, 7), one(4, 5, 6, 7, 8, 9, 10, 11), one(6, 10, 12, 24)
			return []float64{l, w, b, l * w * b}
		}},
		{"mass = 0.001 * length * width * height * density", []string{"mass", "length", "width", "height", "density"}, 3, "12222", func() []float64 {
			m, l, w, h := one(100, 120, 150, 200)+float64(r.IntN(40)), of(1, 0.3, 2), of(1.2, 0.3, 2), of(0.6, 0.3, 2)
			return []float64{m, l, w, h, 1000 * m / (l * w * h)}
		}},
		{"gross = quantity * price * (1 - discount/100) * (1 + vat/100)", []string{"quantity", "price", "discount", "vat", "gross"}, 1, "02002", func() []float64 {
			q, p, d, v := 1+float64(r.IntN(20)), of(3, 0.6, 2), one(0, 5, 10, 15), one(7, 19)
			return []float64{q, p, d, v, q * p * (1 - d/100) * (1 + v/100)}
		}},
		{"fee = 0.02 * area * storeys * rate / crew", []string{"area", "storeys", "rate", "crew", "fee"}, 4, "11202", func() []float64 {
			a, s, p, c := of(5, 0.4, 1), 1+float64(r.IntN(6)), of(2, 0.5, 2), 2+float64(r.IntN(9))
			return []float64{a, s, p, c, 0.02 * a * s * p / c}
		}},
	} {
		var rows [][]string
		for range 400 {
			cells := []string{}
			for k, v := range c.row() {
				cells = append(cells, strconv.FormatFloat(v, 'f', int(c.as[k]-'0'), 64))
			}
			rows = append(rows, append(cells, fmt.Sprint(18+r.IntN(70))))
		}
		names := append(slices.Clone(c.names), "age")
		wrong, found := wrongRows(t, tolerant.FromStrings(names, rows, tolerant.Options{}))
		if got := texts(found.Relations); len(got) != 1 || !sameProduct(got[0], c.law) || len(wrong) > 0 {
			t.Errorf("%s: found the laws %q, and %v wrong", c.law, got, wrong)
		}
		want, _ := strconv.ParseFloat(rows[200][c.guilt], 64)
		rows[200][c.guilt] = strconv.FormatFloat(10*want, 'f', int(c.as[c.guilt]-'0'), 64)
		wrong, found = wrongRows(t, tolerant.FromStrings(names, rows, tolerant.Options{}))
		if cells := found.CellsOf(200); !slices.Equal(wrong, []int{200}) || cells[0].Column != c.guilt || math.Abs(cells[0].Expected-want) > 0.02*want {
			t.Errorf("%s: rows %v, %+v, want %g", c.law, wrong, cells, want)
		}
	}
}

// sameProduct compares two laws whose factors may stand in any order.
func sameProduct(a, b string) bool {
	parts := func(law string) []string {
		_, right, _ := strings.Cut(law, " = ")
		out := strings.Split(strings.ReplaceAll(right, " / ", " * 1/"), " * ")
		slices.Sort(out)
		return append(out, law[:strings.Index(law, " = ")])
	}
	return slices.Equal(parts(a), parts(b))
}

// Columns of few positive numbers make no products by chance: powers of two, counts, grades, and many columns of one cause.
func TestNoProductsByChance(t *testing.T) {
	for seed := range many(2, 12) {
		r := rand.New(rand.NewPCG(seed, 3))
		for _, c := range []struct {
			name    string
			columns int
			draw    func(cause float64) string
		}{
			{"powers of two", 9, func(float64) string { return fmt.Sprint(1 << r.IntN(6)) }},
			{"counts", 12, func(float64) string { return fmt.Sprint(1 + r.IntN(9)) }},
			{"grades", 20, func(float64) string { return fmt.Sprint(1 + r.IntN(5)) }},
			{"one cause", 24, func(cause float64) string { return fmt.Sprintf("%.2f", math.Exp(1+0.5*cause+0.05*r.NormFloat64())) }},
			{"one cause, wide", 40, func(cause float64) string { return fmt.Sprintf("%.1f", math.Exp(1+0.5*cause+0.3*r.NormFloat64())) }},
		} {
			var names []string
			for k := range c.columns {
				names = append(names, fmt.Sprintf("c%d", k))
			}
			var rows [][]string
			for range 300 {
				cause, cells := r.NormFloat64(), []string{}
				for range c.columns {
					cells = append(cells, c.draw(cause))
				}
				rows = append(rows, cells)
			}
			if _, found := wrongRows(t, tolerant.FromStrings(names, rows, tolerant.Options{})); len(found.Relations) > 0 {
				t.Errorf("%s, seed %d: %q", c.name, seed, texts(found.Relations))
			}
		}
	}
}
