package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/report"
)

// tabled is the result of a benchmark.
type tabled interface{ Table() *report.Table }

// benchmark is a sub-command of bench, and with its usual sizes a part of bench itself.
type benchmark struct {
	*cobra.Command
	run func(context.Context, inlier.Observer) (tabled, error)
}

func benchCommand(a *app) *cobra.Command {
	var peers bool
	var out string
	var p inlier.Peers
	c := &cobra.Command{
		Use:   "bench",
		Short: "The benchmarks that the README quotes",
		Long: `Run the benchmarks that the README quotes: how much dirt the methods bear (breakdown), how fast
matrix products run (kernel), how long fits take (fit). Without a sub-command: all of them.

With --peers: Inlier beside scikit-learn, NumPy, pyarrow, polars and R's rrcov, robustbase and cellWise,
as far as python3 (or INLIER_PYTHON) and Rscript find them: time, steps, peak memory, how near the truth, and how
time grows. Each run is a process of its own, in turn. MNIST is that of INLIER_DATA.`,
		Example: `  inlier bench
  inlier bench breakdown --json
  inlier bench --peers --quick --out peers.html`,
		Args: noSuchCommand,
	}
	f := c.Flags()
	f.BoolVar(&peers, "peers", false, "Inlier beside other programs")
	f.IntVar(&p.Rounds, "rounds", 3, "with --peers: runs of each, of which the best counts")
	f.StringSliceVar(&p.Only, "only", nil, "with --peers: tasks, separated by commas (default: all)")
	f.BoolVar(&p.Quick, "quick", false, "with --peers: small data, to see whether everything works")
	f.StringVar(&p.Python, "python", "", "with --peers: the Python that has the libraries")
	f.StringVarP(&out, "out", "o", "", "with --peers: report to write: "+reportNames)
	beside := benchmark{c, func(ctx context.Context, o inlier.Observer) (tabled, error) {
		p.Threads, p.Seed = a.threads, a.seed
		if err := a.plansReport(out); err != nil {
			return nil, err
		}
		result, err := p.Run(ctx, o)
		if err != nil {
			return nil, err
		}
		return result, a.storeReport(ctx, out, result, result.Table(), func() (*report.Page, error) { return result.Page(), nil })
	}}
	list := []benchmark{breakdownBench(a), kernelBench(a), fitBench(a)}
	c.RunE = func(c *cobra.Command, _ []string) error {
		switch given := out != "" || p.Quick || p.Only != nil; {
		case peers && p.Rounds == 0:
			return usage("it is a number of runs", "--rounds 0 is not allowed")
		case peers:
			return a.bench(c.Context(), beside)
		case given:
			return usage("add --peers", "--out, --only and --quick are for the comparison with other programs")
		}
		return a.bench(c.Context(), list...)
	}
	for _, b := range list {
		b.Args = arguments()
		b.RunE = func(c *cobra.Command, _ []string) error { return a.bench(c.Context(), b) }
		c.AddCommand(b.Command)
	}
	return c
}

// bench runs benchmarks and shows their tables.
func (a *app) bench(ctx context.Context, list ...benchmark) error {
	all := map[string]any{}
	for _, b := range list {
		watch, done := a.observe(b.Name())
		result, err := b.run(ctx, watch)
		done()
		switch {
		case err != nil:
			return err
		case a.json && len(list) == 1:
			return a.printJSON(result)
		case !a.json:
			err = a.printTable(result.Table(), false)
		}
		if all[b.Name()] = result; err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(all)
	}
	return nil
}

func breakdownBench(a *app) benchmark {
	r := inlier.Breakdown{Seeds: 10}
	c := &cobra.Command{
		Use:   "breakdown",
		Short: "Largest angle to the true subspace as outliers become more",
		Long: `Largest angle in degrees between the fitted and the true subspace, mean over seeds, as the share of
outliers grows. 200 rows, 20 columns; inliers have standard deviations 5, 4, 3 in a random
3-dimensional subspace plus noise 0.3. Outliers are scattered (sd 15 in every direction),
clustered (at distance 40 along one direction, sd 0.5) or in a subspace of their own (sd 12 in
three other directions).

The papers' methods start at ordinary PCA with the papers' own parameters; "spherical" is the
default method started at spherical PCA.`,
		Example: "  inlier bench breakdown --seeds 10",
	}
	c.Flags().IntVar(&r.Seeds, "seeds", r.Seeds, "number of data sets per cell")
	return benchmark{c, func(ctx context.Context, o inlier.Observer) (tabled, error) {
		if r.Seed = a.seed; r.Seeds == 0 { // given, not left out
			return nil, usage("it is a number of repeats", "--seeds 0 is not allowed")
		}
		return r.Run(ctx, o)
	}}
}

func kernelBench(a *app) benchmark {
	r := inlier.KernelTimes{Size: 1024}
	c := &cobra.Command{
		Use:     "kernel",
		Short:   "Speed of matrix products in billions of operations per second",
		Long:    "Speed of the products that decide how long a fit takes, beside gonum's own product. The best of five runs counts.",
		Example: "  inlier bench kernel --size 2048",
	}
	c.Flags().IntVar(&r.Size, "size", r.Size, "rows and columns of the square matrices")
	return benchmark{c, func(ctx context.Context, o inlier.Observer) (tabled, error) {
		if r.Seed = a.seed; r.Check() != nil {
			return nil, r.Check()
		}
		return r.Run(ctx, o)
	}}
}

func fitBench(a *app) benchmark {
	r := inlier.FitTimes{Rows: 10000, Columns: 784, Components: 50}
	c := &cobra.Command{
		Use:   "fit",
		Short: "How long fits take, and how that grows with rows and columns",
		Long: `Time of fits on generated low-rank data with a tenth of scattered outliers, at the given size and with
rows and columns halved: cost grows in proportion to rows.`,
		Example: "  inlier bench fit --rows 60000 --columns 784 --components 50",
	}
	f := c.Flags()
	f.IntVar(&r.Rows, "rows", r.Rows, "rows")
	f.IntVar(&r.Columns, "columns", r.Columns, "columns")
	f.IntVar(&r.Components, "components", r.Components, "components")
	return benchmark{c, func(ctx context.Context, o inlier.Observer) (tabled, error) {
		if r.Seed = a.seed; r.Check() != nil {
			return nil, r.Check()
		}
		return r.Run(ctx, o)
	}}
}
