package jobs

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/internal/random"
)

// Of a table with more guilty columns than the page shows, every one of the worst rows has a mark.
func TestEveryWorstRowIsMarked(t *testing.T) {
	r := random.New(3, "wide")
	var names []string
	for j := range 12 {
		names = append(names, fmt.Sprintf("a%d", j), fmt.Sprintf("b%d", j))
	}
	text := strings.Join(names, ",") + "\n"
	for i := range 400 {
		var cells []string
		for j := range 12 {
			v := 50 + 10*r.NormFloat64()
			w := 2*v + .1*r.NormFloat64()
			if i%20 == 5 && i/20%12 == j {
				w *= 10
			}
			cells = append(cells, fmt.Sprintf("%.2f,%.2f", v, w))
		}
		text += strings.Join(cells, ",") + "\n"
	}
	found, err := inlier.Check{Paths: []string{saved(t, text)}}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	page, err := found.Page(context.Background()).HTML()
	if err != nil {
		t.Fatal(err)
	}
	table := regexp.MustCompile(`(?s)The worst rows.*?<tbody>(.*?)</tbody>`).FindStringSubmatch(string(page))
	if table == nil {
		t.Fatal("no table of the worst rows")
	}
	rows := strings.Split(table[1], "<tr")[1:]
	for k, row := range rows {
		if !regexp.MustCompile(`class="badge bad"`).MatchString(row) {
			t.Errorf("row %d of the page has no mark: %s", k, row)
		}
	}
	if len(rows) < 18 {
		t.Errorf("%d rows", len(rows))
	}
}
