package dataset

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/linalg"
)

// scanned hides that a source is a set in memory.
type scanned struct{ dataset.Source }

func TestSetIsASource(t *testing.T) {
	set := &dataset.Set{Name: "made", X: mat.NewDense(300, 2, nil), Columns: []string{"a", "b"}, Target: &dataset.Target{Name: "y", Values: make([]float64, 300)}}
	for i := range 300 {
		set.X.SetRow(i, []float64{float64(i), -float64(i)})
	}
	source := set.Source()
	if same, err := dataset.Read(context.Background(), source); err != nil || same != set {
		t.Errorf("a set in memory is read again: %v", err)
	}
	again, err := dataset.Read(context.Background(), scanned{source})
	if err != nil {
		t.Fatal(err)
	}
	if again == set || !mat.Equal(again.X, set.X) || again.Target != set.Target || again.Name != "made" || again.Columns[1] != "b" {
		t.Errorf("read by blocks: %+v", again)
	}
	var _ linalg.Source = source
}
