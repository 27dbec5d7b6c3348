package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// broker tells every page what happens to jobs. A page that is slow misses steps in between, never the latest one: what
// waits for it is one message per job.
type broker struct {
	lock   sync.Mutex
	pages  map[*page]bool
	closed bool
}

type page struct {
	lock    sync.Mutex
	waiting map[string]Job
	order   []string
	wake    chan struct{} // holds at most one sign
	gone    chan struct{} // closed with the broker
}

func newBroker() *broker { return &broker{pages: map[*page]bool{}} }

// mostPages bounds the streams that are open at a time.
const mostPages = 256

func (b *broker) join() *page {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.closed || len(b.pages) >= mostPages {
		return nil
	}
	p := &page{waiting: map[string]Job{}, wake: make(chan struct{}, 1), gone: make(chan struct{})}
	b.pages[p] = true
	return p
}

func (b *broker) leave(p *page) {
	b.lock.Lock()
	defer b.lock.Unlock()
	delete(b.pages, p)
}

// tell hands the latest state of a job to all pages.
func (b *broker) tell(j Job) {
	b.lock.Lock()
	defer b.lock.Unlock()
	j = j.told()
	for p := range b.pages {
		p.lock.Lock()
		if _, there := p.waiting[j.ID]; !there {
			p.order = append(p.order, j.ID)
		}
		p.waiting[j.ID] = j
		p.lock.Unlock()
		select {
		case p.wake <- struct{}{}:
		default:
		}
	}
}

func (b *broker) close() {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.closed = true
	for p := range b.pages {
		close(p.gone)
		delete(b.pages, p)
	}
}

// take empties what waits for a page.
func (p *page) take() []Job {
	p.lock.Lock()
	defer p.lock.Unlock()
	jobs := make([]Job, 0, len(p.order))
	for _, id := range p.order {
		jobs = append(jobs, p.waiting[id])
	}
	p.order = p.order[:0]
	clear(p.waiting)
	return jobs
}

// breath is how often a stream says that it is alive.
const breath = 15 * time.Second

// stream is the one connection by which a page hears of all jobs.
func (s *Server) stream(w http.ResponseWriter, r *http.Request) {
	p := s.events.join()
	if p == nil {
		s.refuseError(w, fmt.Errorf("%d pages are open, and no more may be: %w", mostPages, errPages))
		return
	}
	defer s.events.leave(p)
	control := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	send := func(text string) bool {
		_, err := fmt.Fprint(w, text)
		return err == nil && control.Flush() == nil
	}
	if !send("retry: 2000\n\n") {
		return
	}
	tick := time.NewTicker(breath)
	defer tick.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-p.gone:
			return
		case <-tick.C:
			if !send(": alive\n\n") {
				return
			}
		case <-p.wake:
			for _, j := range p.take() {
				body, err := json.Marshal(j)
				if err != nil || !send("event: job\ndata: "+string(body)+"\n\n") {
					return
				}
			}
		}
	}
}
