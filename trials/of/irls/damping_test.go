package irls

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// The power q of a loss near 0 is the slope of log rho over log e, which needs no formula
// of the loss.
func TestDampingFollowsThePowerNearZero(t *testing.T) {
	for _, text := range []string{"square", "welsch:sigma=1", "huber:c=1", "kmpe:p=2,sigma=1", "kmpe:p=4,sigma=1", "kmpe:p=5,sigma=1", "lp:p=3", "gkmpe:alpha=3,p=4,beta=1", "gcorr:alpha=4,beta=1", "lp:p=1.5", "cauchy:c=1", "tukey:c=1"} {
		spec, err := loss.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		l := spec.At(1)
		const e = 1e-2
		q := math.Log(l.Rho(4*e*e)/l.Rho(e*e)) / math.Log(2)
		want := 1 / math.Max(q-1, 1)
		if got := irls.Damping(spec); math.Abs(got-want) > 1e-2 {
			t.Errorf("%s: behaves like |e|^%.3f, damping %v, want %v", text, q, got, want)
		}
	}
}
