package jobs

import (
	"archive/zip"
	"context"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/plot"
)

// A mistake in a request is told with the field that holds it, whichever package has found it:
// a page marks that field. Every field of every request that can be wrong is here.
func TestMistakesNameTheirField(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	table, words, closed := write("a.csv", readings(40)), write("words.csv", "x,y,z\n1,2,n\n2,1,m\n4,3,n\n1,0,n\n2,2,m\n"), filepath.Join(dir, "none", "file")
	images := write("images", "\x00\x00\x08\x03\x00\x00\x00\x04\x00\x00\x00\x02\x00\x00\x00\x02abcdefghijklmnop")
	book := write("book.xlsx", workbook(t))
	classes := "a,b,kind\n" + strings.Repeat("1,2,u\n2,1,v\n3,5,u\n4,4,v\n", 10)
	data := func(d inlier.Data) inlier.Data { d.Path = table; return d }
	kinds := inlier.Data{Path: write("classes.csv", classes), Target: "kind"}
	y := data(inlier.Data{Target: "y"})
	made := func(f inlier.Fit) inlier.Model {
		fit, err := f.Run(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return fit.Fitted()
	}
	cells := made(inlier.Fit{Method: "pca-cell", Data: data(inlier.Data{})})
	model, groups, line := made(inlier.Fit{Data: data(inlier.Data{})}), made(inlier.Fit{Method: "kmeans", Data: data(inlier.Data{})}), made(inlier.Fit{Method: "linear-robust", Data: y})
	classifier := made(inlier.Fit{Method: "logistic", Data: kinds})
	absent, foreign := inlier.Model{Path: filepath.Join(dir, "absent.npz")}, inlier.Model{Path: table}
	stream := func() inlier.Model { return inlier.Model{Reader: strings.NewReader("no model")} }
	set := func(name, value string) catalog.Parameters { return catalog.Parameters{name: value} }
	fits := func(d inlier.Data) inlier.Fit { return inlier.Fit{Data: data(d)} }
	tolerant := func(d inlier.Data) inlier.Fit { d.Tolerant = true; return fits(d) }
	tunes := func(j inlier.Tune) inlier.Tune { j.Method, j.Data = "relm", y; return j }
	learns := func(j inlier.Compare) inlier.Compare { j.Data.Path, j.Data.Target = table, "y"; return j }
	reduces := func(j inlier.Compare) inlier.Compare { j.Data.Path = table; return j }
	checks := func(j inlier.Check) inlier.Check { j.Paths = []string{table}; return j }
	reads := func(r inlier.Reading) inlier.Check { return checks(inlier.Check{Reading: r}) }
	draws := func(kind string, m inlier.Model, name, value string) inlier.Plot {
		p := inlier.Plot{Kind: kind, Models: []inlier.Model{m}, Data: data(inlier.Data{}), Params: plot.Params{}}
		if name != "" {
			p.Params[name] = []string{value}
		}
		return p
	}
	sweeps := func(names []string, grid ...string) inlier.Plot {
		return inlier.Plot{Kind: "sweep", Names: names, Data: data(inlier.Data{}), Params: plot.Params{"grid": grid}}
	}
	elm := []string{"relm"}
	covered := map[string]bool{}
	for _, c := range []struct {
		field   string
		request any
	}{
		{"method", inlier.Fit{Method: "absent", Data: data(inlier.Data{})}},
		{"precision", fits(inlier.Data{Precision: "half"})},
		{"precision", inlier.Tune{Method: "relm", Data: data(inlier.Data{Target: "y", Precision: "single"})}},
		{"parameters.componets", inlier.Fit{Parameters: set("componets", "2"), Data: data(inlier.Data{})}},
		{"parameters.components", inlier.Fit{Parameters: set("components", "-2"), Data: data(inlier.Data{})}},
		{"parameters.components", inlier.Fit{Parameters: set("components", "9"), Data: data(inlier.Data{})}},
		{"parameters.start", inlier.Fit{Parameters: set("start", "x"), Data: data(inlier.Data{})}},
		{"parameters.sigma", inlier.Fit{Method: "pca-kmpe", Parameters: set("sigma", "0"), Data: data(inlier.Data{})}},
		{"parameters.tol", inlier.Fit{Parameters: set("tol", "NaN"), Data: data(inlier.Data{})}},
		{"parameters.cell-loss", inlier.Fit{Method: "pca-cell", Parameters: set("cell-loss", "x"), Data: data(inlier.Data{})}},
		{"parameters.clusters", inlier.Fit{Method: "kmeans", Parameters: set("clusters", "400"), Data: data(inlier.Data{})}},
		{"parameters.rank", inlier.Fit{Method: "2dpca", Parameters: set("rank", "x"), Data: data(inlier.Data{Shape: "3x1"})}},
		{"parameters.rank", inlier.Fit{Method: "2dsvd", Parameters: set("rank", "9x9"), Data: data(inlier.Data{Shape: "3x1"})}},
		{"parameters.reduce", inlier.Fit{Method: "nearest-center", Parameters: set("reduce", "kmeans"), Data: y}},
		{"parameters.reduce.components", inlier.Fit{Method: "nearest-center", Parameters: set("reduce.components", "2"), Data: y}},
		{"parameters.reduce.x", inlier.Fit{Method: "nearest-center", Parameters: catalog.Parameters{"reduce": "pca", "reduce.x": "2"}, Data: y}},
		{"parameters.reduce.scaling", inlier.Fit{Method: "nearest-center", Parameters: catalog.Parameters{"reduce": "pca", "reduce.scaling": "x"}, Data: y}},
		{"parameters.distance", inlier.Fit{Method: "nearest-center", Parameters: set("distance", "spectral"), Data: kinds}},
		{"task", inlier.Fit{Method: "nearest-center", Data: y}},
		{"parameters.weights", inlier.Fit{Method: "nearest-center", Parameters: set("weights", "reduce"), Data: kinds}},
		{"parameters.covariance", inlier.Fit{Method: "linear-robust", Parameters: catalog.Parameters{"covariance": "mm", "start": "lts"}, Data: y}},
		{"parameters.margin", inlier.Fit{Method: "regmaxcem", Parameters: catalog.Parameters{"margin": "one-sided", "variant": "joint"}, Data: y}},
		{"parameters.weight-low", inlier.Fit{Method: "relm", Parameters: catalog.Parameters{"weight-low": "3", "weight-high": "1"}, Data: y}},
		{"loss", inlier.Fit{Loss: "absent", Data: data(inlier.Data{})}},
		{"loss", inlier.Fit{Loss: "huber:c=-1", Data: data(inlier.Data{})}},
		{"loss", inlier.Fit{Method: "pca", Loss: "huber", Data: data(inlier.Data{})}},
		{"loss", inlier.Fit{Method: "kmeans", Loss: "huber", Parameters: set("loss", "huber"), Data: data(inlier.Data{})}},
		{"loss", inlier.Fit{Parameters: set("loss", "absent"), Data: data(inlier.Data{})}},
		{"update", inlier.Fit{Update: &absent, Data: data(inlier.Data{})}},
		{"update", inlier.Fit{Update: &foreign, Data: data(inlier.Data{})}},
		{"update", inlier.Fit{Update: &groups, Data: data(inlier.Data{})}},
		{"method", inlier.Fit{Method: "pca", Update: &line, Data: y}},
		{"forget", inlier.Fit{Forget: 0.5, Data: data(inlier.Data{})}},
		{"forget", inlier.Fit{Update: &line, Forget: 1, Data: y}},
		{"forget", inlier.Fit{Update: &line, Forget: math.NaN(), Data: y}},
		{"path", inlier.Fit{}},
		{"path", inlier.Fit{Data: inlier.Data{Path: closed}}},
		{"path", inlier.Fit{Data: inlier.Data{Path: closed, Tolerant: true}}},
		{"path", inlier.Fit{Data: inlier.Data{Path: filepath.Join(dir, "*.absent")}}},
		{"path", inlier.Fit{Data: inlier.Data{Path: "absent.csv", FS: fstest.MapFS{}}}},
		{"paths", inlier.Fit{Data: inlier.Data{Paths: []string{table, closed}}}},
		{"paths", inlier.Fit{Data: inlier.Data{Path: table, Paths: []string{closed}}}},
		{"paths", inlier.Fit{Data: inlier.Data{Path: table, Paths: []string{closed}, Tolerant: true}}},
		{"paths", inlier.Fit{Data: inlier.Data{Paths: []string{""}}}},
		{"target", inlier.Fit{Method: "linear-robust", Data: data(inlier.Data{})}},
		{"target", inlier.Fit{Method: "logistic", Data: data(inlier.Data{})}},
		{"target", fits(inlier.Data{Target: "absent"})},
		{"target", tolerant(inlier.Data{Target: "absent"})},
		{"target", fits(inlier.Data{Target: "9"})},
		{"task", inlier.Fit{Method: "linear-robust", Data: data(inlier.Data{Target: "y", Task: "x"})}},
		{"labels", inlier.Fit{Data: inlier.Data{Path: images, Labels: closed}}},
		{"labels", inlier.Fit{Data: inlier.Data{Path: images, Labels: words}}},
		{"id", fits(inlier.Data{ID: "absent"})},
		{"id", tolerant(inlier.Data{ID: "absent"})},
		{"columns", fits(inlier.Data{Columns: []string{"absent"}})},
		{"columns", tolerant(inlier.Data{Columns: []string{"absent"}})},
		{"drop", fits(inlier.Data{Drop: []string{"absent"}})},
		{"drop", tolerant(inlier.Data{Drop: []string{"absent"}})},
		{"text", tolerant(inlier.Data{Text: []string{"absent"}})},
		{"text", fits(inlier.Data{Text: []string{"absent"}, Categorical: "ordinal"})},
		{"categorical", fits(inlier.Data{Categorical: "x"})},
		{"categorical", inlier.Fit{Data: inlier.Data{Path: words}}},
		{"header", fits(inlier.Data{Header: "x"})},
		{"header", tolerant(inlier.Data{Header: "x"})},
		{"delimiter", fits(inlier.Data{Delimiter: "xyz"})},
		{"delimiter", tolerant(inlier.Data{Delimiter: "xyz"})},
		{"format", fits(inlier.Data{Format: "x"})},
		{"format", fits(inlier.Data{Format: "parquet"})},
		{"shape", fits(inlier.Data{Shape: "x"})},
		{"shape", fits(inlier.Data{Shape: "7x7"})},
		{"resize", fits(inlier.Data{Resize: "x"})},
		{"limit", fits(inlier.Data{Limit: -1})},
		{"limit", tolerant(inlier.Data{Limit: -1})},
		{"memory", fits(inlier.Data{Memory: -1})},
		{"memory", checks(inlier.Check{Memory: -1})},
		{"weights", inlier.Fit{Data: data(inlier.Data{}), Weights: []float64{1}}},
		{"checkpoint", inlier.Fit{Data: data(inlier.Data{}), Checkpoint: table}},
		{"checkpoint", inlier.Fit{Data: data(inlier.Data{}), Checkpoint: closed}},
		{"constant", fits(inlier.Data{Constant: "x"})},
		{"as", tolerant(inlier.Data{As: map[string]string{"a": "x"}})},
		{"as", tolerant(inlier.Data{As: map[string]string{"absent": "number"}})},
		{"sheet", inlier.Fit{Data: inlier.Data{Path: book, Sheet: "x", Tolerant: true}}},
		{"decimal", inlier.Fit{Data: inlier.Data{Path: book, Decimal: "x", Tolerant: true}}},
		{"encoding", inlier.Fit{Data: inlier.Data{Path: book, Encoding: "x", Tolerant: true}}},

		{"method", inlier.Tune{Data: y}},
		{"method", inlier.Tune{Method: "absent", Data: y}},
		{"method", inlier.Tune{Method: "pca", Data: data(inlier.Data{})}},
		{"target", inlier.Tune{Method: "relm", Data: data(inlier.Data{})}},
		{"grid", tunes(inlier.Tune{Grid: []string{"x"}})},
		{"grid", tunes(inlier.Tune{Grid: []string{"lambda="}})},
		{"grid", tunes(inlier.Tune{Grid: []string{"lambda=-3"}})},
		{"grid", tunes(inlier.Tune{Grid: []string{"absent=3"}})},
		{"grid", tunes(inlier.Tune{Grid: []string{"lambda=1,2", "lambda=3"}})},
		{"grid", tunes(inlier.Tune{Grid: []string{"lambda=1,2"}, Parameters: set("lambda", "3")})},
		{"grid", tunes(inlier.Tune{Grid: []string{"lambda=1..2:900000log", "hidden=1..90000:90000"}})},
		{"parameters.x", tunes(inlier.Tune{Parameters: set("x", "2")})},
		{"parameters.lambda", tunes(inlier.Tune{Parameters: set("lambda", "-2")})},
		{"loss", tunes(inlier.Tune{Loss: "x"})},
		{"loss", tunes(inlier.Tune{Loss: "huber"})},
		{"loss", inlier.Tune{Method: "linear-robust", Loss: "huber", Parameters: set("loss", "huber"), Data: y}},
		{"folds", tunes(inlier.Tune{Folds: 1})},
		{"folds", tunes(inlier.Tune{Folds: 400})},
		{"repeats", tunes(inlier.Tune{Repeats: -1})},
		{"random", tunes(inlier.Tune{Random: -1})},
		{"group", tunes(inlier.Tune{Group: "absent"})},
		{"group", inlier.Tune{Method: "relm", Group: "a", Data: inlier.Data{Target: "y", Reader: strings.NewReader(readings(40))}}},
		{"metric", tunes(inlier.Tune{Metric: "x"})},
		{"metric", tunes(inlier.Tune{Metric: "accuracy"})},
		{"journal", tunes(inlier.Tune{Journal: closed, Grid: []string{"lambda=1,2"}})},
		{"journal", tunes(inlier.Tune{Journal: table, Grid: []string{"lambda=1,2"}})},

		{"methods", reduces(inlier.Compare{Methods: []string{"absent"}})},
		{"methods", reduces(inlier.Compare{Methods: []string{""}})},
		{"methods", reduces(inlier.Compare{Methods: []string{"kmeans"}})},
		{"methods", reduces(inlier.Compare{Methods: []string{"pca", "2dpca"}})},
		{"methods", learns(inlier.Compare{Methods: []string{"absent"}})},
		{"methods", learns(inlier.Compare{Methods: []string{"kmeans"}})},
		{"methods", learns(inlier.Compare{Methods: []string{"relm", "hinge"}})},
		{"parameters.x", reduces(inlier.Compare{Parameters: set("x", "2")})},
		{"parameters.components", reduces(inlier.Compare{Parameters: set("components", "-2")})},
		{"parameters.components", reduces(inlier.Compare{Parameters: set("components", "9")})},
		{"parameters.x", learns(inlier.Compare{Parameters: set("x", "2")})},
		{"parameters.lambda", learns(inlier.Compare{Parameters: set("lambda", "-2")})},
		{"corrupt", reduces(inlier.Compare{Corrupt: "absent"})},
		{"corrupt", reduces(inlier.Compare{Corrupt: "rows:40"})},
		{"corrupt", learns(inlier.Compare{Corrupt: "absent", Methods: elm})},
		{"repeats", learns(inlier.Compare{Repeats: -1})},
		{"test", learns(inlier.Compare{Test: -1})},
		{"test", learns(inlier.Compare{Test: 1})},
		{"test", learns(inlier.Compare{Test: 0.999, Methods: elm})},
		{"group", learns(inlier.Compare{Group: "absent"})},
		{"metric", learns(inlier.Compare{Metric: "x"})},
		{"target", reduces(inlier.Compare{Data: inlier.Data{Target: "absent"}})},
		{"path", inlier.Compare{Data: inlier.Data{Path: closed}}},

		{"model", inlier.Judge{Data: data(inlier.Data{})}},
		{"model", inlier.Judge{Model: absent, Data: data(inlier.Data{})}},
		{"model", inlier.Judge{Model: foreign, Data: data(inlier.Data{})}},
		{"model", inlier.Judge{Model: stream(), Data: data(inlier.Data{})}},
		{"path", inlier.Judge{Model: model}},
		{"top", inlier.Judge{Model: model, Data: data(inlier.Data{}), Top: -3}},
		{"target", inlier.Judge{Model: classifier, Data: inlier.Data{Path: table, Columns: []string{"a", "b"}}}},
		{"target", inlier.Judge{Model: line, Data: data(inlier.Data{Target: "absent"})}},
		{"columns", inlier.Judge{Model: model, Data: inlier.Data{Reader: strings.NewReader(classes), Categorical: "ordinal"}}},
		{"model", inlier.Inspect{}},
		{"model", inlier.Inspect{Model: absent}},
		{"model", inlier.Inspect{Model: foreign}},
		{"model", inlier.Inspect{Model: stream()}},
		{"model", inlier.Predict{}},
		{"model", inlier.Predict{Model: model, Data: data(inlier.Data{})}},
		{"path", inlier.Predict{Model: line, Data: inlier.Data{Path: closed}}},
		{"model", inlier.Transform{Model: line, Data: data(inlier.Data{})}},
		{"model", inlier.Transform{Model: absent, Data: data(inlier.Data{})}},
		{"path", inlier.Transform{Model: model}},
		{"model", inlier.Reconstruct{Model: line, Data: data(inlier.Data{})}},
		{"model", inlier.Reconstruct{Data: data(inlier.Data{})}},
		{"path", inlier.Reconstruct{Model: model}},
		{"model", inlier.Score{Model: absent, Data: data(inlier.Data{})}},
		{"target", inlier.Score{Model: line, Data: data(inlier.Data{Target: "none"})}},
		{"target", inlier.Score{Model: line, Data: inlier.Data{Path: table, Target: "absent"}}},
		{"target", inlier.Score{Model: groups, Data: data(inlier.Data{})}},
		{"path", inlier.Score{Model: model}},

		{"name", inlier.Generate{}},
		{"name", inlier.Generate{Name: "absent"}},
		{"parameters.x", inlier.Generate{Name: "low-rank", Parameters: set("x", "1")}},
		{"parameters.n", inlier.Generate{Name: "low-rank", Parameters: set("n", "x")}},
		{"parameters.n", inlier.Generate{Name: "low-rank", Parameters: set("n", "-1")}},
		{"parameters.fraction", inlier.Generate{Name: "low-rank", Parameters: set("fraction", "2")}},
		{"parameters.outliers", inlier.Generate{Name: "low-rank", Parameters: set("outliers", "x")}},
		{"spec", inlier.Corrupt{Data: data(inlier.Data{})}},
		{"spec", inlier.Corrupt{Data: data(inlier.Data{}), Spec: "absent:1"}},
		{"spec", inlier.Corrupt{Data: data(inlier.Data{}), Spec: "rows:-1"}},
		{"spec", inlier.Corrupt{Data: data(inlier.Data{}), Spec: "label:0.2"}},
		{"path", inlier.Corrupt{Data: inlier.Data{Path: closed}, Spec: "rows:1"}},
		{"path", inlier.Convert{}},
		{"path", inlier.Convert{Data: inlier.Data{Path: closed}}},
		{"rows", inlier.Head{Data: data(inlier.Data{}), Rows: -1}},
		{"path", inlier.Head{Data: inlier.Data{Path: closed}}},
		{"path", inlier.Info{Data: inlier.Data{Path: closed}}},
		{"columns", inlier.Info{Data: data(inlier.Data{Columns: []string{"absent"}})}},
		{"limit", inlier.Info{Data: data(inlier.Data{Limit: -1})}},

		{"kind", inlier.Plot{}},
		{"kind", inlier.Plot{Kind: "absent"}},
		{"kind", draws("scree", line, "", "")},
		{"kind", draws("confusion", line, "", "")},
		{"models", inlier.Plot{Kind: "scree"}},
		{"models", inlier.Plot{Kind: "scree", Models: []inlier.Model{absent}}},
		{"models", inlier.Plot{Kind: "scree", Models: []inlier.Model{foreign}}},
		{"models", inlier.Plot{Kind: "components", Models: []inlier.Model{model, model}}},
		{"models", inlier.Plot{Kind: "roc", Models: []inlier.Model{model, line}, Data: data(inlier.Data{})}},
		{"params.x", draws("scree", model, "x", "1")},
		{"params.rows", draws("cell-map", cells, "rows", "x")},
		{"params.rows", draws("cell-map", cells, "rows", "900")},
		{"params.count", draws("components", model, "count", "-1")},
		{"params.set", inlier.Plot{Kind: "sweep", Names: []string{"pca"}, Data: data(inlier.Data{}), Params: plot.Params{"grid": {"components=1,2"}, "set": {"absent=3"}}}},
		{"params.corrupt", inlier.Plot{Kind: "sweep", Names: []string{"pca"}, Data: data(inlier.Data{}), Params: plot.Params{"grid": {"components=1,2"}, "corrupt": {"absent"}}}},
		{"path", inlier.Plot{Kind: "outlier-map", Models: []inlier.Model{model}}},
		{"target", inlier.Plot{Kind: "residuals", Models: []inlier.Model{line}, Data: data(inlier.Data{Target: "none"})}},
		{"names", sweeps(nil, "components=1,2")},
		{"names", sweeps([]string{"absent"}, "components=1,2")},
		{"names", inlier.Plot{Kind: "loss", Names: []string{"absent"}}},
		{"names", inlier.Plot{Kind: "loss"}},
		{"params.grid", sweeps([]string{"pca-robust"})},
		{"params.grid", sweeps([]string{"pca-robust"}, "x")},
		{"params.grid", sweeps([]string{"pca-robust"}, "absent=1,2")},
		{"params.grid", sweeps([]string{"pca-robust"}, "components=-1,2")},
		{"params.grid", sweeps([]string{"pca-robust"}, "components=1,9")},

		{"paths", inlier.Check{}},
		{"paths", inlier.Check{Paths: []string{closed}}},
		{"paths", inlier.Check{Paths: []string{filepath.Join(dir, "*.absent")}}},
		{"paths", inlier.Check{Paths: []string{dir}}},
		{"target", checks(inlier.Check{Target: "absent"})},
		{"id", checks(inlier.Check{ID: "absent"})},
		{"choices", checks(inlier.Check{Choices: []inlier.Choice{{Row: -1}}})},
		{"against", checks(inlier.Check{Against: closed})},
		{"against", checks(inlier.Check{Against: table})},
		{"expect", checks(inlier.Check{Expect: 1})},
		{"expect", checks(inlier.Check{Expect: -1})},
		{"fail-above", checks(inlier.Check{FailAbove: 1})},
		{"as", reads(inlier.Reading{As: map[string]string{"a": "x"}})},
		{"as", reads(inlier.Reading{As: map[string]string{"absent": "number"}})},
		{"header", reads(inlier.Reading{Header: "x"})},
		{"delimiter", reads(inlier.Reading{Delimiter: "xyz"})},
		{"decimal", reads(inlier.Reading{Decimal: "x"})},
		{"date-order", reads(inlier.Reading{DateOrder: "x"})},
		{"encoding", reads(inlier.Reading{Encoding: "x"})},
		{"sheet", inlier.Check{Paths: []string{book}, Reading: inlier.Reading{Sheet: "x"}}},
		{"limit", reads(inlier.Reading{Limit: -1})},

		{"seeds", inlier.Breakdown{Seeds: -1}},
		{"size", inlier.KernelTimes{Size: -1}},
		{"rows", inlier.FitTimes{Rows: -1}},
		{"rows", inlier.FitTimes{Rows: 1 << 30}},
		{"columns", inlier.FitTimes{Columns: 2}},
		{"components", inlier.FitTimes{Components: -1}},
		{"components", inlier.FitTimes{Components: 500}},
	} {
		job := reflect.ValueOf(c.request)
		out := job.MethodByName("Run").Call([]reflect.Value{reflect.ValueOf(context.Background()), reflect.ValueOf(inlier.Observer(nil))})
		err, _ := out[1].Interface().(error)
		e, ok := inlier.AsError(err)
		if !ok {
			t.Errorf("%s: a mistake in %s is no mistake of the user's: %v", job.Type().Name(), c.field, err)
		} else if e.Parameter != c.field {
			t.Errorf("%s: %q is named for a mistake in %s: %v", job.Type().Name(), e.Parameter, c.field, err)
		}
		first, _, _ := strings.Cut(c.field, ".")
		covered[job.Type().Name()+"."+first] = true
	}
	for _, request := range []any{inlier.Fit{}, inlier.Tune{}, inlier.Compare{}, inlier.Judge{}, inlier.Inspect{}, inlier.Predict{}, inlier.Transform{}, inlier.Reconstruct{}, inlier.Score{},
		inlier.Generate{}, inlier.Corrupt{}, inlier.Convert{}, inlier.Head{}, inlier.Info{}, inlier.Plot{}, inlier.Check{}, inlier.Breakdown{}, inlier.KernelTimes{}, inlier.FitTimes{}, inlier.Demo{}} {
		for _, field := range reflect.VisibleFields(reflect.TypeOf(request)) {
			untried(t, covered, reflect.TypeOf(request).Name(), field)
		}
	}
	for _, field := range reflect.VisibleFields(reflect.TypeOf(inlier.Data{})) {
		untried(t, covered, "Fit", field)
	}
}

// untried complains of a field that can be wrong and is in no case of a job.
func untried(t *testing.T, covered map[string]bool, job string, field reflect.StructField) {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	switch {
	case name == "" || name == "-" || field.Type.Kind() == reflect.Bool || name == "seed":
	case name == "data": // whose fields Fit tries
	case name == "missing" || name == "sentinels": // of a check: any texts and numbers
	case !covered[job+"."+strings.ReplaceAll(name, "_", "-")]:
		t.Errorf("no mistake in %s of %s is tried", name, job)
	}
}

// workbook is one with a sheet of two numbers.
func workbook(t *testing.T) string {
	const main, to = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`, "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	var b strings.Builder
	w := zip.NewWriter(&b)
	for name, text := range map[string]string{
		"xl/workbook.xml":            `<workbook ` + main + ` xmlns:r="` + to + `"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Type="` + to + `/worksheet" Target="worksheets/a.xml"/></Relationships>`,
		"xl/worksheets/a.xml":        `<worksheet ` + main + `><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="A2"><v>2</v></c></row></sheetData></worksheet>`,
	} {
		if out, err := w.Create(name); err != nil {
			t.Fatal(err)
		} else if _, err = out.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
