package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/inlier-ml/inlier"
)

// State is how far a job has come.
type State string

// The states of a job. After a crash, jobs that were waiting or running are interrupted.
const (
	Waiting     State = "waiting"
	Running     State = "running"
	Done        State = "done"
	Failed      State = "failed"
	Cancelled   State = "cancelled"
	Interrupted State = "interrupted"
)

// Ended tells that nothing more happens to the job by itself.
func (s State) Ended() bool { return s != Waiting && s != Running }

// Job is work that was asked for.
type Job struct {
	ID       string          `json:"id"`
	Kind     string          `json:"kind" enum:"check,fit,compare"`
	Name     string          `json:"name" doc:"What it is about, for people"`
	Upload   string          `json:"upload,omitempty" doc:"The file that it is about"`
	Request  json.RawMessage `json:"request,omitempty" doc:"What was asked for; lists and events leave it out"`
	State    State           `json:"state" enum:"waiting,running,done,failed,cancelled,interrupted"`
	Created  time.Time       `json:"created"`
	Started  time.Time       `json:"started,omitzero"`
	Ended    time.Time       `json:"ended,omitzero"`
	Problem  *Problem        `json:"problem,omitempty" doc:"Why it failed"`
	Files    []string        `json:"files,omitempty" doc:"What it has made, to be had under files/"`
	Model    string          `json:"model,omitempty" doc:"The model that it has made"`
	Rows     int             `json:"rows,omitempty" doc:"Of the table"`
	Summary  string          `json:"summary,omitempty" doc:"The result in one sentence"`
	Command  string          `json:"command,omitempty" doc:"The same on a command line"`
	Progress *inlier.Event   `json:"progress,omitempty"`

	made *StoredModel // what becomes known together with the job's end
}

// told is a job as lists and events tell of it: without its request, which may be long and never changes.
func (j Job) told() Job {
	j.Request = nil
	return j
}

// about is the upload that a request names.
func about(request []byte) string {
	var r struct {
		Upload string
		Data   struct{ Upload string }
	}
	_ = json.Unmarshal(request, &r)
	return cmp.Or(r.Upload, r.Data.Upload)
}

// queue runs jobs one at a time, since each uses all cores.
type queue struct {
	s       *Server
	lock    sync.Mutex
	waiting []string
	cancels map[string]context.CancelCauseFunc
	wake    chan struct{}
	stop    context.CancelFunc // of the job under way
	closed  bool
	ended   chan struct{}
}

func newQueue(s *Server) *queue {
	ctx, stop := context.WithCancel(context.Background())
	q := &queue{s: s, cancels: map[string]context.CancelCauseFunc{}, wake: make(chan struct{}, 1), stop: stop, ended: make(chan struct{})}
	go q.run(ctx)
	return q
}

// add writes a job down and lets it wait.
func (q *queue) add(kind, name, command string, request any) (Job, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return Job{}, err
	}
	j := Job{ID: newIdentity(), Kind: kind, Name: name, Upload: about(body), Request: body, State: Waiting, Created: time.Now().UTC(), Command: command}
	q.lock.Lock()
	defer q.lock.Unlock()
	switch {
	case q.closed:
		return Job{}, errStopping
	case len(q.waiting) >= q.s.Waiting:
		return Job{}, fmt.Errorf("%d jobs are waiting, and no more may: %w", len(q.waiting), errBusy)
	}
	if err := q.s.state.add(entry{Job: &j}); err != nil {
		return Job{}, err
	}
	q.waiting = append(q.waiting, j.ID)
	q.s.events.tell(j)
	q.poke()
	return j, nil
}

func (q *queue) poke() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// run takes one job after the other.
func (q *queue) run(ctx context.Context) {
	defer close(q.ended)
	for {
		q.lock.Lock()
		if q.closed {
			q.lock.Unlock()
			return
		}
		if len(q.waiting) == 0 {
			q.lock.Unlock()
			<-q.wake
			continue
		}
		id := q.waiting[0]
		q.waiting = q.waiting[1:]
		mine, cancel := context.WithCancelCause(ctx)
		q.cancels[id] = cancel // at once: there is no moment at which it can neither be taken from the queue nor be cancelled
		q.lock.Unlock()
		q.one(ctx, mine, id)
		q.lock.Lock()
		delete(q.cancels, id)
		q.lock.Unlock()
		cancel(nil)
		debug.FreeOSMemory() // which the next one is measured against
	}
}

// one runs a job and writes down how it ended. The first context is the queue's, the second the job's own.
func (q *queue) one(ctx, mine context.Context, id string) {
	j, err := q.s.job(id)
	if err != nil {
		return
	}
	limited, release := context.WithTimeout(mine, q.s.Time)
	defer release()
	j.State, j.Started = Running, time.Now().UTC()
	q.follow(j)
	last := time.Time{}
	err = q.attempt(limited, &j, func(e inlier.Event) {
		if e.Part < 1 && time.Since(last) < 50*time.Millisecond {
			return // people cannot read faster
		}
		last = time.Now()
		now := j
		now.Progress = &e
		q.follow(now)
	})
	j.Ended, j.State = time.Now().UTC(), Done
	if err != nil {
		os.RemoveAll(q.s.state.jobFolder(id))
		j.Files, j.Model, j.Summary = nil, "", ""
		var ours bool
		j.Problem, ours = problemOf(err)
		switch {
		case errors.Is(err, context.Canceled) && ctx.Err() != nil:
			j.State = Interrupted // the server stops
		case errors.Is(err, context.Canceled):
			j.State = Cancelled
		default:
			j.State = Failed
		}
		if ours {
			q.s.Log.Error("a job failed", "job", id, "kind", j.Kind, "error", err)
		}
	}
	lines := []entry{{Job: &j}}
	if made := j.made; made != nil && err == nil { // both or neither
		lines = []entry{{Model: made}, {Job: &j}}
	}
	if err := q.s.state.add(lines...); err != nil {
		q.s.Log.Error("a job's end could not be written down", "job", id, "error", err)
		os.RemoveAll(q.s.state.jobFolder(id))
		if j.made != nil {
			os.Remove(q.s.state.modelPath(j.made.ID))
		}
		j.State, j.Files, j.Model, j.Summary = Failed, nil, "", ""
		j.Problem, _ = problemOf(err)
		q.follow(j)
	}
	q.s.counts.ended(j.State)
	q.s.events.tell(j)
}

// attempt runs a job; a panic is an error.
func (q *queue) attempt(ctx context.Context, j *Job, o inlier.Observer) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v\n%s", fault, debug.Stack())
		}
	}()
	return q.s.perform(ctx, j, o)
}

// follow shows a state of a job that need not outlast the server.
func (q *queue) follow(j Job) {
	q.s.state.lock.Lock()
	q.s.state.jobs[j.ID] = &j
	q.s.state.lock.Unlock()
	q.s.events.tell(j)
}

// cancel ends a job, also one that waits.
func (q *queue) cancel(id string) (Job, error) {
	j, err := q.s.job(id)
	if err != nil {
		return Job{}, err
	}
	q.lock.Lock()
	defer q.lock.Unlock()
	if at := slices.Index(q.waiting, id); at >= 0 {
		j.State, j.Ended = Cancelled, time.Now().UTC()
		if err := q.s.state.add(entry{Job: &j}); err != nil {
			return Job{}, err // it waits on
		}
		q.waiting = slices.Delete(q.waiting, at, at+1)
		q.s.counts.ended(j.State)
		q.s.events.tell(j)
		return j, nil
	}
	if cancel := q.cancels[id]; cancel != nil {
		cancel(nil)
	}
	return j, nil
}

// close waits for the job under way until the context ends.
func (q *queue) close(ctx context.Context) {
	q.lock.Lock()
	q.closed = true
	q.lock.Unlock()
	q.poke()
	select {
	case <-q.ended:
	case <-ctx.Done():
		q.stop()
		<-q.ended
	}
	q.stop()
}

// running counts jobs by what they do.
func (q *queue) running() map[State]int {
	q.lock.Lock()
	defer q.lock.Unlock()
	return map[State]int{Waiting: len(q.waiting), Running: len(slices.Collect(maps.Keys(q.cancels)))}
}

// job is a copy of the latest state of a job.
func (s *Server) job(id string) (Job, error) {
	s.state.lock.RLock()
	defer s.state.lock.RUnlock()
	if j := s.state.jobs[id]; j != nil {
		return *j, nil
	}
	return Job{}, fmt.Errorf("job %q: %w", id, errUnknown)
}
