package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/server"
)

// Texts in rows of JSON are written as those were that a tolerant model has learned from, which needs no unit for it.
func TestTextsOfATolerantModel(t *testing.T) {
	c := visit(t, server.Options{})
	text := "sold;left;y\n"
	for i := range 60 {
		text += fmt.Sprintf("%d,%03d.50;%s;%d\n", 1+i%9, i*37%1000, []string{"(2.5)", "3.5", "1.25"}[i%3], 1000*(1+i%9)+i*37%1000+i*i%7)
	}
	j := c.waits("/api/v1/fits", map[string]any{"method": "linear-robust", "data": map[string]any{"upload": c.sends("t.csv", text), "target": "y", "tolerant": true}})
	ask := func(query string, rows any) string {
		_, _, said := c.asks("POST", "/api/v1/models/"+j.Model+"/predict"+query, rows, nil)
		_, rest, _ := strings.Cut(said, `"rows":`)
		if rest == "" {
			return said
		}
		return strings.TrimSpace(rest)
	}
	row := func(sold, left any) any {
		return map[string]any{"rows": []any{map[string]any{"sold": sold, "left": left}}}
	}
	want := ask("", row(4321.5, -2.5))
	for _, sold := range []any{"4,321.50", "4321.5", 4321.5} {
		for _, left := range []any{"(2.5)", "-2.5", -2.5} {
			for _, query := range []string{"", "?tolerant"} {
				if got := ask(query, row(sold, left)); got != want || !strings.Contains(got, "prediction") {
					t.Errorf("%v, %v%s: %s, not %s", sold, left, query, got, want)
				}
			}
		}
	}
	if got := ask("", "sold;left\n4,321.50;-2.5\n"); got[:30] != want[:30] {
		t.Errorf("a file: %s, not %s", got, want)
	}
}
