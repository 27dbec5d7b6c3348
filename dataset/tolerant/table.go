// Package tolerant reads tables as people keep them: any delimiter and encoding, numbers with
// currencies, units and decimal commas, dates in the usual forms, missing marks, doubled names,
// totals at the end. It refuses as little as it can. What every column was taken for, how sure
// that is and which cells do not fit is part of the result; a cell that cannot be read is a
// finding, not an error.
package tolerant

import "github.com/inlier-ml/inlier/internal/spill"

// Kind is what a column was taken for.
type Kind int

// Kinds of columns. The zero value is a column without a single value.
const (
	Empty      Kind = iota // no value at all
	Number                 // Values are the numbers, in the unit that the column names
	Date                   // Values are seconds since 1970 in UTC
	Boolean                // Values are 0 and 1
	Category               // Values are places in Levels
	Identifier             // names or numbers that only tell rows apart
	Text                   // free text
	Ignored                // left out, as asked for: kept as it stands, and nothing is learned from it

	// In [Options] alone, dates whose order is told; the column becomes a Date.
	DayFirst
	MonthFirst
	YearFirst
)

// Column is one column of a table: what it was taken for and what is in it.
type Column struct {
	Name    string // unique in the table; a doubled name has " (2)" behind it
	Given   string // as it stands in the file
	Kind    Kind
	Values  []float64 // one per row, NaN where missing or unreadable; nil for Empty, Identifier, Text and Ignored
	Levels  []string  // of a Category, the most frequent first; of a Boolean the words for 0 and 1
	Missing int       // cells that are empty, hold a mark such as n/a, or one of Sentinels or Marks
	Misfits []int     // rows, from 0, whose cell is there and does not fit the kind

	// How the cells are written, so that values can be written back alike.
	Unit     string  // currency or unit that stands beside the numbers: "$", "€", "kg", "%"
	Above    bool    // the unit stands above the column, not beside its numbers
	Comma    bool    // decimals stand behind a comma
	Grouping string  // between thousands: "", ",", ".", " ", "'"
	Decimals int     // places behind the decimal mark, the most frequent number of them
	Layout   string  // of dates, in the manner of package time
	Wraps    bool    // times of day that go on after midnight: 25 o'clock is 1
	Circle   *Circle // of directions that go on across its beginning; nil: none

	Repeats   bool      // an Identifier that comes again and again, such as an address: it tells no rows apart
	Sentinels []float64 // values that stand apart, such as -999, and were taken for missing
	Marks     []string  // words of the column's own for a missing value, in small letters: "absent" among grades
	Sure      float64   // share of the cells that are there and fit the kind
	Remarks   []string  // whole sentences for a person
	Override  string    // what makes the program read the column otherwise, such as "weight=text"
}

// Circle is that of a column of directions: from Least on a Turn wide, in the column's unit. Values of the file below Cut stand a Turn higher; where Cut
// is Least none does.
type Circle struct {
	Least float64 `json:"least"`
	Turn  float64 `json:"turn"`
	Cut   float64 `json:"cut"`
}

// Within is a value of the column as its file has it: what stands a turn higher than there, and nothing else. 3600 degrees are no 0.
func (c *Column) Within(v float64) float64 {
	if r := c.Circle; r != nil && v > r.Least+r.Turn && v < r.Cut+r.Turn {
		return v - r.Turn
	}
	return v
}

// Constant says that all values of the column are equal.
func (c *Column) Constant() bool {
	first, seen := 0.0, false
	for _, v := range spill.Each(c.Values) {
		if v != v {
			continue
		}
		if seen && v != first {
			return false
		}
		first, seen = v, true
	}
	return seen
}

// Remark is something about the whole file that a person should know.
type Remark struct {
	Text string `json:"text"` // one sentence
	Way  string `json:"way"`  // what to do if it is wrong; may be empty
}

// Table is a file, or several, as it was read.
type Table struct {
	Names   []string // of the files
	Rows    int
	Columns []Column
	Remarks []Remark
	Ragged  []int // rows, from 0, with fewer or more fields than there are columns
	Shape   []int // of a row that is an image or tensor, of an array that is a stack of them; nil: there is none

	text  text
	bytes int64
	width int      // fields of a row of text; 0: rows cannot be ragged
	units []string // of the columns, where a line of the file says them
	room  *spill.Room

	readings []reading // of the columns; fewer where their kinds were known before
}

// Room is where the table is kept; nil: in memory.
func (t *Table) Room() *spill.Room { return t.room }

// Bytes is the size of the text that the table was read from and keeps.
func (t *Table) Bytes() int64 { return t.bytes }

// Text returns the cell as it stands in the file, without surrounding blanks and quotes; a table made by
// hand has none.
func (t *Table) Text(row, column int) string {
	if t.text == nil {
		return ""
	}
	return t.text.cell(row, column)
}

// Place says where a row stands: the file and its line, from 1.
func (t *Table) Place(row int) (file string, line int) { return t.text.place(row) }

// text is where the cells' own writing is kept. Rows are split again when asked for, so that a
// table costs little more than its file and its numbers.
type text interface {
	cell(row, column int) string
	place(row int) (file string, line int)
	// scan visits rows in order; the fields may be used during the call only, and may be fewer or more
	// than there are columns.
	scan(from, to int, visit func(row int, fields [][]byte))
}

// Column finds a column by its name.
func (t *Table) Column(name string) (*Column, bool) {
	for j := range t.Columns {
		if t.Columns[j].Name == name {
			return &t.Columns[j], true
		}
	}
	return nil, false
}
