package classify

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/corrupt"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/score"
)

// The study of label noise: six sets, 0, 20 and 40 % of the training labels changed to
// another class at random, every machine tuned alike by three-fold cross-validation
// on the noisy training rows over the same grid of lambda and gamma, accuracy on clean
// test rows. It takes many minutes, so it runs only when asked:
//
//	INLIER_DATA=... INLIER_STUDY=10 go test ./classify -run TestLabelNoiseStudy -v -timeout 3h
//
// where the number is that of the random splits. INLIER_STUDY_METHODS, _SETS, _NOISE and
// _KERNELS restrict it; a method may carry changes, such as regmaxcem:sigma=1;clip=3.
func TestLabelNoiseStudy(t *testing.T) {
	repeats, _ := strconv.Atoi(os.Getenv("INLIER_STUDY"))
	root := os.Getenv("INLIER_DATA")
	if repeats < 1 || root == "" {
		t.Skip("INLIER_STUDY does not give a number of splits, or INLIER_DATA the folder of the benchmark data")
	}
	choose := func(what, otherwise string) []string {
		if given := os.Getenv("INLIER_STUDY_" + what); given != "" {
			otherwise = given
		}
		return strings.Split(otherwise, ",")
	}
	names := choose("METHODS", "square,hinge,logistic,regmaxcem")
	sets := choose("SETS", "wine,seeds,vehicle,glass,ecoli,wdbc")
	noises := choose("NOISE", "0,0.2,0.4")
	spent := map[string]time.Duration{}
	for _, text := range choose("KERNELS", "linear,rbf") {
		kind := kernel.Kind(text)
		mean := map[string]map[string]float64{}
		for _, noise := range noises {
			mean[noise] = map[string]float64{}
			for _, table := range sets {
				data, err := file.Read(context.Background(), filepath.Join(root, "classification", table+".csv"), file.Options{Target: "target", Task: dataset.TaskClass})
				if err != nil {
					t.Fatal(err)
				}
				line := fmt.Sprintf("%-7s %3s %-8s", kind, noise, table)
				for _, name := range names {
					var all []float64
					for r := range repeats {
						before := time.Now()
						all = append(all, studyOne(t, name, kind, data, noise, uint64(r+1)))
						spent[name] += time.Since(before)
					}
					average, deviation := meanAndDeviation(all)
					line += fmt.Sprintf("  %s %5.1f (%.1f)", name, 100*average, 100*deviation)
					mean[noise][name] += average / float64(len(sets))
				}
				t.Log(line)
			}
			line := fmt.Sprintf("%-7s %3s %-8s", kind, noise, "MEAN")
			for _, name := range names {
				line += fmt.Sprintf("  %s %5.2f      ", name, 100*mean[noise][name])
			}
			t.Log(line)
		}
		line := fmt.Sprintf("%-7s all %-8s", kind, "MEAN")
		for _, name := range names {
			sum := 0.0
			for _, noise := range noises {
				sum += mean[noise][name]
			}
			line += fmt.Sprintf("  %s %5.2f      ", name, 100*sum/float64(len(noises)))
		}
		t.Log(line)
	}
	t.Log(spent)
}

// studyMachine builds a machine by name; words after a colon are changes to the default.
func studyMachine(name string, o Options) machine {
	name, rest, _ := strings.Cut(name, ":")
	m := RegMaxCEM{Options: o}
	multiclass, power := MulticlassAuto, 0
	for _, word := range strings.Split(rest, ";") {
		key, value, _ := strings.Cut(word, "=")
		number, _ := strconv.ParseFloat(value, 64)
		switch key {
		case "sigma":
			if m.Sigma = number; value == "cv" {
				m.Rule = SigmaByFolds
			}
		case "anneal":
			m.Anneal = number
		case "two":
			m.TwoSided = true
		case "variant":
			m.Variant = Variant(value)
		case "clip":
			m.Clip = number
		case "scale":
			m.Scaling = Scaling(value)
		case "loss":
			m.Loss = loss.MustParse(value)
		case "multiclass":
			multiclass = Multiclass(value)
		case "power":
			power = int(number)
		case "balanced":
			m.ClassWeights = Balanced
		}
	}
	switch name {
	case "square":
		return Square{m.Options}
	case "hinge":
		return Hinge{Options: m.Options, Power: power}
	case "logistic":
		return Logistic{Options: m.Options, Multiclass: multiclass}
	}
	filled, err := m.filled()
	if err != nil {
		panic(err)
	}
	return filled
}

// studyOne splits, dirties the training labels, tunes, fits and tests. The split and the
// dirt depend on the seed alone, so that all machines meet the same.
func studyOne(t *testing.T, name string, kind kernel.Kind, data *dataset.Set, noise string, seed uint64) float64 {
	t.Helper()
	ctx := context.Background()
	part, err := dataset.SplitBy(data, 0.3, dataset.SplitRules{Stratify: true}, seed)
	if err != nil {
		t.Fatal(err)
	}
	train, test := data.Subset(part.Train), data.Subset(part.Test)
	if noise != "0" {
		if train, _, err = corrupt.Apply(train, "label:"+noise, seed); err != nil {
			t.Fatal(err)
		}
	}
	classes := len(data.Target.Classes)
	gammas := []float64{0}
	if kind == kernel.RBF {
		gammas = []float64{0.25, 1, 4}
	}
	base, _ := studyMachine(name, Options{}).options().filled()
	scaled := base.scaling(train.X).Apply(train.X)
	auto, err := kernel.Kernel{Kind: kind}.Resolve(scaled, 1)
	if err != nil {
		t.Fatal(err)
	}
	best, most := Options{}, math.Inf(-1)
	for _, g := range gammas {
		o := base
		o.Kernel = kernel.Kernel{Kind: kind, Gamma: auto.Gamma * g}
		d, err := newDesign(scaled, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, lambda := range []float64{1e-4, 1e-3, 1e-2, 1e-1, 1} {
			o.Lambda, o.Calibration, o.Seed, o.Tol = lambda, NoCalibration, seed, 1e-4
			prior, err := priors(train.Target.Labels, classes, o)
			if err != nil {
				t.Fatal(err)
			}
			whole := newTask(d.a, train.Target.Labels, classes, prior, o)
			whole.kernel = d.own
			right := 0
			for _, fold := range whole.folds(3) {
				scores, _, err := whole.scoresWithout(ctx, studyMachine(name, o), fold)
				if err != nil {
					t.Fatal(err)
				}
				for i, held := range fold {
					if held > 0 && largest(scores.RawRowView(i)) == train.Target.Labels[i] {
						right++
					}
				}
			}
			if float64(right) > most {
				best, most = o, float64(right)
			}
		}
	}
	best.Tol = 0
	model, err := fit(ctx, studyMachine(name, best), train.X, train.Target.Labels, classes)
	if err != nil {
		t.Fatal(err)
	}
	p, err := model.Predict(ctx, test.X)
	if err != nil {
		t.Fatal(err)
	}
	accuracy, err := score.Accuracy(test.Target.Labels, p.Labels)
	if err != nil {
		t.Fatal(err)
	}
	return accuracy
}

func meanAndDeviation(values []float64) (mean, deviation float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		deviation += (v - mean) * (v - mean) / n
	}
	return mean, math.Sqrt(deviation)
}
