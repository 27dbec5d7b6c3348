package file

import (
	"context"
	"image"
	"io"
	"path/filepath"

	"github.com/inlier-ml/inlier/dataset"
)

// imageTable is a set of images of one size: one row each, labelled by folder.
type imageTable struct {
	name    string
	paths   []string
	labels  *labelColumn
	size    image.Point
	gray    bool
	columns []field
	scale   bool // to size
	mono    bool // grey on request
	opts    *Options
	done    func() error
}

// imagesDriver reads folders and lists of images and single ones, and writes folders.
var imagesDriver = driver{
	name: Images, is: isImage, lines: isImageList, unpackable: true,
	options:     []string{"resize", "gray", "allow-outside"},
	open:        func(f *content, opts *Options) (table, error) { return openImageFile(f, opts) },
	openFolder:  func(path string, opts *Options) (table, error) { return openImageFolder(path, opts) },
	writeFolder: writeImages,
	write: func(_ io.Writer, path string, _ *dataset.Set) error {
		return problem(path, "a folder of images cannot be written to a stream")
	},
}

// prepare takes size and colour from the first image's header.
func (t *imageTable) prepare(opts *Options) error {
	head, err := imageHead(t.paths[0], opts)
	if err != nil {
		return err
	}
	t.opts, t.mono, t.gray, t.size = opts, opts.Gray, opts.Gray || head.gray, head.size
	if opts.Resize != "" {
		size, err := dataset.ParseShape(opts.Resize)
		if err != nil {
			return err
		}
		t.scale, t.size = true, image.Pt(size[0], size[1])
	}
	values := 3
	if t.gray {
		values = 1
	}
	if most := opts.maxColumns(); t.size.X > most/values/t.size.Y {
		name := t.paths[0]
		if t.scale {
			name = t.name
		}
		return problem(name, "images of %d x %d pixels make more than the allowed %d columns", t.size.X, t.size.Y, most).
			WithHint("make the images smaller with {resize}; " + lift)
	}
	t.columns = numberedFields(dataset.Volume(t.shape()))
	return nil
}

func (t *imageTable) fields() []field                    { return t.columns }
func (t *imageTable) named() bool                        { return false }
func (t *imageTable) label() *field                      { return t.labels.field() }
func (t *imageTable) rows() (int, bool)                  { return len(t.paths), true }
func (t *imageTable) bound(context.Context) (int, error) { return len(t.paths), nil }

// stored is what the files take on disk, and how many cells each byte may grow to.
func (t *imageTable) stored() (sum, cells int64) {
	for _, path := range t.paths {
		if info, err := t.opts.disk().stat(path); err == nil {
			sum += info.Size()
		}
	}
	return sum, imageCellsPerByte
}

// describe adds to what a file tells.
func (t *imageTable) describe(info *Info) { info.Bytes, _ = t.stored() }

// files are the images, one per row.
func (t *imageTable) files() []string { return t.paths }

func (t *imageTable) shape() []int {
	if t.gray {
		return []int{t.size.Y, t.size.X}
	}
	return []int{t.size.Y, t.size.X, 3}
}

func (t *imageTable) close() error {
	if t.done != nil {
		return t.done()
	}
	return nil
}

func (t *imageTable) scan(ctx context.Context, job *job, visit func(*chunk) error) error {
	d := len(t.columns)
	step := max(1, min(64, (1<<20)/d))
	produce := func(emit func(int) error) error {
		for first := 0; first < len(t.paths); first += step {
			if err := emit(first); err != nil {
				return err
			}
		}
		return nil
	}
	work := func(first int) (*chunk, error) {
		n := min(step, len(t.paths)-first)
		c := newChunk()
		c.room(job, first, n)
		var whole []float64 // of which some columns are wanted
		if !job.all {
			whole = make([]float64, d)
		}
		for i := range n {
			row := whole
			if job.all {
				row = c.x[i*d : (i+1)*d]
			}
			if len(job.features) > 0 || job.target >= 0 {
				if err := t.load(row, t.paths[first+i]); err != nil {
					return nil, err
				}
			}
			if !job.all {
				job.narrow(c.x[i*len(job.features):(i+1)*len(job.features)], row, d)
			}
			if job.target >= 0 {
				c.y = append(c.y, row[job.target])
			}
		}
		if job.target == labelTarget {
			c.y, c.yLevels = t.labels.values[first:first+n], t.labels.levels
		}
		return c, nil
	}
	return inOrder(ctx, produce, work, visit)
}

// load reads one image into a row.
func (t *imageTable) load(row []float64, path string) error {
	m, head, err := loadImage(path, t.opts, func(h pictureHead) error {
		if t.scale || h.size == t.size {
			return nil
		}
		return problem(path, "the image has %d x %d pixels, but %s has %d x %d", h.size.X, h.size.Y, t.first(), t.size.X, t.size.Y).
			WithHint("scale all images with {resize} %dx%d", t.size.X, t.size.Y)
	})
	if err != nil {
		return err
	}
	if !t.mono && isGray(m) != t.gray {
		kinds := map[bool]string{true: "grey", false: "in colour"}
		return problem(path, "the image is %s, but %s is %s", kinds[isGray(m)], t.first(), kinds[t.gray]).
			WithHint("read all images in grey with {gray}")
	}
	stored := t.size // before it is turned
	if sideways(head.orientation) {
		stored = image.Pt(t.size.Y, t.size.X)
	}
	if t.scale && m.Bounds().Size() != stored {
		m = resize(m, stored.X, stored.Y)
	}
	if head.orientation == 1 {
		pixels(row, m, t.gray)
		return nil
	}
	lying := make([]float64, len(row))
	pixels(lying, m, t.gray)
	upright(row, lying, stored.X, stored.Y, len(row)/(stored.X*stored.Y), head.orientation)
	return nil
}

// first is the name of the image that gave size and colour, within its folder.
func (t *imageTable) first() string {
	if name, err := filepath.Rel(t.name, t.paths[0]); err == nil && filepath.IsLocal(name) {
		return name
	}
	return t.paths[0]
}
