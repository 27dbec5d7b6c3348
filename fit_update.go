package inlier

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/memory"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/linalg"
)

// Updated is what a fit that takes new rows into a model tells beside the rest.
type Updated struct {
	Of         string  `json:"updated_model"` // the file of the model before
	RowsBefore int     `json:"rows_before"`   // that it was learned from
	NewRows    int     `json:"new_rows"`      // of the data
	LeftOut    int     `json:"left_out"`      // of these, as outliers
	Forget     float64 `json:"forget"`        // share of the old rows' say that is given up
}

// checkUpdate refuses what does not go with a model that is there.
func (f Fit) checkUpdate() error {
	switch {
	case f.Update == nil && f.Forget != 0:
		return about("forget", usage("--update names the model", "--forget goes with the update of a model"))
	case f.Update == nil:
		return nil
	case !(f.Forget >= 0 && f.Forget < 1):
		return about("forget", usage("of 0.1 the old rows count nine tenths, of 0 fully", "--forget %g is no share from 0 up to, but not including, 1", f.Forget))
	case len(f.Parameters) > 0:
		return about("parameters", usage("fit anew to choose others", "an update keeps the parameters of the model"))
	case f.Loss != "":
		return about("loss", usage("fit anew to choose another", "an update keeps the loss of the model"))
	case f.Weights != nil:
		return about("weights", usage("leave them out", "an update takes rows without weights"))
	case f.Checkpoint != "" || f.Share != nil:
		return about("checkpoint", usage("leave it out", "an update reads its rows once, so that there is nothing to go on from or to share"))
	}
	return nil
}

// update takes the rows into the model. Those of a table that does not fit into memory are taken part by part, each judged by the model
// as the parts before have left it; the old rows give up their share once.
func (f Fit) update(ctx context.Context, r *reporter) (*FitResult, error) {
	m, err := f.Update.Open()
	if err != nil {
		return nil, about("update", err)
	}
	if f.Method != "" && f.Method != m.About.Method {
		return nil, about("method", usage("leave the method out, it is the model's", "%s is a model of %s, not of %s", m.Name, m.About.Method, f.Method))
	}
	began, used := time.Now(), memory.Processor()
	t, err := m.table(ctx, f.Data, true, needs{Blocks: true}, r)
	if err != nil {
		return nil, err
	}
	defer t.close()
	result := &FitResult{ReadSeconds: time.Since(began).Seconds(), ReadProcessor: memory.Processor() - used, Threads: linalg.Threads(), Backend: linalg.Backend(), Data: t.name()}
	result.Updated = &Updated{Of: m.Name, RowsBefore: m.About.Rows, Forget: f.Forget}
	began, used = time.Now(), memory.Processor()
	now, forget := m.Model, f.Forget
	take := func(first int, part *dataset.Set) error {
		next, judged, err := catalog.Update(ctx, now, part, forget)
		if err != nil {
			return err
		}
		if next != now {
			now, forget = next, 0
		}
		result.Updated.NewRows += part.Rows()
		for i, out := range judged.Outlier {
			if out {
				result.OutlierRows = append(result.OutlierRows, first+i+1)
				if part.IDs != nil {
					result.OutlierIDs = append(result.OutlierIDs, part.IDs[i])
				}
			}
		}
		return ctx.Err()
	}
	if t.parts == nil {
		r.send(Event{Phase: "fit", Label: m.About.Method, Rows: t.set.Rows(), Columns: t.set.Dim()})
		err = take(0, t.set)
	} else {
		err = t.each(ctx, r, "fit", take)
		result.Memory, result.Reads = t.bound(), int(t.parts.scans.Load())
	}
	if err != nil {
		return nil, err
	}
	result.FitSeconds, result.FitProcessor, result.PeakMemory = time.Since(began).Seconds(), memory.Processor()-used, memory.Peak()
	result.describe(now.Describe())
	result.Outliers, result.Updated.LeftOut = len(result.OutlierRows), len(result.OutlierRows)
	result.fitted = Model{Value: now, Input: m.Input}
	if remark := result.Updated.remark(); remark != "" {
		result.Warnings = append(slices.Clip(result.Warnings), remark)
	}
	return result, nil
}

// remark says what the share of rows that were left out means.
func (u *Updated) remark() string {
	const many = 5 // a fifth of the rows: limits let one in forty of good ones go
	switch {
	case u.LeftOut == u.NewRows:
		return "every new row is an outlier to the model, so that none was taken in and the model is as it was; where what is measured has changed, fit again to rows of now"
	case u.LeftOut*many > u.NewRows:
		return fmt.Sprintf("%d of %s are outliers to the model and were left out; where that is more than were wrong, what is measured has changed: fit again to rows of now", u.LeftOut, words.Plural(u.NewRows, "new row"))
	}
	return ""
}

// Text tells it in a line.
func (u *Updated) Text() string {
	text := fmt.Sprintf("%d of %s taken into %s, learned from %s", u.NewRows-u.LeftOut, words.Plural(u.NewRows, "new row"), u.Of, words.Plural(u.RowsBefore, "row"))
	if u.Forget > 0 {
		text += fmt.Sprintf(", which count %g of what they did", 1-u.Forget)
	}
	return text
}

// MethodAndData parts the words behind a fit: the method, which the update of a model may leave out, and the files.
func MethodAndData(args []string, updates bool) (method string, paths []string, err error) {
	if len(args) == 0 || len(args) == 1 && !updates {
		what := "METHOD DATA"
		if updates {
			what = "DATA"
		}
		return "", nil, usage("inlier fit --help shows how", "inlier fit needs %s", what)
	}
	switch _, err = catalog.Lookup(args[0]); {
	case updates && (err != nil || len(args) == 1):
		return "", args, nil
	case err != nil:
		return "", nil, err
	}
	return args[0], args[1:], nil
}
