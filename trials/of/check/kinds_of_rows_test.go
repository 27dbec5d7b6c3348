package check

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Rows free of a tax are not wrong where the sum bears the nought out; a nought that the sum does not bear out is.
func TestRowsFreeOfATax(t *testing.T) {
	for seed := range many(2, 8) {
		r := rand.New(rand.NewPCG(seed, 25))
		var rows [][]string
		for i := range 600 {
			net := math.Round(100*math.Exp(4+r.NormFloat64())) / 100
			vat := math.Round(20*net) / 100
			written := vat
			switch {
			case i%30 == 7:
				vat, written = 0, 0
			case i%200 == 19:
				written = 0
			}
			rows = append(rows, []string{strconv.Itoa(1 + r.IntN(9)), fmt.Sprintf("%.2f", net), fmt.Sprintf("%.2f", written), fmt.Sprintf("%.2f", net+vat)})
		}
		wrong, found := wrongRows(t, tolerant.FromStrings([]string{"pieces", "net", "vat", "gross"}, rows, tolerant.Options{}))
		if fmt.Sprint(wrong) != "[19 219 419]" {
			t.Errorf("seed %d: %v are wrong", seed, wrong)
		}
		told := false
		for _, g := range found.Groups {
			told = told || len(g.Rows) == 20 && strings.Contains(g.Text, "0 times the vat")
		}
		if !told {
			t.Errorf("seed %d: %+v", seed, found.Groups)
		}
	}
}

// Subtotals amid a table are told as such and not called wrong, whatever they are called; a wrong row between them is found.
func TestSubtotalsAmidATable(t *testing.T) {
	for seed := range many(3, 12) {
		r := rand.New(rand.NewPCG(seed, 27))
		var rows [][]string
		wrong := 0
		for group := range 5 {
			var sums [3]float64
			for i := range 30 {
				units := float64(20 + r.IntN(300))
				revenue := math.Round(units*(1200+100*r.NormFloat64())) / 100
				cost := math.Round(revenue*(70+4*r.NormFloat64())) / 100
				for k, v := range []float64{units, revenue, cost} {
					sums[k] += v
				}
				if group == 2 && i == 11 {
					wrong = len(rows)
					revenue *= 100
				}
				rows = append(rows, []string{fmt.Sprintf("Region %d", group), fmt.Sprintf("B%d", i), fmt.Sprint(units), fmt.Sprintf("%.2f", revenue), fmt.Sprintf("%.2f", cost)})
			}
			rows = append(rows, []string{fmt.Sprintf("alles %d", group), "", fmt.Sprint(sums[0]), fmt.Sprintf("%.2f", sums[1]), fmt.Sprintf("%.2f", sums[2])})
		}
		is, found := wrongRows(t, tolerant.FromStrings([]string{"region", "branch", "units", "revenue", "cost"}, rows, tolerant.Options{}))
		if fmt.Sprint(is) != fmt.Sprint([]int{wrong}) {
			t.Errorf("seed %d: %v are wrong, and %d is", seed, is, wrong)
		}
		told := false
		for _, g := range found.Groups {
			told = told || strings.Contains(g.Text, "subtotals") && fmt.Sprint(g.Rows) == "[30 61 92 123 154]"
		}
		if !told {
			t.Errorf("seed %d: %+v", seed, found.Groups)
		}
	}
	if _, found := wrongRows(t, smallCounts()); found.Groups != nil {
		t.Errorf("small counts: %+v", found.Groups)
	}
}

// Differences about nought add up to one of them again and again, and payments to one another in long tables: none is a subtotal.
func TestSumsByChanceAreNoSubtotals(t *testing.T) {
	tables := map[string]func(r *rand.Rand) []string{
		"differences": func(r *rand.Rand) []string {
			return []string{strconv.Itoa(r.IntN(5) - 2), strconv.Itoa(r.IntN(5) - 2), strconv.Itoa(r.IntN(5) - 2)}
		},
		"goals": func(r *rand.Rand) []string {
			return []string{strconv.Itoa(r.IntN(4) * r.IntN(3)), strconv.Itoa(r.IntN(4) * r.IntN(3))}
		},
		"payments": func(r *rand.Rand) []string {
			net := math.Round(100*math.Exp(2+r.NormFloat64())) / 100
			vat := math.Round(20*net) / 100
			return []string{fmt.Sprintf("%.2f", net), fmt.Sprintf("%.2f", vat), fmt.Sprintf("%.2f", net+vat)}
		},
		"changes": func(r *rand.Rand) []string {
			return []string{fmt.Sprintf("%.1f", r.NormFloat64()), fmt.Sprintf("%.1f", r.NormFloat64())}
		},
	}
	for name, draw := range tables {
		r := rand.New(rand.NewPCG(3, 27))
		var rows [][]string
		for range 3000 {
			rows = append(rows, draw(r))
		}
		_, found := wrongRows(t, tolerant.FromStrings([]string{"a", "b", "c"}[:len(rows[0])], rows, tolerant.Options{}))
		for _, g := range found.Groups {
			if strings.Contains(g.Text, "subtotals") {
				t.Errorf("%s: %s", name, g.Text)
			}
		}
	}
}

// A mistake in one group, and groups of one row or two, leave the subtotals of the others.
func TestSubtotalsOfSmallGroups(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 27))
	var rows [][]string
	var sums []int
	for group := range 30 {
		size := []int{6, 2, 7, 1, 5}[group%5]
		var of [3]float64
		for i := range size {
			pieces, net := float64(1+r.IntN(9)), math.Round(100*math.Exp(4+r.NormFloat64()))/100
			for k, v := range []float64{pieces, net, 2 * net} {
				of[k] += v
			}
			if group == 12 && i == 3 {
				net *= 10
			}
			rows = append(rows, []string{fmt.Sprint(pieces), fmt.Sprintf("%.2f", net), fmt.Sprintf("%.2f", 2*net)})
		}
		if size > 1 && group != 12 {
			sums = append(sums, len(rows))
		}
		rows = append(rows, []string{fmt.Sprint(of[0]), fmt.Sprintf("%.2f", of[1]), fmt.Sprintf("%.2f", of[2])})
	}
	_, found := wrongRows(t, tolerant.FromStrings([]string{"pieces", "net", "both"}, rows, tolerant.Options{}))
	told := fmt.Sprint(found.Groups)
	for _, g := range found.Groups {
		if strings.Contains(g.Text, "subtotals") {
			if told = fmt.Sprint(g.Rows); told == fmt.Sprint(sums) {
				return
			}
		}
	}
	t.Errorf("subtotals are %s and not %v", told, sums)
}

// smallCounts is a table in which a row is often the sum of those above in one column or two, by chance.
func smallCounts() *tolerant.Table {
	r := rand.New(rand.NewPCG(9, 27))
	var rows [][]string
	for range 2000 {
		rows = append(rows, []string{strconv.Itoa(r.IntN(4)), strconv.Itoa(r.IntN(6)), strconv.Itoa(r.IntN(3)), strconv.Itoa(1 + r.IntN(20)), strconv.Itoa(r.IntN(50))})
	}
	return tolerant.FromStrings([]string{"a", "b", "c", "d", "e"}, rows, tolerant.Options{})
}

// Of doubtful labels only those are replaced of which hardly any would be right: where classes overlap the others often are.
func TestLabelsThatMayBeRightStay(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 29))
	var rows [][]string
	for i := range 3000 {
		x, y := r.NormFloat64(), r.NormFloat64()
		label := 5*x-3.5*y+math.Log(1/r.Float64()-1) > 0
		if i%25 == 3 {
			label = !label
		}
		rows = append(rows, []string{fmt.Sprintf("%.3f", x), fmt.Sprintf("%.3f", y), map[bool]string{true: "paid", false: "default"}[label]})
	}
	found, err := check.Run(context.Background(), tolerant.FromStrings([]string{"x", "y", "outcome"}, rows, tolerant.Options{}), check.Settings{Target: "outcome"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var surely, perhaps int
	for _, c := range found.Cells {
		_, behind, told := strings.Cut(c.Why, "(chance of the label ")
		if !c.Wrong || c.Part != check.PartLabel || !told {
			continue
		}
		chance, err := strconv.Atoi(strings.TrimSuffix(behind, " %)"))
		switch {
		case err == nil && chance > 5:
			if perhaps++; !c.Doubt {
				t.Errorf("row %d would be replaced: %s", c.Row, c.Why)
			}
		case err != nil || chance < 5:
			if surely++; c.Doubt {
				t.Errorf("row %d would stay: %s", c.Row, c.Why)
			}
		}
	}
	if surely < 3 || perhaps < 3 {
		t.Errorf("%d labels are surely wrong, %d perhaps", surely, perhaps)
	}
}

// A batch in another unit breaks a law throughout: its rows are wrong, and a person decides what about them.
func TestABatchInAnotherUnitIsNotReplaced(t *testing.T) {
	rows := func(n int, times float64) (out [][]string) {
		r := rand.New(rand.NewPCG(uint64(n), 31))
		for range n {
			pieces, price := float64(1+r.IntN(19)), math.Round(100*math.Exp(3+r.NormFloat64()/2))/100
			out = append(out, []string{fmt.Sprint(pieces), fmt.Sprintf("%.2f", price), fmt.Sprintf("%.2f", times*pieces*price)})
		}
		return out
	}
	names := []string{"pieces", "price", "amount"}
	ctx := context.Background()
	m, err := check.Learn(ctx, tolerant.FromStrings(names, rows(400, 1), tolerant.Options{}), check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	found, err := m.Judge(ctx, tolerant.FromStrings(names, rows(200, 100), tolerant.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, c := range found.Cells {
		if c.Part == check.PartRelation && c.Wrong {
			if count++; !c.Doubt {
				t.Fatalf("row %d: %s", c.Row, c.Why)
			}
		}
	}
	if count < 200 {
		t.Errorf("%d cells are wrong", count)
	}
}

// 1h30m is an amount of time: laws with it are found, and said in its words.
func TestHoursAndMinutesInLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 33))
	var rows [][]string
	for i := range 300 {
		start, lasts, rate := 420+r.IntN(500), 15*(1+r.IntN(20)), []int{60, 75, 90}[r.IntN(3)]
		end, said := start+lasts, lasts
		if i == 77 {
			said += 120
		}
		rows = append(rows, []string{fmt.Sprintf("%02d:%02d", start/60, start%60), fmt.Sprintf("%02d:%02d", end/60, end%60), fmt.Sprintf("%dh%02dm", said/60, said%60), fmt.Sprint(rate),
			fmt.Sprintf("%.2f", float64(lasts*rate)/60)})
	}
	wrong, found := wrongRows(t, tolerant.FromStrings([]string{"start", "end", "duration", "rate", "fee"}, rows, tolerant.Options{}))
	laws := ""
	for _, law := range found.Relations {
		laws += law.Text + "; "
	}
	if !strings.Contains(laws, "end = start + duration") || !strings.Contains(laws, "fee = duration (hours) * rate") {
		t.Errorf("the laws are %s", laws)
	}
	if len(wrong) != 1 || wrong[0] != 77 || found.CellsOf(77)[0].Column != 2 {
		t.Errorf("%v are wrong: %+v", wrong, found.CellsOf(77))
	}
}
