package worker

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"
	"sync/atomic"
	"testing"
)

// A panic is an answer, a cancelled job ends, and the worker goes on.
func TestPanicsAndCancelledJobs(t *testing.T) {
	began := make(chan bool)
	jobs["panic"] = func(*call) (*answer, error) { panic("on purpose") }
	jobs["wait"] = func(c *call) (*answer, error) { close(began); <-c.Done(); return nil, c.Err() }
	defer delete(jobs, "panic")
	defer delete(jobs, "wait")
	in, to := io.Pipe()
	from, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- Serve(t.Context(), in, out) }()
	for _, step := range []struct {
		ask  request
		kind string
	}{{request{ID: 1, Job: "panic"}, kindFault}, {request{ID: 2, Job: "wait"}, kindCancelled}, {request{ID: 3, Job: "hello"}, ""}} {
		if err := writeMessage(to, step.ask); err != nil {
			t.Fatal(err)
		}
		if step.ask.Job == "wait" {
			<-began
			if err := writeMessage(to, request{Job: "cancel", Cancel: 2}); err != nil {
				t.Fatal(err)
			}
		}
		m, err := readMessage(from, func() int64 { return math.MaxInt64 })
		if err != nil {
			t.Fatal(err)
		}
		var a answer
		if err := json.Unmarshal(m.text, &a); err != nil || a.ID != step.ask.ID || (a.Error == nil) != (step.kind == "") || a.Error != nil && a.Error.Kind != step.kind {
			t.Errorf("%s: %s, %v", step.ask.Job, m.text, err)
		}
	}
	to.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// What a handle names gives its temporary files back when it is given up, but not while a job is at work with it, and at the end.
func TestWhatIsGivenUpIsClosed(t *testing.T) {
	began, goOn := make(chan bool), make(chan bool)
	var atWork atomic.Bool
	things := []*closing{{atWork: &atWork, closed: make(chan bool, 1)}, {atWork: &atWork, closed: make(chan bool, 1)}}
	next := 0
	jobs["make"] = func(c *call) (*answer, error) { next++; return &answer{Handle: c.keep(things[next-1])}, nil }
	jobs["use"] = func(c *call) (*answer, error) {
		_, err := thing[*closing](c)
		atWork.Store(true)
		close(began)
		<-goOn
		atWork.Store(false)
		return &answer{}, err
	}
	defer delete(jobs, "make")
	defer delete(jobs, "use")
	in, to := io.Pipe()
	from, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- Serve(t.Context(), in, out) }()
	ask := func(r request) {
		if err := writeMessage(to, r); err != nil {
			t.Fatal(err)
		}
	}
	heard := func() {
		if m, err := readMessage(from, nil); err != nil || strings.Contains(string(m.text), "error") {
			t.Fatalf("%v, %v", m, err)
		}
	}
	for id := range uint64(2) {
		ask(request{ID: id, Job: "make"})
		heard()
	}
	ask(request{ID: 7, Job: "use", Handle: 1})
	<-began
	ask(request{Job: "cancel", Free: []uint64{1}})
	ask(request{Job: "cancel"}) // it was read when this one is
	close(goOn)
	heard()
	<-things[0].closed
	to.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
	<-things[1].closed
	if things[0].early || things[1].early {
		t.Error("closed while it was in use")
	}
}

type closing struct {
	atWork *atomic.Bool
	early  bool
	closed chan bool
}

func (c *closing) Close() error {
	c.early = c.atWork.Load()
	c.closed <- true
	return nil
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
	if err := writeMessage(&b, request{}, make([][]byte, 70000)...); err != nil {
		t.Fatal(err)
	}
	if m, err = readMessage(&b, nil); err != nil || len(m.frames) != 70000 {
		t.Errorf("a table of many columns: %v", err)
	}
	for _, head := range [][]uint32{{mostText + 1, 0}, {0, mostFrames + 1}} {
		text := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32([]byte(magic), head[0]), head[1])
		if _, err := readMessage(bytes.NewReader(text), nil); !errors.Is(err, errForeign) {
			t.Errorf("%v: %v", head, err)
		}
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
		_, _, _ = c.text(0)
		if set, err := c.set(); err == nil && c.X != nil && set.Rows()*set.Dim() > len(data) {
			t.Errorf("%d x %d numbers of %d bytes", set.Rows(), set.Dim(), len(data))
		}
	})
}
