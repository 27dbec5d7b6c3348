package worker

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/internal/random"
)

// client speaks to a worker as another program does.
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
	go func() { c.done <- Serve(t.Context(), in, out); out.Close() }()
	return c
}

// reply is an answer with its frames.
type reply struct {
	answer
	Result json.RawMessage `json:"result"`
	frames [][]byte
}

func (c *client) send(r request, frames ...[]byte) {
	c.last++
	r.ID = c.last
	if err := writeMessage(c.in, &r, frames...); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) receive() *reply {
	m, err := readMessage(c.out, func() int64 { return math.MaxInt64 })
	if err != nil {
		c.t.Fatal(err)
	}
	r := &reply{frames: m.frames}
	if err := json.Unmarshal(m.text, r); err != nil {
		c.t.Fatal(err)
	}
	return r
}

func (c *client) ask(r request, frames ...[]byte) *reply {
	c.send(r, frames...)
	return c.receive()
}

func (c *client) end() {
	c.in.Close()
	if err := <-c.done; err != nil {
		c.t.Error(err)
	}
}

// plane is rows near a plane, the last of which is far off.
func plane() ([]float64, *array) {
	x := make([]float64, 60*3)
	draw := random.New(1, "plane")
	for i := range 60 {
		a, b := draw.NormFloat64(), draw.NormFloat64()
		x[3*i], x[3*i+1], x[3*i+2] = a, b, a+b+0.01*draw.NormFloat64()
	}
	x[179] += 50
	return x, &array{Frame: 0, Type: "float64", Shape: []int{60, 3}}
}

func TestOneWorkerManyCalls(t *testing.T) {
	c := start(t)
	defer c.end()
	x, table := plane()
	fitted := c.ask(request{Job: "fit", Request: json.RawMessage(`{"parameters":{"components":"2"}}`), X: table}, raw(x))
	if fitted.Error != nil || fitted.Handle == 0 {
		t.Fatalf("%+v", fitted.Error)
	}
	outliers := fitted.frames[fitted.Arrays["outliers"].Frame]
	if weights := view[float64](fitted.frames[fitted.Arrays["weights"].Frame]); outliers[59] != 1 || weights[59] > 0.01 || weights[0] < 0.1 {
		t.Errorf("outliers %v, weights %v", outliers, weights)
	}
	// The file of the model, sent back, is the same model.
	file := fitted.frames[fitted.Arrays["model"].Frame]
	loaded := c.ask(request{Job: "load", From: &array{Type: "uint8", Shape: []int{len(file)}}}, file)
	first, second := c.ask(request{Job: "transform", Handle: fitted.Handle, X: table}, raw(x)), c.ask(request{Job: "transform", Handle: loaded.Handle, X: table}, raw(x))
	if shape := first.Arrays["rows"].Shape; len(shape) != 2 || shape[1] != 2 || !bytes.Equal(first.frames[0], second.frames[0]) {
		t.Errorf("scores of shape %v, the same twice: %v", shape, bytes.Equal(first.frames[0], second.frames[0]))
	}
	judged := c.ask(request{Job: "judge", Request: json.RawMessage(`{"why":true,"top":1}`), Handle: loaded.Handle, X: table}, raw(x))
	if rows := view[int64](judged.frames[judged.Arrays["row"].Frame]); len(rows) != 1 || rows[0] != 59 || !strings.Contains(string(judged.Result), "x3=") {
		t.Errorf("worst row %v: %s", rows, judged.Result)
	}
	if gone := c.ask(request{Job: "transform", Handle: loaded.Handle, X: table, Free: []uint64{loaded.Handle}}, raw(x)); gone.Error == nil || gone.Error.Kind != kindLost {
		t.Errorf("a model that was given up: %+v", gone.Error)
	}
}

// What is wrong is an answer, and the next request is heard.
func TestFailuresAreAnswers(t *testing.T) {
	jobs["panic"] = func(*call) (*answer, error) { panic("on purpose") }
	defer delete(jobs, "panic")
	c := start(t)
	defer c.end()
	x, table := plane()
	x[7] = math.NaN()
	cell := c.ask(request{Job: "fit", X: table, Names: []string{"a", "b", "c"}}, raw(x))
	if e := cell.Error; e == nil || e.Kind != kindInput || e.Row != 3 || e.Place != 2 || e.Value != "nan" {
		t.Errorf("a missing number: %+v", e)
	}
	if e := c.ask(request{Job: "fit", Request: json.RawMessage(`{"parameters":{"components":"-1"}}`), X: table}, raw(x)).Error; e == nil || e.Parameter != "parameters.components" || e.Hint == "" {
		t.Errorf("a parameter: %+v", e)
	}
	for name, r := range map[string]request{
		"a panic": {Job: "panic"}, "no job": {Job: "x"}, "no rows": {Job: "fit"}, "a shape that is not there": {Job: "fit", X: &array{Type: "float64", Shape: []int{1 << 40, 1 << 40}}},
		"a frame that is not there": {Job: "fit", X: &array{Frame: -1, Type: "float64", Shape: []int{60, 3}}}, "a type": {Job: "fit", X: &array{Type: "x", Shape: []int{60, 3}}},
	} {
		if e := c.ask(r, raw(x)).Error; e == nil || e.Kind != kindFault {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

func TestCancelledJobsEndAndTheWorkerGoesOn(t *testing.T) {
	began := make(chan bool)
	jobs["wait"] = func(c *call) (*answer, error) { close(began); <-c.Done(); return nil, c.Err() }
	defer delete(jobs, "wait")
	c := start(t)
	defer c.end()
	c.send(request{Job: "wait"})
	<-began
	c.send(request{Job: "cancel", Cancel: 1})
	if r := c.receive(); r.ID != 1 || r.Error == nil || r.Error.Kind != kindCancelled {
		t.Errorf("%+v", r.Error)
	}
	if r := c.ask(request{Job: "hello"}); r.Error != nil {
		t.Errorf("%+v", r.Error)
	}
}

// Sizes are looked at before memory is taken; frames that do not fit are passed over.
func TestSizesAreBounded(t *testing.T) {
	var b bytes.Buffer
	if err := writeMessage(&b, request{}, make([]byte, 1<<24+1)); err != nil {
		t.Fatal(err)
	}
	if err := writeMessage(&b, request{ID: 7}); err != nil {
		t.Fatal(err)
	}
	m, err := readMessage(&b, func() int64 { return 1000 })
	var large *tooLarge
	if err != nil || m.frames != nil || !errors.As(m.refused, &large) {
		t.Errorf("%v, %v", m, err)
	}
	if m, err = readMessage(&b, nil); err != nil || !strings.Contains(string(m.text), `"id":7`) {
		t.Errorf("what follows: %v, %v", m, err)
	}
	for _, head := range [][]uint32{{mostText + 1, 0}, {0, mostFrames + 1}} {
		text := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32([]byte(magic), head[0]), head[1])
		if _, err := readMessage(bytes.NewReader(text), nil); !errors.Is(err, errForeign) {
			t.Errorf("%v: %v", head, err)
		}
	}
}

// A table of columns of any kind is checked as a file is.
func TestChecksTables(t *testing.T) {
	c := start(t)
	defer c.end()
	draw := random.New(1, "orders")
	net, vat, whole := make([]float64, 200), make([]float64, 200), make([]int64, 200)
	texts := make([]string, 200)
	for i := range net {
		net[i] = float64(draw.IntN(9000)+100) / 100
		vat[i], whole[i], texts[i] = net[i]*2, int64(i), []string{"north, far", "south"}[i%2]
	}
	vat[17] = 1
	list, _ := json.Marshal(texts)
	of := func(frame int, kind string) *array { return &array{Frame: frame, Type: kind, Shape: []int{200}} }
	r := c.ask(request{Job: "check", Columns: []column{{Name: "net", Array: of(0, "float64")}, {Name: "vat", Array: of(1, "float64")}, {Name: "n", Array: of(2, "int64")}, {Name: "where", Texts: 3}}},
		raw(net), raw(vat), raw(whole), list)
	if r.Error != nil {
		t.Fatal(r.Error.Problem)
	}
	if rows := string(r.frames[r.Arrays["rows"].Frame]); strings.Count(rows, "true") != 1 || strings.Count(rows, "\n") != 201 {
		t.Errorf("rows: %.400s", rows)
	}
	if page := c.ask(request{Job: "page", Handle: r.Handle}); page.Error != nil || !bytes.Contains(page.frames[0], []byte("What is wrong in this table")) {
		t.Errorf("page: %+v", page.Error)
	}
}

// Whatever comes is read to its end or refused, and arrays are what their frames hold.
func FuzzMessages(f *testing.F) {
	var b bytes.Buffer
	_ = writeMessage(&b, request{ID: 1, Job: "fit", X: &array{Type: "float32", Shape: []int{2, 3}}, Columns: []column{{Name: "a", Texts: 1}}}, make([]byte, 24), []byte(`["x",null]`))
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := readMessage(bytes.NewReader(data), func() int64 { return 1 << 16 })
		if err != nil || m.refused != nil {
			return
		}
		c := &call{request: &request{}, frames: m.frames}
		if json.Unmarshal(m.text, c.request) != nil {
			return
		}
		_, _ = c.text()
		if set, err := c.set(); err == nil && c.X != nil && set.Rows()*set.Dim() > len(data) {
			t.Errorf("%d x %d numbers of %d bytes", set.Rows(), set.Dim(), len(data))
		}
	})
}
