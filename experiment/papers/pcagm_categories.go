package papers

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/score"
)

func init() {
	experiment.Register(&experiment.Spec{
		ID: "pca-gm-figure-9", Paper: "pca-gm", Item: "Fig. 9, Tables 2-3", Title: "categories by the nearest subspace: accuracy, steps, time per step",
		About: "One subspace per category, learned without outliers; a test image goes to the nearest. The paper finds PCA-GM better than PCA when there are many training images of small NORB, and HQ-PCA worst.",
		Protocol: []string{
			"MNIST digits in place of small NORB: 1000 or 4000 training images, 2000 test images, ten categories.",
			"For each category a subspace of m = 5, 20 or 50 components; a test image goes to the one with the smallest squared distance, about that method's own centre.",
			"Steps of PCA-GM summed over the categories, and seconds per step, as in Tables 2 and 3.",
		},
		Choices:    []string{"Small NORB is not at hand. MNIST has other images (28 x 28) and ten categories in place of five."},
		Substitute: "MNIST digits", Needs: []string{mnistTrain, "mnist/train-labels-idx1-ubyte.gz", "mnist/t10k-images-idx3-ubyte.gz", "mnist/t10k-labels-idx1-ubyte.gz"},
		Quick: experiment.Form{Repeats: 3, Minutes: 1}, Full: experiment.Form{Repeats: 5, Minutes: 3},
		Plan: planCategories, Published: published("pca-gm-figure-9"), Present: presentCategories, Learned: learnedCategories,
	})
}

// categoryTask is one draw of training rows by category, and test rows.
type categoryTask struct {
	byClass []*dataset.Set
	test    *dataset.Set
}

var (
	categorySizes      = []int{1000, 4000}
	categoryComponents = []int{5, 20, 50}
	categoryPowers     = []float64{0.1, 0.5, 0.9}
)

func planCategories(ctx context.Context, e *experiment.Env) ([]experiment.Case, error) {
	read := func(name string) (*dataset.Set, error) {
		return e.Read(ctx, name, file.Options{Target: "label", Task: dataset.TaskClass, Limit: 20000})
	}
	train, err := read(mnistTrain)
	if err != nil {
		return nil, err
	}
	test, err := read("mnist/t10k-images-idx3-ubyte.gz")
	if err != nil {
		return nil, err
	}
	var out []experiment.Case
	for _, n := range categorySizes {
		c := experiment.Case{Data: fmt.Sprintf("N = %d", n), Stream: "categories", Draw: func(_ context.Context, seed uint64) (any, error) {
			r := dataset.Random(seed, "categories")
			rows := r.Perm(train.Rows())[:n]
			task := &categoryTask{test: test.Subset(r.Perm(test.Rows())[:2000])}
			lists := make([][]int, len(train.Target.Classes))
			for _, i := range rows {
				lists[train.Target.Labels[i]] = append(lists[train.Target.Labels[i]], i)
			}
			for _, list := range lists {
				set := train.Subset(list)
				set.Target = nil
				task.byClass = append(task.byClass, set)
			}
			return task, nil
		}}
		for _, r := range gmReducers(categoryPowers...) {
			c.Entrants = append(c.Entrants, experiment.Entrant{Name: r.name, Params: r.params, Run: func(ctx context.Context, b *experiment.Bench) error { return categorise(ctx, b, r) }})
		}
		out = append(out, c)
	}
	return out, nil
}

// categorise learns one subspace per category and sends test rows to the nearest.
func categorise(ctx context.Context, b *experiment.Bench, r reducer) error {
	task := b.Data.(*categoryTask)
	best := make(map[int][]float64)
	labels := make(map[int][]int)
	n := task.test.Rows()
	for _, m := range categoryComponents {
		best[m], labels[m] = slices.Repeat([]float64{math.Inf(1)}, n), make([]int, n)
	}
	for class, set := range task.byClass {
		err := r.ladder(ctx, b, set, categoryComponents, func(m int, s subspace) error {
			centred := less(task.test.X, s.mean)
			var y mat.Dense
			linalg.Mul(&y, centred, s.basis)
			for i := range n {
				e := 0.0
				for _, v := range centred.RawRowView(i) {
					e += v * v
				}
				for _, v := range y.RawRowView(i) {
					e -= v * v
				}
				if e < best[m][i] {
					best[m][i], labels[m][i] = e, class
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, m := range categoryComponents {
		a, err := score.Accuracy(task.test.Target.Labels, labels[m])
		if err != nil {
			return err
		}
		b.Score(at("accuracy", float64(m)), 100*a)
	}
	fits := len(task.byClass) * len(categoryComponents)
	b.ScorePerFit("steps", fits)
	return nil
}

func presentCategories(_ context.Context, v *experiment.View) error {
	var charts []*report.Chart
	for _, d := range v.Data() {
		charts = append(charts, v.Curves("Fig. 9: "+d, report.Axis{Label: "components", Whole: true}, report.Axis{Label: "accuracy, %"}, d, v.Methods(), floatsOf(categoryComponents), func(m float64) string { return at("accuracy", m) }))
	}
	v.Page.Add("Accuracy", "", report.Group("", charts...))
	t := &report.Table{Title: "Tables 2 and 3: mean number of steps of one fit, and milliseconds per step", Columns: []report.Column{{Name: "method"}}}
	for _, d := range v.Data() {
		t.Columns = append(t.Columns, report.Column{Name: d + ", steps", Format: "%.1f"}, report.Column{Name: d + ", ms per step", Format: "%.1f"})
	}
	for _, m := range v.Methods() {
		row := []any{m}
		for _, d := range v.Data() {
			seconds, steps := v.Seconds(d, m)
			row = append(row, v.Stat(d, m, "steps").Mean)
			if steps > 0 {
				row = append(row, 1000*seconds/steps)
			} else {
				row = append(row, nil)
			}
		}
		t.Add(row...)
	}
	t.Notes = []string{"Times are of this machine, with other runs beside; the paper's are of MATLAB on 12 cores and other images."}
	v.Page.Add("Steps and time", "", t)
	return nil
}

func learnedCategories(v *experiment.View) []string {
	var out []string
	for _, d := range v.Data() {
		name, top := "", 0.0
		for _, m := range v.Methods() {
			if s := v.Stat(d, m, at("accuracy", 20)); s.Mean > top {
				name, top = m, s.Mean
			}
		}
		out = append(out, fmt.Sprintf("%s, m = 20: best is %s with %.2f %%; PCA has %.2f %%, HQ-PCA %.2f %%.", d, name, top, v.Stat(d, "pca", at("accuracy", 20)).Mean, v.Stat(d, "hq-pca", at("accuracy", 20)).Mean))
	}
	last := v.Data()[len(v.Data())-1]
	var steps []string
	for _, p := range categoryPowers {
		steps = append(steps, strconv.FormatFloat(v.Stat(last, "pca-gm, p = "+number(p), "steps").Mean, 'f', 1, 64))
	}
	return append(out, fmt.Sprintf("%s: PCA-GM takes %v steps on average for p = %v.", last, steps, categoryPowers))
}
