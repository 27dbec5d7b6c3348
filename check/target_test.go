package check

import (
	"fmt"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
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

// Grades stand by their meaning.
func TestPlacesOfGrades(t *testing.T) {
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
