package check

import (
	"context"
	"fmt"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

func wordsTable(cells ...[]string) *tolerant.Table {
	t := &tolerant.Table{Rows: len(cells[0])}
	for k, c := range cells {
		t.Columns = append(t.Columns, categoryColumn(fmt.Sprint("w", k+1), c))
	}
	return t
}

// Rare words and pairs of clean tables are at most weakly suspicious, names with digits, short
// codes and words that differ by a letter by right.
func TestWordsByRight(t *testing.T) {
	for seed := range many(5, 200) {
		r := random.New(seed, "clean words")
		var rooms, codes, ends, tail []string
		for range 1000 {
			rooms = append(rooms, fmt.Sprintf("room %d", min(int(20*r.ExpFloat64()), 120)))
			codes = append(codes, []string{"DE", "DK", "FR", "FI", "ES"}[min(int(r.ExpFloat64()*1.2), 4)])
			ends = append(ends, []string{"class a", "class b", "class c", "class d"}[min(int(r.ExpFloat64()*0.7), 3)])
			tail = append(tail, []string{"red", "green", "blue", "black", "brown", "violet"}[min(int(r.ExpFloat64()), 5)])
		}
		for _, s := range found(t, categories, wordsTable(rooms, codes, ends, tail)).Cells {
			if s.P < weakest {
				t.Errorf("seed %d: p %g: %s", seed, s.P, s.Why)
			}
		}
	}
}

func TestTypingDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"word", "word", 0}, {"word", "wrod", 1}, {"word", "wor", 1}, {"word", "sword", 1}, {"word", "ward", 1}, {"word", "wards", 2}, {"word", "other", 3}, {"", "abc", 3}} {
		if got := typingDistance([]rune(c.a), []rune(c.b), 2); got != c.want {
			t.Errorf("%q, %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func found(t *testing.T, p part, table *tolerant.Table) Evidence {
	t.Helper()
	e, err := p(context.Background(), &view{table: table})
	if err != nil {
		t.Fatal(err)
	}
	return e
}
