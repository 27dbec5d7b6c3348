package inlier

import (
	"cmp"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/internal/words"
)

// Choice is what a person makes of a row that a check has looked at, or of a cell of it.
type Choice struct {
	Row    int    `json:"row"`              // from 1
	Column string `json:"column,omitempty"` // none: the whole row
	Choice string `json:"choice"`           // what becomes of it: see Keep
}

// What can be chosen. A row that is repaired has its wrong cells repaired; what nothing is chosen for is kept.
const (
	Keep   = "keep"   // it stays as it is
	Drop   = "drop"   // the row is left out; not for cells
	Repair = "repair" // the cell becomes what was expected
	Empty  = "empty"  // the cell is emptied; not for rows
)

// mostChoices bounds a list of choices that is read.
const mostChoices = 1 << 20

// ReadChoices reads a list of choices: CSV with the columns row, column and choice. Of several for one row or cell the last
// one counts.
func ReadChoices(path string) ([]Choice, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, about("choices", badInput(err, ""))
	}
	defer f.Close()
	r := csv.NewReader(f)
	bad := func(problem string, args ...any) error {
		return about("choices", usage("it is a CSV with the columns row, column and choice, such as 17,price,repair", "%s: "+problem, append([]any{path}, args...)...))
	}
	head, err := r.Read()
	if err != nil || !slices.Equal(head, ChoiceColumns()) {
		return nil, bad("this is no list of choices")
	}
	out := []Choice{}
	for {
		line, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, bad("%v", err)
		}
		row, err := strconv.Atoi(line[0])
		if err != nil {
			return nil, bad("%q is no number of a row", line[0])
		}
		if len(out) == mostChoices {
			return nil, bad("more than %d choices", mostChoices)
		}
		out = append(out, Choice{row, line[1], line[2]})
	}
}

// ChoiceColumns are the columns of a list of choices.
func ChoiceColumns() []string { return []string{"row", "column", "choice"} }

// WriteChoices writes a list of choices as CSV.
func WriteChoices(w io.Writer, choices []Choice) error {
	out := newLines(w, ChoiceColumns())
	for _, c := range choices {
		out.whole(c.Row)
		out.text(c.Column)
		out.text(c.Choice)
		out.end()
	}
	return out.close()
}

// wholeRow stands for the column of a change that drops its row.
const wholeRow = -1

// choose checks the choices against the table and keeps them.
func (r *CheckResult) choose(choices []Choice) error {
	if choices == nil {
		return nil
	}
	r.choices = map[Choice]string{}
	for _, c := range choices {
		known := []string{Keep, Drop, Repair}
		if c.Column != "" {
			known = []string{Keep, Repair, Empty}
		}
		switch {
		case c.Row < 1 || c.Row > r.Rows:
			return about("choices", usage("", "a choice is about row %d, and there are %s", c.Row, words.Plural(r.Rows, "row")))
		case c.Column != "" && !slices.ContainsFunc(r.Columns, func(k CheckedColumn) bool { return k.Name == c.Column }):
			return about("choices", usage("", "a choice is about column %q, which is not there", c.Column))
		case !slices.Contains(known, c.Choice):
			return about("choices", usage("it is one of "+words.List(known, 4), "row %d: %q cannot be chosen here", c.Row, c.Choice))
		}
		r.choices[Choice{Row: c.Row, Column: c.Column}] = c.Choice
	}
	return nil
}

// chosen is what becomes of a suspicious cell: its own choice, that of its row, or what a repair does by itself.
func (r *CheckResult) chosen(c *check.Cell) string {
	if r.choices == nil {
		if c.Wrong && c.Part != check.PartDuplicate {
			return Repair
		}
		return Keep
	}
	row := r.choices[Choice{Row: c.Row + 1}]
	own := r.choices[Choice{Row: c.Row + 1, Column: r.Table.Columns[c.Column].Name}]
	switch {
	case row == Drop:
		return Drop
	case own != "":
		return own
	case row == Repair && c.Wrong && c.Part != check.PartDuplicate:
		return Repair
	}
	return Keep
}

// withDropped adds the rows that are dropped to a list of changes.
func (r *CheckResult) withDropped(list []Change) []Change {
	before := len(list)
	for c, choice := range r.choices {
		if c.Column == "" && choice == Drop {
			list = append(list, Change{Row: c.Row, Why: "the row is left out", column: wholeRow})
		}
	}
	if len(list) > before {
		slices.SortStableFunc(list, func(a, b Change) int { return cmp.Compare(a.Row, b.Row) })
	}
	return list
}
