package papers

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/report"
)

// knownSet is a classical set whose outliers the literature names, rows from 1.
type knownSet struct {
	data, file string
	subspace   bool // look for outliers of a subspace; otherwise of a regression
	components int
	logs       bool   // logarithms of all columns first
	outliers   string // documented
	also       string // borderline rows that may be flagged or not
}

var knownSets = []knownSet{
	{data: "hbk", file: "hbk", outliers: "1-10"},
	{data: "stackloss", file: "stackloss", outliers: "1,3,4,21", also: "2"},
	{data: "stars", file: "stars_cyg", outliers: "11,20,30,34", also: "7,9,14"},
	{data: "telephone calls", file: "telef", outliers: "15-20", also: "14,21"},
	{data: "animals (logs)", file: "animals2", logs: true, outliers: "6,16,26", also: "14,17"},
	{data: "octane", file: "octane", subspace: true, components: 2, outliers: "25,26,36-39"},
}

// knownEntrants by task.
var knownEntrants = []struct {
	name              string
	regress, reduce   string
	regressP, reduceP map[string]string
}{
	{"classical", "linear-robust", "pca", map[string]string{"start": "classic", "loss": "square"}, nil},
	{"Huber", "linear-robust", "r1-pca", map[string]string{"start": "classic", "loss": "huber"}, map[string]string{"start": "classic"}},
	{"default", "linear-robust", "pca-robust", nil, nil},
}

func init() {
	var needs []string
	for _, k := range knownSets {
		needs = append(needs, "outliers/"+k.file+".csv")
	}
	experiment.Register(&experiment.Spec{
		ID: "beyond-known-outliers", Paper: "beyond", Item: "Known outliers", Title: "sets whose outliers the literature names",
		About: "Six small sets on which robust methods have been tried for forty years, with the outliers that books and papers name. Who finds them, and who accuses others?",
		Protocol: []string{
			"Five regressions (`linear-robust`) and one table of spectra (`pca-robust` with two components), with default parameters.",
			"Classical: least squares and ordinary PCA with the same rules for flagging. Huber: a loss that limits but never rejects, from a classical start.",
			"Found: documented outliers that are flagged. False: other rows that are flagged; rows that the literature itself calls borderline count for neither.",
		},
		Needs: needs, Quick: experiment.Form{Repeats: 1, Minutes: 0.1}, Full: experiment.Form{Repeats: 1, Minutes: 0.1},
		Plan: planKnown, Present: presentKnown,
		Learned: func(v *experiment.View) []string {
			var out []string
			for _, m := range v.Methods() {
				found, documented, wrong := 0.0, 0.0, 0.0
				for _, d := range v.Data() {
					found, documented, wrong = found+v.Stat(d, m, "found").Mean, documented+v.Stat(d, m, "documented").Mean, wrong+v.Stat(d, m, "false").Mean
				}
				out = append(out, fmt.Sprintf("%s: %.0f of %.0f documented outliers found, %.0f other rows accused.", m, found, documented, wrong))
			}
			return out
		},
	})
}

func planKnown(ctx context.Context, e *experiment.Env) ([]experiment.Case, error) {
	var out []experiment.Case
	for _, k := range knownSets {
		opts := file.Options{Target: "target", Task: dataset.TaskRegression}
		set, err := e.Read(ctx, "outliers/"+k.file+".csv", opts)
		if err != nil {
			return nil, err
		}
		if k.logs {
			set = logarithms(set)
		}
		if k.subspace {
			plain := *set
			plain.Target = nil
			set = &plain
		}
		c := experiment.Case{Data: k.data, Repeats: 1, Draw: func(context.Context, uint64) (any, error) { return set, nil }}
		for _, n := range knownEntrants {
			method, params := n.regress, n.regressP
			if k.subspace {
				method, params = n.reduce, map[string]string{"components": strconv.Itoa(k.components)}
				for key, value := range n.reduceP {
					params[key] = value
				}
			}
			c.Entrants = append(c.Entrants, experiment.Entrant{Name: n.name, Params: params, Run: func(ctx context.Context, b *experiment.Bench) error {
				m, err := b.Fit(ctx, method, params, set)
				if err != nil {
					return err
				}
				o, err := m.(catalog.Detector).Outliers(ctx, set)
				if err != nil {
					return err
				}
				known, spared := rowSet(k.outliers), rowSet(k.also)
				found, wrong := 0.0, 0.0
				var flagged []float64
				for i, bad := range o.Outlier {
					if !bad {
						continue
					}
					flagged = append(flagged, float64(i+1))
					switch {
					case known[i+1]:
						found++
					case !spared[i+1] && (o.Kind == nil || o.Kind[i] != "good leverage"):
						wrong++
					}
				}
				b.Score("found", found)
				b.Score("documented", float64(len(known)))
				b.Score("false", wrong)
				b.Series("flagged", flagged)
				return nil
			}})
		}
		out = append(out, c)
	}
	return out, nil
}

// rowSet reads a list such as "1,3,15-20".
func rowSet(text string) map[int]bool {
	out := map[int]bool{}
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(part, "-")
		first, err := strconv.Atoi(low)
		if err != nil {
			continue
		}
		last := first
		if isRange {
			last, _ = strconv.Atoi(high)
		}
		for i := first; i <= last; i++ {
			out[i] = true
		}
	}
	return out
}

func logarithms(s *dataset.Set) *dataset.Set {
	out := *s
	out.X = mat.DenseCopyOf(s.X)
	out.X.Apply(func(_, _ int, v float64) float64 { return math.Log(v) }, out.X)
	t := *s.Target
	t.Values = make([]float64, len(s.Target.Values))
	for i, v := range s.Target.Values {
		t.Values[i] = math.Log(v)
	}
	out.Target = &t
	return &out
}

func presentKnown(_ context.Context, v *experiment.View) error {
	counts := &report.Table{Columns: []report.Column{{Name: "data"}, {Name: "documented"}}}
	flagged := &report.Table{Columns: []report.Column{{Name: "data"}}, Notes: []string{"Rows count from 1. Rows that the literature calls borderline: " + borderline() + "."}}
	for _, m := range v.Methods() {
		counts.Columns = append(counts.Columns, report.Column{Name: m + ": found", Align: report.Right}, report.Column{Name: "false"})
		flagged.Columns = append(flagged.Columns, report.Column{Name: m})
	}
	for _, k := range knownSets {
		count, list := []any{k.data, k.outliers}, []any{k.data}
		for _, m := range v.Methods() {
			var rows []string
			for _, r := range v.Series(k.data, m, "flagged") {
				rows = append(rows, number(r))
			}
			count = append(count, fmt.Sprintf("%.0f of %.0f", v.Stat(k.data, m, "found").Mean, v.Stat(k.data, m, "documented").Mean), int(v.Stat(k.data, m, "false").Mean))
			list = append(list, cmp.Or(strings.Join(rows, " "), "none"))
		}
		counts.Add(count...)
		flagged.Add(list...)
	}
	v.Page.Add("Found and falsely accused", "", counts)
	v.Page.Add("Rows that were flagged", "", flagged)
	return nil
}

// borderline lists the rows that count for neither.
func borderline() string {
	var out []string
	for _, k := range knownSets {
		if k.also != "" {
			out = append(out, k.data+" "+k.also)
		}
	}
	return strings.Join(out, "; ")
}
