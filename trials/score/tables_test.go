package score

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/score"
)

func near(t *testing.T, name string, got float64, err error, want, tol float64) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", name, err)
	} else if !(math.Abs(got-want) <= tol*math.Max(1, math.Abs(want))) {
		t.Errorf("%s = %.16g, want %.16g", name, got, want)
	}
}

// says checks that an error comes from this package and names its cause.
func says(t *testing.T, err error, part string) {
	t.Helper()
	if err == nil || !strings.HasPrefix(err.Error(), "score: ") || !strings.Contains(err.Error(), part) {
		t.Errorf("error %v does not say %q", err, part)
	}
}

// scikit-learn 1.9.1:
//
//	y = np.array([3,-0.5,2,7,4.2,0]); p = np.array([2.5,0.0,2.1,8,4.0,1.5])
//	root_mean_squared_error(y,p), mean_absolute_error(y,p), median_absolute_error(y,p), r2_score(y,p)
//	np.sqrt(np.sort((y-p)**2)[:4].mean())
func TestRegressionScores(t *testing.T) {
	y, p := []float64{3, -0.5, 2, 7, 4.2, 0}, []float64{2.5, 0, 2.1, 8, 4, 1.5}
	v, err := score.RMSE(y, p)
	near(t, "RMSE", v, err, 0.7958224257542215, 1e-14)
	v, err = score.MAE(y, p)
	near(t, "MAE", v, err, 0.6333333333333334, 1e-14)
	v, err = score.MedianAE(y, p)
	near(t, "MedianAE", v, err, 0.5, 1e-14)
	v, err = score.R2(y, p)
	near(t, "R2", v, err, 0.9020828859780975, 1e-14)
	v, err = score.TrimmedRMSE(y, p, 1.0/3)
	near(t, "TrimmedRMSE", v, err, 0.37080992435478316, 1e-14)
	v, err = score.TrimmedRMSE(y, p, 0)
	near(t, "TrimmedRMSE of all", v, err, 0.7958224257542215, 1e-14)
	v, err = score.TrimmedRMSE(y, p, 0.999)
	near(t, "TrimmedRMSE of the best row", v, err, 0.1, 1e-14)
	v, err = score.RMSE([]float64{1e300, 0}, []float64{0, 1e300})
	near(t, "RMSE of huge errors", v/1e300, err, 1, 1e-14)
	v, err = score.RMSE(y, y)
	near(t, "RMSE of a perfect fit", v, err, 0, 0)

	all := map[string]func(a, b []float64) (float64, error){
		"RMSE": score.RMSE, "MAE": score.MAE, "MedianAE": score.MedianAE, "R2": score.R2,
		"TrimmedRMSE": func(a, b []float64) (float64, error) { return score.TrimmedRMSE(a, b, 0.1) },
		"PairedT":     func(a, b []float64) (float64, error) { r, err := score.PairedT(a, b); return r.T, err },
	}
	for name, f := range all {
		_, err := f([]float64{1, 2}, []float64{1})
		says(t, err, name+": 2 true values but 1 results")
		_, err = f(nil, nil)
		says(t, err, name+": nothing to compare")
		_, err = f([]float64{1, math.NaN()}, []float64{1, 2})
		says(t, err, "true value 2 is NaN")
		_, err = f([]float64{1, 2}, []float64{math.Inf(1), 2})
		says(t, err, "value 1 is +Inf")
	}
	for _, share := range []float64{-0.1, 1, math.NaN()} {
		_, err = score.TrimmedRMSE(y, p, share)
		says(t, err, "at least 0 and below 1")
	}
}

var (
	classes  = []int{0, 0, 1, 1, 2, 2, 2, 3, 1, 0}
	clusters = []int{1, 1, 0, 0, 0, 2, 2, 2, 0, 2}
)

// scikit-learn 1.9.1: accuracy_score(classes, clusters), confusion_matrix(classes, clusters)
func TestClassificationScores(t *testing.T) {
	v, err := score.Accuracy(classes, clusters)
	near(t, "Accuracy", v, err, 0.2, 1e-15)
	table, err := score.Confusion(classes, clusters, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]int{{0, 2, 1, 0}, {3, 0, 0, 0}, {1, 0, 2, 0}, {0, 0, 1, 0}} {
		if !slices.Equal(table[i], want) {
			t.Errorf("row %d of the confusion matrix is %v, want %v", i, table[i], want)
		}
	}
	if wide, err := score.Confusion([]int{0}, []int{1}, 5); err != nil || len(wide) != 5 || wide[0][1] != 1 {
		t.Errorf("five classes: %v (%v)", wide, err)
	}
	_, err = score.Confusion([]int{0, 3}, []int{0, 1}, 3)
	says(t, err, "true label 3 of sample 2 is not between 0 and 2")
	_, err = score.Confusion([]int{0, 1}, []int{0, -1}, 0)
	says(t, err, "label -1 of sample 2")
	_, err = score.Confusion([]int{0, 1}, []int{0, 1 << 40}, 0)
	says(t, err, "number the classes from 0")
	_, err = score.Confusion([]int{0}, []int{0}, -1)
	says(t, err, "-1 classes")
	_, err = score.Confusion(nil, nil, 2)
	says(t, err, "nothing to compare")
	_, err = score.Accuracy([]int{1}, nil)
	says(t, err, "1 true values but 0 results")
}

// scikit-learn 1.9.1: log_loss(y, P, labels=[0,1,2]), brier_score_loss(y, P, labels=[0,1,2]);
// log_loss(y2, P2), brier_score_loss(y2, P2[:,1])
func TestProbabilityScores(t *testing.T) {
	p := mat.NewDense(5, 3, []float64{.7, .2, .1, .1, .8, .1, .2, .3, .5, 0, 1, 0, .3, .3, .4})
	y := []int{0, 1, 2, 1, 0}
	v, err := score.LogLoss(y, p)
	near(t, "LogLoss", v, err, 0.4953876960277648, 1e-14)
	v, err = score.Brier(y, p)
	near(t, "Brier", v, err, 0.264, 1e-14)
	p2 := mat.NewDense(4, 2, []float64{.7, .3, .2, .8, .5, .5, 1, 0})
	y2 := []int{0, 1, 1, 1}
	v, err = score.LogLoss(y2, p2)
	near(t, "LogLoss with a certain mistake", v, err, 9.32915476623251, 1e-14)
	v, err = score.Brier(y2, p2)
	near(t, "Brier of two classes", v, err, 0.345, 1e-14)

	for _, f := range []func([]int, *mat.Dense) (float64, error){score.LogLoss, score.Brier} {
		_, err = f(y, nil)
		says(t, err, "no probabilities")
		_, err = f(y[:2], p)
		says(t, err, "2 true values but 5 results")
		_, err = f([]int{0, 1, 2, 3, 0}, p)
		says(t, err, "true label 3 of sample 4")
		_, err = f([]int{0}, mat.NewDense(1, 1, []float64{1}))
		says(t, err, "one class only")
		_, err = f([]int{0}, mat.NewDense(1, 2, []float64{0.5, 0.4}))
		says(t, err, "sample 1 sum to 0.9")
		_, err = f([]int{0}, mat.NewDense(1, 2, []float64{1.5, -0.5}))
		says(t, err, "is not between 0 and 1")
		_, err = f([]int{0}, mat.NewDense(1, 2, []float64{math.NaN(), 1}))
		says(t, err, "probability NaN")
	}
}

// scikit-learn 1.9.1:
//
//	y = [0,0,1,1,0,1,1,0,1,0]; s = [.1,.4,.35,.8,.4,.4,.9,.2,.8,.8]
//	roc_curve(y, s, drop_intermediate=False), roc_auc_score(y, s)
//	precision_recall_curve(y, s), average_precision_score(y, s)
//
// scikit-learn lists the second curve from the lowest threshold and adds the point (1, 0).
func TestRankingScores(t *testing.T) {
	var y []bool
	for _, v := range []int{0, 0, 1, 1, 0, 1, 1, 0, 1, 0} {
		y = append(y, v == 1)
	}
	s := []float64{.1, .4, .35, .8, .4, .4, .9, .2, .8, .8}
	roc, err := score.ROC(y, s)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "AUC", roc.AUC, nil, 0.76, 1e-15)
	sameList(t, "false positives", roc.FalsePositive, []float64{0, 0, 0.2, 0.6, 0.6, 0.8, 1})
	sameList(t, "true positives", roc.TruePositive, []float64{0, 0.2, 0.6, 0.8, 1, 1, 1})
	sameList(t, "thresholds", roc.Threshold[1:], []float64{0.9, 0.8, 0.4, 0.35, 0.2, 0.1})
	if !math.IsInf(roc.Threshold[0], 1) {
		t.Errorf("first threshold is %g", roc.Threshold[0])
	}
	pr, err := score.PrecisionRecall(y, s)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "average precision", pr.AveragePrecision, nil, 0.7392857142857143, 1e-15)
	sameList(t, "precision", pr.Precision, []float64{1, 0.75, 0.5714285714285714, 0.625, 0.5555555555555556, 0.5})
	sameList(t, "recall", pr.Recall, []float64{0.2, 0.6, 0.8, 1, 1, 1})

	// The area is the share of pairs in the right order.
	tied, err := score.ROC([]bool{true, false}, []float64{1, 1})
	if err != nil || tied.AUC != 0.5 {
		t.Errorf("AUC of one tie: %v (%v)", tied, err)
	}
	best, err := score.ROC([]bool{true, false, true}, []float64{math.Inf(1), -1, 0})
	if err != nil || best.AUC != 1 {
		t.Errorf("AUC of a perfect ranking: %v (%v)", best, err)
	}
	first := make([]bool, 59)
	for i := range first {
		first[i] = true
	}
	ranks := make([]float64, 60)
	for i := range ranks {
		ranks[i] = float64(-i)
	}
	if perfect, err := score.PrecisionRecall(append(first, false), ranks); err != nil || perfect.AveragePrecision != 1 {
		t.Errorf("average precision of a perfect ranking: %v", perfect.AveragePrecision)
	}
	_, err = score.ROC([]bool{true, true}, []float64{1, 2})
	says(t, err, "all 2 samples are positive")
	_, err = score.ROC([]bool{false, false}, []float64{1, 2})
	says(t, err, "none of 2 samples is positive")
	_, err = score.PrecisionRecall([]bool{false}, []float64{1})
	says(t, err, "none of 1 samples is positive")
	_, err = score.PrecisionRecall([]bool{true}, []float64{math.NaN()})
	says(t, err, "score 1 is NaN")
	_, err = score.ROC(nil, nil)
	says(t, err, "nothing to compare")
	_, err = score.ROC([]bool{true}, nil)
	says(t, err, "1 true values but 0 results")
}

func sameList(t *testing.T, name string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %v, want %v", name, got, want)
		return
	}
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-15 {
			t.Errorf("%s: %v, want %v", name, got, want)
			return
		}
	}
}

// SciPy 1.17.1:
//
//	a = [.82,.79,.91,.85,.77,.88]; b = [.80,.80,.86,.81,.75,.87]
//	r = stats.ttest_rel(a, b); r.statistic, r.pvalue, r.df, r.confidence_interval()
func TestPairedT(t *testing.T) {
	a, b := []float64{.82, .79, .91, .85, .77, .88}, []float64{.80, .80, .86, .81, .75, .87}
	r, err := score.PairedT(a, b)
	near(t, "t", r.T, err, 2.4835223396778257, 1e-12)
	near(t, "p", r.P, err, 0.05560053271731705, 1e-12)
	near(t, "low", r.Low, err, -0.0007595216877917393, 1e-9)
	near(t, "high", r.High, err, 0.04409285502112504, 1e-9)
	near(t, "df", r.DF, err, 5, 0)
	back, err := score.PairedT(b, a)
	near(t, "reversed", back.T, err, -r.T, 1e-15)
	if same, err := score.PairedT(a, a); err != nil || same.P != 1 || same.T != 0 {
		t.Errorf("a method against itself: %+v (%v)", same, err)
	}
	if shift, err := score.PairedT([]float64{1, 2}, []float64{2, 3}); err != nil || shift.P != 0 || shift.T != -math.MaxFloat64 {
		t.Errorf("constant difference: %+v (%v)", shift, err)
	}
	_, err = score.PairedT([]float64{1}, []float64{2})
	says(t, err, "at least 2")
}

func TestReconstructionErrors(t *testing.T) {
	original := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})
	reconstructed := mat.NewDense(2, 3, []float64{1, 5, 7, 4, 5, 5}) // distances 5 and 1
	v, err := score.ReconstructionError(original, reconstructed)
	near(t, "ReconstructionError", v, err, 3, 1e-15)
	v, err = score.SquaredReconstructionError(original, reconstructed)
	near(t, "SquaredReconstructionError", v, err, 13, 1e-15)
	_, err = score.ReconstructionError(original, mat.NewDense(2, 2, nil))
	says(t, err, "2 x 3 originals but 2 x 2 reconstructions")
	_, err = score.SquaredReconstructionError(nil, original)
	says(t, err, "nothing to compare")
	_, err = score.SquaredReconstructionError(original, mat.NewDense(2, 3, []float64{0, 0, 0, 0, math.NaN(), 0}))
	says(t, err, "row 2, column 2")
}
