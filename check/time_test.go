package check

import (
	"math"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// hourly is a column of dates, one an hour.
func hourly(n int) tolerant.Column {
	c := tolerant.Column{Name: "time", Kind: tolerant.Date}
	for i := range n {
		c.Values = append(c.Values, 1.7e9+3600*float64(i))
	}
	return c
}

// What is rare is long away by chance: the value that a column has nearly always is not stuck, and one that others come between is.
func TestRareEventsAreNotStuck(t *testing.T) {
	called := 0
	for seed := range uint64(300) {
		r := random.New(seed, "events")
		c := tolerant.Column{Name: "alarm", Kind: tolerant.Number, Values: make([]float64, 1400)}
		for i := range c.Values {
			if r.Float64() < 0.015 || i > 0 && c.Values[i-1] == 1 && seed%2 == 0 && r.Float64() < 0.5 { // which go on for a while
				c.Values[i] = 1
			}
		}
		table := &tolerant.Table{Rows: len(c.Values), Columns: []tolerant.Column{hourly(len(c.Values)), c}}
		if len(stuck(table, 1, 5, nil)) > 0 {
			called++
		}
		for i := range c.Values {
			c.Values[i] = math.Floor(20 * r.Float64())
		}
		copy(c.Values[500:], slices.Repeat([]float64{2}, 30))
		if len(stuck(table, 1, 5, nil)) == 0 {
			t.Errorf("seed %d: 30 rows of one value in twenty are not stuck", seed)
		}
	}
	if called > 1 {
		t.Errorf("%d of 300 clean series are stuck", called)
	}
}

func TestTablesWithoutOrder(t *testing.T) {
	for _, shape := range cleanShapes {
		table := cleanTable(shape, 500, 6, 1)
		if orderColumn(table) >= 0 {
			t.Errorf("%s has an order", shape)
		}
	}
}

func TestStampsOutOfOrder(t *testing.T) {
	table := &tolerant.Table{Rows: 200, Columns: []tolerant.Column{hourly(200)}}
	time := table.Columns[0].Values
	time[50] -= 86400 * 90 // a far date
	time[90] = time[89]    // there twice
	for i := 150; i < 200; i++ {
		time[i] += 3600 * 7 // a gap
	}
	e := found(t, inTime, table)
	got := map[int]float64{}
	for _, s := range e.Cells {
		got[s.Row] = s.P
	}
	if len(got) != 4 || got[50] != stampP || got[90] != 1e-5 || got[91] != gapP || got[150] != gapP {
		t.Errorf("%v", got)
	}
}
