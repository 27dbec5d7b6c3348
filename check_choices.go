package inlier

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
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

// ReadChoices reads a list of choices: CSV with the columns row, column and choice, with commas or semicolons and with or without a
// byte-order mark, as spreadsheets write it. Of several for one row or cell the last one counts.
func ReadChoices(path string) ([]Choice, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, about("choices", badInput(err, ""))
	}
	defer f.Close()
	text := bufio.NewReader(f)
	if mark, _ := text.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		_, _ = text.Discard(len(byteOrderMark))
	}
	r := csv.NewReader(text)
	if begin, _ := text.Peek(len("row;")); strings.EqualFold(string(begin), "row;") {
		r.Comma = ';'
	}
	bad := func(problem string, args ...any) error {
		return about("choices", usage("it is a CSV with the columns row, column and choice, such as 17,price,repair", "%s: "+problem, append([]any{path}, args...)...))
	}
	head, err := r.Read()
	if err != nil || !slices.EqualFunc(head, ChoiceColumns(), strings.EqualFold) {
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
		row, err := strconv.Atoi(strings.TrimSpace(line[0]))
		if err != nil {
			at, _ := r.FieldPos(0)
			return nil, bad("line %d: %q is no number of a row", at, line[0])
		}
		if len(out) == mostChoices {
			return nil, bad("more than %d choices", mostChoices)
		}
		out = append(out, Choice{row, line[1], strings.ToLower(strings.TrimSpace(line[2]))})
	}
}

// byteOrderMark is what some programs begin a text with.
const byteOrderMark = "\ufeff"

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

// choose checks the choices against the table, keeps them, and tells which of them nothing can be done about.
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
		case c.Column != "" && namedPlace(r.file(), c.Column) < 0:
			return about("choices", usage(nearColumn(r.file(), c.Column), "row %d: a choice is about column %q, which is not there", c.Row, c.Column))
		case !slices.Contains(known, c.Choice):
			return about("choices", usage("it is one of "+words.List(known, 4), "row %d: %q cannot be chosen here", c.Row, c.Choice))
		}
		r.choices[Choice{Row: c.Row, Column: c.Column}] = c.Choice
	}
	if idle := r.idle(); len(idle) > 0 {
		r.Remarks = append(r.Remarks, tolerant.Remark{Text: fmt.Sprintf("%s to repair where no repair is known: %s; nothing was changed there.", words.Plural(len(idle), "choice"), words.List(idle, 5)),
			Way: "A cell that is in doubt is repaired by its own choice; a cell can be emptied and a row dropped, whatever the check says of it."})
	}
	return nil
}

// file is the table with the columns of the file.
func (r *CheckResult) file() *tolerant.Table {
	if r.whole != nil {
		return r.whole
	}
	return r.Table
}

// suspicious are the cells among the chosen ones that the check has something to say about, and the rows with something to repair.
func (r *CheckResult) suspicious() map[Choice]bool {
	known := map[Choice]bool{}
	r.Found.EachCell(func(c *check.Cell) bool {
		cell := Choice{Row: c.Row + 1, Column: r.Table.Columns[c.Column].Name}
		if _, ok := r.choices[cell]; ok {
			known[cell] = true
		}
		if cell.Column = ""; r.choices[cell] == Repair && repairable(c) {
			known[cell] = true
		}
		return true
	})
	return known
}

// idle are the choices to repair what nothing is known about, in the order of rows.
func (r *CheckResult) idle() (names []string) {
	known := r.suspicious()
	var list []Choice
	for c, choice := range r.choices {
		if choice == Repair && !known[c] && r.choices[Choice{Row: c.Row}] != Drop {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b Choice) int { return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Column, b.Column)) })
	for _, c := range list {
		name := fmt.Sprintf("row %d", c.Row)
		if c.Column != "" {
			name += ", " + c.Column
		}
		names = append(names, name)
	}
	return names
}

// repairable says that a repair replaces a cell by itself: one that is wrong beyond doubt, and not for its row being there twice.
func repairable(c *check.Cell) bool { return c.Wrong && !c.Doubt && c.Part != check.PartDuplicate }

// chosen is what becomes of a suspicious cell: its own choice, that of its row, or what a repair does by itself.
func (r *CheckResult) chosen(c *check.Cell) string {
	if r.choices == nil {
		if repairable(c) {
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
	case row == Repair && repairable(c):
		return Repair
	}
	return Keep
}

// withChosen adds what a person chose and the check did not think of: rows that are dropped, cells that are emptied.
func (r *CheckResult) withChosen(list []Change) []Change {
	if r.choices == nil {
		return list
	}
	known := r.suspicious()
	var more []Change
	for c, choice := range r.choices {
		switch {
		case c.Column == "" && choice == Drop:
			more = append(more, Change{Row: c.Row, Why: "the row is left out", column: wholeRow})
		case choice == Empty && !known[c] && r.choices[Choice{Row: c.Row}] != Drop:
			place := namedPlace(r.file(), c.Column)
			if was := r.file().Text(c.Row-1, place); was != "" {
				more = append(more, Change{c.Row, c.Column, was, "", "emptied as chosen", place})
			}
		}
	}
	slices.SortFunc(more, func(a, b Change) int { return cmp.Compare(a.column, b.column) })
	list = append(list, more...)
	slices.SortStableFunc(list, func(a, b Change) int { return cmp.Compare(a.Row, b.Row) })
	return list
}
