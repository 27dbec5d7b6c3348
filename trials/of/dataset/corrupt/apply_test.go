package corrupt

import (
	"fmt"
	"hash/fnv"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/corrupt"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
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

// checksum hashes the first values of a set, some spread over the rest, and the
// marks, rounded to nine significant digits, so that the last bits of another processor's
// arithmetic do not matter.
func checksum(s *dataset.Set, dirt *corrupt.Dirt) string {
	h := fnv.New64a()
	write := func(values []float64) {
		for _, v := range values[:min(64, len(values))] {
			fmt.Fprintf(h, "%.9g ", v)
		}
		for i := 0; i < len(values); i += 1 + len(values)/64 {
			fmt.Fprintf(h, "%.9g ", values[i])
		}
	}
	write(s.X.RawMatrix().Data)
	if s.Target != nil {
		write(s.Target.Values)
		fmt.Fprint(h, s.Target.Labels[:min(64, len(s.Target.Labels))], s.Target.Classes)
	}
	fmt.Fprint(h, s.Columns[:min(20, len(s.Columns))], s.Shape)
	fmt.Fprint(h, dirt.Rows)
	return fmt.Sprintf("%016x", h.Sum64())
}

func do(t *testing.T, s *dataset.Set, spec string, seed uint64) (*dataset.Set, *corrupt.Dirt) {
	t.Helper()
	out, dirt, err := corrupt.Apply(s, spec, seed)
	if err != nil {
		t.Fatalf("%s: %v", spec, err)
	}
	return out, dirt
}

func TestCorruptAmounts(t *testing.T) {
	s := sampleSet(t, false) // 40 rows, 192 columns
	for spec, want := range map[string]int{"scale:0": 0, "scale:0.2": 8, "scale:20%": 8, "scale:7": 7, "scale:1": 1, "scale:all": 40, "scale:100%": 40, "scale": 2} {
		if _, dirt := do(t, s, spec, 1); dirt.RowCount() != want || len(dirt.Steps[0].Rows) != want {
			t.Errorf("%s hit %d rows, want %d", spec, dirt.RowCount(), want)
		}
	}
	for spec, want := range map[string]int{"missing:0.25": 1920, "missing:13": 13, "missing:all": 7680, "feature:0.01": 77} {
		out, dirt := do(t, s, spec, 1)
		if dirt.CellCount() != want || dirt.Steps[0].Cells != want {
			t.Errorf("%s hit %d cells, want %d", spec, dirt.CellCount(), want)
		}
		if _, _, missing := out.Missing(); strings.HasPrefix(spec, "missing") && missing != want {
			t.Errorf("%s: %d values are missing, want %d", spec, missing, want)
		}
	}
	// A larger amount hits a superset.
	_, few := do(t, s, "occlusion:0.1", 3)
	_, many := do(t, s, "occlusion:0.4", 3)
	for _, i := range few.Steps[0].Rows {
		if !slices.Contains(many.Steps[0].Rows, i) {
			t.Error("a larger fraction leaves out a row of the smaller one")
		}
	}
	// Later steps do not move earlier ones.
	alone, _ := do(t, s, "occlusion:0.1", 3)
	both, _ := do(t, s, "occlusion:0.1+label:0.5", 3)
	if !mat.Equal(alone.X, both.X) {
		t.Error("a label step changed the occlusions before it")
	}
}

func TestCorruptImages(t *testing.T) {
	for _, colour := range []bool{false, true} {
		s := sampleSet(t, colour)
		white, channels := 255.0, 1
		if colour {
			white, channels = 1, 3
		}
		out, dirt := do(t, s, "occlusion:all,smallest=0.25,largest=0.5", 2)
		whites, dots := 0.0, 0.0
		for i := range s.Rows() {
			top, left, bottom, right := 99, 99, -1, -1
			for y := range 16 {
				for x := range 12 {
					at := (y*12 + x) * channels
					if !dirt.Cell(i, at) {
						continue
					}
					top, left, bottom, right = min(top, y), min(left, x), max(bottom, y), max(right, x)
					v := out.X.At(i, at)
					for k := range channels {
						if out.X.At(i, at+k) != v || (v != 0 && v != white) {
							t.Fatalf("an occluded pixel is %g", v)
						}
					}
					dots++
					if v == white {
						whites++
					}
				}
			}
			h, w := bottom-top+1, right-left+1
			if h < 4 || h > 8 || w < 3 || w > 6 {
				t.Errorf("occlusion of %d x %d in a 16 x 12 picture, want 4..8 x 3..6", h, w)
			}
		}
		if share := whites / dots; math.Abs(share-0.5) > 0.1 {
			t.Errorf("%g of the dots are white, want about half", share)
		}
		if int(dots)*channels != dirt.CellCount() {
			t.Errorf("%g dots, %d cells", dots, dirt.CellCount())
		}

		out, dirt = do(t, s, "block:10,shade=white,white=7", 2)
		for i := range s.Rows() {
			for j := range s.Dim() {
				if dirt.Cell(i, j) && out.X.At(i, j) != 7 {
					t.Fatal("the given white was not used")
				}
			}
		}

		out, dirt = do(t, s, "dummy:12,mode=add", 2)
		if dirt.Added != 12 || out.Rows() != 52 || len(out.Target.Labels) != 52 {
			t.Fatal("dummies were not added")
		}
		sum := 0.0
		for i := 40; i < 52; i++ {
			for _, v := range out.X.RawRowView(i) {
				if v != 0 && v != white {
					t.Fatalf("a dummy's pixel is %g", v)
				}
				sum += v / white
			}
		}
		if share := sum / float64(12*s.Dim()); math.Abs(share-0.5) > 0.05 {
			t.Errorf("%g of the dummies' pixels are white", share)
		}
	}
}

func TestCorruptScaleIsThePapers(t *testing.T) {
	s := sampleSet(t, true)
	out, dirt := do(t, s, "scale:0.05,factor=50", 1)
	for _, i := range dirt.Steps[0].Rows {
		for j := range s.Dim() {
			if out.X.At(i, j) != 50*s.X.At(i, j) {
				t.Fatal("a scaled row is not 50 times the original")
			}
		}
	}
}

func TestCorruptLabels(t *testing.T) {
	c := synthetic.DefaultBlobs()
	c.N, c.Classes, c.LabelNoise = 6000, 4, 0
	s := generate(t, &c, 1).Set
	out, dirt := do(t, s, "label:0.3", 1)
	moves := make([]int, 4)
	for i, label := range out.Target.Labels {
		if (label != s.Target.Labels[i]) != dirt.Rows[i] {
			t.Fatal("a marked label is right or an unmarked one wrong")
		}
		moves[(label-s.Target.Labels[i]+4)%4]++
	}
	if dirt.Steps[0].Targets != 1800 || dirt.CellCount() != 0 {
		t.Errorf("%d labels changed, %d cells", dirt.Steps[0].Targets, dirt.CellCount())
	}
	for k := 1; k < 4; k++ {
		if math.Abs(float64(moves[k])-600) > 80 {
			t.Errorf("moves by %d classes: %d, want about 600", k, moves[k])
		}
	}
	out, dirt = do(t, s, "label-pair:0.3", 1)
	for i, label := range out.Target.Labels {
		if dirt.Rows[i] && label != (s.Target.Labels[i]+1)%4 {
			t.Fatal("a label moved to another than the next class")
		}
	}
	// Numbers that stand for the classes move with them.
	s.Target.Values = make([]float64, s.Rows())
	for i, label := range s.Target.Labels {
		s.Target.Values[i] = float64(10 * label)
	}
	out, _ = do(t, s, "label:0.3", 1)
	for i, label := range out.Target.Labels {
		if out.Target.Values[i] != float64(10*label) {
			t.Fatal("label and value disagree")
		}
	}
}

func TestCorruptRowsLieFarOut(t *testing.T) {
	c := synthetic.DefaultBlobs()
	c.N, c.Separation, c.D = 4000, 0, 3
	s := generate(t, &c, 1).Set // one standard Gaussian cloud
	for kind, want := range map[string]float64{"scattered": 10 * math.Sqrt(3), "clustered": 10 * math.Sqrt(3)} {
		out, dirt := do(t, s, "rows:0.25,kind="+kind, 1)
		square, n := 0.0, 0.0
		for i, hit := range dirt.Rows {
			if hit {
				n++
				square += floats.Dot(out.X.RawRowView(i), out.X.RawRowView(i))
			}
		}
		if got := math.Sqrt(square / n); math.Abs(got-want) > 0.1*want {
			t.Errorf("%s: outliers lie %g out, want about %g", kind, got, want)
		}
	}
	out, dirt := do(t, s, "noise:all,sd=2", 1)
	var diff mat.Dense
	diff.Sub(out.X, s.X)
	if got := mat.Norm(&diff, 2) / math.Sqrt(12000); math.Abs(got-2) > 0.1 || dirt.CellCount() != 12000 {
		t.Errorf("noise has standard deviation %g, want about 2", got)
	}
}

// What a corruption does for a seed is fixed for ever too.
func TestCorruptIsFixedForEver(t *testing.T) {
	s := sampleSet(t, false)
	pinned := map[string]string{
		"rows:0.2":                        "679a153330ec33d4",
		"rows:0.2,kind=clustered":         "28bc59f7e4d4c2c0",
		"scale":                           "9c76d7dbdc09108d",
		"noise:0.3":                       "b2128c950cbda1d4",
		"feature":                         "0d0af2d7b6ca0945",
		"missing":                         "d66559e86ca59011",
		"occlusion":                       "002c3c44f620abc2",
		"block":                           "d9452b190444a2b8",
		"dummy":                           "f68b790064a3498a",
		"dummy:5,mode=add,values=uniform": "8a1945da8e20c222",
		"label":                           "7d59a394c946d5e9",
		"label-pair":                      "243ec574c35a6bea",
	}
	for spec, want := range pinned {
		out, dirt := do(t, s, spec, 1)
		if got := checksum(out, dirt); got != want {
			t.Errorf("%q: %q, // want %q", spec, got, want)
		}
	}
}

// One absurd value in a column that is otherwise constant does not set the size of the dirt, and
// dirt is a number.
func TestCorruptBesideAbsurdValues(t *testing.T) {
	x := mat.NewDense(20, 2, nil)
	for i := range 20 {
		x.Set(i, 0, float64(i))
	}
	x.Set(3, 1, 1e300)
	x.Set(7, 1, 2)
	set, err := dataset.FromMatrix(x, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range []string{"rows:5,size=3", "feature:5,size=3", "noise:5,sd=3"} {
		dirty, dirt, err := corrupt.Apply(set, spec, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			if v := dirty.X.At(i, 1); i != 3 && !(math.Abs(v) < 100) {
				t.Errorf("%s: row %d (hit: %v) holds %g", spec, i+1, dirt.Rows[i], v)
			}
		}
	}
	for spec, want := range map[string]string{"scale:all,factor=1e10": "infinite", "rows:5,size=1e308": "infinite", "rows:0.1,size=5,size=9": "size is set twice"} {
		if _, _, err := corrupt.Apply(set, spec, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", spec, err)
		}
	}
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
		_, _, err := corrupt.Apply(c.s, c.spec, 1)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "dataset: ") {
			t.Errorf("%q: error %v, want %q", c.spec, err, c.want)
		}
	}
	for _, info := range corrupt.Kinds() {
		if info.Text == "" || info.Amount == "" {
			t.Errorf("%s is not described", info.Name)
		}
	}
}

func clone(s *dataset.Set) *dataset.Set {
	c := *s
	c.X = mat.DenseCopyOf(s.X)
	if s.Target != nil {
		t := *s.Target
		t.Values, t.Labels = slices.Clone(t.Values), slices.Clone(t.Labels)
		c.Target = &t
	}
	return &c
}
