package report

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/report"
)

// The time that CSV takes grows with the rows, not with their square.
func TestCSVOfManyRows(t *testing.T) {
	table := &report.Table{Columns: []report.Column{{Name: "a"}, {Name: "b"}}}
	for k := range 100000 {
		table.Rows = append(table.Rows, []any{k, "x"})
	}
	began := time.Now()
	if text, err := table.CSV(); err != nil || len(text) < 700000 || time.Since(began) > time.Minute {
		t.Errorf("%d bytes, %v, %s", len(text), err, time.Since(began))
	}
}

// Numbers stand as encoding/json writes them.
func TestAppendNumber(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 1))
	values := []float64{0, math.Copysign(0, -1), 1, -1.5, 1e-6, 9.99e-7, 1e-7, -1e-10, 1e-100, 1e20, 1e21, 1e22, 1e100, 5e-324, math.MaxFloat64, 123456789}
	for range 2000 {
		if v := math.Float64frombits(draw.Uint64()); v-v == 0 {
			values = append(values, v)
		}
	}
	for _, v := range values {
		want, err := json.Marshal(v)
		if got := report.AppendNumber([]byte("x"), v); err != nil || string(got) != "x"+string(want) {
			t.Errorf("%s, not %s, %v", got, want, err)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := report.AppendNumber(nil, v); string(got) != "null" {
			t.Errorf("%v: %s", v, got)
		}
	}
}
