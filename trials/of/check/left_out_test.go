package check

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// A law over the row before says nothing where rows of a batch are left out, or stand in another order; where none are it does, and names the wrong amounts.
func TestRunningSumsOfChosenRows(t *testing.T) {
	r := random.New(5, "left out")
	account := func(n int) (rows [][]string) {
		balance := 4000.0
		for range n {
			kind, amount := "shop", -5-90*r.Float64()
			switch u := r.Float64(); {
			case u < 0.1:
				kind, amount = "wages", 800+40*r.Float64()
			case u < 0.25:
				kind, amount = "refund", 10+50*r.Float64()
			}
			balance += float64(int(100*amount)) / 100
			rows = append(rows, []string{kind, fmt.Sprintf("%.2f", float64(int(100*amount))/100), fmt.Sprintf("%.2f", balance)})
		}
		return rows
	}
	names := []string{"kind", "amount", "balance"}
	m, err := check.Learn(context.Background(), tolerant.FromStrings(names, account(600), tolerant.Options{}), check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := account(400)
	var shops, most [][]string
	for i, row := range all {
		if row[0] == "shop" {
			shops = append(shops, row)
		}
		if i%12 != 5 {
			most = append(most, row)
		}
	}
	wrong := account(400)
	for k := range 8 {
		row := wrong[20+40*k]
		row[1] = strings.Replace(row[1], ".", "", 1)
	}
	for name, batch := range map[string][][]string{"next": account(300), "of one kind": shops, "one in twelve left out": most, "wrong": wrong} {
		got, err := m.Judge(context.Background(), tolerant.FromStrings(names, batch, tolerant.Options{Usual: m.Kinds()}))
		if err != nil {
			t.Fatal(err)
		}
		called, right := 0, 0
		for i, is := range got.Wrong {
			if is {
				called++
				if name == "wrong" && (i-20)%40 == 0 {
					right++
				} else {
					t.Logf("%s, row %d: %s", name, i, got.Why(i))
				}
			}
		}
		if name == "wrong" && right < 8 || called-right > len(batch)/100 {
			t.Errorf("%s: %d of %d rows called, %d of them wrong", name, called, len(batch), right)
		}
	}
}
