// Package worker lets programs in other languages use the jobs of package inlier: one process, many calls. It reads
// messages from a stream and answers on another, each message JSON with arrays as raw frames behind it (see message.go).
//
// A request names a job and carries its request as package inlier has it; the table comes as frames, models are kept
// here and named by a handle. While a job runs the worker sends events, where they are asked for, and hears of other requests: a
// job can be cancelled, and several can run. What is wrong is an answer, also a panic. The worker ends when its input does.
package worker

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/internal/memory"
	"github.com/inlier-ml/inlier/internal/words"
)

// request is the JSON of a message to the worker.
type request struct {
	ID      uint64          `json:"id"`
	Job     string          `json:"job"`     // fit, load, predict, ...: see jobs; or cancel
	Request json.RawMessage `json:"request"` // of the job, as package inlier has it
	Events  bool            `json:"events"`  // tell how far the job has come
	Free    []uint64        `json:"free"`    // handles that are not needed any more
	Cancel  uint64          `json:"cancel"`  // request whose job is to end

	Handle  uint64   `json:"handle"`  // the model or check to use
	X       *array   `json:"x"`       // rows
	Y       *array   `json:"y"`       // their targets: numbers, or places in Classes
	Weights *array   `json:"weights"` // of the rows
	Classes []string `json:"classes"` // names of classes
	Names   []string `json:"names"`   // of columns
	Target  string   `json:"target"`  // name of the target
	Shape   []int    `json:"shape"`   // of a row that is an image or tensor
	Columns []column `json:"columns"` // a table of columns of any kind, instead of X
	From    *array   `json:"from"`    // a file
}

// answer is the JSON of a message from the worker: an event, or the end of a job.
type answer struct {
	ID     uint64           `json:"id"`
	Event  *inlier.Event    `json:"event,omitempty"`
	Result any              `json:"result,omitempty"`
	Handle uint64           `json:"handle,omitempty"` // of what the job made
	Arrays map[string]array `json:"arrays,omitempty"`
	Error  *failure         `json:"error,omitempty"`

	frames [][]byte
}

// add puts an array into the answer.
func (a *answer) add(name, kind string, memory []byte, shape ...int) {
	if a.Arrays == nil {
		a.Arrays = map[string]array{}
	}
	a.Arrays[name] = array{Frame: len(a.frames), Type: kind, Shape: shape}
	a.frames = append(a.frames, memory)
}

// numbers puts numbers into the answer; nil is left out.
func (a *answer) numbers(name string, v []float64, shape ...int) {
	if v != nil {
		if shape == nil {
			shape = []int{len(v)}
		}
		a.add(name, "float64", raw(v), shape...)
	}
}

// worker is what the jobs share.
type worker struct {
	out  io.Writer
	lock sync.Mutex // of out

	things  sync.Mutex // of the following
	last    uint64
	kept    map[uint64]*held // models and checks by handle
	running map[uint64]context.CancelFunc
}

// Serve answers requests until the input ends, then cancels what still runs and waits for it.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	w := &worker{out: out, kept: map[uint64]*held{}, running: map[uint64]context.CancelFunc{}}
	ctx, cancel := context.WithCancel(ctx)
	var jobs sync.WaitGroup
	defer w.close()
	defer jobs.Wait()
	defer cancel()
	messages := make(chan *message)
	var ended error
	go func() { // who does not write any more and keeps the stream open must not keep the program
		defer close(messages)
		from := bufio.NewReaderSize(in, 1<<16)
		for {
			m, err := readMessage(from, memory.Free)
			if err != nil {
				if !errors.Is(err, io.EOF) {
					ended = err
				}
				return
			}
			select {
			case messages <- m:
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		var m *message
		select {
		case m = <-messages:
		case <-ctx.Done():
			return ctx.Err()
		}
		if m == nil {
			return ended
		}
		var r request
		if err := json.Unmarshal(m.text, &r); err != nil {
			return errForeign
		}
		if w.forget(r); r.Job == "cancel" {
			continue
		}
		running, end := context.WithCancel(ctx)
		w.things.Lock()
		w.running[r.ID] = end
		w.things.Unlock()
		jobs.Add(1)
		go func() {
			defer jobs.Done()
			a := w.do(running, &r, m)
			w.things.Lock()
			delete(w.running, r.ID)
			w.things.Unlock()
			end()
			w.send(a)
			if size(m.frames) > large { // nothing holds them any more
				m.frames, a = nil, nil
				debug.FreeOSMemory()
			}
		}()
	}
}

// large are tables of which the memory goes back to the system at once.
const large = 64 << 20

// forget gives up handles and cancels what a request says.
func (w *worker) forget(r request) {
	w.things.Lock()
	defer w.things.Unlock()
	for _, handle := range r.Free {
		if h := w.kept[handle]; h != nil {
			delete(w.kept, handle)
			go h.close()
		}
	}
	if end := w.running[r.Cancel]; end != nil {
		end()
	}
}

// held is what a handle names, and who is at work with it.
type held struct {
	value any
	users sync.RWMutex
}

// close gives back what the thing has beside memory, the temporary files of a large table, as soon as nobody is at work with it.
func (h *held) close() {
	if c, ok := h.value.(io.Closer); ok {
		h.users.Lock()
		defer h.users.Unlock()
		_ = c.Close()
	}
}

// close gives up everything.
func (w *worker) close() {
	w.things.Lock()
	defer w.things.Unlock()
	for _, h := range w.kept {
		h.close()
	}
	clear(w.kept)
}

// send writes an answer. Where nobody reads any more the input has ended too.
func (w *worker) send(a *answer) {
	w.lock.Lock()
	defer w.lock.Unlock()
	if err := writeMessage(w.out, a, a.frames...); err != nil && a.Event == nil { // a step of which something is not finite is not told
		var text *json.MarshalerError
		var value *json.UnsupportedValueError
		if errors.As(err, &text) || errors.As(err, &value) { // nothing was written
			_ = writeMessage(w.out, &answer{ID: a.ID, Error: &failure{Kind: kindFault, Problem: err.Error()}})
		}
	}
}

// do runs a job; a panic is an error.
func (w *worker) do(ctx context.Context, r *request, m *message) (a *answer) {
	defer func() {
		if p := recover(); p != nil {
			a = &answer{Error: &failure{Kind: kindFault, Problem: words.OneLine(fmt.Sprintf("internal error: %v", p)), Trace: string(debug.Stack())}}
		}
		a.ID = r.ID
	}()
	if m.refused != nil {
		return &answer{Error: fail(m.refused)}
	}
	job, ok := jobs[r.Job]
	if !ok {
		return &answer{Error: &failure{Kind: kindFault, Problem: fmt.Sprintf("worker: there is no job %.40q", r.Job)}}
	}
	c := &call{Context: ctx, worker: w, request: r, frames: m.frames}
	defer func() {
		if c.used != nil {
			c.used.users.RUnlock()
		}
	}()
	a, err := job(c)
	if err != nil {
		return &answer{Error: fail(err)}
	}
	return a
}

// call is one request at work.
type call struct {
	context.Context
	*worker
	*request
	frames [][]byte
	used   *held // what it is at work with
}

// decode reads the job's own request; without one it stays as it is. A field that the job does not have is refused: what is
// misspelled must not be passed over.
func (c *call) decode(job any) error {
	if len(c.Request) == 0 {
		return nil
	}
	from := json.NewDecoder(bytes.NewReader(c.Request))
	from.DisallowUnknownFields()
	err := from.Decode(job)
	if err == nil {
		return nil
	}
	var value *json.UnmarshalTypeError
	if errors.As(err, &value) {
		name := value.Field[strings.LastIndexByte(value.Field, '.')+1:]
		return &inlier.Error{Parameter: name, Problem: fmt.Sprintf("%s cannot be a %s", name, value.Value), Err: err}
	}
	if name, unknown := strings.CutPrefix(err.Error(), `json: unknown field "`); unknown {
		name = strings.TrimSuffix(name, `"`)
		return &inlier.Error{Parameter: name, Problem: fmt.Sprintf("%s has no option %s", c.Job, name), Err: err}
	}
	return fmt.Errorf("worker: the request of %s: %w", c.Job, err)
}

// keep keeps a model or check and names it.
func (c *call) keep(thing any) uint64 {
	c.things.Lock()
	defer c.things.Unlock()
	c.last++
	c.kept[c.last] = &held{value: thing}
	return c.last
}

// thing is what a handle names, until the call ends.
func thing[T any](c *call) (t T, err error) {
	c.things.Lock()
	defer c.things.Unlock()
	h, ok := c.kept[c.Handle]
	if ok {
		t, ok = h.value.(T)
	}
	if !ok {
		return t, &lost{c.Handle}
	}
	if c.used == nil {
		h.users.RLock()
		c.used = h
	}
	return t, nil
}

// lost is a handle that names nothing here.
type lost struct{ handle uint64 }

func (e *lost) Error() string { return fmt.Sprintf("worker: nothing is kept under %d", e.handle) }

// observer sends the events of a call: none of those that end within a moment, and few of the others, since the job
// waits for each.
func (c *call) observer() inlier.Observer {
	if !c.Events {
		return nil
	}
	const first, each = 200 * time.Millisecond, 100 * time.Millisecond
	next := time.Now().Add(first)
	return func(e inlier.Event) {
		if now := time.Now(); now.After(next) {
			next = now.Add(each)
			c.send(&answer{ID: c.ID, Event: &e})
		}
	}
}
