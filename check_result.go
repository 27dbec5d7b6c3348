package inlier

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

// CheckResult is what is wrong in a table. Rows are counted from 1, the header not counted.
type CheckResult struct {
	Verdict    string            `json:"verdict"` // one sentence
	Rows       int               `json:"rows"`
	Columns    []CheckedColumn   `json:"columns"`
	WrongRows  []int             `json:"wrong_rows"`
	WrongCells []WrongCell       `json:"wrong_cells"`
	LeftOut    int               `json:"wrong_cells_left_out,omitempty"` // of a table that does not fit into memory: in cells.csv only
	WrongShare report.Number     `json:"wrong_share"`
	Extreme    []int             `json:"extreme_rows"` // far, but in line with the others: not wrong
	Relations  []CheckedRelation `json:"relations"`
	Groups     []CheckedGroup    `json:"groups"`          // rows that are something of their own together
	Drift      []CheckedDrift    `json:"drift,omitempty"` // against an earlier model: columns that have changed
	Remarks    []tolerant.Remark `json:"remarks"`         // about the file
	Against    string            `json:"against,omitempty"`
	Failed     bool              `json:"failed"` // more rows are wrong than were allowed
	Files      []string          `json:"files"`  // that were written

	Memory       int64         `json:"memory_bound_bytes,omitempty"` // within which a table that does not fit was checked
	ReadSeconds  report.Number `json:"read_seconds"`
	CheckSeconds report.Number `json:"check_seconds"`

	Table *tolerant.Table `json:"-"`
	Found *check.Result   `json:"-"`
	Model *check.Model    `json:"-"`

	id       int             // column that names the rows; -1: none
	aside    int             // the same in whole, where the model does not know the column that was named; -1: none
	whole    *tolerant.Table // as it was read, where Table has the columns of a model; nil: Table is
	finest   []int           // most decimals that numbers of a column have
	forms    []form          // of columns with wrong cells
	drift    []check.Drift
	lacking  []string // columns of the model that are not there
	repaired bool
	choices  map[Choice]string // by row and column; nil: a repair does what it does by itself

	spooled *spooled // of a table that does not fit into memory; nil: its tables are made when they are asked for
	drawn   [][]int  // of each column the first rows in which it is wrong, as many as a picture takes

	mapOnce sync.Once
	rowMap  *rowMap
}

// CheckedColumn is what a column was taken for.
type CheckedColumn struct {
	Name     string        `json:"name"`
	ReadAs   string        `json:"read_as"`
	Unit     string        `json:"unit,omitempty"`
	Missing  int           `json:"missing"`
	Misfits  int           `json:"misfits"` // cells that are there and do not fit
	Sure     report.Number `json:"sure"`
	Judged   bool          `json:"judged"` // its cells were held against the rest of their rows
	Wrong    int           `json:"wrong_cells"`
	Remarks  []string      `json:"remarks"`
	Override string        `json:"override,omitempty"` // what makes the program read it otherwise
}

// WrongCell is a cell that is called wrong.
type WrongCell struct {
	Row      int    `json:"row"`
	ID       string `json:"id,omitempty"`
	Column   string `json:"column"`
	Value    string `json:"value"`    // as in the file
	Expected any    `json:"expected"` // a number, a word or date; null where nothing can be said
	Low      any    `json:"low"`
	High     any    `json:"high"`
	Why      string `json:"why"`

	Written string `json:"written,omitempty"` // what is expected as a repair writes it, $1,234.50 or 1.234,50, where that is another text
	Emptied bool   `json:"emptied,omitempty"` // a repair leaves nothing in its place, since what is expected is too vague
}

// CheckedRelation is a law that most rows obey.
type CheckedRelation struct {
	Text   string `json:"text"`
	Rows   int    `json:"rows"`   // in which it can be asked
	Broken []int  `json:"broken"` // rows that break it
}

// CheckedGroup is rows that share what others do not have, and break a law, miss their predictions or are far together: another kind of
// rows, or one mistake made throughout.
type CheckedGroup struct {
	Text string `json:"text"`
	Rows []int  `json:"rows"`
}

// CheckedDrift is a column that has changed since the model was learned.
type CheckedDrift struct {
	Column   string        `json:"column"`
	Distance report.Number `json:"distance"` // of the two distributions, from 0 to 1
	P        report.Number `json:"p"`
	Why      string        `json:"why"`
}

// FarAlone counts the rows that are far out but in line with the others: those of a group are not, which tells of them itself.
func (r *CheckResult) FarAlone() int {
	together := map[int]bool{}
	for _, g := range r.Groups {
		for _, row := range g.Rows {
			together[row] = true
		}
	}
	n := 0
	for _, row := range r.Extreme {
		if !together[row] {
			n++
		}
	}
	return n
}

// complete fills in what follows from what was found.
func (r *CheckResult) complete(c Check) {
	t, found := r.Table, r.Found
	r.id, r.aside = naming(r.Table, c.ID), -1
	if r.id < 0 && r.whole != nil {
		r.aside = naming(r.whole, c.ID)
	}
	room := t.Room()
	r.finest, r.forms = slices.Repeat([]int{-1}, len(t.Columns)), make([]form, len(t.Columns)) // not known
	wrongCells := make([]int, len(t.Columns))
	r.WrongCells, r.Relations = []WrongCell{}, []CheckedRelation{}
	r.drawn = make([][]int, len(t.Columns))
	r.WrongRows = numbered(room, r.Rows, func(row int) bool { return found.Wrong[row] })
	r.Extreme = numbered(room, r.Rows, func(row int) bool { return !found.Wrong[row] && found.Part[row] == check.PartExtreme })
	cell := func(c *check.Cell) bool {
		if c.Wrong && !r.forms[c.Column].known {
			r.forms[c.Column] = formOf(t, c.Column)
		}
		if c.Wrong {
			wrongCells[c.Column]++
			if values := t.Columns[c.Column].Values; values != nil && !math.IsNaN(values[c.Row]) && len(r.drawn[c.Column]) < mostDrawn {
				r.drawn[c.Column] = append(r.drawn[c.Column], c.Row)
			}
			if room != nil && len(r.WrongCells) == listedCells {
				r.LeftOut++
			} else {
				wrong := r.wrongCell(c)
				if text := r.rewritten(c, wrong.Value); text != fmt.Sprint(wrong.Expected) {
					wrong.Written, wrong.Emptied = text, text == "" && wrong.Value != "" && wrong.Expected != nil
				}
				r.WrongCells = append(r.WrongCells, wrong)
			}
		}
		return true
	}
	if room != nil {
		r.spooled = r.spool(cell)
	} else {
		found.EachCell(func(c *check.Cell) bool {
			r.refine(c.Column)
			return cell(c)
		})
	}
	for _, law := range found.Relations {
		if !law.Implied {
			r.Relations = append(r.Relations, CheckedRelation{law.Text, law.Rows, fromOne(room, law.Broken)})
		}
	}
	r.Groups = []CheckedGroup{}
	for _, g := range found.Groups {
		r.Groups = append(r.Groups, CheckedGroup{g.Text, fromOne(room, g.Rows)})
	}
	for j := range t.Columns {
		column := &t.Columns[j]
		judged := j < len(found.Columns) && found.Columns[j].Judged
		remarks := append([]string{}, column.Remarks...)
		r.Columns = append(r.Columns, CheckedColumn{Name: column.Name, ReadAs: column.Kind.String(), Unit: column.Unit, Missing: column.Missing, Misfits: len(column.Misfits),
			Sure: report.Number(column.Sure), Judged: judged, Wrong: wrongCells[j], Remarks: remarks, Override: column.Override})
	}
	if r.Remarks == nil {
		r.Remarks = []tolerant.Remark{}
	}
	r.Drift = r.changed()
	if r.Rows > 0 {
		r.WrongShare = report.Number(float64(len(r.WrongRows)) / float64(r.Rows))
	}
	r.Failed = c.FailAbove != 0 && float64(r.WrongShare) > max(0, c.FailAbove)
	r.Verdict = r.sentence() + r.unsettled()
	if text := timesOver(r.Table); text != "" {
		r.Verdict += " " + text
		r.Remarks = append(r.Remarks, tolerant.Remark{Text: text, Way: "Was the file put together with itself?"})
	}
	r.Files = []string{}
}

// naming is the column that names the rows: as given, else the first one that the reader took for names
// and that does not repeat.
func naming(t *tolerant.Table, given string) int {
	return slices.IndexFunc(t.Columns, func(c tolerant.Column) bool {
		return c.Name == given || given == "" && c.Kind == tolerant.Identifier && !c.Repeats
	})
}

// Name is what a row is called, by its number from 0; empty where rows have no names.
func (r *CheckResult) Name(row int) string {
	switch {
	case r.id >= 0:
		return r.Table.Text(row, r.id)
	case r.aside >= 0:
		return r.whole.Text(row, r.aside)
	}
	return ""
}

func (r *CheckResult) wrongCell(c *check.Cell) WrongCell {
	column := r.fine(c)
	return WrongCell{Row: c.Row + 1, ID: r.Name(c.Row), Column: column.Name, Value: r.Table.Text(c.Row, c.Column),
		Expected: expectation(column, c.Expected, c.Level), Low: expectation(column, c.Low, ""), High: expectation(column, c.High, ""), Why: r.whyCell(c)}
}

// expectation is a value of a column for programs: a number with no more digits than make sense, a
// date as the column writes it, a word.
func expectation(column *tolerant.Column, v float64, level string) any {
	text, number := expected(column, v, level)
	switch {
	case number:
		return json.Number(text)
	case text == "":
		return nil
	}
	return text
}

// expected is its text; empty where nothing is expected.
func expected(column *tolerant.Column, v float64, level string) (text string, number bool) {
	switch {
	case level != "":
		return level, false
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "", false
	case column.Kind == tolerant.Date, column.Kind == tolerant.Boolean, column.Kind == tolerant.Category:
		return written(column, v), false
	}
	return plainNumber(column, asWritten(column, v)), true
}

// whyCell is the reason for a cell in one line.
func (r *CheckResult) whyCell(c *check.Cell) string {
	if c.Why != "" {
		return c.Why
	}
	column := r.fine(c)
	value := words.Clip(r.Table.Text(c.Row, c.Column))
	expected := c.Level
	if expected == "" && !math.IsNaN(c.Expected) {
		expected = "about " + written(column, c.Expected)
		if !math.IsNaN(c.Low) && !math.IsNaN(c.High) {
			expected += fmt.Sprintf(" (%s to %s)", written(column, c.Low), written(column, c.High))
		}
	}
	text := fmt.Sprintf("%s is %s", column.Name, value)
	if expected != "" {
		text += ", expected " + expected
	}
	if c.Slip != "" {
		text += ": " + c.Slip
	}
	return text
}

// Why is the reason for a row, by its number from 0, in one line.
func (r *CheckResult) Why(row int) string {
	if text := r.Found.Why(row); text != "" {
		return text
	}
	if cells := r.Found.CellsOf(row); len(cells) > 0 {
		return r.whyCell(&cells[0])
	}
	switch r.Found.Part[row] {
	case check.PartRow:
		return "no other row is like this one as a whole"
	case check.PartExtreme:
		return "far out, but in line with the others"
	}
	return ""
}

// named tells that rows have names.
func (r *CheckResult) named() bool { return r.id >= 0 || r.aside >= 0 }
