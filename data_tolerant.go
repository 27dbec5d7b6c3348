package inlier

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
)

// ReadColumn is what a column was taken for where a table was read tolerantly, and what became of it.
type ReadColumn struct {
	Name     string   `json:"name"`
	ReadAs   string   `json:"read_as"`
	Unit     string   `json:"unit,omitempty"`
	Missing  int      `json:"missing"`
	Misfits  int      `json:"misfits"`            // cells that are there and do not fit
	LeftOut  string   `json:"left_out,omitempty"` // why; empty where it is used
	Becomes  string   `json:"becomes,omitempty"`  // what its cells are changed to, where they do not stay as they are
	Remarks  []string `json:"remarks"`
	Override string   `json:"override,omitempty"` // what makes the program read it otherwise

	layout string // of dates that stay dates
}

// tolerated is a table that was read tolerantly, on its way to a job that wants numbers.
type tolerated struct {
	*tolerant.Table
	data    Data
	needs   needs
	columns []ReadColumn
	used    []int
	rows    []int // that are used
	texts   map[int]bool
	number  string // name of the column that holds the rows' numbers, where some are left out
}

// tolerate reads the table as check does, and returns the request to read it again, strictly, from a clean copy: numbers
// alone, days since 1970 for dates, 0 and 1 for truths. Columns that cannot be used are left out, and all that is to be
// said about them is said at once.
func (d Data) tolerate(ctx context.Context, n needs) (Data, *tolerated, error) {
	table, err := d.openTolerant(ctx)
	if err == nil {
		err = d.named(table)
	}
	if err != nil {
		return d, nil, d.unread(err)
	}
	t := &tolerated{Table: table, data: d, needs: n, texts: map[int]bool{}}
	clean := d
	clean.Tolerant, clean.Format, clean.Header, clean.Delimiter, clean.DecimalComma, clean.Limit = false, "csv", "yes", "comma", false, 0
	clean.ID, clean.Drop, clean.Text = t.named(d.ID), t.allNamed(d.Drop), t.allNamed(d.Text)
	if !d.ifThere { // else it is the model's, and a name
		clean.Target = t.named(d.Target)
	}
	if !d.columnsOfModel {
		clean.Columns = t.allNamed(d.Columns)
	}
	t.choose(&clean)
	if t.Shape != nil && d.Shape == "" && len(t.used) == len(t.Columns) {
		clean.Shape = words.Shape(t.Shape)
	}
	t.keepRows(&clean)
	if d.rest != nil && len(t.rows) < t.Rows {
		*d.rest = t.rows
	}
	if d.OnColumns != nil {
		d.OnColumns(t.columns, table.Remarks)
	}
	if d.wrote != nil {
		*d.wrote = writings(table, t.used, clean.Target)
	}
	if err := t.complete(&clean); err != nil {
		return d, nil, err
	}
	clean.Reader = bytes.NewReader(t.write())
	clean.Path, clean.Paths = table.Names[0], nil
	if more := len(table.Names) - 1; more > 0 {
		clean.Path = fmt.Sprintf("%s and %d more", clean.Path, more)
	} else if clean.Path == "standard input" {
		clean.Path = "-"
	}
	return clean, t, nil
}

// openTolerant reads the file. Columns are what a model has learned them as, which few rows do not tell.
func (d Data) openTolerant(ctx context.Context) (*tolerant.Table, error) {
	o := tolerant.Options{Header: d.Header, Delimiter: d.Delimiter, Decimal: d.Decimal, Encoding: d.Encoding, Sheet: d.Sheet, Limit: d.Limit, Trust: d.Trust, FS: d.FS, As: map[string]tolerant.Kind{}, Usual: map[string]tolerant.Kind{}}
	if d.DecimalComma {
		o.Decimal = "comma"
	}
	for name, text := range d.As {
		kind, err := tolerant.ParseKind(text)
		if err != nil {
			return nil, err
		}
		o.As[name] = kind
	}
	for _, name := range d.Text {
		o.As[name] = tolerant.Category
	}
	if d.columnsOfModel {
		o.Names, o.InOrder = d.Columns, true
	}
	o.Like = d.like()
	for j := range o.Like {
		o.Usual[o.Like[j].Name] = o.Like[j].Kind
	}
	if d.coder != nil {
		for _, coding := range d.coder.Codings {
			o.Usual[coding.Column] = tolerant.Category
		}
	}
	var kept []byte
	if d.Reader != nil {
		var err error
		if kept, err = io.ReadAll(io.LimitReader(d.Reader, 1<<32)); err != nil {
			return nil, err
		}
		o.Input = bytes.NewReader(kept)
	}
	files, err := d.files(ctx)
	if err != nil {
		return nil, err
	}
	if d.Reader != nil && d.Path != "" {
		files[0] = "-"
		if d.Path != "-" {
			o.InputName = d.Path
		}
	}
	table, err := tolerant.Open(ctx, files, o)
	var input *dataset.InputError
	if errors.As(err, &input) && input.Option == "as" && len(d.As) == 0 { // which Text says too
		input.Option = "text"
	}
	if err != nil || !d.columnsOfModel {
		return table, err
	}
	again := false
	for j := range table.Columns { // of a model of plain numbers, or an earlier version's
		c := &table.Columns[j]
		fits := c.Kind == tolerant.Number || c.Kind == tolerant.Date || c.Kind == tolerant.Boolean
		if !fits && slices.Contains(d.Columns, c.Name) && o.Usual[c.Name] == 0 && o.As[c.Name] == 0 {
			o.Usual[c.Name], again = tolerant.Number, true
		}
	}
	if !again {
		return table, nil
	}
	if kept != nil {
		o.Input = bytes.NewReader(kept)
	}
	return tolerant.Open(ctx, files, o)
}

// choose finds the columns that can be used, and says why others cannot.
func (t *tolerated) choose(clean *Data) {
	for j := range t.Columns {
		c := &t.Columns[j]
		about := ReadColumn{Name: c.Name, ReadAs: c.Kind.String(), Unit: c.Unit, Missing: c.Missing, Misfits: len(c.Misfits), Remarks: c.Remarks, Override: c.Override}
		word := c.Kind >= tolerant.Category
		asked := c.Name == clean.Target || c.Name == clean.ID || slices.Contains(clean.Columns, c.Name)
		switch {
		case slices.Contains(clean.Drop, c.Name), c.Kind == tolerant.Ignored && !asked:
			about.LeftOut = "as asked for"
		case clean.Columns != nil && !asked:
			about.LeftOut = "not asked for"
		case !asked && !t.needs.Text:
			about.LeftOut = t.useless(c, clean)
		}
		t.texts[j] = word || c.Kind == tolerant.Boolean && (c.Name == clean.Target || c.Name == clean.ID) || c.Name == clean.ID
		if about.LeftOut == "" {
			t.used = append(t.used, j)
			t.tell(&about, j)
		}
		t.columns = append(t.columns, about)
		if about.LeftOut != "" {
			continue
		}
		coded := c.Kind == tolerant.Category && clean.Categorical != ""
		if c.Name != clean.Target && c.Name != clean.ID && (coded || word && t.needs.Text) { // 00123 stays a text
			clean.Text = append(clean.Text, c.Name)
		}
	}
	clean.Drop = nil
}

// mostCoded bounds the columns that a category becomes.
const mostCoded = 50

// needCoding is why a column of words is left out.
const needCoding = "its texts need categorical (ordinal or onehot)"

// useless says why a column that nobody asked for cannot be learned from; empty where it can.
func (t *tolerated) useless(c *tolerant.Column, clean *Data) string {
	switch c.Kind {
	case tolerant.Empty:
		return "it holds no value"
	case tolerant.Identifier:
		return "it names rows"
	case tolerant.Text:
		return "it is free text"
	case tolerant.Category:
		switch {
		case clean.Categorical == "":
			return needCoding
		case clean.Categorical == "onehot" && len(c.Levels) > mostCoded:
			return fmt.Sprintf("its %d texts are too many for a column each", len(c.Levels))
		}
	}
	if t.needs.Varied && clean.Constant != "keep" && t.Shape == nil && c.Constant() {
		return "all its values are equal"
	}
	return ""
}

// keepRows finds the rows that can be used: of a job that learns and cannot do with missing cells those that are whole.
// The rows are called by their numbers then, if they have no other names.
func (t *tolerated) keepRows(clean *Data) {
	learns := t.needs.Varied && !t.needs.Missing
	for i := range t.Rows {
		if !learns || t.whole(i) {
			t.rows = append(t.rows, i)
		}
	}
	left := t.Rows - len(t.rows)
	if left == 0 {
		return
	}
	text := fmt.Sprintf("%s with missing or unreadable cells %s left out.", words.Plural(left, "row"), wasOrWere(left))
	if clean.ID == "" {
		t.number = "row"
		for _, there := t.Column(t.number); there; _, there = t.Column(t.number) {
			t.number += " of the file"
		}
		clean.ID = t.number
		text += " The id of a row is its number in the file."
	}
	t.Remarks = append(t.Remarks, tolerant.Remark{Text: text})
}

func wasOrWere(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// whole tells whether every used cell of a row has a value.
func (t *tolerated) whole(row int) bool {
	for _, j := range t.used {
		if c := &t.Columns[j]; c.Values != nil && math.IsNaN(c.Values[row]) {
			return false
		}
	}
	return true
}

// complete refuses a table without rows, and missing cells where every row is wanted, all of them at once.
func (t *tolerated) complete(clean *Data) error {
	if !slices.ContainsFunc(t.used, func(j int) bool { return t.Columns[j].Name != clean.Target && t.Columns[j].Name != clean.ID }) {
		return t.unusable(clean.Target)
	}
	if len(t.rows) == 0 {
		return usage("--drop leaves out the columns that lack most", "%s: every row has missing or unreadable cells", t.Names[0])
	}
	if t.needs.Missing || t.needs.Varied {
		return nil
	}
	var lacking, names []string
	for _, j := range t.used {
		if c := &t.Columns[j]; c.Values != nil && c.Missing+len(c.Misfits) > 0 {
			said := fmt.Sprintf("%s %d", c.Name, c.Missing+len(c.Misfits))
			if len(c.Misfits) > 0 {
				said += fmt.Sprintf(" (%q is no %s)", words.Shortened(words.OneLine(t.Text(c.Misfits[0], j))), c.Kind)
			}
			lacking = append(lacking, said)
			names = append(names, c.Name)
		}
	}
	if lacking == nil {
		return nil
	}
	return usage("every row is wanted here: fill the cells, or use a model that was fitted without "+words.And(names), "%s: cells are missing or cannot be read: %s", t.Names[0], strings.Join(lacking, ", "))
}

// unusable says why no column can be used, besides the target.
func (t *tolerated) unusable(target string) error {
	if t.data.columnsOfModel {
		e := dataset.Problem(t.Names[0], "%s %s missing; the file has %s", words.Noun(len(t.data.Columns), "column")+" "+words.Names(t.data.Columns), words.Are(len(t.data.Columns)), words.Names(columnNames(t.Table)))
		e.Option = "columns"
		return e
	}
	var why []string
	hint, besides := "", ""
	for j, c := range t.columns {
		switch {
		case c.Name == target:
			besides = " besides " + words.Clip(target)
		case c.LeftOut != "":
			why = append(why, c.Name+": "+c.LeftOut)
		}
		if c.LeftOut == needCoding && t.Columns[j].Kind == tolerant.Category {
			hint = "--categorical onehot makes a column of each of their words, ordinal one of all"
		}
	}
	if why == nil {
		return usage("", "%s: there is no column%s to learn from", t.Names[0], besides)
	}
	return usage(hint, "%s: no column can be used%s (%s)", t.Names[0], besides, words.Names(why))
}

// place says where in the file the line of the clean copy stands that an error names.
func (t *tolerated) place(err error) error {
	var input *dataset.InputError
	if errors.As(err, &input) && input.Line > 1 && input.Line-2 < len(t.rows) {
		input.File, input.Line = t.Place(t.rows[input.Line-2])
	}
	return err
}
