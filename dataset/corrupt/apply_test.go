package corrupt

import (
	"testing"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/synthetic"
)

func generate(t *testing.T, r synthetic.Recipe, seed uint64) *synthetic.Generated {
	t.Helper()
	g, err := r.Generate(seed)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func do(t *testing.T, s *dataset.Set, spec string, seed uint64) (*dataset.Set, *Dirt) {
	t.Helper()
	out, dirt, err := Apply(s, spec, seed)
	if err != nil {
		t.Fatalf("%s: %v", spec, err)
	}
	return out, dirt
}
