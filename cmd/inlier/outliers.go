package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/internal/output"
	"github.com/inlier-ml/inlier/plot"
)

// outliersRequest is what `outliers` was asked for.
type outliersRequest struct {
	inlier.Judge
	data dataFlags
	out  string
	plot string
}

func outliersCommand(a *app) *cobra.Command {
	var r outliersRequest
	c := &cobra.Command{
		Use:   "outliers MODEL DATA...",
		Short: "Judge every row: weight, distances, outlier or not, what kind, and why",
		Long: `Judge every row of the data by a model: its weight, its distances, whether it is an outlier and of
which kind. --why adds the columns that make it one.

` + aboutMatching,
		Example: `  inlier outliers sales.npz sales.csv --out verdict.csv --plot map.svg
  inlier outliers sales.npz sales.csv --top 10 --why`,
		Args: arguments("MODEL", "DATA..."),
		RunE: func(c *cobra.Command, args []string) error { return a.outliers(c.Context(), args, r) },
	}
	f := c.Flags()
	f.StringVarP(&r.out, "out", "o", "", "file to write: "+resultNames+" (default: standard output)")
	f.StringVar(&r.plot, "plot", "", "draw the outlier map: "+sheetNames)
	f.IntVar(&r.Top, "top", 0, "only the N most outlying rows, the worst first")
	f.BoolVar(&r.Flagged, "flagged", false, "only the rows that are outliers")
	f.BoolVar(&r.Why, "why", false, "name the columns that contribute most to each outlier's distance")
	r.data.register(c)
	bounded(c, &r.data.memory)
	return c
}

func (a *app) outliers(ctx context.Context, args []string, r outliersRequest) error {
	a.reads(append(args, r.data.Labels)...)
	if err := a.plansResults("--out", r.out); err != nil {
		return err
	}
	if err := a.plans("--plot", r.plot, pictureFile(r.plot)); err != nil {
		return err
	}
	if err := r.Check(); err != nil {
		return err
	}
	if r.plot != "" && !hasAnyEnding(r.plot, sheetEndings()...) {
		return usage("the name ends in "+sheetNames, "--plot %s: no picture has this ending", r.plot)
	}
	var err error
	if r.Model, r.Data, err = a.modelAndData(args, r.data); err != nil {
		return err
	}
	if r.plot == "" && a.inParts(r.out) {
		v, err := a.judgeParts(ctx, r)
		if err != nil {
			return err
		}
		return a.sayVerdict(v)
	}
	v, err := r.Run(ctx, a.limit)
	if err != nil {
		return err
	}
	var picture []byte
	if r.plot != "" {
		drawing, err := plot.OutlierMap(v)
		if err != nil {
			return err
		}
		if picture, err = drawing.Encode(pictureFormat(r.plot), ""); err != nil {
			return err
		}
	}
	if err := a.printVerdict(ctx, v, r); err != nil {
		return err
	}
	if picture != nil {
		if err := a.writeBytes(ctx, r.plot, picture); err != nil {
			return err
		}
	}
	return a.sayVerdict(v)
}

// judgeParts writes the verdict on rows as they are judged.
func (a *app) judgeParts(ctx context.Context, r outliersRequest) (v *inlier.JudgeResult, err error) {
	out, err := a.writeParts(ctx, r.out, func(out *output.Parts) error {
		var empty *inlier.JudgeResult // the columns, where no row is listed
		v, err = r.Stream(ctx, a.limit, func(part *inlier.JudgeResult) error {
			if len(part.Rows) == 0 {
				empty = part
				return nil
			}
			return out.Table(part.Table(r.Why))
		})
		if err == nil && out.Rows == 0 && empty != nil {
			return out.Table(empty.Table(r.Why))
		}
		return err
	})
	if err == nil && out.Path != "-" {
		a.note("%s written to %s", plural(out.Rows, "row"), r.out)
	}
	return v, err
}

// sayVerdict tells people what was found.
func (a *app) sayVerdict(v *inlier.JudgeResult) error {
	if a.json {
		return nil
	}
	are := "are outliers"
	if v.Outliers == 1 || v.Of == 1 {
		are = "is an outlier"
	}
	a.note("%d of %s %s%s", v.Outliers, plural(v.Of, "row"), are, v.KindsText())
	if v.Silent && v.Outliers > 0 {
		a.note("why: %s models do not tell", v.Method)
	}
	a.blocks(v.Memory)
	return nil
}

// printVerdict writes the rows where they belong.
func (a *app) printVerdict(ctx context.Context, v *inlier.JudgeResult, r outliersRequest) error {
	toFile := r.out != "" && r.out != "-"
	if toFile {
		write := func() error { return a.storeTable(ctx, r.out, v.Table(r.Why)) }
		if hasAnyEnding(r.out, ".json") {
			write = func() error { return a.storeJSON(ctx, r.out, v) }
		}
		if err := write(); err != nil {
			return err
		}
		a.note("%s written to %s", plural(len(v.Rows), "row"), r.out)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	switch {
	case a.json:
		return a.printJSON(v)
	case toFile:
		return nil
	}
	return a.printTable(v.Table(r.Why), true)
}
