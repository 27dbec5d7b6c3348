package inlier

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/checkpoint"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/version"
	"github.com/inlier-ml/inlier/linalg"
)

// Helper does parts of a fit that is shared, see [Share]. It may be used by many goroutines; parts are done one after
// another, each on all cores.
type Helper struct {
	folder string
	is     shared
	fit    Fit
	turn   sync.Mutex
	replay *replay // nil: none is under way
}

// Help reads what the folder of a fit is for.
func Help(folder string) (*Helper, error) {
	h := &Helper{folder: folder}
	var err error
	if h.is, err = readShared(folder); err != nil {
		return nil, err
	}
	if own := version.String(); h.is.Program != own {
		return nil, fmt.Errorf("%s is of version %s of the program, and this is %s", folder, h.is.Program, own)
	}
	if own := linalg.Backend(); h.is.Backend != own {
		return nil, fmt.Errorf("%s is of another processor, %s, and this is %s: their sums differ in the last digits", folder, h.is.Backend, own)
	}
	if err := json.Unmarshal(h.is.Request, &h.fit); err != nil {
		return nil, err
	}
	if now, err := h.fit.Data.identity(context.Background()); err != nil || now != h.is.Data {
		return nil, errors.Join(err, fmt.Errorf("the data of %s were changed since, or are others on this machine", folder))
	}
	h.fit.Data.bound, h.fit.Data.rows = h.is.Bound, h.is.Rows
	return h, nil
}

// Make makes a node of a pass, unless it is there already: a task at level 0, or the merge of its nodes of the level before.
func (h *Helper) Make(ctx context.Context, p SharedPass, level, node int) error {
	ctx = given.Context(ctx)
	p.Folder = h.folder
	if p.Made(level, node) {
		return nil
	}
	h.turn.Lock()
	defer h.turn.Unlock()
	if h.replay == nil || h.replay.over() || h.replay.at.Load() > int64(p.Number) {
		h.end()
		h.begin()
	}
	r := h.replay
	ask := question{ctx: ctx, pass: p, level: level, node: node, answer: make(chan error, 1)}
	select {
	case r.asked <- ask:
	case <-r.ended:
		return r.failure()
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-ask.answer:
		return err
	case <-r.ended:
		select {
		case err := <-ask.answer:
			return err
		default:
			return r.failure()
		}
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close ends the replay.
func (h *Helper) Close() {
	h.turn.Lock()
	defer h.turn.Unlock()
	h.end()
}

// replay is a fit that waits at a pass.
type replay struct {
	h     *Helper
	at    atomic.Int64 // number of the pass that is next
	asked chan question
	stop  context.CancelFunc
	ended chan struct{}
	err   error
}

type question struct {
	ctx         context.Context
	pass        SharedPass
	level, node int
	answer      chan error
}

func (h *Helper) begin() {
	ctx, stop := context.WithCancel(context.Background())
	r := &replay{h: h, asked: make(chan question), stop: stop, ended: make(chan struct{})}
	h.replay = r
	go func() {
		defer close(r.ended)
		f := h.fit
		f.others = r
		_, r.err = f.Run(ctx, nil)
	}()
}

func (h *Helper) end() {
	if h.replay != nil {
		h.replay.stop()
		<-h.replay.ended
		h.replay = nil
	}
}

// over tells that the fit has ended.
func (r *replay) over() bool {
	select {
	case <-r.ended:
		return true
	default:
		return false
	}
}

func (r *replay) failure() error {
	if r.err != nil {
		return r.err
	}
	return errors.New("the fit has no such pass")
}

func (r *replay) marks() []file.Mark { return r.h.is.Marks }

func (r *replay) recalled(linalg.Finding) error { return nil }

// make answers what is asked of the pass that the fit has come to, and goes on when a later one is asked about.
func (r *replay) make(ctx context.Context, b *blockwise, w *linalg.Work) (linalg.Finding, error) {
	_, columns := b.Dims()
	at, each := r.h.is.pass(r.h.folder, int(r.at.Load()), w, columns)
	for {
		var q question
		select {
		case q = <-r.asked:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if q.pass.Number > at.Number {
			found, err := r.h.is.load(at.found(), w, columns)
			if err != nil {
				q.answer <- err
				return nil, err
			}
			r.at.Add(1)
			go func() { // it is meant for a pass to come
				select {
				case r.asked <- q:
				case <-r.ended:
				}
			}()
			return found, nil
		}
		q.answer <- r.node(q, at, each, w, columns)
	}
}

// node makes one of the pass at hand.
func (r *replay) node(q question, at SharedPass, each int, w *linalg.Work, columns int) error {
	levels := at.Levels()
	if q.pass.Tasks != at.Tasks || q.level < 0 || q.level >= len(levels) || q.node < 0 || q.node >= levels[q.level] {
		return fmt.Errorf("pass %d has no part %d at level %d of %d tasks", q.pass.Number, q.node, q.level, q.pass.Tasks)
	}
	checkpoint.Clear(w.Fresh().Parts(), w.Fresh().Parts())
	var found linalg.Finding
	var err error
	if q.level == 0 {
		found, err = w.Task(q.ctx, q.node*each, min((q.node+1)*each, w.Stripes))
	} else {
		for k := q.node * fanIn; k < min((q.node+1)*fanIn, levels[q.level-1]) && err == nil; k++ {
			var next linalg.Finding
			if next, err = r.h.is.load(at.path(q.level-1, k), w, columns); err != nil {
				break
			}
			if found == nil {
				found = next
			} else {
				w.Merge(found, next)
			}
		}
	}
	if err != nil {
		return err
	}
	return store(at.path(q.level, q.node), found, w)
}
