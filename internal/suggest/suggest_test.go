package suggest

import (
	"testing"
)

// The textbook example: kitten, sitten, sittin, sitting.
func TestDistance(t *testing.T) {
	if d := distance("kitten", "sitting"); d != 3 {
		t.Errorf("distance is %d, want 3", d)
	}
	if d := distance("", "abc"); d != 3 {
		t.Errorf("distance from nothing is %d, want 3", d)
	}
}
