package check

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// A class that the taught rows do not have, such as a misspelt label, is left out with its rows; the other rows keep
// their labels and what is taught.
func TestClassesThatWereNotTaught(t *testing.T) {
	table := &targetTable{rows: []int{10, 11, 12, 13, 14, 15}, taught: []int{0, 3, 5}}
	codes, names := table.common([]int{0, 1, 2, 2, 1, 0}, []string{"ash", "ahs", "oak"})
	if got := fmt.Sprint(codes, names, table.rows, table.taught); got != "[0 1 1 0] [ash oak] [10 12 13 15] [0 2 3]" {
		t.Error(got)
	}
	if codes, names = table.common(codes, names); len(codes) != 4 || len(names) != 2 || len(table.rows) != 4 {
		t.Error("with all classes taught nothing changes: ", codes, names, table.rows)
	}
}

// called counts the labels that are called wrong among those that are, with the suggested class right, and the others.
func called(t *testing.T, r *Result, wrong map[int]string) (found, others int) {
	t.Helper()
	for _, c := range r.Cells {
		if c.Part != PartLabel || !c.Wrong {
			continue
		}
		if should, is := wrong[c.Row]; is && c.Level == should {
			found++
		} else if !is {
			others++
		}
	}
	return found, others
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
	r, err := Run(context.Background(), table, Settings{Target: "risk"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if found, others := called(t, r, wrong); 10*found < 6*len(wrong) || others > 2 {
		t.Errorf("%d of %d wrong grades found, %d good ones called wrong", found, len(wrong), others)
	}
	if place := gradesOf(&tolerant.Column{Kind: tolerant.Category}, []string{"High", "low", "medium"}); fmt.Sprint(place) != "[2 0 1]" {
		t.Error("high, low and medium stand at", place)
	}
	if gradesOf(&tolerant.Column{Kind: tolerant.Category}, []string{"ash", "beech", "oak"}) != nil {
		t.Error("trees have no order")
	}
}

// Words that mean the same are one grade, and no place between grades is empty.
func TestGradesOfTheSameMeaning(t *testing.T) {
	column := &tolerant.Column{Kind: tolerant.Category}
	if got := fmt.Sprint(gradesOf(column, []string{"high", "medium", "low", "Moderate"})); got != "[2 1 0 1]" {
		t.Error(got)
	}
	if got := gradesOf(column, []string{"high", "medium", "moderate"}); got != nil {
		t.Error("two steps are no grades: ", got)
	}
}
