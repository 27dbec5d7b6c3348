package inlier

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

// sentence is the verdict.
func (r *CheckResult) sentence() string {
	if r.Rows == 0 {
		return "There are no rows to judge."
	}
	if len(r.WrongRows) == 0 {
		return r.nothingWrong()
	}
	parts := map[check.Part]int{}
	for _, row := range r.WrongRows {
		parts[r.Found.Part[row-1]]++
	}
	kinds := make([]string, 0, len(parts))
	for part, n := range parts {
		if part != 0 {
			kinds = append(kinds, fmt.Sprintf("%s %d", part, n))
		}
	}
	slices.Sort(kinds)
	are := "look"
	if len(r.WrongRows) == 1 {
		are = "looks"
	}
	text := fmt.Sprintf("%d of %s %s wrong (%s %%", len(r.WrongRows), words.Plural(r.Rows, "row"), are, words.Percent(float64(r.WrongShare)))
	if len(kinds) > 0 {
		text += ": " + strings.Join(kinds, ", ")
	}
	text += ")"
	if unread := r.unread(); unread > 0 {
		text += fmt.Sprintf(", and %s more could not be read", words.Plural(unread, "cell"))
	}
	if r.tooFew() {
		text += fmt.Sprintf("; %s are too few to judge the rest", words.Plural(r.Rows, "row"))
	}
	return text + "."
}

// unsettled tells of a law that so many rows break that none is called wrong for it.
func (r *CheckResult) unsettled() string {
	const many = 0.05 // of the rows
	text, most := "", many*float64(r.Rows)
	for _, law := range r.Found.Relations {
		broken := 0
		for _, row := range law.Broken {
			if !r.Found.Wrong[row] {
				broken++
			}
		}
		if float64(broken) > most && !law.Implied {
			text, most = fmt.Sprintf(" Less sure: %s, but %s break it.", law.Text, words.Plural(broken, "row")), float64(broken)
		}
	}
	return text
}

// unread is the number of cells that could not be read and stand in rows that are not called wrong.
func (r *CheckResult) unread() (count int) {
	for c := range r.Table.Columns {
		for _, row := range r.Table.Columns[c].Misfits {
			if !r.Found.Wrong[row] {
				count++
			}
		}
	}
	return count
}

// tooFew says that nothing is known but the few rows themselves.
func (r *CheckResult) tooFew() bool { return r.Against == "" && r.Rows < fewRows }

// fewRows is a number of rows below which one of them can hardly stand out from the others.
const fewRows = 8

// nothingWrong is the verdict where no row is wrong; it does not call right what could not be judged.
func (r *CheckResult) nothingWrong() string {
	rows := words.Plural(r.Rows, "row")
	judged := slices.ContainsFunc(r.Table.Columns, func(c tolerant.Column) bool {
		return c.Values != nil && c.Missing+len(c.Misfits) < r.Rows
	})
	switch {
	case !judged:
		return fmt.Sprintf("Nothing could be judged in %s: no column holds numbers, dates or categories.", rows)
	case r.Against == "" && r.Rows == 1:
		return "Nothing could be judged: there is only 1 row, and no other to hold it against."
	}
	switch unread := r.unread(); {
	case unread > 0 && r.tooFew():
		return fmt.Sprintf("%s could not be read; %s are too few to judge the rest.", words.Plural(unread, "cell"), rows)
	case unread > 0:
		return fmt.Sprintf("%s could not be read; nothing else looks wrong in %s.", words.Plural(unread, "cell"), rows)
	case r.tooFew():
		return fmt.Sprintf("Too few rows to judge: %s, every cell of which could be read.", rows)
	}
	if r.lacking != nil {
		rows += fmt.Sprintf(", judged without %s, which %s not there", words.Names(r.lacking), words.Are(len(r.lacking)))
	}
	return fmt.Sprintf("Nothing looks wrong in %s.", rows)
}

// changed are the columns that differ from what was learned.
func (r *CheckResult) changed() []CheckedDrift {
	var out []CheckedDrift
	for _, d := range r.drift {
		c := &r.Table.Columns[d.Column]
		var why []string
		if d.P*float64(len(r.drift)) < 0.01 && d.Distance > 0.1 {
			before, now := written(c, d.Before), written(c, d.Now)
			if c.Kind == tolerant.Category || c.Kind == tolerant.Boolean {
				why = append(why, fmt.Sprintf("%.0f %% of the rows have moved between words", 100*d.Distance))
			} else if before == now {
				why = append(why, fmt.Sprintf("the middle is %s as it was, but the values are spread otherwise", now))
			} else {
				why = append(why, fmt.Sprintf("the middle was %s and is %s", before, now))
			}
		}
		both := (d.MissingBefore + d.MissingNow) / 2
		if more := d.MissingNow - d.MissingBefore; more > max(0.05, 3*math.Sqrt(both*(1-both)*(1/float64(max(1, r.Model.Learned()))+1/float64(max(1, r.Rows))))) || more == 1 {
			why = append(why, fmt.Sprintf("%s %% are missing, %s %% were", words.Percent(d.MissingNow), words.Percent(d.MissingBefore)))
		}
		if len(d.New) > 0 {
			why = append(why, "new words: "+words.List(d.New, 3))
		}
		if why != nil {
			out = append(out, CheckedDrift{c.Name, report.Number(d.Distance), report.Number(d.P), strings.Join(why, "; ")})
		}
	}
	return out
}
