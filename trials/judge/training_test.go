package judge

import (
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/judge"
)

// remembering is a model that knows the verdicts on its training rows.
type remembering struct {
	catalog.Detector
	outlier []bool
}

func (r remembering) Describe() catalog.Description { return catalog.Description{Outliers: 2} }
func (r remembering) TrainingOutliers() []bool      { return r.outlier }

type large struct{ dataset.Source }

func (large) Dims() (rows, columns int) { return 210000, 300 }

// Outlying rows that the fit has found are named however large the table is; it is not judged again.
func TestLargeTablesNameTheirOutliers(t *testing.T) {
	outlier := make([]bool, 210000)
	outlier[10], outlier[209999] = true, true
	if rows, err := judge.TrainingOutliers(t.Context(), remembering{outlier: outlier}, large{}); err != nil || !slices.Equal(rows, []int{11, 210000}) {
		t.Errorf("%v, %v", rows, err)
	}
	if rows, err := judge.TrainingOutliers(t.Context(), remembering{}, large{}); err != nil || rows != nil {
		t.Errorf("%v, %v", rows, err)
	}
}
