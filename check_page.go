package inlier

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

// What a page shows at most, so that it stays small whatever the file.
const (
	pageRows      = 40 // worst rows
	pageColumns   = 60 // columns in the table of columns
	pageWide      = 9  // columns of the rows that are shown
	pagePictures  = 24 // histograms
	pageRelations = 30
	pageText      = 60 // characters of a cell
)

// Page puts the result on one page for a person.
func (r *CheckResult) Page(ctx context.Context) *report.Page {
	page := &report.Page{
		Title: "What is wrong in " + r.title(),
		Lead:  report.Literal(r.Verdict) + " " + r.advice(),
		Facts: []report.Fact{
			{Name: "rows", Value: words.Short(float64(r.Rows))}, {Name: "columns", Value: fmt.Sprint(len(r.Columns))},
			{Name: "wrong rows", Value: fmt.Sprint(len(r.WrongRows))}, {Name: "wrong cells", Value: fmt.Sprint(len(r.WrongCells) + r.LeftOut)},
		},
	}
	if len(r.WrongRows) > 0 {
		page.Add("The worst rows", "Guilty cells are coloured, and their columns stand first, with the value that the rest of the row suggests below. The rows stand in the order of suspicion.", r.worstTable(pageRows), r.reasons(pageRows))
	}
	linked := r.linked(ctx)
	if linked != nil {
		page.Add("Every row", "Drag over a picture to select rows in all of them and in the list below.", linked)
	}
	if len(r.WrongRows) > 0 {
		if m := r.cellMap(); m != nil {
			page.Add("Cell map", "The same rows, cell by cell: red is higher than the rest of the row suggests, blue is lower, in standard deviations; pale is as expected, hatched is missing. Cells that are not called wrong stay pale beyond 4. A word or text that is wrong is red.", m)
			still(page, linked)
		}
	}
	if len(r.Groups) > 0 {
		t := &report.Table{Columns: []report.Column{{Name: "rows"}, {Name: "what they are"}, {Name: "which"}}}
		for _, g := range r.Groups {
			t.Add(len(g.Rows), g.Text, words.Ranges(g.Rows, 12))
		}
		page.Add("Groups", "Rows that share what others do not have, and are not called wrong one by one.", t)
	}
	page.Add("What the columns were taken for", "", r.columnsTable(pageColumns))
	if len(r.Remarks) > 0 {
		page.Sections[len(page.Sections)-1].Blocks = append(page.Sections[len(page.Sections)-1].Blocks, r.remarksBlock())
	}
	if len(r.Drift) > 0 {
		t := &report.Table{Columns: []report.Column{{Name: "column"}, {Name: "distance", Format: "%.2f"}, {Name: "what changed"}}}
		for _, d := range r.Drift {
			t.Add(d.Column, float64(d.Distance), d.Why)
		}
		page.Add("What has changed since the model was learned", "Columns whose values are distributed otherwise than in the rows that the model knows.", t)
	}
	if len(r.Relations) > 0 {
		page.Add("Relations", "Laws that most rows obey, and the rows that break them.", r.relationsTable(pageRelations))
	}
	if charts := r.histograms(); len(charts) > 0 {
		page.Add("Columns", "How the values are spread; wrong ones have their own colour. Values beyond the range of the others stand at its edge.", charts)
		still(page, linked)
	}
	if m := r.outlierMap(ctx); m != nil {
		page.Add("Outlier map", "Each point is a row. Upwards: how far it is from what the columns have in common; to the right: how far out it is in line with the others. Colours are the verdict: a row that is far and in line with the others is not wrong, and a single wrong cell need not be far.", m)
		still(page, linked)
	}
	page.Add("What was not looked at", r.silence())
	page.Footer = "Made by `inlier check`. `rows.csv` beside this page has the verdict on every row, `cells.csv` every suspicious cell."
	return page
}

// still marks the last section as one that linked pictures stand for where they can be brushed.
func still(page *report.Page, linked report.Block) {
	page.Sections[len(page.Sections)-1].Still = linked != nil
}

// title is the file, or how many there are.
func (r *CheckResult) title() string {
	switch names := r.Table.Names; len(names) {
	case 0:
		return "this table"
	case 1:
		return words.Base(names[0])
	default:
		return words.Plural(len(names), "file")
	}
}

// advice is what a reader should make of the verdict.
func (r *CheckResult) advice() string {
	text := ""
	if len(r.WrongRows) > 0 && r.Model.Settings().Expect == 0 {
		text = "About one in ten of the rows called wrong may be a false alarm. "
	}
	if n := r.FarAlone(); n > 0 {
		text += fmt.Sprintf("%s %s far out but in line with the others, and not counted as wrong.", words.Plural(n, "row"), words.Are(n))
	}
	return text
}

// worst are the rows called wrong, numbered from 0, the most suspicious first.
func (r *CheckResult) worst(most int) []int {
	score, rows := r.Found.Score, make([]int, 0, min(most, len(r.WrongRows))+1)
	last := 0
	for _, row := range r.WrongRows {
		row--
		r.Table.Room().Reached(&last, row, 2)
		if len(rows) == most && (most == 0 || !(score[row] > score[rows[most-1]])) {
			continue
		}
		at := sort.Search(len(rows), func(k int) bool { return score[rows[k]] < score[row] })
		rows = slices.Insert(rows, at, row)
		rows = rows[:min(most, len(rows))]
	}
	return rows
}

// Worst are the rows called wrong, by their numbers from 1, the most suspicious first.
func (r *CheckResult) Worst(most int) []int {
	rows := r.worst(most)
	for k := range rows {
		rows[k]++
	}
	return rows
}

// guilty are the suspicious cells of a row by column.
func (r *CheckResult) guilty(row int) map[int]*check.Cell {
	cells := map[int]*check.Cell{}
	list := r.Found.CellsOf(row)
	for k := range list {
		if c := &list[k]; c.Wrong && cells[c.Column] == nil {
			cells[c.Column] = c
		}
	}
	return cells
}

// guiltyFirst are the columns to show of the given rows: the one that names them, those that are guilty in
// any, by how often, then the others in their order.
func (r *CheckResult) guiltyFirst(rows []int, most int) []int {
	count := make([]int, len(r.Columns))
	for _, i := range rows {
		for j := range r.guilty(i) {
			count[j]++
		}
	}
	if r.id >= 0 {
		count[r.id] = len(rows) + 1
	}
	order := make([]int, len(count))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return count[b] - count[a] })
	return order[:min(most, len(order))]
}

// worstTable shows the worst rows as they are, with their guilty cells marked.
func (r *CheckResult) worstTable(most int) *report.Table {
	rows := r.worst(most)
	columns := r.guiltyFirst(rows, pageWide)
	t := &report.Table{Columns: []report.Column{{Name: "row"}}}
	for _, j := range columns {
		t.Columns = append(t.Columns, report.Column{Name: r.Columns[j].Name})
	}
	marked := func(name string, i, j int, c *check.Cell) any {
		text := words.Shortened(words.Glimpse(r.Table.Text(i, j)))
		if c == nil {
			return text
		}
		if text == "" {
			text = "(empty)"
		}
		if e := r.expectedText(c); e != "" {
			return report.Correction{Was: name + text, Is: e}
		}
		return report.Badge{Kind: "bad", Text: name + text}
	}
	beyond := make([]any, len(rows)) // of each row, its guilty cell where none is in the columns that are shown
	elsewhere := false
	for k, i := range rows {
		guilty := r.guilty(i)
		if len(guilty) == 0 || slices.ContainsFunc(columns, func(j int) bool { return guilty[j] != nil }) {
			continue
		}
		for _, c := range r.Found.CellsOf(i) {
			if c.Wrong {
				beyond[k], elsewhere = marked(r.Columns[c.Column].Name+" ", i, c.Column, guilty[c.Column]), true
				break
			}
		}
	}
	if elsewhere {
		t.Columns = append(t.Columns, report.Column{Name: "elsewhere"})
	}
	for k, i := range rows {
		r.Table.Room().Touched(3) // its text
		guilty := r.guilty(i)
		cells := []any{i + 1}
		for _, j := range columns {
			cells = append(cells, marked("", i, j, guilty[j]))
		}
		if elsewhere {
			cells = append(cells, beyond[k])
		}
		t.Add(cells...)
	}
	if left := len(r.Columns) - len(columns); left > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s more in the file.", words.Plural(left, "column")))
	}
	if left := len(r.WrongRows) - len(rows); left > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s more in rows.csv.", words.Plural(left, "wrong row")))
	}
	return t
}

// expectedText is what a cell should hold, as its column writes it, with no more decimals than its
// tolerance gives meaning to.
func (r *CheckResult) expectedText(c *check.Cell) string {
	if c.Level != "" {
		return c.Level
	}
	column := *r.fine(c)
	if width := c.High - c.Low; width > 0 {
		column.Decimals = min(column.Decimals, max(0, int(math.Ceil(-math.Log10(width/20)))))
	}
	return written(&column, c.Expected)
}

// reasons says in words why the worst rows are wrong.
func (r *CheckResult) reasons(most int) *report.Table {
	t := &report.Table{Columns: []report.Column{{Name: "row"}, {Name: "kind"}, {Name: "why"}}}
	for _, i := range r.worst(most) {
		name := fmt.Sprint(i + 1)
		if id := r.Name(i); id != "" {
			name += " (" + words.Shortened(words.Glimpse(id)) + ")"
		}
		t.Add(name, r.Found.Part[i].String(), r.Why(i))
	}
	return t
}

// columnsTable says what the columns were taken for.
func (r *CheckResult) columnsTable(most int) *report.Table {
	t := &report.Table{Columns: []report.Column{{Name: "column"}, {Name: "read as"}, {Name: "sure", Unit: "%", Format: "%.0f"}, {Name: "missing"}, {Name: "do not fit"}, {Name: "wrong"}, {Name: "remarks"}, {Name: "otherwise"}}}
	for k, c := range r.Columns {
		if k == most {
			t.Notes = append(t.Notes, fmt.Sprintf("and %s more", words.Plural(len(r.Columns)-k, "column")))
			break
		}
		as := c.ReadAs
		if c.Unit != "" {
			as += " in " + c.Unit
		}
		other := ""
		if c.Override != "" {
			other = "--as " + c.Override
		}
		t.Add(c.Name, as, 100*float64(c.Sure), blankZero(c.Missing), blankZero(c.Misfits), blankZero(c.Wrong), strings.Join(c.Remarks, " "), other)
	}
	return t
}

func blankZero(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

func (r *CheckResult) remarksBlock() report.Block {
	var text strings.Builder
	for _, m := range r.Remarks {
		text.WriteString("- " + report.Literal(m.Text))
		if m.Way != "" {
			text.WriteString(" " + report.Literal(m.Way))
		}
		text.WriteString("\n")
	}
	return report.Text(text.String())
}

// relationsTable lists the laws, those that are broken first.
func (r *CheckResult) relationsTable(most int) *report.Table {
	list := slices.Clone(r.Relations)
	slices.SortStableFunc(list, func(a, b CheckedRelation) int { return len(b.Broken) - len(a.Broken) })
	t := &report.Table{Columns: []report.Column{{Name: "relation"}, {Name: "rows"}, {Name: "broken"}, {Name: "by rows"}}}
	for k, law := range list {
		if k == most {
			t.Notes = append(t.Notes, fmt.Sprintf("and %d more", len(list)-k))
			break
		}
		t.Add(law.Text, law.Rows, len(law.Broken), words.Ranges(law.Broken, 12))
	}
	return t
}

// silence says what the check did not look at.
func (r *CheckResult) silence() string {
	var aside, constant []string
	for j := range r.Table.Columns {
		switch c := &r.Table.Columns[j]; {
		case c.Values == nil:
			aside = append(aside, fmt.Sprintf("%s (%s)", report.Literal(c.Name), c.Kind))
		case r.Model.Table().Columns[j].Constant():
			constant = append(constant, report.Literal(c.Name))
		}
	}
	var out []string
	if aside != nil {
		out = append(out, "Columns that were set aside, because they tell rows apart, hold free text or nothing: "+words.List(aside, 20)+".")
	}
	if constant != nil {
		out = append(out, "Columns that never change: "+words.List(constant, 20)+".")
	}
	if learned := r.Model.Table(); r.Against == "" && learned.Rows > r.Model.Learned() {
		out = append(out, fmt.Sprintf("What is usual was learned from %d of %d rows, taken evenly; all rows were judged by it.", r.Model.Learned(), learned.Rows))
	}
	dated := slices.ContainsFunc(r.Table.Columns, func(c tolerant.Column) bool { return c.Kind == tolerant.Date })
	if !dated {
		out = append(out, "The file has no column of dates or times, so that gaps and the order of time were not looked at.")
	}
	if r.Model.Settings().Target == "" {
		out = append(out, "No column was named as the one to be predicted (`--target COLUMN`), so that labels were not held against the rest of their rows.")
	}
	out = append(out, "Whether values that agree with each other are true: a mistake that is usual, or made in every row, cannot be seen in the file alone.")
	return "- " + strings.Join(out, "\n- ")
}
