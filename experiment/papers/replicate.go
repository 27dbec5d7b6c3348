package papers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/internal/atomicfile"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/version"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/linalg"
)

// Replicate is the job of computing the papers' tables and figures again: it runs what is
// not recorded yet and writes a folder with pages, verdicts and records.
type Replicate struct {
	IDs     []string `json:"ids,omitempty"`     // experiments, or papers for all of theirs
	All     bool     `json:"all,omitempty"`     // every experiment
	Full    bool     `json:"full,omitempty"`    // as many repeats as the papers
	Repeats int      `json:"repeats,omitempty"` // 0: as the form says
	Data    string   `json:"data,omitempty"`    // folder of data sets
	Out     string   `json:"out"`               // folder for pages and records
	Fresh   bool     `json:"fresh,omitempty"`   // run again what is already recorded; old records stay until the new ones are complete
	Pages   bool     `json:"pages,omitempty"`   // write the pages again from the records, without running anything
	Faces   bool     `json:"faces,omitempty"`   // show the faces of the data folder on the pages: not for publication
	Guide   string   `json:"guide,omitempty"`   // write the guide to methods and losses to this file
	Seed    uint64   `json:"seed,omitempty"`
}

// ReplicateResult is what the experiments came to.
type ReplicateResult struct {
	Lines []experiment.Line `json:"experiments"`
	Form  string            `json:"form"` // how many repeats: full, quick
	Out   string            `json:"out"`
}

// Check refuses experiments that there are not.
func (r Replicate) Check() error { _, err := r.specs(); return err }

// Run runs the experiments one after another and writes the folder. Finished experiments
// are told as events of the phase "note"; when it is cancelled, the phase "kept" names the
// file with the runs that are finished.
func (r Replicate) Run(ctx context.Context, o inlier.Observer) (*ReplicateResult, error) {
	ctx = given.Context(ctx)
	if o == nil {
		o = func(inlier.Event) {}
	}
	specs, err := r.specs()
	if err != nil {
		return nil, err
	}
	if r.Guide != "" {
		if err := atomicfile.Check(r.Guide); err != nil {
			return nil, usage("guide", "give --guide a file that can be written", "--guide %v", err)
		}
		if _, err := os.Stat(WordsOf(r.Guide)); err != nil {
			return nil, usage("guide", "docs/choosing.md.tmpl of the repository has the words of the guide", "--guide needs its words beside it: %v", err)
		}
	}
	env := &experiment.Env{Dir: r.Data, Full: r.Full, Faces: r.Faces}
	site := &experiment.Site{Dir: r.Out, Env: env, Origin: experiment.Origin{Machine: machine(), Version: version.String(), Seed: r.Seed}}
	if r.Pages { // the records were made where the folder says
		if made, ok := experiment.ReadOrigin(r.Out); ok {
			site.Origin = made
		}
	}
	if err := os.MkdirAll(filepath.Join(r.Out, "records"), 0o777); err != nil {
		return nil, usage("out", "give --out a folder that can be made", "--out %s: %v", r.Out, err)
	}
	if !r.Pages {
		if err := r.run(ctx, specs, site, o); err != nil {
			return nil, r.explain(err)
		}
	}
	lines, err := site.Write(ctx, specs)
	if err != nil {
		return nil, r.explain(err)
	}
	if r.Guide != "" {
		if err := WriteGuide(r.Guide, site); err != nil {
			return nil, err
		}
	}
	return &ReplicateResult{Out: r.Out, Form: r.form(), Lines: lines}, nil
}

// explain tells the way out of what can go wrong with the records.
func (r Replicate) explain(err error) error {
	var damaged *experiment.RecordError
	var busy *experiment.BusyError
	var size *experiment.SizeError
	switch {
	case errors.As(err, &damaged):
		return usage("out", "--fresh runs the experiment again; or give another folder with --out", "%v", err)
	case errors.As(err, &busy):
		return usage("out", "wait for it, or give another folder with --out", "%v", busy)
	case errors.As(err, &size):
		return usage("repeats", "use fewer", "--repeats %d would make more than %d runs", size.Repeats, size.Runs)
	}
	return err
}

// run runs what is not recorded yet.
func (r Replicate) run(ctx context.Context, specs []*experiment.Spec, site *experiment.Site, o inlier.Observer) error {
	for k, spec := range specs {
		began := time.Now()
		path := site.RecordsPath(spec.ID)
		records, err := experiment.Run(ctx, spec, experiment.Settings{
			Env: site.Env, Seed: r.Seed, Repeats: r.Repeats, Workers: linalg.Threads(), Journal: path, Fresh: r.Fresh, Version: site.Origin.Version,
			OnProgress: func(done, all int, what string) {
				o(inlier.Event{Job: "replicate", Phase: "run", Label: fmt.Sprintf("%d/%d %s %s", k+1, len(specs), spec.ID, what), Done: done, Total: all, Part: float64(done) / float64(max(1, all))})
			},
		})
		site.Env.Forget()
		if ctx.Err() != nil {
			o(inlier.Event{Job: "replicate", Phase: "kept", Label: path})
		}
		if err != nil {
			return err
		}
		text := fmt.Sprintf("%s: %s in %s", spec.ID, words.Plural(len(records), "run"), words.Seconds(time.Since(began).Seconds()))
		if missing := site.Env.Missing(spec.Needs); len(missing) > 0 && len(records) == 0 {
			text = fmt.Sprintf("%s: not run, for want of %s", spec.ID, strings.Join(missing, ", "))
		}
		o(inlier.Event{Job: "replicate", Phase: "note", Label: text})
	}
	return nil
}

// specs finds the experiments that are meant.
func (r Replicate) specs() ([]*experiment.Spec, error) {
	hint := "inlier replicate list tells what there is; --all means everything"
	switch {
	case r.Repeats < 0:
		return nil, usage("repeats", "it is a number of repeats; 0: as the form says", "--repeats %d is not allowed", r.Repeats)
	case r.All && len(r.IDs) > 0:
		return nil, usage("ids", "give either", "--all and %q both say what to run", r.IDs[0])
	case r.All:
		return experiment.Specs(), nil
	case len(r.IDs) == 0:
		return nil, usage("ids", hint, "replicate needs the ID of an experiment")
	}
	specs, err := experiment.Find(r.IDs)
	if err != nil {
		return nil, usage("ids", hint, "%s", strings.TrimPrefix(err.Error(), "experiment: "))
	}
	return specs, nil
}

func (r Replicate) form() string {
	switch {
	case r.Repeats > 0:
		return words.Plural(r.Repeats, "repeat")
	case r.Full:
		return "full"
	}
	return "quick"
}

// usage is a mistake in a field of the request.
func usage(field, hint, format string, args ...any) error {
	return &catalog.UsageError{Parameter: field, Problem: fmt.Sprintf(format, args...), Hint: hint}
}

// machine names the processor as far as the system tells, the cores and the kernel used.
func machine() string {
	name := runtime.GOOS + "/" + runtime.GOARCH
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
				name = strings.TrimSpace(value)
				break
			}
		}
	}
	return fmt.Sprintf("%s, %s, %s", name, words.Plural(runtime.NumCPU(), "core"), linalg.Backend())
}
