package peers

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/npy"
)

// spoiled is what a spoiled cell is moved by, in standard deviations of its column.
const spoiled = 10

// material is the data of a task: in files for the programs, and what is true of them.
type material struct {
	folder string
	work   string // the task in words
	data   string // file; the target is its last column
	target string // name of that column; "": none
	test   string // file of rows to predict; "": none
	truth  *synthetic.Truth
	wanted []float64 // predictions of the test rows
}

// material makes the data of a task.
func (r *run) material(t task) (*material, error) {
	m := &material{folder: filepath.Join(r.folder, t.Name)}
	if err := os.MkdirAll(m.folder, 0o700); err != nil {
		return nil, err
	}
	if t.Asks == catalog.AskProduct {
		m.work = fmt.Sprintf("%s, size %s, one core", t.Name, t.Params["size"])
		return m, nil
	}
	defer debug.FreeOSMemory() // which the programs may need
	made, name, err := r.make(t)
	if err != nil {
		return nil, err
	}
	x, rows, columns := made.Set.X, made.Set.Rows(), made.Set.Dim()
	m.truth = made.Truth
	if t.Cells > 0 {
		spoil(x, t.Cells, r.Seed)
	}
	m.work = fmt.Sprintf("%s, %s %d x %d", t.Name, name, rows, columns)
	if k := t.Params["m"]; k != "" {
		m.work += ", " + k + " components"
	}
	if t.Axis == catalog.AxisThreads {
		m.work += ", " + words.Plural(t.threads, "thread")
	}
	m.data = filepath.Join(m.folder, "data."+map[string]string{"": "npy"}[t.Format]+t.Format)
	switch target := made.Set.Target; {
	case t.Judged == "coefficients":
		// The intercept, and it with each coefficient, are what is predicted at zero and at the unit vectors.
		probe := mat.NewDense(columns+1, columns, nil)
		m.wanted = []float64{m.truth.Intercept}
		for j, b := range m.truth.Coefficients {
			probe.Set(j+1, j, 1)
			m.wanted = append(m.wanted, m.truth.Intercept+b)
		}
		err = m.learn(x, target, probe)
	case t.Judged == "test" || t.Judged == "labels":
		m.wanted = numbersOf(made.Test.Target)
		err = m.learn(x, target, made.Test.X)
	case t.Format == "":
		shape := append([]int{rows}, made.Set.Shape...)
		if len(shape) == 1 {
			shape = append(shape, columns)
		}
		err = writeArray(m.data, shape, x.RawMatrix().Data)
	default:
		made.Set.Target = nil
		err = file.Write(m.data, made.Set, file.WriteOptions{})
	}
	return m, err
}

// make makes the numbers and names them.
func (r *run) make(t task) (*synthetic.Generated, string, error) {
	recipe := t.Recipe
	if recipe == catalog.DigitsRecipe {
		path := filepath.Join(r.Digits, "train-images-idx3-ubyte.gz")
		if _, err := os.Stat(path); r.Digits != "" && err == nil {
			limit, _ := strconv.Atoi(t.Params["n"])
			set, err := file.Read(r.ctx, path, file.Options{Limit: limit, Target: "none"})
			if err != nil {
				return nil, "", err
			}
			set.Shape, set.Target = nil, nil
			return &synthetic.Generated{Set: set, Truth: &synthetic.Truth{}}, "MNIST", nil
		}
		recipe = "low-rank"
	}
	made, err := synthetic.NewRecipe(recipe, t.Params)
	if err != nil {
		return nil, "", err
	}
	g, err := synthetic.Make(r.ctx, made, r.Seed)
	return g, "made", err
}

// learn writes rows with their targets as the last column, and the rows to predict.
func (m *material) learn(x *mat.Dense, target *dataset.Target, test *mat.Dense) error {
	n, d := x.Dims()
	joined := mat.NewDense(n, d+1, nil)
	joined.Slice(0, n, 0, d).(*mat.Dense).Copy(x)
	joined.SetCol(d, numbersOf(target))
	m.target, m.test = "x"+strconv.Itoa(d+1), filepath.Join(m.folder, "test.npy")
	if err := writeArray(m.data, []int{n, d + 1}, joined.RawMatrix().Data); err != nil {
		return err
	}
	rows, _ := test.Dims()
	return writeArray(m.test, []int{rows, d}, test.RawMatrix().Data)
}

// numbersOf are the values of a target, or the numbers of its classes.
func numbersOf(t *dataset.Target) []float64 {
	if t.Labels == nil {
		return t.Values
	}
	list := make([]float64, len(t.Labels))
	for i, k := range t.Labels {
		list[i] = float64(k)
	}
	return list
}

// spoil moves a share of the cells of every column far up or down.
func spoil(x *mat.Dense, share float64, seed uint64) {
	n, d := x.Dims()
	random := dataset.Random(seed, "peers spoiled cells")
	for j := range d {
		column := mat.Col(nil, j, x)
		sum := 0.0
		for _, v := range column {
			sum += v * v
		}
		by := spoiled * math.Sqrt(sum/float64(n))
		for i := range n {
			if u := random.Float64(); u < share {
				x.Set(i, j, column[i]+math.Copysign(by, u-share/2))
			}
		}
	}
}

func writeArray(path string, shape []int, data []float64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := npy.Write(f, &npy.Array{Shape: shape, Data: data}); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// answer is where the result of a program stands.
type answer struct {
	path  string // NPY, NPZ, or the rows of a check as CSV
	array string // of an archive
}

// predictions is the array of an archive that `predict` writes.
const predictions = "prediction"

// load reads it.
func (a answer) load() (*npy.Array, error) {
	f, err := os.Open(a.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(a.path, ".npz") {
		all, err := npy.NewArchive(f, info.Size())
		if err != nil {
			return nil, err
		}
		if a.array == predictions && !all.Has(predictions) { // classes
			return all.Array("label")
		}
		return all.Array(a.array)
	}
	return npy.Read(f, info.Size())
}
