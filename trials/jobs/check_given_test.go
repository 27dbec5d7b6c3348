package jobs

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// A cell that cannot be read is repaired by what a law of the table gives, a sum by its terms and a balance by the row before.
func TestRepairsGiveWhatLawsSay(t *testing.T) {
	var invoices, statement [][]string
	balance := 100000
	for i := range 120 {
		net := 1000 + (i*7919)%9000
		vat := net * 19 / 100
		amount := (i*6007)%9001 - 4000
		balance += amount
		invoices = append(invoices, []string{cents(net), cents(vat), cents(net + vat)})
		statement = append(statement, []string{fmt.Sprintf("2024-%02d-%02d", 1+i/28, 1+i%28), cents(amount), cents(balance)})
	}
	want := map[string]string{"total": invoices[30][2], "net": invoices[60][0], "balance": statement[50][2], "amount": statement[80][1]}
	invoices[30][2], invoices[60][0] = "see note", "o.k."
	statement[50][2], statement[80][1] = "??? Eur", "unreadable"
	got := map[string]string{}
	for _, table := range []*tolerant.Table{
		tolerant.FromStrings([]string{"net", "vat", "total"}, invoices, tolerant.Options{}),
		tolerant.FromStrings([]string{"date", "amount", "balance"}, statement, tolerant.Options{}),
	} {
		r, err := inlier.Check{Table: table, Repair: true}.Run(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Changes() {
			got[c.Column] += c.Is
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("repaired to %v, want %v", got, want)
	}
}

func cents(n int) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	return fmt.Sprintf("%s%d.%02d", sign, n/100, n%100)
}

// 99 stands apart from amounts below 30, and is one of them where the running sum says so.
func TestMarksThatSumsBearOut(t *testing.T) {
	var rows [][]string
	stock := 500
	for i := range 200 {
		in := 1 + (i*7919)%29
		if i%50 == 20 {
			in = 99
		}
		stock += in
		rows = append(rows, []string{fmt.Sprintf("2024-%02d-%02d", 1+i/28, 1+i%28), fmt.Sprint(in), fmt.Sprint(stock)})
	}
	r, err := inlier.Check{Table: tolerant.FromStrings([]string{"date", "in", "stock"}, rows, tolerant.Options{})}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.WrongRows) > 0 || r.Columns[1].Missing > 0 || !strings.Contains(strings.Join(r.Columns[1].Remarks, " "), "bears it out") {
		t.Errorf("wrong are %v, %d missing, %q", r.WrongRows, r.Columns[1].Missing, r.Columns[1].Remarks)
	}
}

// A repair touches what is wrong and nothing that was predicted from it: with the price back in its place the distance fits, and of weight and
// volume only the one is wrong that slipped; a slip of the decimal mark is undone, not guessed.
func TestRepairsSpoilNothing(t *testing.T) {
	r := random.New(3, "parcels")
	names := []string{"weight", "distance", "volume", "price", "tax", "total"}
	var truth, rows [][]string
	for range 600 {
		weight := math.Round(100*(0.2+2*(r.ExpFloat64()+r.ExpFloat64()+r.ExpFloat64()))) / 100
		distance, volume := float64(5+r.IntN(895)), math.Round(10*weight*(2+2*r.Float64()))/10
		price := int(math.Round(100 * (3.5 + 0.9*weight + 0.012*distance + 0.05*volume + 0.25*r.NormFloat64())))
		tax := (19*price + 50) / 100
		truth = append(truth, []string{fmt.Sprintf("%.2f", weight), fmt.Sprint(distance), fmt.Sprintf("%.1f", volume), cents(price), cents(tax), cents(price + tax)})
		rows = append(rows, slices.Clone(truth[len(truth)-1]))
	}
	times := func(row, column int, factor float64) {
		v, _ := strconv.ParseFloat(rows[row][column], 64)
		rows[row][column] = fmt.Sprintf("%.2f", factor*v)
	}
	for k := range 6 {
		times(20+40*k, 5, 100)
		times(30+40*k, 0, 10)
		times(40+40*k, 3, 0.1)
	}
	result, err := inlier.Check{Table: tolerant.FromStrings(names, rows, tolerant.Options{}), Repair: true}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for _, c := range result.Changes() {
		column := slices.Index(names, c.Column)
		is, _ := strconv.ParseFloat(c.Is, 64)
		want, _ := strconv.ParseFloat(truth[c.Row-1][column], 64)
		if c.Was == truth[c.Row-1][column] {
			t.Errorf("row %d: %s was right and became %s: %s", c.Row, c.Column, c.Is, c.Why)
		} else if math.Abs(is-want) <= 0.01*want {
			right++
		}
	}
	if right < 15 {
		t.Errorf("%d of 18 are right again", right)
	}
}

// What was predicted from a cell off its scale or from a stuck series stays as it is.
func TestRepairsLeaveWhatWasPredictedFromTheWrong(t *testing.T) {
	r := random.New(5, "marks and sensors")
	marks := [][]string{}
	for range 400 {
		able, sum := r.NormFloat64(), 0.0
		row := make([]string, 7)
		for k := range 6 {
			mark := min(max(math.Round(3-0.8*able+0.6*r.NormFloat64()), 1), 6)
			row[k], sum = fmt.Sprint(mark), sum+mark
		}
		row[6] = fmt.Sprintf("%.2f", sum/6)
		marks = append(marks, row)
	}
	marks[100][2], marks[200][3] = "-2", "-3"
	log, start := [][]string{}, time.Date(2024, 1, 10, 0, 0, 0, 0, time.UTC)
	for k := range 3000 {
		day := float64(k) / 144 * 2 * math.Pi
		warm := 8 + 6*math.Sin(day) + 0.15*r.NormFloat64()
		log = append(log, []string{start.Add(time.Duration(k) * 10 * time.Minute).Format("2006-01-02 15:04"), fmt.Sprintf("%.1f", warm), fmt.Sprintf("%.1f", 20.5+0.1*warm+0.1*r.NormFloat64()), fmt.Sprintf("%.0f", 72-1.3*warm+1.5*r.NormFloat64())})
	}
	for k := 1800; k < 1861; k++ {
		log[k][1] = log[1800][1]
	}
	for _, c := range []struct {
		names, wrong []string
		rows         [][]string
		least        int
	}{
		{[]string{"math", "german", "english", "history", "sport", "art", "average"}, []string{"english", "history"}, marks, 2},
		{[]string{"time", "outside", "inside", "humidity"}, []string{"outside"}, log, 50},
	} {
		result, err := inlier.Check{Table: tolerant.FromStrings(c.names, c.rows, tolerant.Options{}), Repair: true}.Run(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		list := result.Changes()
		for _, change := range list {
			if !slices.Contains(c.wrong, change.Column) {
				t.Errorf("row %d: %s was right and became %s: %s", change.Row, change.Column, change.Is, change.Why)
			}
		}
		if len(list) < c.least {
			t.Errorf("%d of %d are repaired", len(list), c.least)
		}
	}
}

// A single slip in a column of few values is undone as several are: 500 among 5, 10, 20 and 50 was 50.
func TestSingleSlipsAmongFewValues(t *testing.T) {
	r := random.New(9, "stock")
	var rows [][]string
	for range 600 {
		rows = append(rows, []string{[]string{"5", "10", "20", "50"}[r.IntN(4)], fmt.Sprintf("%.2f", r.ExpFloat64()), fmt.Sprint(1 + r.IntN(3))})
	}
	rows[40][0], rows[90][2] = "500", "-2"
	result, err := inlier.Check{Table: tolerant.FromStrings([]string{"least", "price", "guests"}, rows, tolerant.Options{}), Repair: true}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	list := result.Changes()
	if len(list) != 2 || list[0].Is != "50" || list[1].Is != "2" {
		t.Errorf("changes are %+v", list)
	}
}
