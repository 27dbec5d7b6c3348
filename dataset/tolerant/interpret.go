package tolerant

import (
	"context"
	"strconv"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/suggest"
	"github.com/inlier-ml/inlier/internal/words"
)

// mostKept are the decimals up to which numbers of an array were rounded to them, and not computed.
const mostKept = 6

// interpret finds out what the columns are and reads their cells: a look at a sample, one pass over
// all cells, and another over columns where all cells tell otherwise than the sample.
func (t *Table) interpret(ctx context.Context, o *Options, done func(rows int)) error {
	forced, err := t.forced(o)
	if err != nil {
		return err
	}
	m := newMissing(o)
	surveys := make([]*survey, len(t.Columns))
	for j := range surveys {
		surveys[j] = newSurvey()
	}
	err = t.sample(ctx, func(_ int, fields [][]byte) {
		for j, s := range surveys {
			if j < len(fields) {
				s.add(fields[j], m)
			} else {
				s.absent++
			}
		}
	})
	if err != nil {
		return err
	}
	own := make([]*Options, len(t.Columns)) // with the order of a column's dates where that is told
	for j, kind := range forced {
		if own[j] = o; kind > Ignored {
			with := *o
			with.DateOrder, forced[j], own[j] = kind.String(), Date, &with
		}
	}
	here := localeOf(surveys)
	here.like(o.Like)
	readings := make([]reading, len(t.Columns))
	var all []int
	for j := range t.Columns {
		if kind := t.Columns[j].Kind; kind != Empty && (forced[j] == Empty || forced[j] == kind) { // known already
			readings[j].kind = kind
			if d, n := most(surveys[j].decimals); n >= surveys[j].eitherPoints && d <= mostKept { // of 1.234, which no thousands are
				t.Columns[j].Decimals = d
			} else if n < surveys[j].eitherPoints {
				t.Columns[j].Decimals = 3
			}
			continue
		}
		if c := &t.Columns[j]; c.Kind != Empty { // numbers of an array that are to be something else: 20240831
			spill.Free(c.Values)
			*c = Column{Name: c.Name, Given: c.Given}
		}
		readings[j] = decide(&t.Columns[j], surveys[j], here, own[j], forced[j])
		all = append(all, j)
	}
	read, err := t.fill(ctx, readings, all, done)
	if err != nil {
		return err
	}
	tallies := make([]tally, len(t.Columns))
	for j := range t.Columns {
		tallies[j].missing = t.Columns[j].Missing
	}
	for k, j := range all {
		tallies[j] = read[k]
	}
	var again []int
	for _, j := range all {
		if t.reconsider(&t.Columns[j], surveys[j], &readings[j], &tallies[j], here, own[j], forced[j]) {
			again = append(again, j)
		}
	}
	if len(again) > 0 {
		second, err := t.fill(ctx, readings, again, nil)
		if err != nil {
			return err
		}
		for k, j := range again {
			tallies[j] = second[k]
		}
	}
	t.readings = readings
	inParallel(len(t.Columns), func(j int) {
		if ctx.Err() == nil {
			t.finish(j, surveys[j], &readings[j], &tallies[j], o, forced[j])
		}
	})
	return ctx.Err()
}

// reconsider changes the reading where all cells tell otherwise than a sample of them.
func (t *Table) reconsider(c *Column, s *survey, r *reading, all *tally, here locale, o *Options, forced Kind) bool {
	present := t.Rows - all.missing
	if r.kind == Date && o.DateOrder == "" && r.order != yearFirst && all.dayFirst != all.monthFirst && (all.dayFirst > all.monthFirst) != (r.order == dayFirst) {
		s.dayFirst, s.monthFirst = all.dayFirst, all.monthFirst
		c.Remarks = nil
		s.decideDate(c, r, here, o)
		return true
	}
	if forced != Empty || 2*len(all.misfits) <= present {
		return false
	}
	*r = reading{kind: Text, missing: r.missing}
	*c = Column{Name: c.Name, Given: c.Given, Values: c.Values}
	return true
}

// forced are the kinds that the user has named, or that an earlier table had.
func (t *Table) forced(o *Options) ([]Kind, error) {
	forced := make([]Kind, len(t.Columns))
	for j := range t.Columns {
		forced[j] = o.Usual[t.Columns[j].Name]
	}
	for name, kind := range o.As {
		j, err := t.find(name)
		if err != nil {
			return nil, dataset.In("as", err)
		}
		forced[j] = kind
	}
	return forced, nil
}

// find is the column of that name, or of that number from 1.
func (t *Table) find(name string) (int, error) {
	for j := range t.Columns {
		if t.Columns[j].Name == name {
			return j, nil
		}
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(t.Columns) {
		return n - 1, nil
	}
	names := make([]string, len(t.Columns))
	for j := range t.Columns {
		names[j] = t.Columns[j].Name
	}
	e := dataset.Problem(t.name(), "there is no column %q; the file has %s", name, words.Names(names))
	if near := suggest.Nearest(name, names); near != "" {
		e.WithHint("did you mean %q?", near)
	}
	return 0, e
}

// name is the file, or the first of several.
func (t *Table) name() string {
	if len(t.Names) == 0 {
		return ""
	}
	return t.Names[0]
}
