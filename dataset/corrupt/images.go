package corrupt

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/internal/setting"
	"github.com/inlier-ml/inlier/internal/random"
)

// imageShape returns height, width and channels of the set's samples.
func (j *job) imageShape() (h, w, channels int, err error) {
	switch s := j.set.Shape; len(s) {
	case 2:
		h, w, channels = s[0], s[1], 1
	case 3:
		h, w, channels = s[0], s[1], s[2]
	default:
		return 0, 0, 0, j.errorf("%s has no image shape; it needs height x width or height x width x channels", j.set.Name)
	}
	if h < 1 || w < 1 || channels < 1 || h*w*channels != j.set.Dim() {
		return 0, 0, 0, j.errorf("shape %v of %s does not multiply to its %d columns", j.set.Shape, j.set.Name, j.set.Dim())
	}
	return h, w, channels, nil
}

// rectangle draws a rectangle whose sides are between smallest and largest of the
// image's, at a place where all of it lies inside.
func (j *job) rectangle(h, w int, smallest, largest float64) (top, left, height, width int) {
	side := func(whole int) int {
		s := math.Round(random.Uniform(j.r, smallest, largest) * float64(whole))
		return min(max(int(s), 1), whole)
	}
	height, width = side(h), side(w)
	return j.r.IntN(h - height + 1), j.r.IntN(w - width + 1), height, width
}

// rectangleFields are the parameters of rectangles.
func rectangleFields(smallest, largest, white *float64) []setting.Field {
	side := setting.Part()
	return []setting.Field{
		setting.Float("smallest", smallest, side, "smallest side, as a part of the image's side"),
		setting.Float("largest", largest, side, "largest side, likewise"),
		setting.Float("white", white, setting.AtLeast(0), "value of a white pixel; 0: 255 when the set has values above 1.5, else 1"),
	}
}

// paintRectangles draws one rectangle into each chosen image; shade gives the value of
// the next pixel, the same for all its channels.
func (j *job) paintRectangles(amount quantity, smallest, largest float64, shade func() func() float64) error {
	if smallest > largest {
		return j.errorf("parameter smallest=%g must not exceed largest=%g", smallest, largest)
	}
	h, w, channels, err := j.imageShape()
	if err != nil {
		return err
	}
	rows, err := j.chooseRows(amount)
	if err != nil {
		return err
	}
	for _, i := range rows {
		row := j.set.X.RawRowView(i)
		top, left, height, width := j.rectangle(h, w, smallest, largest)
		next := shade()
		for y := top; y < top+height; y++ {
			for x := left; x < left+width; x++ {
				v := next()
				for k := range channels {
					at := (y*w+x)*channels + k
					row[at] = v
					j.markCell(i, at)
				}
			}
		}
	}
	return nil
}

// occlusion covers a random rectangle with random black and white pixels. The
// papers say that place (kmpe) or place and size (pca-gm) are random and give no sizes.
type occlusion struct{ Smallest, Largest, White float64 }

func (c *occlusion) fields() []setting.Field {
	return rectangleFields(&c.Smallest, &c.Largest, &c.White)
}

func (c *occlusion) apply(job *job, amount quantity) error {
	white := job.white(c.White)
	dot := func() float64 { return white * float64(job.r.IntN(2)) }
	return job.paintRectangles(amount, c.Smallest, c.Largest, func() func() float64 { return dot })
}

// block covers a random rectangle with one shade.
type block struct {
	Smallest, Largest, White float64
	Shade                    string
}

func (c *block) fields() []setting.Field {
	return append(rectangleFields(&c.Smallest, &c.Largest, &c.White),
		setting.Choice("shade", &c.Shade, []string{"black", "white", "either"}, "of the rectangle; either: drawn for each image"))
}

func (c *block) apply(job *job, amount quantity) error {
	white := job.white(c.White)
	return job.paintRectangles(amount, c.Smallest, c.Largest, func() func() float64 {
		v := 0.0
		if c.Shade == "white" || (c.Shade == "either" && job.r.IntN(2) == 1) {
			v = white
		}
		return func() float64 { return v }
	})
}

// dummy puts images of random values in the place of images, or adds them at
// the end. Every value is drawn by itself, each channel of a colour too. An added image gets the
// label, or the target value, of a row chosen at random.
type dummy struct {
	Mode, Values string
	White        float64
}

func (c *dummy) fields() []setting.Field {
	return []setting.Field{
		setting.Choice("mode", &c.Mode, []string{"replace", "add"}, "in place of images, or added after the last"),
		setting.Choice("values", &c.Values, []string{"binary", "uniform"}, "0 or white, or anything between"),
		setting.Float("white", &c.White, setting.AtLeast(0), "value of a white pixel; 0: 255 when the set has values above 1.5, else 1"),
	}
}

func (c *dummy) apply(job *job, amount quantity) error {
	white := job.white(c.White)
	var rows []int
	var err error
	if c.Mode == "add" {
		rows, err = job.addRows(amount)
	} else {
		rows, err = job.chooseRows(amount)
	}
	if err != nil {
		return err
	}
	for _, i := range rows {
		row := job.set.X.RawRowView(i)
		for j := range row {
			if c.Values == "binary" {
				row[j] = white * float64(job.r.IntN(2))
			} else {
				row[j] = white * job.r.Float64()
			}
		}
		job.markRow(i)
	}
	return nil
}

// addRows appends rows, to be filled by the caller; a fraction is one of the rows
// that are there.
func (j *job) addRows(amount quantity) ([]int, error) {
	n, d := j.set.X.Dims()
	count := int(amount.value)
	if amount.fraction {
		count, _ = amount.of(n)
	}
	if count == 0 {
		return nil, nil
	}
	if count > mostNumbers/d-n {
		return nil, j.errorf("%d added rows of %d columns are more than the %d numbers that one set may have", count, d, mostNumbers)
	}
	grown := mat.NewDense(n+count, d, nil)
	grown.Slice(0, n, 0, d).(*mat.Dense).Copy(j.set.X)
	j.set.X = grown
	j.dirt.grow(n+count, d)
	j.dirt.Added += count
	rows := make([]int, count)
	for k := range rows {
		rows[k] = n + k
		j.dirt.Rows[n+k] = true
		if t := j.set.Target; t != nil {
			like := j.r.IntN(n)
			if t.Labels != nil {
				t.Labels = append(t.Labels, t.Labels[like])
			}
			if t.Values != nil {
				t.Values = append(t.Values, t.Values[like])
			}
		}
	}
	j.step.Rows = append([]int(nil), rows...)
	return rows, nil
}
