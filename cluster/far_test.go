package cluster

import (
	"context"
	"errors"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
)

// looks is a context that ends at its k-th look.
type looks struct {
	context.Context
	left chan struct{}
}

func newLooks(k int) looks {
	l := looks{context.Background(), make(chan struct{}, k)}
	for range k {
		l.left <- struct{}{}
	}
	return l
}

func (l looks) Err() error {
	select {
	case <-l.left:
		return nil
	default:
		return context.Canceled
	}
}

// A search that is cancelled at any moment ends with the error until there is a first state,
// then with a whole model, then as if nothing had happened; in this order.
func TestCancelledAtEveryLook(t *testing.T) {
	x, _, _ := blobs(83, 200, 2, 3, 1)
	big, _, _ := blobs(84, rehearsalFrom+500, 1, 3, 1)
	for name, c := range map[string]struct {
		k KMeans
		x *mat.Dense
	}{
		"plain":     {KMeans{Clusters: 3, Restarts: 3}, x},
		"one start": {KMeans{Centers: [][]float64{{0, 0}, {1, 1}}}, x},
		"line":      {KMeans{Clusters: 3, Restarts: 3}, mat.DenseCopyOf(x.Slice(0, 200, 0, 1))},
		"trimmed":   {KMeans{Clusters: 3, Restarts: 3, Trim: 0.1}, x},
		"robust":    {KMeans{Clusters: 3, Restarts: 2, Loss: mustLoss(t, "welsch")}, x},
		"rehearsed": {KMeans{Clusters: 3, Restarts: 2, Trim: 0.1, MaxSteps: 5}, big},
	} {
		slow := 3 // looks are tried in steps that grow by one over this
		if c.x == big {
			slow = 1
		}
		stage := 0 // 0: errors, 1: cancelled models, 2: finished
		for k := 0; stage < 2; k += 1 + k/slow {
			m, err := c.k.Fit(newLooks(k), linalg.FromDense(c.x))
			now := 2
			switch {
			case err != nil && !errors.Is(err, context.Canceled):
				t.Fatalf("%s, look %d: %v", name, k, err)
			case err != nil:
				now = 0
			case m.Status() == irls.Cancelled:
				now = 1
			}
			if now < stage {
				t.Fatalf("%s: at look %d stage %d after stage %d", name, k, now, stage)
			}
			stage = now
			if now > 0 {
				if j, err := m.Judge(context.Background(), c.x); err != nil || !slices.Equal(j.Label, m.Labels()) {
					t.Fatalf("%s, look %d: %v", name, k, err)
				}
				if _, err := fromParts(m.parts()); err != nil {
					t.Fatal(err)
				}
			}
			if k > 100000 {
				t.Fatalf("%s does not end", name)
			}
		}
	}
	for k := 0; ; k++ {
		if m, err := (DensityPeaks{Clusters: 3}).Fit(newLooks(k), linalg.FromDense(x)); err == nil {
			if m.Status() != irls.Converged {
				t.Error(m.Status())
			}
			break
		} else if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
}
