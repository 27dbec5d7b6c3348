package check

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Settings are what the user may say; the zero value is the usual.
type Settings struct {
	Target string // column whose labels or values are held against the rest of their rows
	ID     string // column that names rows and is not judged
	// Expect is the share of wrong rows where the user knows it; 0 leaves it to the p-values.
	Expect float64
	// FalseAlarms is the expected share of false alarms among the rows called wrong; 0 means 0.10.
	FalseAlarms float64
	Seed        uint64
}

// falseAlarms is the bound on the expected share of false alarms.
func (s Settings) falseAlarms() float64 {
	if s.FalseAlarms == 0 {
		return 0.10
	}
	return s.FalseAlarms
}

// Observe hears how far a check has come: the phase and the share of it that is done.
type Observe func(phase string, part float64)

// view is the table as the parts see it: its columns as read, and the numeric ones in units in
// which the bulk of every column is about standard normal.
type view struct {
	table    *tolerant.Table
	learned  *tolerant.Table // what laws are learned from; nil: the table itself
	settings Settings
	features []feature
	// sample holds the rows that were learned from, ascending: all rows of a small table.
	sample []int
	// z holds the sample in transformed units, one row per sampled row and one column per
	// feature; NaN where a cell is missing.
	z *mat.Dense
	// laws were learned with the model; nil: they are still to be learned.
	laws *laws
	// predict predicts cells from the others of their row; nil until it was learned.
	predict *conditional
	// obeyed says that an exact law of a column holds in a row; nil until relations were looked for.
	obeyed func(row, column int) bool
	// keeps says that a straight prediction tells where a cell of a feature is; nil where there is none.
	keeps func(feature, row int) bool
	// inLine says that the rows around a cell vouch for it; nil until the part for time was asked, or where there is no order.
	inLine func(row, column int) bool
	// signed are the columns whose values are negative by exception; nil until they were asked for.
	signed *[]signed
	// kinds are the marks of rows for which laws do not hold, once the part for relations was asked.
	kinds []where
	// exceptions are the same marks with the laws that their rows break, and odd are the marks of rows that predictions miss.
	exceptions []exception
	// copies are rows that running sums show to be there twice, and of which they are copies.
	copies map[int]int
	// again are rows that are there twice as a whole, and of which they are copies, once the part for duplicates was asked.
	again map[int]int
	// alike are rows that break a law and obey a second one.
	alike []Group
	odd   []oddKind
	// relations are the laws that the rows obey, once the part for relations was asked.
	relations []Relation
}

// known are the values of a column that were learned from: a batch may be a single row.
func (v *view) known(column int) []float64 {
	if v.learned != nil {
		return v.learned.Columns[column].Values
	}
	return v.table.Columns[column].Values
}

// sampled are known values, of large tables those of some rows.
func (v *view) sampled(column int) []float64 {
	values := v.known(column)
	if len(values) <= learnedRows {
		return values
	}
	return pick(values, spacedRows(len(values), learnedRows))
}

// fit asks how badly the cells of a row agree with a value of one column, in transformed units; nil where they do not predict each other.
func (v *view) fit() func(row, column int, value float64) float64 {
	if v.predict == nil {
		return nil
	}
	m, d := &Model{features: v.features, predict: v.predict}, len(v.features)
	z, y, residual := mat.NewDense(1, d, nil), mat.NewDense(1, d, nil), mat.NewDense(1, d, nil)
	return func(row, column int, value float64) float64 {
		fill(z.RawRowView(0), v.table, v.features, row)
		for j, f := range v.features {
			if f.column == column && f.level < 0 {
				z.Set(0, j, f.forward(value))
			}
		}
		return m.worst(z, y, residual)
	}
}

// feature is a numeric column in its place among the columns of z: a column of numbers, dates or
// booleans, or one level of a category as 0 and 1.
type feature struct {
	column int // of the table
	level  int // of a category that is 1 here; -1 for columns that are numbers
	words  int // of a category: later ones are new, and tell nothing
	// few says that the column has few values or is a category: it predicts, and is not judged.
	few bool
	// derived says that an exact law gives the column from others: the law judges it, and a prediction
	// would only bend the law.
	derived bool
	change  Transformation
	// step is that of the column's rounding: a prediction which is less than it away is right. least is what no value is below by right, -Inf: none;
	// a prediction below it is meant to be it.
	step, least float64
}

// part looks at a table and says what it finds. Parts are listed in parts.go.
type part func(ctx context.Context, v *view) (Evidence, error)
