package check

import (
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

func TestMisspeltWords(t *testing.T) {
	r := random.New(1, "words")
	usual := []string{"Germany", "France", "Austria", "Netherlands", "Denmark"}
	var cells []string
	for range 400 {
		cells = append(cells, usual[r.IntN(5)])
	}
	for k, w := range []string{"Gremany", "france", "Austia", "Netherland ", "Iceland"} {
		cells[50*k] = w
	}
	e := found(t, categories, wordsTable(cells))
	got := map[int]string{}
	for _, s := range e.Cells {
		if s.P < 1e-3 {
			got[s.Row] = s.Level
		}
	}
	want := map[int]string{0: "Germany", 50: "France", 100: "Austria", 150: "Netherlands"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
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

func TestUnreadableCells(t *testing.T) {
	var rows [][]string
	for i := range 60 {
		rows = append(rows, []string{fmt.Sprintf("%d.50", i)})
	}
	for k, text := range []string{"ca. 20", "1O.5", "12..5", "unknown!"} {
		rows[10*k][0] = text
	}
	e := found(t, unreadable, tolerant.FromStrings([]string{"x"}, rows, tolerant.Options{}))
	if len(e.Cells) != 4 {
		t.Fatalf("%+v", e.Cells)
	}
	for k, want := range []float64{20, 10.5, 12.5} {
		if s := e.Cells[k]; !s.Certain || s.Expected != want {
			t.Errorf("%+v, want %g", s, want)
		}
	}
	if s := e.Cells[3]; s.Expected == s.Expected {
		t.Errorf("%+v", s)
	}
}
