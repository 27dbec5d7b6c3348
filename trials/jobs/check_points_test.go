package jobs

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
)

// Of a table with more columns than pictures know, those with wrong cells are drawn; of dates it is told whether they have times.
func TestColumnsThatPicturesKnow(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 3))
	var b strings.Builder
	b.WriteString("day,time")
	for j := range 90 {
		fmt.Fprintf(&b, ",c%d", j)
	}
	for i := range 120 {
		fmt.Fprintf(&b, "\n2024-03-%02d,2024-03-%02d %02d:30:00", 1+i/5, 1+i/5, i%5)
		common := draw.NormFloat64()
		for j := range 90 {
			v := common + 0.1*draw.NormFloat64()
			if i == 40 && j == 85 {
				v += 40
			}
			fmt.Fprintf(&b, ",%.4f", v)
		}
	}
	r, err := inlier.Check{Reader: strings.NewReader(b.String()), Seed: 1}.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Points(t.Context(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) *inlier.PointColumn {
		k := slices.IndexFunc(p.Columns, func(c inlier.PointColumn) bool { return c.Name == name })
		if k < 0 {
			t.Fatalf("%s is not drawn: %d columns", name, len(p.Columns))
		}
		return &p.Columns[k]
	}
	if at("c85"); len(p.Columns) > 60 {
		t.Errorf("%d columns", len(p.Columns))
	}
	if day, time := at("day"), at("time"); day.Kind != "date" || day.Times || !time.Times || time.Day {
		t.Errorf("%+v %+v", day, time)
	}
}
