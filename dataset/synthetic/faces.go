package synthetic

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"sync"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/setting"
)

// Faces draws face-like images: several invented people, each in several pictures
// that differ in lighting, expression, pose and pixel noise. Nobody real is shown. The
// sizes of the classical sets are the defaults: 15 people, 11 pictures each, 64 x 64 pixels.
// Pixels are 8-bit levels, spread over [0, Max].
type Faces struct {
	Subjects, PerSubject int
	Size                 []int // height, width
	Color                bool
	Max                  float64 // 255 or 1, say
	// How strongly pictures of one person differ: 0 not at all, 1 as in the classical
	// face sets.
	Lighting, Expression, Pose float64
	Noise                      float64 // standard deviation in levels of 0..255
}

// DefaultFaces has the sizes of the Yale set.
func DefaultFaces() Faces {
	return Faces{Subjects: 15, PerSubject: 11, Size: []int{64, 64}, Max: 255, Lighting: 1, Expression: 1, Pose: 1, Noise: 2}
}

func (c *Faces) fields() []setting.Field {
	return []setting.Field{
		setting.Int("subjects", &c.Subjects, 1, 10000, "people"),
		setting.Int("per-subject", &c.PerSubject, 1, 100000, "pictures of each"),
		setting.Shape("size", &c.Size, "height x width in pixels"),
		setting.Flag("colour", &c.Color, "three channels instead of one"),
		setting.Float("max", &c.Max, setting.Above(0), "value of a white pixel"),
		setting.Float("lighting", &c.Lighting, setting.Between(0, 2), "how much the light varies"),
		setting.Float("expression", &c.Expression, setting.Between(0, 2), "how much the expression varies"),
		setting.Float("pose", &c.Pose, setting.Between(0, 2), "how much position and tilt vary"),
		setting.Float("noise", &c.Noise, setting.AtLeast(0), "standard deviation of pixel noise, in levels of 0..255"),
	}
}

// Generate makes the set, person by person, with Shape {h, w} or {h, w, 3} and the
// person as class. Truth has Labels and Outlier (all false).
func (c *Faces) Generate(seed uint64) (*Generated, error) {
	return c.generate(context.Background(), seed)
}

func (c *Faces) generate(ctx context.Context, seed uint64) (*Generated, error) {
	const name = "faces"
	if err := setting.Check(name, c.fields()); err != nil {
		return nil, err
	}
	if len(c.Size) != 2 || c.Size[0] < 8 || c.Size[1] < 8 || c.Size[0] > 2048 || c.Size[1] > 2048 {
		return nil, fmt.Errorf("dataset: %s: parameter size must be height x width with both in [8, 2048]", name)
	}
	channels := 1
	if c.Color {
		channels = 3
	}
	h, w := c.Size[0], c.Size[1]
	n := c.Subjects * c.PerSubject
	set, err := tableOf(name, n, h*w*channels)
	if err != nil {
		return nil, err
	}
	set.Shape = []int{h, w}
	if c.Color {
		set.Shape = append(set.Shape, 3)
	}
	labels := make([]int, n)
	classes := make([]string, c.Subjects)
	var painters sync.WaitGroup
	for s := range c.Subjects {
		classes[s] = fmt.Sprintf("subject%02d", s+1)
		painters.Go(func() {
			// Streams per person: more people or pictures never change the ones before.
			of := " of subject " + strconv.Itoa(s)
			traits := facesDrawTraits(dataset.Random(seed, "faces traits"+of))
			moods, noise := dataset.Random(seed, "faces moods"+of), dataset.Random(seed, "faces noise"+of)
			for k := range each(ctx, c.PerSubject) {
				i := s*c.PerSubject + k
				labels[i] = s
				mood := facesDrawMood(moods, c, k)
				c.paint(set.X.RawRowView(i), &traits, &mood, noise)
			}
		})
	}
	painters.Wait()
	set.Target = classTarget("subject", labels, classes)
	return &Generated{Set: set, Truth: &Truth{Labels: append([]int(nil), labels...), Outlier: make([]bool, n)}}, nil
}

// paint draws one picture into a row of pixels.
func (c *Faces) paint(row []float64, t *facesTraits, m *facesMood, noise *rand.Rand) {
	h, w := c.Size[0], c.Size[1]
	unit := float64(min(h, w)) / 2
	for y := range h {
		for x := range w {
			u := (float64(x) + 0.5 - float64(w)/2) / unit
			v := (float64(y) + 0.5 - float64(h)/2) / unit
			rgb := t.colourAt(u, v, 2/unit, m)
			for k := range rgb {
				rgb[k] = min(max(rgb[k], 0), 1)
			}
			at := row[y*w+x : y*w+x+1]
			if c.Color {
				at = row[(y*w+x)*3 : (y*w+x)*3+3]
				copy(at, rgb[:])
			} else {
				at[0] = 0.299*rgb[0] + 0.587*rgb[1] + 0.114*rgb[2]
			}
			for k := range at {
				level := math.Round(255*at[k] + c.Noise*noise.NormFloat64())
				at[k] = min(max(level, 0), 255) / 255 * c.Max
			}
		}
	}
}
