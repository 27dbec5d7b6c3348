package main

import (
	"bufio"
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/experiment/papers"
	"github.com/inlier-ml/inlier/report"
)

func replicateCommand(a *app) *cobra.Command {
	var r papers.Replicate
	c := &cobra.Command{
		Use:   "replicate [list | ID...]",
		Short: "Compute the papers' tables and figures again: ours, published, verdict",
		Long: `Run experiments of the papers again and judge the results against the published numbers.

IDs name experiments, or papers for all of theirs; "list" tells what there is, what data it needs and how
long it takes. Without --full a quick form with fewer repeats is run. The folder --out gets a page per
experiment, an index with the verdicts, and the records of all runs as JSON Lines and Parquet. An
interrupted command, given again, goes on where it was. An earlier verdicts.json, kept in the folder as
records/before.json, makes a page of what has changed.

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
			r.IDs, r.Seed = args, a.seed
			return a.replicate(c.Context(), r)
		},
	}
	f := c.Flags()
	f.BoolVar(&r.All, "all", false, "every experiment")
	f.BoolVar(&r.Full, "full", false, "as many repeats as the papers")
	f.IntVar(&r.Repeats, "repeats", 0, "number of repeats; 0: as the form says")
	f.StringVar(&r.Data, "data", os.Getenv("INLIER_DATA"), "folder of data sets")
	f.StringVarP(&r.Out, "out", "o", "replication", "folder for pages and records")
	f.BoolVar(&r.Fresh, "fresh", false, "run again what is already recorded in the folder; the old records stay until the new ones are complete")
	f.BoolVar(&r.Pages, "pages", false, "write the pages again from the records, without running anything")
	f.BoolVar(&r.Faces, "faces", false, "show the faces of the data folder on the pages: not for publication")
	f.StringVar(&r.Guide, "guide", "", "write the guide to methods and losses to this file, with the records' numbers")
	return c
}

// replicate runs the experiments and prints their verdicts.
func (a *app) replicate(ctx context.Context, r papers.Replicate) error {
	if err := r.Check(); err != nil {
		return err
	}
	if err := a.plansReplication(r); err != nil {
		return err
	}
	watch, done := a.observe("replicate")
	result, err := r.Run(ctx, func(e inlier.Event) {
		switch e.Phase {
		case "note":
			done()
			a.note("%s", e.Label)
		case "kept":
			a.left.Say("finished runs are kept in %s; the same command goes on from there", e.Label)
		default:
			watch(e)
		}
	})
	done()
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(result)
	}
	t := &report.Table{Columns: []report.Column{{Name: "experiment"}, {Name: "item"}, {Name: "verdict"}, {Name: "conclusions"}, {Name: "why"}, {Name: "runs"}}}
	for _, l := range result.Lines {
		t.Add(l.ID, l.Item, string(l.Outcome), string(l.Conclusion), l.Reason, l.Runs)
	}
	if err := a.printTable(t, false); err != nil {
		return err
	}
	a.note("%s", (&experiment.Site{Dir: r.Out}).IndexPath())
	return nil
}

// plansReplication refuses a folder whose files are somebody else's, and a guide that
// would replace another text.
func (a *app) plansReplication(r papers.Replicate) error {
	a.reads(r.Data)
	if r.Out == "" || r.Out == "-" {
		return usage("give the name of a folder", "--out %q is no folder", r.Out)
	}
	if err := a.files.SparesInputs("--out", r.Out); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(r.Out, "records")); err != nil { // not made by this command
		for _, name := range []string{"index.html", "verdicts.json", "README.md", "records.parquet", "changes.html"} {
			if err := a.mayReplace(filepath.Join(r.Out, name), kind{Name: "a page", Is: func(*os.File, int64) bool { return false }}); err != nil {
				return err
			}
		}
	}
	return a.plans("--guide", r.Guide, kind{Name: "a guide", Is: func(file *os.File, _ int64) bool {
		first, _ := bufio.NewReader(file).ReadString('\n')
		return first == papers.GuideHeading+"\n"
	}})
}

func (a *app) replicateList(r papers.Replicate) error {
	list := r.List()
	if a.json {
		return a.printJSON(list)
	}
	return a.printTable(list.Table(), false)
}
