package judge

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/report"
)

// leverageOf is where the bulk of the rows of a regression lies, from the arrays that
// every regression keeps.
type leverageOf struct {
	columns   []int
	centre    []float64
	precision *mat.Dense // inverse covariance
}

func newLeverageOf(arrays map[string]catalog.Array, d int) *leverageOf {
	which, ok := arrays["leverage_columns"]
	if !ok {
		return nil
	}
	whiten, err := arrays["leverage_whiten"].Dense()
	k := len(which.Data)
	l := &leverageOf{centre: arrays["leverage_center"].Data, precision: &mat.Dense{}}
	for _, v := range which.Data {
		if int(v) >= d {
			return nil // of a reduction's scores, not of the input columns
		}
		l.columns = append(l.columns, int(v))
	}
	if err != nil || len(l.centre) != k {
		return nil
	}
	linalg.Mul(l.precision, whiten, whiten.T())
	return l
}

// reasons are the columns that are farthest from what the others let expect.
func (l *leverageOf) reasons(x []float64, names []string) []Reason {
	k := len(l.columns)
	off := mat.NewVecDense(k, nil)
	for a, j := range l.columns {
		off.SetVec(a, x[j]-l.centre[a])
	}
	var pull mat.VecDense
	linalg.MulVec(&pull, l.precision, off)
	standard := make([]float64, k) // in standard deviations given the others
	for a := range standard {
		standard[a] = pull.AtVec(a) / math.Sqrt(l.precision.At(a, a))
	}
	row, own := make([]float64, k), make([]string, k)
	for a, j := range l.columns {
		row[a], own[a] = x[j], words.Column(names, j)
	}
	list := reasons(row, standard, 0, own, MostReasons-1)
	for i := range list {
		a := slices.Index(own, list[i].Column)
		deviation := report.Number(pull.AtVec(a) / l.precision.At(a, a))
		expected := list[i].Value - deviation
		list[i].Contribution, list[i].Expected = deviation, &expected
	}
	return list
}
