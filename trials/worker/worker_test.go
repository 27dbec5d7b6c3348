// Package worker_test speaks to a worker as programs in other languages do.
package worker_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/inlier-ml/inlier/worker"
)

type object = map[string]any

// client is the other program.
type client struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *io.PipeReader
	done chan error
	last uint64
}

func start(t *testing.T) *client {
	in, to := io.Pipe()
	from, out := io.Pipe()
	c := &client{t: t, in: to, out: from, done: make(chan error, 1)}
	go func() { c.done <- worker.Serve(t.Context(), in, out); out.Close() }()
	return c
}

func (c *client) end() {
	c.in.Close()
	if err := <-c.done; err != nil {
		c.t.Error(err)
	}
}

// reply is an answer with its frames.
type reply struct {
	Handle uint64
	Result json.RawMessage
	Arrays map[string]struct {
		Frame int
		Shape []int
	}
	Error *struct {
		Kind, Parameter, Hint, Problem, Value string
		Row, Place                            int
	}
	frames [][]byte
}

func (r *reply) frame(name string) []byte { return r.frames[r.Arrays[name].Frame] }

func (c *client) ask(request object, frames ...[]byte) *reply {
	c.t.Helper()
	c.last++
	request["id"] = c.last
	text, err := json.Marshal(request)
	if err != nil {
		c.t.Fatal(err)
	}
	message := binary.LittleEndian.AppendUint32([]byte("inl1"), uint32(len(text)))
	message = binary.LittleEndian.AppendUint32(message, uint32(len(frames)))
	for _, f := range frames {
		message = binary.LittleEndian.AppendUint64(message, uint64(len(f)))
	}
	message = append(message, text...)
	for _, f := range frames {
		message = append(message, f...)
	}
	if _, err := c.in.Write(message); err != nil {
		c.t.Fatal(err)
	}
	read := func(n uint64) []byte {
		b := make([]byte, n)
		if _, err := io.ReadFull(c.out, b); err != nil {
			c.t.Fatal(err)
		}
		return b
	}
	head := read(12)
	sizes := read(8 * uint64(binary.LittleEndian.Uint32(head[8:])))
	r := &reply{}
	if err := json.Unmarshal(read(uint64(binary.LittleEndian.Uint32(head[4:]))), r); err != nil {
		c.t.Fatal(err)
	}
	for ; len(sizes) > 0; sizes = sizes[8:] {
		r.frames = append(r.frames, read(binary.LittleEndian.Uint64(sizes)))
	}
	return r
}

// raw looks at numbers as memory, view at memory as numbers.
func raw[T float64 | int64](v []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 8*len(v))
}

func view[T float64 | int64](b []byte) []T {
	out := make([]T, len(b)/8)
	copy(raw(out), b)
	return out
}

// array says that a frame holds numbers.
func array(frame int, kind string, shape ...int) object {
	return object{"frame": frame, "type": kind, "shape": shape}
}

// plane is rows near a plane, the last of which is far off.
func plane() ([]float64, object) {
	x := make([]float64, 60*3)
	draw := rand.New(rand.NewPCG(1, 1))
	for i := range 60 {
		a, b := draw.NormFloat64(), draw.NormFloat64()
		x[3*i], x[3*i+1], x[3*i+2] = a, b, a+b+0.01*draw.NormFloat64()
	}
	x[179] += 50
	return x, array(0, "float64", 60, 3)
}

func TestOneWorkerManyCalls(t *testing.T) {
	c := start(t)
	defer c.end()
	x, table := plane()
	fitted := c.ask(object{"job": "fit", "request": object{"parameters": object{"components": "2"}}, "x": table}, raw(x))
	if fitted.Error != nil || fitted.Handle == 0 {
		t.Fatalf("%+v", fitted.Error)
	}
	if outliers, weights := fitted.frame("outliers"), view[float64](fitted.frame("weights")); outliers[59] != 1 || weights[59] > 0.01 || weights[0] < 0.1 {
		t.Errorf("outliers %v, weights %v", outliers, weights)
	}
	// The file of the model, sent back, is the same model.
	file := fitted.frame("model")
	loaded := c.ask(object{"job": "load", "from": array(0, "uint8", len(file))}, file)
	transform := func(handle uint64) *reply {
		return c.ask(object{"job": "transform", "handle": handle, "x": table}, raw(x))
	}
	first, second := transform(fitted.Handle), transform(loaded.Handle)
	if shape := first.Arrays["rows"].Shape; len(shape) != 2 || shape[1] != 2 || !bytes.Equal(first.frames[0], second.frames[0]) {
		t.Errorf("scores of shape %v, the same twice: %v", shape, bytes.Equal(first.frames[0], second.frames[0]))
	}
	judged := c.ask(object{"job": "judge", "request": object{"why": true, "top": 1}, "handle": loaded.Handle, "x": table}, raw(x))
	if rows := view[int64](judged.frame("row")); len(rows) != 1 || rows[0] != 59 || !strings.Contains(string(judged.Result), "bad leverage") {
		t.Errorf("worst row %v: %s", rows, judged.Result)
	}
	if exported := c.ask(object{"job": "export", "handle": loaded.Handle}); exported.Error != nil || len(exported.frame("onnx")) == 0 {
		t.Errorf("export: %+v", exported.Error)
	}
	gone := c.ask(object{"job": "transform", "handle": loaded.Handle, "x": table, "free": []uint64{loaded.Handle}}, raw(x))
	if gone.Error == nil || gone.Error.Kind != "lost" {
		t.Errorf("a model that was given up: %+v", gone.Error)
	}
}

// What is wrong is an answer, and the next request is heard.
func TestFailuresAreAnswers(t *testing.T) {
	c := start(t)
	defer c.end()
	x, table := plane()
	x[7] = math.NaN()
	cell := c.ask(object{"job": "fit", "x": table, "names": []string{"a", "b", "c"}}, raw(x))
	if e := cell.Error; e == nil || e.Kind != "input" || e.Row != 3 || e.Place != 2 || e.Value != "nan" {
		t.Errorf("a missing number: %+v", e)
	}
	if e := c.ask(object{"job": "fit", "request": object{"parameters": object{"components": "-1"}}, "x": table}, raw(x)).Error; e == nil || e.Parameter != "parameters.components" || e.Hint == "" {
		t.Errorf("a parameter: %+v", e)
	}
	for name, r := range map[string]object{
		"no job": {"job": "x"}, "no rows": {"job": "fit"}, "a shape that is not there": {"job": "fit", "x": array(0, "float64", 1<<40, 1<<40)},
		"a frame that is not there": {"job": "fit", "x": array(-1, "float64", 60, 3)}, "a type": {"job": "fit", "x": array(0, "x", 60, 3)},
	} {
		if e := c.ask(r, raw(x)).Error; e == nil || e.Kind != "fault" {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// A table of columns of any kind is checked as a file is.
func TestChecksTables(t *testing.T) {
	c := start(t)
	defer c.end()
	draw := rand.New(rand.NewPCG(1, 2))
	net, vat, whole := make([]float64, 200), make([]float64, 200), make([]int64, 200)
	texts := make([]string, 200)
	for i := range net {
		net[i] = float64(draw.IntN(9000)+100) / 100
		vat[i], whole[i], texts[i] = net[i]*2, int64(i), []string{"north, far", "south"}[i%2]
	}
	vat[17] = 1
	list, _ := json.Marshal(texts)
	columns := []object{
		{"name": "net", "array": array(0, "float64", 200)}, {"name": "vat", "array": array(1, "float64", 200)},
		{"name": "n", "array": array(2, "int64", 200)}, {"name": "where", "texts": 3},
	}
	r := c.ask(object{"job": "check", "columns": columns}, raw(net), raw(vat), raw(whole), list)
	if r.Error != nil {
		t.Fatal(r.Error.Problem)
	}
	if rows := string(r.frame("rows")); strings.Count(rows, "true") != 1 || strings.Count(rows, "\n") != 201 {
		t.Errorf("rows: %.400s", rows)
	}
	if page := c.ask(object{"job": "page", "handle": r.Handle}); page.Error != nil || !bytes.Contains(page.frames[0], []byte("What is wrong in this table")) {
		t.Errorf("page: %+v", page.Error)
	}
}

// Whole numbers are checked digit by digit, also those without a sign that are larger than numbers with a point tell apart: neighbours among
// them were called the same key.
func TestLargeWholeNumbers(t *testing.T) {
	c := start(t)
	defer c.end()
	keys, length := make([]int64, 300), make([]float64, 300)
	for i := range keys {
		keys[i] = 1<<62 + int64(i)
		length[i] = float64(i * 37 % 101)
	}
	var said []string
	for _, kind := range []string{"int64", "uint64"} {
		columns := []object{{"name": "key", "array": array(0, kind, 300)}, {"name": "length", "array": array(1, "float64", 300)}}
		r := c.ask(object{"job": "check", "request": object{"as": object{"key": "id"}}, "columns": columns}, raw(keys), raw(length))
		if r.Error != nil {
			t.Fatal(r.Error.Problem)
		}
		said = append(said, string(r.frame("rows")))
	}
	if said[0] != said[1] {
		t.Errorf("with signs %.300s\nwithout %.300s", said[0], said[1])
	}
}
