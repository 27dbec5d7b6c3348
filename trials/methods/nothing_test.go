package methods

import (
	"context"
	"errors"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/irls"
)

// Those who throw away what a cancelled fit has found wait for no model of it: a fit that ends at any look is refused with the
// context's error or ends as one of a method that had no more to do, and never in another way.
func TestCancelledForNothing(t *testing.T) {
	side(t, func(t *testing.T, e entrant) {
		data := generate(e.world, 40, 1)
		count := newLooking(1 << 40)
		if _, err := e.fit(given.AllOrNothing(count), data, catalog.Run{Seed: 1}); err != nil {
			t.Fatal(err)
		}
		models := 0
		for k := 0; k <= count.looks; k += max(1, count.looks/25) {
			model, err := e.attempt(given.AllOrNothing(newLooking(k)), data, catalog.Run{Seed: 1})
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Fatalf("look %d of %d: %v", k, count.looks, err)
			}
			if err == nil && model.Describe().Status == irls.Cancelled.String() {
				models++
			}
		}
		switch e.method.Name {
		case "pca-robust", "pca-cell", "relm", "linear-robust", "corr-2dsvd", "kmeans-robust":
			if models > 1 { // the very last look may come after the judging
				t.Errorf("%d of 26 cancelled fits made a model that nobody wants", models)
			}
		}
	})
}
