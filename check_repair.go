package inlier

import (
	"io"
	"math"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Change is a cell that a repair sets right.
type Change struct {
	Row    int    `json:"row"`
	Column string `json:"column"`
	Was    string `json:"was"`
	Is     string `json:"is"` // empty where nothing can be expected
	Why    string `json:"why"`

	column int // place in the file
}

// Changes are what a repair does: every wrong cell becomes what would have been expected, written as
// its column writes, or is emptied where nothing is. Where a person has chosen, only what was chosen is done, and rows
// that are dropped are told without a column.
func (r *CheckResult) Changes() []Change {
	var out []Change
	surplus := -1 // row whose fields behind the last column are taken away
	r.Found.EachCell(func(c *check.Cell) bool {
		choice, place := r.chosen(c), r.place(c.Column)
		if choice == Keep || choice == Drop || place < 0 { // a column that only the model has
			return true
		}
		if c.Part == check.PartShifted && choice == Repair && c.Row != surplus {
			surplus = c.Row
			if fields := r.file().Fields(c.Row); len(fields) > len(r.file().Columns) {
				more := strings.Join(fields[len(r.file().Columns):], " ")
				out = append(out, Change{c.Row + 1, "", more, "", "stands behind the last column; " + r.whyCell(c), len(r.file().Columns)})
			}
		}
		was, is := r.Table.Text(c.Row, c.Column), ""
		if choice == Repair {
			is = r.rewritten(c, was)
		}
		if is != was {
			out = append(out, Change{c.Row + 1, r.Table.Columns[c.Column].Name, was, is, r.whyCell(c), place})
		}
		return true
	})
	return r.withChosen(out)
}

var signsBefore, signsAfter = strings.NewReplacer("-", "", "−", "", "–", "", "(", ""), strings.NewReplacer("-", "", "−", "", ")", "")

// rewritten is the expected value in the writing of the cell that it replaces: what stands around the
// number, such as a currency, stays. A cell without a number in it is written as the column writes.
func (r *CheckResult) rewritten(c *check.Cell, was string) string {
	column := r.fine(c)
	if c.Level != "" {
		return c.Level
	}
	if math.IsNaN(c.Expected) || c.Vague {
		return ""
	}
	value := math.NaN()
	if c.Row < len(column.Values) {
		value = column.Values[c.Row]
	}
	expected := c.Repaired(column, value)
	var as form
	if c.Column < len(r.forms) {
		as = r.forms[c.Column]
	}
	if column.Kind != tolerant.Number {
		text := written(column, expected)
		if as.oneHour && len(text) > 2 && text[0] == '0' && text[2] == ':' {
			text = text[1:]
		}
		return text
	}
	if as.mark == "" {
		expected = r.writable(c.Column, column, expected)
	}
	text := bareText(column, expected)
	if as.mark != "" && !math.IsInf(expected, 0) {
		text = as.text(expected, column.Comma)
	}
	from, to := tolerant.NumberAt(was)
	if from < 0 || misfit(column, c.Row) {
		return written(column, expected)
	}
	before, after := was[:from], was[to:]
	if strings.ContainsAny(before, "<>~≤≥≈") { // what is expected is no limit
		before = strings.TrimLeft(before, "<>=~≤≥≈ ")
	}
	text, negative := strings.CutPrefix(text, "-")
	if negative && value < 0 { // the sign stays as it is written, be it in brackets
		negative = false
	} else if strings.ContainsAny(before+after, "-−–(") { // the sign is the number's own
		before, after = signsBefore.Replace(before), signsAfter.Replace(after)
	}
	if mark := was[from]; (mark == '.' || mark == ',') && len(text) > 2 && text[0] == '0' { // .5
		text = text[1:]
	}
	if negative {
		return "-" + strings.ReplaceAll(before, "+", "") + text + after
	}
	return before + text + after
}

// writable is the nearest number to one too small for the decimals of its column that the column can write: no others of it have more.
func (r *CheckResult) writable(place int, column *tolerant.Column, v float64) float64 {
	if place >= len(r.finest) || math.Abs(v) >= math.Pow10(-column.Decimals) || r.finest[place] > column.Decimals || column.Decimals < 0 {
		return v
	}
	unit := math.Pow10(column.Decimals)
	return math.Round(v*unit) / unit
}

func misfit(c *tolerant.Column, row int) bool {
	_, is := slices.BinarySearch(c.Misfits, row) // they ascend
	return is
}

// WriteChanges writes the list of changes as CSV.
func (r *CheckResult) WriteChanges(w io.Writer) error {
	out := newLines(w, ChangeColumns())
	for _, c := range r.Changes() {
		out.whole(c.Row)
		for _, text := range []string{c.Column, c.Was, c.Is, c.Why} {
			out.text(text)
		}
		out.end()
	}
	return out.close()
}

// ChangeColumns are the columns of the list of changes.
func ChangeColumns() []string { return []string{"row", "column", "was", "is", "why"} }

// WriteRepaired writes the table again, in its own delimiter and order, with the changes in it.
func (r *CheckResult) WriteRepaired(w io.Writer) error {
	changed, dropped := map[[2]int]string{}, map[int]bool{}
	for _, c := range r.Changes() {
		if c.column == wholeRow {
			dropped[c.Row-1] = true
			continue
		}
		changed[[2]int{c.Row - 1, c.column}] = c.Is
	}
	return r.file().Rewrite(w, changed, dropped)
}

// place is where a column stands in the table as it was read; below 0 where it is not there.
func (r *CheckResult) place(column int) int {
	if r.whole == nil {
		return column
	}
	return namedPlace(r.whole, r.Table.Columns[column].Name)
}

// namedPlace is the column of that name; -1 where there is none.
func namedPlace(t *tolerant.Table, name string) int {
	return slices.IndexFunc(t.Columns, func(c tolerant.Column) bool { return c.Name == name })
}
