package suggest

import (
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/internal/suggest"
)

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		typed string
		known []string
		want  string
	}{
		{"prize", []string{"area", "price"}, "price"},
		{"PRICE", []string{"area", "price"}, "price"},
		{"hubre", []string{"square", "huber"}, "huber"},
		{"pca-robsut", []string{"pca", "pca-robust", "pca-l1"}, "pca-robust"},
		{"compnents", []string{"share", "components"}, "components"},
		{"x", []string{"y"}, ""},                // nothing in common
		{"ab", []string{"cd"}, ""},              // likewise
		{"p", []string{"pq"}, "pq"},             // one letter more
		{"price", []string{"humidity"}, ""},     // too far
		{"bat", []string{"cat", "hat"}, "cat"},  // the first of two as near
		{"bat", []string{"cart", "rat"}, "rat"}, // the nearest, not the first
		{"", []string{"price"}, ""},             // nothing typed
		{"price", nil, ""},                      // nothing known
		{strings.Repeat("a", 65), []string{"a"}, ""},
	} {
		if got := suggest.Nearest(c.typed, c.known); got != c.want {
			t.Errorf("nearest to %q of %v is %q, want %q", c.typed, c.known, got, c.want)
		}
	}
}
