package check

// Result is the verdict on a table.
type Result struct {
	Rows int
	// Score orders rows, the most suspicious largest; comparable within one result.
	Score []float64
	// P is the chance that a clean row looks at least as bad.
	P     []float64
	Wrong []bool
	// Part says who spoke; empty where nobody did. PartExtreme rows are not wrong.
	Part []Part
	// Cells are the suspicious cells, by row, the most suspicious of a row first; nil for a table that is not in memory, of which
	// EachCell and CellsOf tell.
	Cells []Cell
	// Columns say what was learned, one per column of the table.
	Columns []Learned
	// Relations are laws that most rows obey, with those that break them.
	Relations []Relation
	// Groups are rows that are something of their own together.
	Groups []Group
	// Found is what the parts said, with their own words.
	Found []Evidence

	why  func(row int) string
	list *lister
}

// Cell is a suspicious cell.
type Cell struct {
	Row, Column int
	// Expected is what the rest of the row suggests and [Low, High] where 95 of 100 clean cells
	// would lie, in the column's own unit; NaN where there is none. Level is the
	// expected word of a category.
	Expected, Low, High float64
	Level               string
	Score, P            float64
	Wrong               bool
	Part                Part
	Slip                string
	Why                 string
	// Doubt says that another cell of the row may be the wrong one instead: a repair leaves both.
	Doubt bool
	// Vague says that the rest of the row hardly tells where in its column the cell would be: a repair empties it.
	Vague bool
}

// Learned is what was learned of one column.
type Learned struct {
	Column int
	Judged bool // its cells were held against the others; otherwise it only predicts, or is set aside
	Few    bool // few values: only predicts
	// Change is the transformation in which the bulk is about normal.
	Change Transformation
	// Explained is the share of the column's variance that the others predict, in transformed units.
	Explained float64
}

// Why is the reason for a row in one sentence; empty where there is nothing to say.
func (r *Result) Why(row int) string {
	if r.why == nil {
		return ""
	}
	return r.why(row)
}
