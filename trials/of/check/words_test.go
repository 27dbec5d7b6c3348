package check

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

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
	var rows [][]string
	for i, word := range cells {
		rows = append(rows, []string{word, fmt.Sprint(i % 7)})
	}
	e, err := check.Run(context.Background(), tolerant.FromStrings([]string{"land", "x"}, rows, tolerant.Options{}), check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[int]string{}
	for _, s := range e.Cells {
		if s.Wrong {
			got[s.Row] = s.Level
		}
	}
	want := map[int]string{0: "Germany", 50: "France", 100: "Austria", 150: "Netherlands"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
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
	e, err := check.Run(context.Background(), tolerant.FromStrings([]string{"x"}, rows, tolerant.Options{}), check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	e.Cells = slices.DeleteFunc(e.Cells, func(c check.Cell) bool { return !c.Wrong })
	slices.SortFunc(e.Cells, func(a, b check.Cell) int { return a.Row - b.Row })
	if len(e.Cells) != 4 {
		t.Fatalf("%+v", e.Cells)
	}
	for k, want := range []float64{20, 10.5, 12.5} {
		if s := e.Cells[k]; !s.Wrong || s.Expected != want {
			t.Errorf("%+v, want %g", s, want)
		}
	}
	if s := e.Cells[3]; s.Expected == s.Expected {
		t.Errorf("%+v", s)
	}
}

// Of grades one that is three steps off is wrong; the next one is a matter of taste.
func TestGradesAreJudgedByTheirSteps(t *testing.T) {
	source := random.New(13, "grades")
	grades := []string{"very low", "low", "medium", "high", "very high"}
	wrong := map[int]string{}
	var rows [][]string
	for i := range 500 {
		a, b := source.NormFloat64(), source.NormFloat64()
		grade := int(min(max(math.Round(2+a+0.5*b+0.3*source.NormFloat64()), 0), 4))
		label := grades[grade]
		if i%25 == 3 && grade != 2 {
			wrong[i], label = label, grades[(grade+3)%6%5]
		}
		rows = append(rows, []string{fmt.Sprintf("%.3f", a), fmt.Sprintf("%.3f", b), label})
	}
	table := tolerant.FromStrings([]string{"a", "b", "risk"}, rows, tolerant.Options{})
	r, err := check.Run(context.Background(), table, check.Settings{Target: "risk"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if found, others := called(t, r, wrong); 10*found < 6*len(wrong) || others > 2 {
		t.Errorf("%d of %d wrong grades found, %d good ones called wrong", found, len(wrong), others)
	}
}
