package inlier

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/model"
	"github.com/inlier-ml/inlier/report"
)

// FitResult is a fitted model and what is worth knowing of it.
type FitResult struct {
	Method      string             `json:"method"`
	Data        string             `json:"data"`
	Rows        int                `json:"rows"`
	Columns     int                `json:"columns"`
	Parameters  catalog.Parameters `json:"parameters"` // as used
	Loss        string             `json:"loss,omitempty"`
	Status      string             `json:"status"`
	Steps       int                `json:"steps"`
	Objective   report.Number      `json:"objective"`
	Effective   report.Number      `json:"effective_sample_size"`
	Outliers    int                `json:"outliers"`
	OutlierRows []int              `json:"outlier_rows,omitempty"` // by their numbers in the file, from 1
	OutlierIDs  []string           `json:"outlier_ids,omitempty"`  // their names, where rows have names
	Numbers     map[string]any     `json:"numbers,omitempty"`
	Warnings    []string           `json:"warnings,omitempty"`
	Seed        uint64             `json:"seed"`
	ReadSeconds float64            `json:"read_seconds"`
	FitSeconds  float64            `json:"fit_seconds"`
	// The same as processor time of all threads of the program, whatever else it does meanwhile; 0: the system does not tell.
	ReadProcessor float64 `json:"read_processor_seconds,omitempty"`
	FitProcessor  float64 `json:"fit_processor_seconds,omitempty"`
	PeakMemory    int64   `json:"peak_memory_bytes"`
	Backend       string  `json:"backend"`
	Threads       int     `json:"threads"`
	Memory        int64   `json:"memory_bound_bytes,omitempty"` // within which a table that does not fit was read in blocks
	Reads         int     `json:"reads,omitempty"`              // and how often
	Recalled      int     `json:"recalled_reads,omitempty"`     // readings that a checkpoint has spared
	// Single tells what was held in single precision; nil: nothing was.
	Single   *file.Held `json:"single,omitempty"`
	Model    string     `json:"model"` // the file it was saved to
	*Updated            // of a model that has taken new rows in; nil: a fit to the data alone

	fitted     Model
	checkpoint string
}

// Fitted is the model, ready to be used by other jobs.
func (r *FitResult) Fitted() Model { return r.fitted }

// Save writes the model to a file, whole or not at all.
func (r *FitResult) Save(path string) error {
	if err := r.fitted.Save(path); err != nil {
		return err
	}
	r.Model = path
	return r.Forget()
}

// Forget removes the checkpoint of the fit, if it has one, which Save does.
func (r *FitResult) Forget() error {
	if r.checkpoint == "" {
		return nil
	}
	if err := os.Remove(r.checkpoint); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Save writes the model to a file, whole or not at all.
func (m Model) Save(path string) error {
	opened, err := m.Open()
	if err != nil {
		return err
	}
	return model.SaveWith(path, opened.Model, opened.Input)
}

// Write writes the model as the bytes of a model file.
func (m Model) Write(w io.Writer) error {
	opened, err := m.Open()
	if err != nil {
		return err
	}
	return model.Write(w, opened.Model, opened.Input)
}

// judgedAgain says it where the model finds another number of outliers among its training rows than the fit did, which
// judges each of few rows by what the others say of it.
func (r *FitResult) judgedAgain(ctx context.Context, m catalog.Model, set *dataset.Set) {
	const few = 500 // in larger tables both are the same
	known, remembers := m.(catalog.Rememberer)
	d, judges := m.(catalog.Detector)
	if !remembers || !judges || set.Rows() > few || known.TrainingOutliers() == nil {
		return
	}
	if again, err := d.Outliers(ctx, set); err == nil && again.Count() != r.Outliers {
		r.Warnings = append(slices.Clip(r.Warnings), fmt.Sprintf("judged again by this model, %d of these rows %s outliers: a fit judges rows as if it had not learned from them", again.Count(), words.Are(again.Count())))
	}
}

func (r *FitResult) describe(d catalog.Description) {
	r.Method, r.Rows, r.Columns, r.Parameters, r.Loss = d.Method, d.Rows, d.Columns, d.Parameters, d.Loss
	r.Status, r.Steps, r.Objective, r.Effective = d.Status, d.Steps, report.Number(d.Objective), report.Number(d.Effective)
	r.Outliers, r.Numbers, r.Warnings, r.Seed = d.Outliers, finite(d.Numbers), d.Warnings, d.Seed
}

// finite makes figures fit for JSON.
func finite(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		switch v := v.(type) {
		case float64:
			out[k] = report.Number(v)
		case []float64:
			out[k] = report.Numbers(v)
		default:
			out[k] = v
		}
	}
	return out
}

// ModelPath is the usual name of the model file of data fitted by a method: sales.pca-robust.npz.
func ModelPath(data []string, method string) string {
	base := filepath.Base(filepath.Clean(data[0]))
	if len(data) > 1 || data[0] == "-" || strings.ContainsAny(base, "*?[") || base == "." || base == string(filepath.Separator) {
		return method + ".npz"
	}
	base = strings.TrimSuffix(base, ".gz")
	return strings.TrimSuffix(base, filepath.Ext(base)) + "." + method + ".npz"
}

// Judged is how many rows were judged: of an update the new ones, else all.
func (r *FitResult) Judged() int {
	if r.Updated != nil {
		return r.NewRows
	}
	return r.Rows
}

// Settings are the parameters as used, in one line.
func (r *FitResult) Settings() string {
	var used []string
	for _, name := range slices.Sorted(maps.Keys(r.Parameters)) {
		used = append(used, name+"="+r.Parameters[name])
	}
	return strings.Join(used, " ")
}
