package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

func TestRelationsOfOrders(t *testing.T) {
	for _, n := range []int{60, 1000, 5000} {
		table := ordersTable(n, uint64(n))
		r := random.New(1, "errors")
		type slipped struct{ row, column int }
		var planted []slipped
		for k := range n / 40 {
			s := slipped{row: 40*k + r.IntN(40), column: []int{0, 1, 3, 5, 6, 8}[k%6]}
			planted = append(planted, s)
			table.Columns[s.column].Values[s.row] *= []float64{10, 0.1, -1, 3.7}[k%4]
		}
		e, relations := lawsOf(t, table)
		got := texts(relations)
		t.Log(n, got)
		for _, want := range []string{"net = qty * price", "vat = 0.19 * net", "total = net + vat + shipping", "weight = 1.8 * qty", "paid = total * (1 - discount/100)"} {
			if !slices.Contains(got, want) {
				t.Errorf("n = %d: %q is not among %q", n, want, got)
			}
		}
		named := 0
		for _, p := range planted {
			if slices.ContainsFunc(e.Cells, func(s check.Suspicion) bool { return s.Row == p.row && s.Column == p.column && s.Certain }) {
				named++
			} else {
				for _, s := range e.Cells {
					if s.Row == p.row {
						t.Log(p, s.Column, s.Why)
					}
				}
			}
		}
		if n >= 1000 && float64(named) < 0.9*float64(len(planted)) {
			t.Errorf("n = %d: %d of %d guilty cells named", n, named, len(planted))
		}
		for _, s := range e.Cells {
			if !slices.ContainsFunc(planted, func(p slipped) bool { return p.row == s.Row }) {
				t.Errorf("n = %d: row %d is clean: %s", n, s.Row, s.Why)
			}
		}
	}
}

func TestNoRelationAmongFewValues(t *testing.T) {
	for seed := range many(2, 60) {
		for _, values := range []int{2, 3, 5, 10} {
			for _, n := range []int{15, 60, 400} {
				r := random.New(seed, fmt.Sprint("few", values, n))
				columns := make([][]float64, 8)
				names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
				for j := range columns {
					for i := range n {
						v := float64(r.IntN(values))
						if j > 5 && i > 0 && r.Float64() < 0.9 { // raters that mostly agree
							v = columns[j-1][i] + float64(r.IntN(2)*r.IntN(2))
							if len(columns[j-1]) <= i {
								v = 0
							}
						}
						columns[j] = append(columns[j], v)
					}
				}
				if e, relations := lawsOf(t, numbersTable(names, columns...)); slices.ContainsFunc(e.Cells, func(s check.Suspicion) bool { return s.Certain || s.P < 0.05 }) {
					t.Errorf("%d values, n = %d, seed %d: %q, %v", values, n, seed, texts(relations), e.Cells[0].Why)
				}
			}
		}
	}
}

func TestNoRelationByChance(t *testing.T) {
	for _, shape := range cleanShapes {
		for seed := range many(2, 60) {
			for _, size := range [][2]int{{12, 4}, {30, 8}, {100, 5}, {300, 10}, {500, 7}} {
				e, relations := lawsOf(t, cleanTable(shape, size[0], size[1], seed))
				if len(relations) > 0 || len(e.Cells) > 0 {
					t.Errorf("%s, %v, seed %d: %q, %d cells", shape, size, seed, texts(relations), len(e.Cells))
				}
			}
		}
	}
}

// A statement whose first column names its rows, and so holds no numbers, is judged as well.
func TestRunningSumBehindNames(t *testing.T) {
	table := statement(380, 3, false)
	names := tolerant.Column{Name: "no", Kind: tolerant.Identifier}
	table.Columns = append([]tolerant.Column{names}, table.Columns...)
	table.Columns[1].Values[120] *= 100
	if found, _ := lawsOf(t, table); len(found.Cells) != 1 || found.Cells[0].Row != 120 || found.Cells[0].Column != 1 {
		t.Errorf("found %v", found.Cells)
	}
}

// Rows whose order means nothing have no running sums.
func TestNoRunningSumsByChance(t *testing.T) {
	for _, shape := range cleanShapes {
		if _, relations := lawsOf(t, cleanTable(shape, 150, 5, 4)); len(relations) > 0 {
			t.Errorf("%s: %q", shape, texts(relations))
		}
	}
}

// Counts of people that add up do so whatever their range, between what is taken for a list and what is taken for rounded.
func TestSumsOfCounts(t *testing.T) {
	r := random.New(4, "counts")
	for _, below := range []int{20, 60, 600} {
		a, b, sum := make([]float64, 200), make([]float64, 200), make([]float64, 200)
		for i := range sum {
			a[i], b[i] = float64(r.IntN(below)), float64(r.IntN(below))
			sum[i] = a[i] + b[i]
		}
		if _, relations := lawsOf(t, numbersTable([]string{"adults", "children", "guests"}, a, b, sum)); len(relations) != 1 {
			t.Errorf("up to %d: %q", below, texts(relations))
		}
	}
}

// A far value breaks its relation and leaves the relation.
func TestRelationsSurviveFarValues(t *testing.T) {
	table := ordersTable(400, 8)
	for k, v := range []float64{1e300, -1e300, math.MaxFloat64, math.Inf(1), -999999} {
		table.Columns[5].Values[50*k+7] = v
	}
	e, relations := lawsOf(t, table)
	kept := false
	for _, r := range relations {
		kept = kept || r.Text == "total = net + vat + shipping"
	}
	if !kept {
		t.Errorf("relations %q", texts(relations))
	}
	for k := range 5 {
		found := false
		for _, s := range e.Cells {
			found = found || s.Row == 50*k+7 && s.Column == 5 && s.Certain
		}
		if !found {
			t.Errorf("value %g is not found", table.Columns[5].Values[50*k+7])
		}
	}
}

// cleanShapes are tables in which nothing is wrong.
var cleanShapes = []string{"normal", "uniform", "t3", "lognormal", "exponential", "poisson", "groups", "half-binary", "zero-inflated"}

// cleanTable draws n rows of d columns. Columns of the continuous shapes share a common factor.
func cleanTable(shape string, n, d int, seed uint64) *tolerant.Table {
	r := random.New(seed, "clean "+shape)
	names := make([]string, d)
	columns := make([][]float64, d)
	for j := range columns {
		names[j] = fmt.Sprintf("x%d", j+1)
		columns[j] = make([]float64, n)
	}
	for i := range n {
		common, group := r.NormFloat64(), float64(r.IntN(3))
		for j := range columns {
			z := 0.6*common + 0.8*r.NormFloat64()
			columns[j][i] = shaped(r, shape, z, j, d, group)
		}
	}
	return numbersTable(names, columns...)
}

func shaped(r *rand.Rand, shape string, z float64, j, d int, group float64) float64 {
	switch shape {
	case "uniform":
		return r.Float64()
	case "t3":
		return z / math.Sqrt((sq(r)+sq(r)+sq(r))/3)
	case "lognormal":
		return math.Exp(z)
	case "exponential":
		return r.ExpFloat64()
	case "poisson":
		k, p := 0.0, r.Float64()
		for p > math.Exp(-3) {
			k++
			p *= r.Float64()
		}
		return k
	case "groups":
		return z + 8*group*float64(1-2*(j%2))
	case "half-binary":
		if j < d/2 {
			return float64(r.IntN(2))
		}
	case "zero-inflated":
		if r.Float64() < 0.6 {
			return 0
		}
		return math.Round(100*math.Exp(z)) / 100
	}
	return z
}

// A small batch is held against the laws of what was learned before.
func TestRelationsLearnedBefore(t *testing.T) {
	batch := ordersTable(6, 77)
	for row := range 3 {
		batch.Columns[5].Values[row] += 50
	}
	m, err := check.Learn(t.Context(), ordersTable(500, 9), check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.Judge(t.Context(), batch)
	if err != nil {
		t.Fatal(err)
	}
	got := map[[2]int]bool{}
	for _, e := range r.Found {
		for _, s := range e.Cells {
			if e.Part == check.PartRelation && s.Certain {
				got[[2]int{s.Row, s.Column}] = true
			}
		}
	}
	if len(got) != 3 || !got[[2]int{0, 5}] || !got[[2]int{1, 5}] || !got[[2]int{2, 5}] {
		t.Errorf("%v", got)
	}
}

func TestEqualRowsByRight(t *testing.T) {
	for _, shape := range cleanShapes {
		for seed := range many(3, 50) {
			for _, size := range [][2]int{{3, 2}, {20, 3}, {100, 5}, {1500, 4}, {1500, 10}} {
				if e := duplicatesOf(t, cleanTable(shape, size[0], size[1], seed)); e.Rows != nil || len(e.Cells) > 0 {
					t.Errorf("%s, %v, seed %d: %v", shape, size, seed, e.Rows[:20])
				}
			}
		}
	}
}

func TestRepeatedKeys(t *testing.T) {
	var rows [][]string
	for i := range 200 {
		rows = append(rows, []string{fmt.Sprintf("A-%05d", 7000+3*i), fmt.Sprintf("C%03d", i*i%97), fmt.Sprint(i * i % 31)})
	}
	rows[150][0] = rows[20][0]
	table := tolerant.FromStrings([]string{"order", "customer", "x"}, rows, tolerant.Options{As: map[string]tolerant.Kind{"order": tolerant.Identifier, "customer": tolerant.Identifier}})
	e := duplicatesOf(t, table)
	if len(e.Cells) != 1 || e.Cells[0].Row != 150 || e.Cells[0].Column != 0 {
		t.Errorf("%+v", e.Cells)
	}
}

// duplicatesOf is what the part for rows that are there twice says.
func duplicatesOf(t *testing.T, table *tolerant.Table) check.Evidence {
	t.Helper()
	_, r := wrongRows(t, table)
	for _, e := range r.Found {
		if e.Part == check.PartDuplicate {
			return e
		}
	}
	return check.Evidence{}
}
