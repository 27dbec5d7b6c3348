package check

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/internal/random"
)

// Of two proportional cells the one that a third speaks against is wrong, also where a tenth lost digits when it was written.
func TestAThirdCellTellsOfTwo(t *testing.T) {
	r := random.New(3, "water")
	var rows [][]string
	for range 600 {
		c := math.Round(500 * math.Exp(0.35*r.NormFloat64()))
		rows = append(rows, []string{fmt.Sprint(c), fmt.Sprint(math.Round(0.64 * c)), fmt.Sprint(math.Round(0.31 * c * math.Exp(0.03*r.NormFloat64())))})
	}
	planted := map[int][]int{}
	for k := range 10 {
		row := 20 + 50*k
		var v float64
		fmt.Sscan(rows[row][k%2], &v)
		rows[row][k%2], planted[row] = fmt.Sprint(math.Round(v/10)), []int{k % 2}
	}
	blamed(t, []string{"conductivity", "solids", "hardness"}, rows, planted)
}

// A word that is misspelt predicts nothing: what would have been predicted from it is not wrong.
func TestMisspeltWordsAccuseNoOthers(t *testing.T) {
	r := random.New(4, "districts")
	names := []string{"North", "Harbour", "Hillside", "Mills"}
	var rows [][]string
	for i := range 800 {
		k := r.IntN(4)
		rows = append(rows, []string{fmt.Sprint(10000*(k+1) + i), names[k], fmt.Sprint(math.Round(1100 + 200*r.NormFloat64())), fmt.Sprint(math.Round(100*float64(k) + 900 + 30*r.NormFloat64()))})
	}
	planted := map[int][]int{}
	for k, row := range []int{60, 190, 333, 610} {
		word := rows[row][1]
		rows[row][1], planted[row] = word[:2+k%2]+word[1+k%2:], []int{1}
	}
	blamed(t, []string{"precinct", "district", "registered", "votes"}, rows, planted)
}

// Where the date is of another decade the day of the week beside it is right.
func TestTheWeekdayOfAWrongDateIsRight(t *testing.T) {
	r := random.New(5, "shows")
	var rows [][]string
	planted := map[int][]int{}
	for i := range 700 {
		day := time.Date(2023, 3, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, i/3)
		tickets, price := 20+r.IntN(200), []float64{7.5, 9.5, 11}[r.IntN(3)]
		name := day.Weekday().String()[:3]
		if i%120 == 50 {
			day, planted[i] = day.AddDate(-10, 0, 0), []int{0}
		}
		rows = append(rows, []string{day.Format("2006-01-02"), name, fmt.Sprint(tickets), fmt.Sprintf("%.2f", price), fmt.Sprintf("%.2f", price*float64(tickets)), fmt.Sprintf("%.2f", 4*float64(tickets)*math.Exp(0.1*r.NormFloat64()))})
	}
	blamed(t, []string{"date", "weekday", "tickets", "price", "gross", "snacks"}, rows, planted)
}
