package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/report"
)

func demoCommand(a *app) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "demo",
		Short: "See it work on built-in data: a table and a page with pictures",
		Long: `Check a table of orders in which some are wrong, then fit classical and robust methods to built-in data of
which a part is wrong: hourly readings of a pumping station, rows near a subspace with more and more outliers, and pictures of invented faces
of which some are covered. Prints what came out and writes one HTML page with the pictures.`,
		Example: "  inlier demo --out my-demo",
		Args:    arguments(),
		RunE:    func(c *cobra.Command, _ []string) error { return a.demo(c.Context(), out) },
	}
	c.Flags().StringVarP(&out, "out", "o", "inlier-demo", "folder for the page; it is made if needed")
	return c
}

func (a *app) demo(ctx context.Context, folder string) (failed error) {
	began := time.Now()
	_, absent := os.Stat(folder)
	if err := makeFolder(folder); err != nil {
		return err
	}
	defer func() {
		if failed != nil && absent != nil {
			os.Remove(folder) // does nothing where a file has come into it
		}
	}()
	path := filepath.Join(folder, "demo.html")
	if err := a.plans("--out", path, pictureFile(path)); err != nil {
		return err
	}
	watch, done := a.observe("demo")
	result, err := inlier.Demo{Seed: a.seed}.Run(ctx, watch)
	done()
	if err != nil {
		return err
	}
	if !a.json {
		if err := a.showDemo(result); err != nil {
			return err
		}
	}
	result.Path = path
	if err := a.writePage(ctx, path, result.Page()); err != nil {
		return err
	}
	result.Seconds = number(time.Since(began).Seconds())
	if a.json {
		return a.printJSON(result)
	}
	fmt.Fprintf(a.out, "\nThe page with the pictures is %s (%s).\n", path, seconds(float64(result.Seconds)))
	fmt.Fprintf(a.out, "Next: inlier check YOUR.csv, or inlier fit %s YOUR.csv, or inlier compare YOUR.csv, or inlier help\n", catalog.Default())
	return nil
}

// showDemo prints the tables of the demonstration.
func (a *app) showDemo(r *inlier.DemoResult) error {
	fmt.Fprintf(a.out, "%s\n", a.bold("inlier check orders.csv: "+r.Check.Verdict))
	if err := a.printTable(r.Check.Table(), false); err != nil {
		return err
	}
	fmt.Fprintln(a.out)
	if err := a.printTable(r.Station.Table(), false); err != nil {
		return err
	}
	fmt.Fprintf(a.out, "\n%s\n", a.bold("Which rows "+catalog.Default()+" flags, and why"))
	if err := a.printTable(r.Station.Varied(12), false); err != nil {
		return err
	}
	for _, t := range []*report.Table{r.Breakdown.Table(), r.Faces.Table()} {
		fmt.Fprintln(a.out)
		if err := a.printTable(t, false); err != nil {
			return err
		}
	}
	return nil
}

// makeFolder makes a folder unless it is there.
func makeFolder(path string) error {
	if path == "" || path == "-" {
		return usage("give the name of a folder", "--out %q is no folder", path)
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return usage("give the name of a folder", "%s is a file; a folder is meant", path)
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		return badInput(err, "")
	}
	return nil
}

// writePage writes a page, whole or not at all.
func (a *app) writePage(ctx context.Context, path string, page *report.Page) error {
	text, err := page.HTML()
	if err != nil {
		return err
	}
	return a.writeBytes(ctx, path, text)
}
