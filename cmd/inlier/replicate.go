package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/experiment/papers"
	"github.com/inlier-ml/inlier/internal/progress"
	"github.com/inlier-ml/inlier/internal/version"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/report"
)

// replicateRequest is what `replicate` was asked for.
type replicateRequest struct {
	all, full, fresh, pages, faces bool
	repeats                        int
	data, out, guide               string
}

func replicateCommand(a *app) *cobra.Command {
	var r replicateRequest
	c := &cobra.Command{
		Use:   "replicate [list | ID...]",
		Short: "Compute the papers' tables and figures again: ours, published, verdict",
		Long: `Run experiments of the papers again and judge the results against the published numbers.

IDs name experiments, or papers for all of theirs; "list" tells what there is, what data it needs and how
long it takes. Without --full a quick form with fewer repeats is run. The folder --out gets a page per
experiment, an index with the verdicts, and the records of all runs as JSON Lines and Parquet. An
interrupted command, given again, goes on where it was.

The data folder is --data or the environment variable INLIER_DATA; experiments that need files which are
not there are told so in their verdict.`,
		Example: `  inlier replicate list
  inlier replicate kmpe-table-7 --data ~/data --out site
  inlier replicate --all --full --data ~/data --out site`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			names := []string{"list"}
			for _, s := range experiment.Specs() {
				names = append(names, s.ID)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == "list" {
				return a.replicateList(r)
			}
			err := a.replicate(c.Context(), args, r)
			var damaged *experiment.RecordError
			var busy *experiment.BusyError
			var size *experiment.SizeError
			switch {
			case errors.As(err, &damaged):
				return usage("--fresh runs the experiment again; or give another folder with --out", "%v", err)
			case errors.As(err, &busy):
				return usage("wait for it, or give another folder with --out", "%v", busy)
			case errors.As(err, &size):
				return usage("use fewer", "--repeats %d would make more than %d runs", size.Repeats, size.Runs)
			}
			return err
		},
	}
	f := c.Flags()
	f.BoolVar(&r.all, "all", false, "every experiment")
	f.BoolVar(&r.full, "full", false, "as many repeats as the papers")
	f.IntVar(&r.repeats, "repeats", 0, "number of repeats; 0: as the form says")
	f.StringVar(&r.data, "data", os.Getenv("INLIER_DATA"), "folder of data sets")
	f.StringVarP(&r.out, "out", "o", "replication", "folder for pages and records")
	f.BoolVar(&r.fresh, "fresh", false, "run again what is already recorded in the folder; the old records stay until the new ones are complete")
	f.BoolVar(&r.pages, "pages", false, "write the pages again from the records, without running anything")
	f.BoolVar(&r.faces, "faces", false, "show the faces of the data folder on the pages: not for publication")
	f.StringVar(&r.guide, "guide", "", "write the guide to methods and losses to this file, with the records' numbers")
	return c
}

// replicate runs the experiments one after another and writes the site.
func (a *app) replicate(ctx context.Context, names []string, r replicateRequest) error {
	specs, err := r.specs(names)
	if err != nil {
		return err
	}
	env := &experiment.Env{Dir: r.data, Full: r.full, Faces: r.faces}
	site := &experiment.Site{Dir: r.out, Env: env, Origin: experiment.Origin{Machine: machine(), Version: version.String(), Seed: a.seed}}
	if r.pages { // the records were made where the folder says
		if o, ok := experiment.ReadOrigin(r.out); ok {
			site.Origin = o
		}
	}
	if err := a.plansReplication(r); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(r.out, "records"), 0o777); err != nil {
		return usage("give --out a folder that can be made", "--out %s: %v", r.out, err)
	}
	if !r.pages {
		if err := a.runExperiments(ctx, specs, site, r); err != nil {
			return err
		}
	}
	lines, err := site.Write(ctx, specs)
	if err != nil {
		return err
	}
	if r.guide != "" {
		if err := papers.WriteGuide(r.guide, site); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(map[string]any{"out": r.out, "form": r.form(), "experiments": lines})
	}
	t := &report.Table{Columns: []report.Column{{Name: "experiment"}, {Name: "item"}, {Name: "verdict"}, {Name: "why"}, {Name: "runs"}}}
	for _, l := range lines {
		t.Add(l.ID, l.Item, string(l.Outcome), l.Reason, l.Runs)
	}
	if err := a.printTable(t, false); err != nil {
		return err
	}
	a.note("%s", filepath.Join(r.out, "index.html"))
	return nil
}

// plansReplication refuses a folder whose files are somebody else's, and a guide that
// would replace another text.
func (a *app) plansReplication(r replicateRequest) error {
	a.reads(r.data)
	if r.out == "" || r.out == "-" {
		return usage("give the name of a folder", "--out %q is no folder", r.out)
	}
	if err := a.sparesInputs("--out", r.out); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(r.out, "records")); err != nil { // not made by this command
		for _, name := range []string{"index.html", "verdicts.json", "README.md", "records.parquet"} {
			if err := a.mayReplace(filepath.Join(r.out, name), kind{"a page", func(*os.File, int64) bool { return false }}); err != nil {
				return err
			}
		}
	}
	return a.plans("--guide", r.guide, kind{"a guide", func(file *os.File, _ int64) bool {
		first, _ := bufio.NewReader(file).ReadString('\n')
		return first == papers.GuideHeading+"\n"
	}})
}

// runExperiments runs what is not recorded yet.
func (a *app) runExperiments(ctx context.Context, specs []*experiment.Spec, site *experiment.Site, r replicateRequest) error {
	for k, spec := range specs {
		began := time.Now()
		path := site.RecordsPath(spec.ID)
		var bar *progress.Bar
		if _, ok := terminal(a.err); ok && !a.quiet {
			bar = progress.New(a.err, spec.ID, nil, a.colour(a.err))
		}
		records, err := experiment.Run(ctx, spec, experiment.Settings{
			Env: site.Env, Seed: a.seed, Repeats: r.repeats, Workers: linalg.Threads(), Journal: path, Fresh: r.fresh, Version: site.Origin.Version,
			OnProgress: func(done, all int, what string) {
				bar.Count(done, all, fmt.Sprintf("%d/%d %s %s", k+1, len(specs), spec.ID, what))
			},
		})
		bar.Close()
		site.Env.Forget()
		if ctx.Err() != nil {
			a.left.say("finished runs are kept in %s; the same command goes on from there", path)
		}
		if err != nil {
			return err
		}
		if missing := site.Env.Missing(spec.Needs); len(missing) > 0 && len(records) == 0 {
			a.note("%s: not run, for want of %s", spec.ID, strings.Join(missing, ", "))
			continue
		}
		a.note("%s: %s in %s", spec.ID, plural(len(records), "run"), seconds(time.Since(began).Seconds()))
	}
	return nil
}

// specs finds the experiments that are meant.
func (r *replicateRequest) specs(names []string) ([]*experiment.Spec, error) {
	hint := "inlier replicate list tells what there is; --all means everything"
	switch {
	case r.repeats < 0:
		return nil, usage("it is a number of repeats; 0: as the form says", "--repeats %d is not allowed", r.repeats)
	case r.all && len(names) > 0:
		return nil, usage("give either", "--all and %q both say what to run", names[0])
	case r.all:
		return experiment.Specs(), nil
	case len(names) == 0:
		return nil, usage(hint, "replicate needs the ID of an experiment")
	}
	specs, err := experiment.Find(names)
	if err != nil {
		return nil, usage(hint, "%s", strings.TrimPrefix(err.Error(), "experiment: "))
	}
	return specs, nil
}

func (r *replicateRequest) form() string {
	switch {
	case r.repeats > 0:
		return plural(r.repeats, "repeat")
	case r.full:
		return "full"
	}
	return "quick"
}

// listed is one line of the list.
type listed struct {
	ID           string   `json:"id"`
	Paper        string   `json:"paper"`
	Item         string   `json:"item"`
	Title        string   `json:"title"`
	Needs        []string `json:"needs"`
	Missing      []string `json:"missing"`
	Quick        int      `json:"quick_repeats"`
	QuickMinutes float64  `json:"quick_minutes"`
	Full         int      `json:"full_repeats"`
	FullMinutes  float64  `json:"full_minutes"`
}

func (a *app) replicateList(r replicateRequest) error {
	env := &experiment.Env{Dir: r.data}
	var list []listed
	t := &report.Table{
		Columns: []report.Column{{Name: "experiment"}, {Name: "what"}, {Name: "needs"}, {Name: "quick", Align: report.Right}, {Name: "full", Align: report.Right}},
		Notes:   []string{"needs: folders of the data folder; --json lists the files. quick, full: repeats and about how many", "minutes on two cores."},
	}
	for _, s := range experiment.Specs() {
		l := listed{ID: s.ID, Paper: s.Paper, Item: s.Item, Title: s.Title, Needs: s.Needs, Missing: env.Missing(s.Needs),
			Quick: s.Quick.Repeats, QuickMinutes: s.Quick.Minutes, Full: s.Full.Repeats, FullMinutes: s.Full.Minutes}
		list = append(list, l)
		needs := strings.Join(topFolders(s.Needs), " ")
		switch {
		case needs == "":
			needs = "nothing"
		case len(l.Missing) > 0:
			needs += " (not there)"
		}
		t.Add(s.ID, s.Item+": "+s.Title, needs, duration(s.Quick), duration(s.Full))
	}
	if a.json {
		return a.printJSON(list)
	}
	return a.printTable(t, false)
}

// topFolders are the folders of the data folder that files stand in: what people need to
// know; --json lists the files.
func topFolders(files []string) []string {
	var out []string
	for _, f := range files {
		folder, _, _ := strings.Cut(f, "/")
		if !slices.Contains(out, folder) {
			out = append(out, folder)
		}
	}
	return out
}

func duration(f experiment.Form) string {
	minutes := fmt.Sprintf("%.0f min", f.Minutes)
	if f.Minutes < 1 {
		minutes = "< 1 min"
	}
	return fmt.Sprintf("%d x, %s", f.Repeats, minutes)
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
	return fmt.Sprintf("%s, %s, %s", name, plural(runtime.NumCPU(), "core"), linalg.Backend())
}
