package inlier

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/memory"
	"github.com/inlier-ml/inlier/judge"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/model"
)

// Fit is the job of fitting a method to data.
type Fit struct {
	Method     string             `json:"method"` // as the catalog names it; empty: the default
	Data       Data               `json:"data"`
	Parameters catalog.Parameters `json:"parameters,omitempty"` // those that are not the defaults
	Loss       string             `json:"loss,omitempty"`       // of methods that take one, such as huber:c=1.345
	Seed       uint64             `json:"seed,omitempty"`
	Weights    []float64          `json:"weights,omitempty"` // of the rows of a table in memory; nil: one each
	// Checkpoint is a file that keeps what each reading of a table has found that is fitted in blocks. Where it is there and
	// belongs to the same request, data and program, the fit goes on from it, to the same model. Saving the model removes it.
	Checkpoint string `json:"checkpoint,omitempty"`
	// Share has the readings of a table that is fitted in blocks made by others; nil: they are made here.
	Share *Share `json:"-"`

	// Update is a model that takes the rows of the data into itself, all but those that are outliers to it, in place of a fit to
	// them alone; nil: none. Method is then the model's, or left out. Forget, below 1, is the share of the old rows' say that is given up.
	Update *Model  `json:"update,omitempty"`
	Forget float64 `json:"forget,omitempty"`

	others others // of a helper that does a part of it
}

// Check refuses a method, parameter or loss that there is not, before data are read.
func (f Fit) Check() error {
	if err := f.checkUpdate(); err != nil || f.Update != nil {
		return err
	}
	_, err := f.prepare()
	return err
}

// Run reads the data and fits. A cancelled context is an error, also when there is a
// state that could have been kept.
func (f Fit) Run(ctx context.Context, o Observer) (*FitResult, error) {
	ctx = given.AllOrNothing(ctx)
	r := newReporter("fit", o)
	if err := f.checkUpdate(); err != nil {
		return nil, err
	}
	if f.Update != nil {
		return f.update(ctx, r)
	}
	job, err := f.prepare()
	if err != nil {
		return nil, err
	}
	kept, err := f.resume(ctx)
	if err != nil {
		return nil, err
	}
	defer kept.close()
	if f.Share != nil {
		if err := f.shareable(ctx); err != nil {
			return nil, err
		}
	}
	if kept != nil {
		f.Data.bound, f.Data.rows = kept.own.Bound, kept.own.Rows
	}
	began, used := time.Now(), memory.Processor()
	var written []model.Written
	var rest []int
	f.Data.wrote, f.Data.rest = &written, &rest
	set, parts, err := f.Data.table(ctx, job.needs(), r)
	if err != nil {
		return nil, err
	}
	result := &FitResult{ReadSeconds: time.Since(began).Seconds(), ReadProcessor: memory.Processor() - used, Threads: linalg.Threads(), Backend: linalg.Backend()}
	if parts != nil {
		if parts.kept = kept; kept != nil {
			result.checkpoint = f.Checkpoint
		}
		parts.others = f.others
		err = f.learnBlocks(ctx, job, parts, r, result)
	} else if err = f.learn(ctx, job, set.Source(), r, result); err == nil {
		result.judgedAgain(ctx, result.fitted.Value, set)
		result.fitted.Input = model.Input{Unnamed: set.Unnamed, Coder: set.Coder, Written: written}
		for _, row := range result.OutlierRows {
			if set.IDs != nil {
				result.OutlierIDs = append(result.OutlierIDs, set.IDs[row-1])
			}
		}
	}
	if err != nil {
		return nil, err
	}
	result.place(rest)
	return result, nil
}

// place has the rows that a result names be those of the file.
func (r *FitResult) place(rest []int) {
	r.OutlierRows = inFile(r.OutlierRows, rest)
	for name, v := range r.Numbers {
		if rows, ok := v.([]int); ok && strings.HasSuffix(name, "_rows") {
			r.Numbers[name] = inFile(rows, rest)
		}
	}
}

// inFile are the numbers in the file of rows, from 1, of a table that has kept these rows of it, from 0; nil: all.
func inFile(rows, rest []int) []int {
	if rest == nil || rows == nil {
		return rows
	}
	numbers := make([]int, len(rows))
	for k, row := range rows {
		numbers[k] = rest[row-1] + 1
	}
	return numbers
}

// learnBlocks is learn for a file that does not fit into memory.
func (f Fit) learnBlocks(ctx context.Context, job *fitJob, parts *blockwise, r *reporter, result *FitResult) error {
	defer parts.Close()
	if p := parts.kept; p != nil {
		if err := p.begin(parts); err != nil {
			return err
		}
		defer func() { result.Recalled = p.file.Passes() }()
	}
	var shared *sharing
	if f.Share != nil {
		var err error
		if shared, err = f.Share.begin(ctx, f, parts); err != nil {
			return err
		}
		parts.others = shared
	}
	err := f.learn(ctx, job, parts, r, result)
	if err == nil {
		result.OutlierIDs, err = parts.names(ctx, result.OutlierRows)
	}
	if err == nil && shared != nil {
		err = shared.end()
	}
	result.fitted.Input = model.Input{Unnamed: parts.Unnamed(), Coder: parts.Coder()}
	result.Memory, result.Reads = parts.bound, int(parts.scans.Load())
	if parts.held != nil {
		result.Memory, result.Single = f.Data.Memory, parts.held
	} else if f.Data.Precision == single {
		result.Warnings = append(result.Warnings, "in single precision the table does not fit either, or has coded columns: it was read in blocks, as it is")
	}
	result.Warnings = append(result.Warnings, parts.exceeded(result.PeakMemory)...)
	return f.Data.hintTolerant(ctx, hintMissing(tooLarge(err, job, parts.bound, parts.held != nil), job.method))
}

// learn fits to the rows of a source and judges them.
func (f Fit) learn(ctx context.Context, job *fitJob, src dataset.Source, r *reporter, result *FitResult) error {
	if err := job.refuseLonelyClass(ctx, src); err != nil {
		return err
	}
	began, used := time.Now(), memory.Processor()
	rows, columns := src.Dims()
	m, err := job.run(ctx, src, catalog.Run{Seed: f.Seed, Weights: f.Weights}, r, Event{Phase: "fit", Label: job.method.Name, Rows: rows, Columns: columns})
	if err != nil {
		return err
	}
	result.Data = src.Name()
	result.FitSeconds, result.FitProcessor, result.PeakMemory = time.Since(began).Seconds(), memory.Processor()-used, memory.Peak()
	result.describe(m.Describe())
	r.phase("judge")
	if result.OutlierRows, err = judge.TrainingOutliers(ctx, m, src); err != nil {
		return err
	}
	if result.OutlierRows != nil { // the list is the verdict, where small tables are judged by fits without each row
		result.Outliers = len(result.OutlierRows)
	}
	result.fitted.Value = m
	return nil
}

// fitJob is a method with checked parameters.
type fitJob struct {
	method *catalog.Method
	values catalog.Values
	fitter catalog.Fitter
}

// needs are what the fit asks of the data.
func (j *fitJob) needs() needs {
	n := needs{Missing: j.values.Is("missing", "fit"), Varied: true, Method: j.method, Blocks: true, Beside: j.method.Beside && j.values.Is("reduce", "none") && !j.values.Is("kernel", "rbf")}
	if _, has := j.method.Param("hidden"); has {
		const most = 500 // nodes that a machine has by itself
		n.Kept = 8 * int64(cmp.Or(j.values.Int("hidden"), most))
	}
	return n
}

// prepare checks method, parameters and loss.
func (f Fit) prepare() (*fitJob, error) {
	name := f.Method
	if name == "" {
		name = catalog.Default()
	}
	m, err := catalog.Lookup(name)
	if err != nil {
		return nil, err
	}
	params, err := withLoss(f.Parameters, f.Loss)
	if err != nil {
		return nil, err
	}
	v, err := m.Check(params)
	if err != nil {
		return nil, err
	}
	made, err := m.Build(v)
	if err != nil {
		return nil, err
	}
	return &fitJob{method: m, values: v, fitter: made}, nil
}

// withLoss adds a loss to parameters.
func withLoss(given map[string]string, text string) (map[string]string, error) {
	params := map[string]string{}
	for name, value := range given {
		params[name] = value
	}
	if text == "" {
		return params, nil
	}
	if _, twice := params["loss"]; twice {
		return nil, usage("give it once", "the loss is given by --loss and by --set")
	}
	if _, err := loss.Parse(text); err != nil {
		return nil, about("loss", badInput(err, "inlier losses lists the losses"))
	}
	params["loss"] = text
	return params, nil
}

// run fits; one that was cancelled is an error here.
func (j *fitJob) run(ctx context.Context, src dataset.Source, how catalog.Run, r *reporter, e Event) (catalog.Model, error) {
	r.send(e)
	how.OnStep = r.steps(e, j.values.Int("max-steps"), j.values.Float("tol"))
	m, err := j.fitter.Fit(ctx, src, how)
	if err == nil {
		err = ctx.Err()
	}
	return m, err
}

// refuseLonelyClass refuses to learn classes from a target most of whose rows have a class for themselves: names or
// measurements. Of fewer such classes, which may be typing errors, the model's remarks tell.
func (j *fitJob) refuseLonelyClass(ctx context.Context, src dataset.Source) error {
	if !slices.Contains(j.method.Tasks, catalog.Classify) || j.values.Is("task", string(catalog.Regress)) {
		return nil
	}
	var t *dataset.Target
	var count []int
	var err error
	if b, ok := src.(*blockwise); ok && j.method.Beside {
		_, t, count, err = b.BesideClasses(ctx)
	} else if t, err = src.Target(ctx); t != nil {
		count = make([]int, len(t.Classes))
		for _, k := range t.Labels {
			if k >= 0 {
				count[k]++
			}
		}
	}
	if err != nil || t == nil {
		return err
	}
	alone, rows := 0, 0
	for _, c := range count {
		if rows += c; c == 1 {
			alone++
		}
	}
	if 2*alone > rows {
		return usage("--target names another column, or --task regression learns numbers", "%s: %d of %d rows are the only one of their class in target %q", src.Name(), alone, rows, t.Name)
	}
	return nil
}
