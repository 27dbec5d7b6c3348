package check

import (
	"slices"
	"testing"
)

// Where a law names the guilty cell, the others of the law are left alone: mending them too would break it again.
func TestCellsBesideTheGuiltyOne(t *testing.T) {
	r := &Result{Rows: 3, Wrong: []bool{false, true, true}, Part: []Part{0, PartRelation, PartCell},
		Relations: []Relation{{Columns: []int{0, 1, 2}, Broken: []int{1}}},
		Found:     []Evidence{{Part: PartRelation, Cells: []Suspicion{{Row: 1, Column: 2, Certain: true}}}},
		Cells: []Cell{
			{Row: 1, Column: 2, Part: PartRelation},
			{Row: 1, Column: 0, Part: PartCell, P: 1e-6}, // of the law
			{Row: 1, Column: 3, Part: PartCell, P: 1e-5}, // not of the law
			{Row: 2, Column: 0, Part: PartCell, P: 1e-6}, // where the law holds
		}}
	var wrong []int
	for _, c := range r.order(r.Cells, r.excused()) {
		if c.Wrong {
			wrong = append(wrong, 10*c.Row+c.Column)
		}
	}
	if want := []int{12, 13, 20}; !slices.Equal(wrong, want) {
		t.Errorf("wrong cells (row, column) %v, want %v", wrong, want)
	}
}
