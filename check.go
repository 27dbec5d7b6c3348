package inlier

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"time"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

// Check is the job of finding what is wrong in a table: which rows and cells, why, and what would
// have been expected. Files are read tolerantly, and nothing need be said about them.
type Check struct {
	Paths  []string        `json:"paths,omitempty"` // files and globs, stacked; "-" is the Reader
	FS     fs.FS           `json:"-"`               // where the paths lead; nil: the machine's own files
	Reader io.Reader       `json:"-"`
	Table  *tolerant.Table `json:"-"` // a table in memory; nothing is read then

	Learned *check.Model `json:"-"` // of an earlier check, instead of the file Against, which only names it then

	Target    string  `json:"target,omitempty"`     // column whose labels or values are held against the rest of their rows
	ID        string  `json:"id,omitempty"`         // column that names the rows
	Against   string  `json:"against,omitempty"`    // file of an earlier check's model: its rows say what is right
	Expect    float64 `json:"expect,omitempty"`     // share of wrong rows where it is known; 0: found out
	FailAbove float64 `json:"fail_above,omitempty"` // the result has failed when a larger share of rows is wrong; negative: any; 0: never
	Repair    bool    `json:"repair,omitempty"`     // say what the file would be with wrong cells set right
	Seed      uint64  `json:"seed,omitempty"`
	Memory    int64   `json:"memory,omitempty"` // bytes of memory to stay within: a larger table is kept in temporary files; 0: what the machine has free
	// Choices say what a repair does, in place of setting every wrong cell right; nil: there are none.
	Choices []Choice `json:"choices,omitempty"`

	Reading
}

// Reading says how a table is to be read where it should not be found out.
type Reading struct {
	As          map[string]string `json:"as,omitempty"` // what columns are: number, date, dmy, mdy, ymd, boolean, category, id, text, ignored
	Missing     []string          `json:"missing,omitempty"`
	Sentinels   []float64         `json:"sentinels,omitempty"`
	NoSentinels bool              `json:"no_sentinels,omitempty"`
	Header      string            `json:"header,omitempty"`
	Delimiter   string            `json:"delimiter,omitempty"`
	Decimal     string            `json:"decimal,omitempty"`
	DateOrder   string            `json:"date_order,omitempty"`
	Encoding    string            `json:"encoding,omitempty"`
	Sheet       string            `json:"sheet,omitempty"`
	Limit       int               `json:"limit,omitempty"`
	Trust       bool              `json:"trust,omitempty"`
}

// Check refuses what cannot be asked for, before anything is read.
func (c Check) Check() error {
	switch {
	case c.Table == nil && c.Reader == nil && len(c.Paths) == 0:
		return about("paths", usage("name a file", "there is nothing to check"))
	case c.Expect < 0 || c.Expect >= 1 || math.IsNaN(c.Expect):
		return usage("it is a share of the rows, such as 0.05", "--expect %g is not allowed", c.Expect)
	case c.FailAbove >= 1 || math.IsNaN(c.FailAbove):
		return usage("it is a share of the rows, such as 0.02", "--fail-above %g is not allowed", c.FailAbove)
	}
	for _, kind := range c.As {
		if _, err := tolerant.ParseKind(kind); err != nil {
			return err
		}
	}
	return nil
}

// Run reads the table, learns what is usual in it, or takes what was learned before, and judges every row.
func (c Check) Run(ctx context.Context, o Observer) (_ *CheckResult, err error) {
	ctx = given.AllOrNothing(ctx)
	if err := c.Check(); err != nil {
		return nil, err
	}
	r := newReporter("check", o)
	loading := time.Now()
	model := c.Learned
	if model != nil && c.Against == "" {
		c.Against = "of an earlier check"
	}
	if c.Against != "" {
		var err error
		if model == nil {
			if model, err = check.Load(ctx, c.Against); err != nil {
				return nil, about("against", noCheckModel(err))
			}
		}
		if name := model.Settings().Target; c.Target != "" && c.Target != name {
			return nil, usage("learn a model with that target first", "--target %s: the model %s was learned without it", c.Target, c.Against)
		}
	}
	began := time.Now()
	loaded := began.Sub(loading)
	table, bound, err := c.read(ctx, r, model)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil && c.Table == nil {
			table.Room().Close()
		}
	}()
	defer spill.Caught(&err)
	r.send(Event{Phase: "read", Done: 1, Total: 1, Rows: table.Rows, Columns: len(table.Columns), Beside: table.Bytes(), Blocks: bound > 0})
	result := &CheckResult{Memory: bound, Rows: table.Rows, Remarks: table.Remarks, Table: table, Against: c.Against, Model: model, ReadSeconds: report.Number(time.Since(began).Seconds()), repaired: c.Repair}
	if err := c.names(table); err != nil {
		return nil, err
	}
	began = time.Now()
	if err := c.judge(ctx, result, r); err != nil {
		return nil, err
	}
	if c.Limit == 0 && table.Rows == 0 {
		result.Remarks = append(result.Remarks, tolerant.Remark{Text: "There are no rows, so nothing was judged."})
	}
	result.complete(c)
	if err := result.choose(c.Choices); err != nil {
		return nil, err
	}
	result.exceeded()
	result.CheckSeconds = report.Number((loaded + time.Since(began)).Seconds())
	return result, nil
}

// learningShare is the part of a check that learning takes; judging takes the rest.
const learningShare = 0.25

// judge fills in what the check found.
func (c Check) judge(ctx context.Context, result *CheckResult, r *reporter) (err error) {
	settings := check.Settings{Target: c.Target, ID: c.ID, Expect: c.Expect, Seed: c.Seed}
	observe := func(phase string, part float64) {
		whole := learningShare * part
		if phase == "judge" {
			whole = learningShare + (1-learningShare)*part
		}
		r.send(Event{Phase: "check", Label: phase, Part: whole, Total: 1})
	}
	if c.Against == "" {
		if len(c.Sentinels) == 0 { // what the user calls missing is
			if result.Table, err = check.BornOut(ctx, result.Table, c.Seed); err != nil {
				return err
			}
		}
		result.Table = check.AroundCircles(check.AcrossMidnight(result.Table, nil), nil)
		if result.Model, err = check.Learn(ctx, result.Table, settings, observe); err != nil {
			return err
		}
	} else if err = c.align(result); err != nil {
		return err
	}
	result.untargeted(c.Target)
	if result.Found, err = result.Model.JudgeObserved(ctx, result.Table, observe); err != nil {
		return err
	}
	if c.Against != "" {
		result.drift = result.Model.Drift(result.Table)
	}
	return nil
}

// untargeted tells of a target that says too little to be judged.
func (r *CheckResult) untargeted(target string) {
	for k := range r.Table.Columns {
		c := &r.Table.Columns[k]
		if c.Name != target || target == "" {
			continue
		}
		learned := *c
		known := r.Table.Rows - c.Missing - len(c.Misfits)
		if r.Against != "" { // labels of a batch are held against the rows that were learned
			learned = r.Model.Table().Columns[k]
			known = r.Model.Table().Rows - learned.Missing
		}
		switch {
		case c.Values == nil:
			r.Remarks = append(r.Remarks, tolerant.Remark{Text: fmt.Sprintf("The target %s was taken for %s, which is not judged.", words.Clip(target), c.Kind),
				Way: fmt.Sprintf("--as %q makes its cells labels.", target+"=category")})
		case known < check.FewestTargets || learned.Constant():
			r.Remarks = append(r.Remarks, tolerant.Remark{Text: fmt.Sprintf("The target %s has too few values to be judged.", words.Clip(target))})
		}
	}
}

// align brings the table into the columns that the model knows.
func (c Check) align(result *CheckResult) error {
	aligned, lacking, unknown := result.Model.Align(result.Table)
	if aligned == nil {
		return usage("the columns have the names of the file that the model was learned from", "%s: column %q of the model %s is not there", words.List(result.Table.Names, 1), lacking[0], c.Against)
	}
	result.Table, result.whole = check.AroundCircles(check.AcrossMidnight(aligned, result.Model.Table()), result.Model.Table()), result.Table
	result.Model = result.Model.Expecting(c.Expect)
	if result.lacking = lacking; lacking != nil {
		result.Remarks = append(result.Remarks, tolerant.Remark{Text: fmt.Sprintf("%s of the model %s not there: judged without.", words.And(lacking), words.Are(len(lacking)))})
	}
	if unknown != nil {
		result.Remarks = append(result.Remarks, tolerant.Remark{Text: fmt.Sprintf("The model does not know %s: not judged.", words.And(unknown))})
	}
	return nil
}

// read opens the files, or takes the table that is there. A batch is read as the table that a model was learned from.
func (c Check) read(ctx context.Context, r *reporter, model *check.Model) (t *tolerant.Table, bound int64, err error) {
	if c.Table != nil {
		return c.Table, 0, nil
	}
	r.phase("read")
	o := tolerant.Options{Missing: c.Missing, Sentinels: c.Sentinels, NoSentinels: c.NoSentinels, Header: c.Header, Delimiter: c.Delimiter, Decimal: c.Decimal,
		DateOrder: c.DateOrder, Encoding: c.Encoding, Sheet: c.Sheet, Limit: c.Limit, Trust: c.Trust, FS: c.FS, Input: c.Reader, As: map[string]tolerant.Kind{}}
	if model != nil {
		o.Usual, o.Like, o.Names = model.Kinds(), model.Table().Columns, columnNames(model.Table())
	}
	for name, kind := range c.As {
		o.As[name], _ = tolerant.ParseKind(kind)
	}
	o.Progress = func(done, total int64) {
		r.send(Event{Phase: "reading", Done: int(done >> 10), Total: int(total>>10) + 1})
	}
	paths := c.Paths
	if len(paths) == 0 {
		paths = []string{"-"}
	}
	if o.Room, bound, err = c.room(ctx, paths, o); err != nil {
		return nil, 0, err
	}
	defer func() {
		if err != nil {
			o.Room.Close()
		}
	}()
	defer spill.Caught(&err)
	t, err = tolerant.Open(ctx, paths, o)
	return t, bound, Data{Paths: paths}.unread(err)
}

// ReadOnly reads the table as the check reads it, and does no more; its Room is to be closed.
func (c Check) ReadOnly(ctx context.Context) (t *tolerant.Table, err error) {
	ctx = given.AllOrNothing(ctx)
	model := c.Learned
	if model == nil && c.Against != "" { // which knows the names of the columns, where they look like a row
		if model, err = check.Load(ctx, c.Against); err != nil {
			return nil, about("against", noCheckModel(err))
		}
	}
	t, _, err = c.read(ctx, newReporter("check", nil), model)
	return t, err
}

// WriteRows writes some of the rows, by number from 1, as they stand in the file.
func (c Check) WriteRows(ctx context.Context, w io.Writer, rows []int) error {
	t, err := c.ReadOnly(ctx)
	if err != nil {
		return err
	}
	defer t.Room().Close()
	others := map[int]bool{}
	for i := range t.Rows {
		others[i] = true
	}
	for _, row := range rows {
		delete(others, row-1)
	}
	return t.Rewrite(w, nil, others)
}

// names refuses columns that are not there, and calls those that are given by number by their names.
func (c *Check) names(t *tolerant.Table) error {
	for _, field := range []struct {
		name  string
		given *string
	}{{"target", &c.Target}, {"id", &c.ID}} {
		if err := missingColumn(t, field.name, *field.given); err != nil {
			return err
		}
		if j := columnNamed(t, *field.given); j >= 0 {
			*field.given = t.Columns[j].Name
		}
	}
	return nil
}

// noCheckModel says which files can be checked against, where one is something else.
func noCheckModel(err error) error {
	var file *archive.FileError
	if !errors.As(err, &file) || file.Hint == "" {
		return err
	}
	said := *file
	said.Hint = "what can be checked against is the model.npz in the folder of an earlier check"
	return &said
}
