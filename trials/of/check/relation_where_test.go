package check

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// wrongRows runs a check and lists the rows called wrong.
func wrongRows(t *testing.T, table *tolerant.Table) (rows []int, r *check.Result) {
	t.Helper()
	r, err := check.Run(context.Background(), table, check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, wrong := range r.Wrong {
		if wrong {
			rows = append(rows, i)
		}
	}
	return rows, r
}

// Teachers of a school do not break the law of its pupils: their role tells, or that they are older and without a grade, or that
// a cell is empty. Pupils who break it are wrong.
func TestPopulationsBreakLawsByRight(t *testing.T) {
	r := random.New(11, "school")
	const n = 600
	age, grade, height, class := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	role := make([]string, n)
	var mixedUp []string
	for i := range n {
		age[i], role[i] = float64(6+r.IntN(13)), "pupil"
		grade[i], class[i] = age[i]-5, float64(r.IntN(30))
		height[i] = math.Round(85 + 5*age[i] + 5*r.NormFloat64())
		if i%25 == 7 {
			age[i], role[i], grade[i], class[i] = float64(26+r.IntN(38)), "teacher", 0, math.NaN()
			height[i] = math.Round(175 + 8*r.NormFloat64())
		}
		mixedUp = append(mixedUp, []string{"red", "blue", "green"}[r.IntN(3)])
	}
	grade[100] += 3
	age[300] += 4
	slips := []int{100, 300}
	for name, c := range map[string]struct {
		further *tolerant.Column
		text    string
	}{
		"a word tells":        {func() *tolerant.Column { c := categoryColumn("role", role); return &c }(), "grade = age - 5 unless role is \"teacher\""},
		"two columns do":      {func() *tolerant.Column { c := categoryColumn("team", mixedUp); return &c }(), "grade = age - 5 unless age is above 18 and grade is below 1"},
		"an empty cell tells": {&tolerant.Column{Name: "class", Kind: tolerant.Number, Values: class}, "grade = age - 5 unless class is empty"},
	} {
		table := numbersTable([]string{"age", "grade", "height"}, age, grade, height)
		table.Columns = append(table.Columns, *c.further)
		rows, result := wrongRows(t, table)
		if !slices.Equal(rows, slips) {
			t.Errorf("%s: wrong are %v, want %v", name, rows, slips)
			for _, row := range rows[:min(len(rows), 3)] {
				t.Log(result.Why(row))
			}
		}
		if got := texts(result.Relations); !slices.Contains(got, c.text) {
			t.Errorf("%s: %q is not among %q", name, c.text, got)
		}
	}
}

// Slips come with any word: they stay wrong where all of them are in one column of the law, and where a word has many of them.
func TestSlipsAreNoPopulation(t *testing.T) {
	table := ordersTable(600, 5)
	r := random.New(2, "clerks")
	clerk := make([]string, 600)
	var slips []int
	for i := range clerk {
		clerk[i] = []string{"Ann", "Bob", "Cem", "Dee"}[r.IntN(4)]
		if i%40 == 3 {
			clerk[i] = []string{"Ann", "Bob"}[i/40%2]
			table.Columns[5].Values[i] *= 100
			slips = append(slips, i)
		}
	}
	table.Columns = append(table.Columns, categoryColumn("clerk", clerk))
	rows, result := wrongRows(t, table)
	if !slices.Equal(rows, slips) {
		t.Errorf("wrong are %v, want %v", rows, slips)
	}
	for _, text := range texts(result.Relations) {
		if strings.Contains(text, "unless") {
			t.Error(text)
		}
	}
}

// What is ordered before it can be sold is shipped before it was ordered.
func TestPopulationsBreakOrdersByRight(t *testing.T) {
	r := random.New(3, "presale")
	const n = 900
	ordered, shipped, mode := make([]float64, n), make([]float64, n), make([]string, n)
	for i := range n {
		ordered[i], mode[i] = math.Floor(1e4*r.Float64()), []string{"standard", "express"}[r.IntN(2)]
		shipped[i] = ordered[i] + math.Floor(200*r.ExpFloat64())
		if i%150 == 20 {
			shipped[i], mode[i] = ordered[i]-1000-math.Floor(4000*r.Float64()), "presale"
		}
	}
	shipped[500] = ordered[500] - 3000
	table := numbersTable([]string{"ordered", "shipped"}, ordered, shipped)
	table.Columns = append(table.Columns, categoryColumn("mode", mode))
	rows, result := wrongRows(t, table)
	if got, want := texts(result.Relations), "ordered <= shipped unless mode is \"presale\""; !slices.Contains(got, want) || !slices.Equal(rows, []int{500}) {
		t.Errorf("relations %q, wrong are %v", got, rows)
		for _, row := range rows[:min(len(rows), 3)] {
			t.Log(result.Why(row))
		}
	}
}

// A discount explains where net is not list: the law that knows of it stands for the one that does not.
func TestLawsThatExplainExceptions(t *testing.T) {
	r := random.New(4, "discount")
	const n = 800
	list, discount, net, qty, total := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		list[i], qty[i] = cents(20*math.Exp(0.7*r.NormFloat64())), float64(1+r.IntN(11))
		if i%10 == 4 {
			discount[i] = []float64{5, 10, 20, 50}[r.IntN(4)]
		}
		net[i] = cents(list[i] * (1 - discount[i]/100))
		total[i] = cents(qty[i] * list[i] * (1 - discount[i]/100))
	}
	net[77] = cents(0.7 * net[77])
	rows, result := wrongRows(t, numbersTable([]string{"list", "discount", "net"}, list, discount, net))
	if got := texts(result.Relations); !slices.Equal(got, []string{"net = list * (1 - discount/100)"}) || !slices.Equal(rows, []int{77}) {
		t.Errorf("relations %q, wrong are %v", got, rows)
		for _, row := range rows[:min(len(rows), 3)] {
			t.Log(result.Why(row))
		}
	}
	rows, result = wrongRows(t, numbersTable([]string{"qty", "price", "discount", "total"}, qty, list, discount, total))
	if got := texts(result.Relations); !slices.Equal(got, []string{"total = qty * price * (1 - discount/100)"}) || len(rows) > 0 {
		t.Errorf("relations %q, wrong are %v", got, rows)
		for _, row := range rows[:min(len(rows), 3)] {
			t.Log(result.Why(row))
		}
	}
}
