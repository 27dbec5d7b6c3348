package corrupt

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/synthetic"
)

// sampleSet is a small labelled picture set; colour pictures have values in [0, 1].
func sampleSet(t *testing.T, colour bool) *dataset.Set {
	t.Helper()
	c := synthetic.DefaultFaces()
	c.Subjects, c.PerSubject, c.Size, c.Noise = 5, 8, []int{16, 12}, 0
	if c.Color = colour; colour {
		c.Max = 1
	}
	return generate(t, &c, 1).Set
}

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

// Whatever the corruption, the original stays, the same seed gives the same dirt, and
// the record agrees with a comparison of the two sets, cell by cell.
func TestCorruptKeepsTheOriginalAndTellsTheTruth(t *testing.T) {
	specs := []string{"rows", "rows:7,kind=clustered,size=30", "scale:0.05", "noise:all,sd=0.1", "feature:0.03", "missing:0.05",
		"occlusion:0.5", "block:0.5,shade=either", "dummy:5", "dummy:5,mode=add,values=uniform", "label:0.2", "label-pair:10",
		"occlusion:20%+label:0.3+missing:3", "dummy:0.1,mode=add+scale:0.1,factor=5e+1", "target:0.2", "mistakes:0.2"}
	for _, colour := range []bool{false, true} {
		for _, spec := range specs {
			s := sampleSet(t, colour)
			if spec == "target:0.2" {
				s.Target = &dataset.Target{Name: "y", Values: mat.Col(nil, 40, s.X)}
			}
			before := clone(s)
			out, dirt := do(t, s, spec, 5)
			if !mat.Equal(s.X, before.X) || !reflect.DeepEqual(s.Target, before.Target) {
				t.Errorf("%s: the original changed", spec)
			}
			again, _ := do(t, s, spec, 5)
			if !sameBits(out.X, again.X) || !reflect.DeepEqual(out.Target, again.Target) {
				t.Errorf("%s: the same seed gave other dirt", spec)
			}
			other, _ := do(t, s, spec, 6)
			if sameBits(out.X, other.X) && reflect.DeepEqual(out.Target, other.Target) {
				t.Errorf("%s: another seed gave the same dirt", spec)
			}
			if out.Rows() != s.Rows()+dirt.Added || len(dirt.Rows) != out.Rows() {
				t.Fatalf("%s: %d rows, %d added, %d marks", spec, out.Rows(), dirt.Added, len(dirt.Rows))
			}
			changed := 0
			for i := range s.Rows() {
				rowChanged := s.Target.Labels != nil && out.Target.Labels[i] != s.Target.Labels[i]
				rowChanged = rowChanged || s.Target.Values != nil && out.Target.Values[i] != s.Target.Values[i]
				for j := range s.Dim() {
					if math.Float64bits(out.X.At(i, j)) != math.Float64bits(s.X.At(i, j)) {
						rowChanged = true
						changed++
						if !dirt.Cell(i, j) {
							t.Fatalf("%s: cell %d, %d changed without a mark", spec, i, j)
						}
					}
				}
				if rowChanged && !dirt.Rows[i] {
					t.Fatalf("%s: row %d changed without a mark", spec, i)
				}
			}
			if count := dirt.CellCount(); changed > count || (dirt.Added == 0 && count > 0 && changed < count/4) {
				t.Errorf("%s: %d cells changed, %d marked", spec, changed, count)
			}
			seen := make([]bool, out.Rows())
			for _, step := range dirt.Steps {
				if !slices.IsSorted(step.Rows) {
					t.Errorf("%s: rows are not in order", spec)
				}
				for _, i := range step.Rows {
					seen[i] = true
				}
			}
			if !slices.Equal(seen, dirt.Rows) {
				t.Errorf("%s: the steps' rows do not add up to the marked ones", spec)
			}
		}
	}
}

func sameBits(a, b *mat.Dense) bool {
	return slices.EqualFunc(a.RawMatrix().Data, b.RawMatrix().Data, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

func TestCorruptRefuses(t *testing.T) {
	table := generate(t, &synthetic.LowRank{N: 30, D: 4, SDs: []float64{1}, Outliers: "none"}, 1).Set
	pictures := sampleSet(t, false)
	wrong := clone(pictures)
	wrong.Shape = []int{16, 13}
	cases := []struct {
		s          *dataset.Set
		spec, want string
	}{
		{table, "", `there is no corruption ""; there are rows, scale`},
		{table, "dirt:0.1", `there is no corruption "dirt"`},
		{table, "rows:0.1+", `there is no corruption ""`},
		{table, "rows:x", `dataset: corrupt rows: amount "x" is not a number`},
		{table, "rows:-0.1", "must be a fraction in [0, 1)"},
		{table, "rows:1.5", "must be a fraction in [0, 1)"},
		{table, "rows:101%", "must be a fraction in [0, 1)"},
		{table, "rows:NaN", "must be a fraction in [0, 1)"},
		{table, "rows:31", "amount 31 is more than the 30 rows of low-rank"},
		{table, "missing:121", "amount 121 is more than the 120 cells"},
		{table, "rows:0.1,size", `"size" should be key=value`},
		{table, "rows:0.1,size=-1", "parameter size=-1 must be in [0, infinity)"},
		{table, "rows:0.1,colour=2", `corrupt rows has no parameter "colour"; it has size, kind`},
		{table, "occlusion:0.1", "has no image shape"},
		{table, "label:0.1", "has no class labels"},
		{table, "target:0.1", "has no numeric target"},
		{wrong, "block:0.1", "does not multiply to its 192 columns"},
		{pictures, "occlusion:0.1,smallest=0.7", "parameter smallest=0.7 must not exceed largest=0.6"},
		{pictures, "occlusion:0.1,largest=1.2", "parameter largest=1.2 must be in (0, 1]"},
		{pictures, "dummy:1000000000000,mode=add", "are more than the"},
	}
	for _, c := range cases {
		_, _, err := Apply(c.s, c.spec, 1)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "dataset: ") {
			t.Errorf("%q: error %v, want %q", c.spec, err, c.want)
		}
	}
	for _, info := range Kinds() {
		if info.Text == "" || info.Amount == "" {
			t.Errorf("%s is not described", info.Name)
		}
	}
}
