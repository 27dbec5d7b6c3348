package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/progress"
	"github.com/inlier-ml/inlier/report"
)

// compareRequest is what `compare` was asked for.
type compareRequest struct {
	data    dataFlags
	methods []string
	sets    []string
	corrupt string
	out     string
	contest contestFlags // with --target
}

// contender is one method's line of the comparison.
type contender struct {
	Method      string  `json:"method"`
	Classical   number  `json:"explained_variance_classical"`
	Robust      number  `json:"explained_variance_robust"`
	Outliers    int     `json:"outliers"`
	Effective   number  `json:"effective_sample_size"`
	Angle       number  `json:"angle_to_default"`             // degrees, to the default method's subspace
	CleanError  *number `json:"clean_error,omitempty"`        // mean distance of clean rows from their reconstruction
	CleanMedian *number `json:"clean_error_median,omitempty"` // its median: blind to outliers that were there before
	Steps       int     `json:"steps"`
	Status      string  `json:"status"`
	Seconds     number  `json:"fit_seconds"`

	fit *fitted
}

// comparison is what `compare --json` prints.
type comparison struct {
	Data       string      `json:"data"`
	Rows       int         `json:"rows"`
	Columns    int         `json:"columns"`
	Components int         `json:"components"`
	Rank       string      `json:"rank,omitempty"` // of images and tensors, such as 12x12
	Corrupt    string      `json:"corrupt,omitempty"`
	Hit        int         `json:"rows_corrupted,omitempty"`
	Default    string      `json:"default"`
	Methods    []contender `json:"methods"`
}

func compareCommand(a *app) *cobra.Command {
	var r compareRequest
	c := &cobra.Command{
		Use:   "compare DATA",
		Short: "Classical and robust methods side by side on your own data",
		Long: `Fit the classical and the robust PCA methods to your own data and set them side by side: variance
explained of all rows and of the regular rows, outliers, effective sample size, and the angle
between each subspace and that of the default method, ` + defaultMethod + `.

With --corrupt the data are dirtied first, and the table tells how well each method still
reconstructs the rows that stayed clean: their mean and their median distance, which does not
mind outliers that were there before. A --target column is set apart when only PCA methods are named.

Images and tensors: name their methods with --methods; all get the rank of ` + defaultTensorMethod + `, one-sided
methods on the second side only, so that they keep more numbers.

` + aboutContest + `

` + aboutData,
		Example: `  inlier compare sales.csv
  inlier compare sales.csv --set components=3 --corrupt rows:0.2 --out compare.html
  inlier compare faces/ --methods 2dsvd,r1-2dsvd,corr-2dsvd --corrupt dummy:30 --out faces.html
  inlier compare wine.csv --target class --corrupt label:0.2 --out wine.html`,
		Args: arguments("DATA"),
		RunE: func(c *cobra.Command, args []string) error {
			if r.learns() {
				return a.compareSupervised(c.Context(), args[0], r)
			}
			return a.compare(c.Context(), args[0], r)
		},
	}
	f := c.Flags()
	f.StringSliceVar(&r.methods, "methods", nil, "methods to compare, separated by commas (default: the PCA family, or those that learn the target)")
	f.StringArrayVar(&r.sets, "set", nil, "parameter for every method that has it, key=value; may be repeated")
	f.StringVar(&r.corrupt, "corrupt", "", "dirty the data first, such as rows:0.2; `inlier data corrupt` lists the kinds")
	f.StringVarP(&r.out, "out", "o", "", "report to write: .html, .csv, .tsv, .parquet, .npz or .json")
	r.contest.register(c)
	r.data.register(c)
	return c
}

// check refuses what cannot be done before data are read, and returns the parameters that
// all methods share.
func (r *compareRequest) check(a *app, path string) (shared map[string]string, err error) {
	a.reads(path, r.data.Labels)
	if r.out != "" && !hasAnyEnding(r.out, append(resultEndings, ".html")...) {
		return nil, usage("the name ends in .html, .csv, .tsv, .parquet, .npz or .json", "--out %s: no report has this ending", r.out)
	}
	k := perhapsTable(r.out)
	if hasAnyEnding(r.out, ".html") {
		k = pictureFile(r.out)
	}
	if err := a.plans("--out", r.out, k); err != nil {
		return nil, err
	}
	return parseSets(r.sets)
}

func (a *app) compare(ctx context.Context, path string, r compareRequest) error {
	shared, err := r.check(a, path)
	if err != nil {
		return err
	}
	entrants, reference, err := contenders(r.methods, shared)
	if err != nil {
		return err
	}
	set, err := a.load(ctx, path, r.data, inlier.Needs{Missing: shared["missing"] == "fit", Varied: true})
	if err != nil {
		return err
	}
	result := &comparison{Data: set.Name, Columns: set.Dim(), Corrupt: r.corrupt, Default: reference}
	var clean *mat.Dense
	if r.corrupt != "" {
		dirty, hit, intact, err := a.dirtied(set, r.corrupt)
		if err != nil {
			return err
		}
		result.Hit, clean, set = hit, intact, dirty
	}
	result.Rows = set.Rows()
	if err := a.contest(ctx, result, entrants, shared, set, clean); err != nil {
		return err
	}
	return a.printComparison(ctx, result, set, r.out)
}

// dirtied dirties a set and tells how many rows were hit; clean are the rows that were not.
func (a *app) dirtied(set *dataset.Set, spec string) (dirty *dataset.Set, hit int, clean *mat.Dense, err error) {
	dirty, dirt, err := dataset.Corrupt(set, spec, a.seed)
	if err != nil {
		return nil, 0, nil, badInput(err, "inlier data corrupt lists the kinds of dirt")
	}
	var kept []int
	for i := range set.Rows() {
		if !dirt.Rows[i] {
			kept = append(kept, i)
		}
	}
	if len(kept) == 0 {
		return nil, 0, nil, usage("leave some rows clean", "--corrupt %s hits every row", spec)
	}
	return dirty, dirt.RowCount(), set.Subset(kept).X, nil
}

// contenders are the methods to compare, all of one family, and the method that they are held
// against; every shared parameter must be known to one.
func contenders(names []string, shared map[string]string) (list []entrant, reference string, err error) {
	for _, m := range catalog.Methods() {
		if len(names) == 0 && m.Family == "pca" {
			list = append(list, entrant{Label: m.Name, Method: m.Name})
		}
	}
	family := "pca"
	for i, name := range names {
		m, err := catalog.Lookup(strings.TrimSpace(name))
		if err != nil {
			return nil, "", err
		}
		if i == 0 && m.Family == "tensor" {
			family = m.Family
		}
		if m.Family != family {
			return nil, "", usage("compare takes methods of the family pca, or of the family tensor; inlier methods --brief lists them", "method %s cannot be compared here", m.Name)
		}
		list = append(list, entrant{Label: m.Name, Method: m.Name})
	}
	for name := range shared {
		known := false
		for _, e := range list {
			m, err := catalog.Lookup(e.Method)
			if err != nil {
				return nil, "", err
			}
			if p, ok := m.Param(name); ok {
				known = true
				if err := p.Check(shared[name]); err != nil {
					return nil, "", err
				}
			}
		}
		if !known {
			return nil, "", usage("inlier methods lists the parameters", "none of the compared methods has a parameter %q", name)
		}
	}
	if family == "tensor" {
		return list, referenceTensor(list), nil
	}
	return list, defaultMethod, nil
}

// contest fits the default method, then the others with as many components.
func (a *app) contest(ctx context.Context, result *comparison, entrants []entrant, shared map[string]string, set *dataset.Set, clean *mat.Dense) error {
	var bar *progress.Bar
	if _, ok := terminal(a.err); ok && !a.quiet {
		bar = progress.New(a.err, "compare", nil, a.colour(a.err))
		defer bar.Close()
	}
	bar.Count(0, 1, result.Default)
	reference, err := enter(ctx, entrant{Label: result.Default, Method: result.Default}, set, shared, a.seed)
	if err != nil {
		return err
	}
	size, err := reference.size()
	if err != nil {
		return err
	}
	result.Components, result.Rank = size.components, size.rank
	for k, e := range entrants {
		bar.Count(k, len(entrants), e.Label)
		f := reference
		if e.Method != result.Default {
			if f, err = enter(ctx, e, set, size.shared(e.Method, shared), a.seed); err != nil {
				return err
			}
		}
		c, err := weighUp(ctx, f, reference, clean)
		if err != nil {
			return err
		}
		result.Methods = append(result.Methods, *c)
	}
	return nil
}

// weighUp turns a fit into a line of the table.
func weighUp(ctx context.Context, f, reference *fitted, clean *mat.Dense) (*contender, error) {
	d := f.model.Describe()
	c := &contender{Method: f.Label, Outliers: d.Outliers, Effective: number(d.Effective), Steps: d.Steps, Status: d.Status,
		Seconds: number(f.seconds), Classical: number(math.NaN()), Robust: number(math.NaN()), fit: f}
	for _, name := range []string{"explained_variance_", "explained_"} { // of the families pca and tensor
		if v, ok := figure(d, name+"classical"); ok {
			c.Classical = number(v)
		}
		if v, ok := figure(d, name+"robust"); ok {
			c.Robust = number(v)
		}
	}
	bases, err := reference.bases()
	if err != nil {
		return nil, err
	}
	angle, err := f.angleTo(bases...)
	if err != nil {
		return nil, err
	}
	c.Angle = number(angle)
	if clean != nil {
		mean, median, err := f.errorOn(ctx, clean)
		if err != nil {
			return nil, err
		}
		c.CleanError, c.CleanMedian = (*number)(&mean), (*number)(&median)
	}
	return c, nil
}

func (a *app) printComparison(ctx context.Context, result *comparison, set *dataset.Set, out string) error {
	switch {
	case out == "":
	case hasAnyEnding(out, ".html"):
		page, err := comparePage(ctx, result, set)
		if err != nil {
			return err
		}
		if err := a.writePage(ctx, out, page); err != nil {
			return err
		}
	case hasAnyEnding(out, ".json"):
		if err := a.storeJSON(ctx, out, result); err != nil {
			return err
		}
	default:
		if err := a.storeTable(ctx, out, result.table()); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(result)
	}
	fmt.Fprintf(a.out, "%s: %s x %s, %s\n", a.bold(result.Data), plural(result.Rows, "row"), plural(result.Columns, "column"), result.kept())
	if result.Corrupt != "" {
		fmt.Fprintf(a.out, "dirtied by %s: %s hit\n", result.Corrupt, plural(result.Hit, "row"))
	}
	if err := a.printTable(result.table(), false); err != nil {
		return err
	}
	if out != "" {
		a.note("report written to %s", out)
	}
	return nil
}

// table lays the comparison out.
func (c *comparison) table() *report.Table {
	t := &report.Table{Columns: []report.Column{
		{Name: "method"}, {Name: "explained", Format: "%.3f"}, {Name: "regular", Format: "%.3f"},
		{Name: "outliers"}, {Name: "effective", Format: "%.1f"}, {Name: "angle", Unit: "degrees", Format: "%.2f"},
	}}
	corrupted := c.Corrupt != ""
	if corrupted {
		t.Columns = append(t.Columns, report.Column{Name: "clean error", Format: "%.4g", Best: report.Lowest}, report.Column{Name: "median", Format: "%.4g", Best: report.Lowest})
	}
	t.Columns = append(t.Columns, report.Column{Name: "fit", Unit: "ms", Format: "%.1f"})
	t.Notes = []string{
		"explained, regular: share of the variance of all rows, of the regular rows; effective: effective sample size;",
		"angle: to the subspace of " + c.Default,
	}
	if corrupted {
		t.Notes[1] += "; clean error, median: distance of clean rows from their reconstruction"
	}
	if slices.ContainsFunc(c.Methods, func(m contender) bool { return oneSided[m.fit.Method] }) {
		t.Notes = append(t.Notes, "2dpca, l1-2dpca and 2dnpp reduce one side only: they keep more numbers of each row")
	}
	for _, m := range c.Methods {
		cells := []any{m.Method, float64(m.Classical), float64(m.Robust), m.Outliers, float64(m.Effective), float64(m.Angle)}
		if corrupted {
			cells = append(cells, float64(*m.CleanError), float64(*m.CleanMedian))
		}
		t.Rows = append(t.Rows, append(cells, 1000*float64(m.Seconds)))
	}
	return t
}

// find is the line of a method; nil when it was not compared.
func (c *comparison) find(method string) *contender {
	k := slices.IndexFunc(c.Methods, func(m contender) bool { return m.Method == method })
	if k < 0 {
		return nil
	}
	return &c.Methods[k]
}
