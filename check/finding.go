// Package check answers what is wrong in a table: which rows and cells, why, and what would have
// been expected. Several parts look at the table (each cell predicted from the others, tails of
// columns, whole rows, neighbours, rare categories, relations that most rows obey, order in time,
// duplicates, labels); their p-values are calibrated on the central rows and combined, and rows
// are called wrong so that the expected share of false alarms among them is bounded.
//
// # How rows and cells of numbers are judged
//
// Every column is transformed so that its bulk is about normal ([Transformation]). Every cell is
// predicted from the others of its row, those that do not fit being replaced by their predictions,
// the one that explains most first. Residuals and values become p-values by tails that are fitted to
// the central rows and follow the rows outwards as long as these are in line. What is suspicious is
// held against the rows that agree with it otherwise: where they miss their predictions in the same way the
// cell is not wrong. A row is wrong as a whole only where its residuals are large together and no
// other row is near; far rows whose cells agree with each other are called extreme. Columns of few
// values and words predict and are not judged so. Rows are ordered by the evidence before it was held against neighbours, and
// among those without evidence by how few random cuts set them apart, how far their nearest rows are and
// how far their cells are from the middle.
//
// # What was looked at
//
// Choices (the powers tried, shapes of tails, numbers of neighbours, the score) were made on clean
// tables of the generator's nine shapes with seeds 1, 2 and 100 to 119, orders and sensor logs with seeds 1, 2, 11 and
// 41 to 43, mistakes in concrete, winequality, wdbc, leaf, glass, boston and vehicle with seeds 1, 2 and 41 to 43,
// a collection of small files as people keep them, and the ranking of rows without evidence on the
// eleven sets of anomalies, by their means. Edges of columns, running sums and the guilt between two cells that predict each
// other were made on two further collections of small files, and chosen among a handful of variants on clean tables with seed 51 and mistakes in
// boston, concrete, winequality, wdbc, glass and vehicle with seeds 51 and 52. Populations, reversals and
// mixed sums were made on two collections of generated office files (27 and 24 kinds, clean, and the latter with four mistakes each); modes of
// machines, laws that end at nought, keys of two columns and days of the week on 17 of 34 further kinds, of which the other half was measured once. Second laws and laws of most rows were made on one draw of 25 further kinds, of which another draw was measured once; labels that go astray together
// on nine sets with one draw of wrong labels, and clean ones of seven others. Laws with squares, times across midnight, straight predictions, wages that are equal by chance, resting
// series and guilt by whole quotients were made on one draw of 25 kinds of generated files and one of ten with mistakes, of which two and one further draws were measured; slips in columns of few values on
// yacht with seed 81. Seeds, ecoli, wine and other seeds were measured at the end, and no choice followed.
package check

// Part is who spoke. A row's verdict names the part whose p-value is smallest. The zero value is nobody.
type Part uint8

// Parts of the check.
const (
	PartCell      Part = iota + 1 // a cell does not fit the rest of its row
	PartRow                       // the row as a whole is far from all others
	PartUnread                    // a cell's text does not fit its column
	PartCategory                  // a rare word, or an unlikely pair
	PartRelation                  // breaks a relation that most rows obey
	PartTime                      // stuck, shifted, drifting, out of order
	PartDuplicate                 // the same row, or key, once more
	PartLabel                     // the target does not fit the row
	PartExtreme                   // far, but in line with the others: not wrong
	PartShifted                   // the cells stand in other columns than theirs
)

var partNames = [...]string{"", "cell", "row", "unreadable", "category", "relation", "time", "duplicate", "label", "extreme", "shifted"}

// String is the part as it stands in the column kind of rows.csv.
func (p Part) String() string { return partNames[p] }

// Suspicion is what a part says of one cell.
type Suspicion struct {
	Row, Column int
	// P is the chance that a clean cell looks like this, after the part's own correction for
	// how many cells of the row it looked at; Certain stands above all chance (unreadable text, a
	// broken exact relation).
	P       float64
	Certain bool
	// Called says that the part bounds the share of false alarms among its called cells itself: their
	// rows are wrong, whatever the other rows' p-values.
	Called bool
	// Expected is the value that the rest of the row suggests, with the range that 95 of 100 clean
	// cells would keep to, in the column's own unit; NaN where there is none. Level is
	// the expected word of a category.
	Expected, Low, High float64
	Level               string
	// Slip is the likely mistake where one explains the value: "ten times too large".
	Slip string
	// Doubt says that another cell of the row may be the wrong one instead, and nothing tells which, or that a label may be right after all: none is
	// to be replaced.
	Doubt bool
	// ordered says that it is an order that the cell breaks, which tells nothing about the value that it should have.
	ordered bool
	// Why is the reason as one sentence in original values and units.
	Why string
}

// Evidence is what one part says.
type Evidence struct {
	Part Part
	// Rows are p-values, one per row, 1 where there is nothing to say; nil if only Cells speak.
	Rows []float64
	// Why is the reason for a row, asked for only where it is shown; may be nil.
	Why   func(row int) string
	Cells []Suspicion
	// Score orders rows where p-values cannot (more suspicious is larger); may be nil.
	Score []float64
}
