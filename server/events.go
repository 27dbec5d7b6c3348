package server

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// broker tells every page what happens to jobs. A page that is slow misses steps in between, never the latest one: what
// waits for it is one message per job. Messages are numbered, so that a stream that broke off goes on where it was.
type broker struct {
	lock   sync.Mutex
	pages  map[*page]bool
	closed bool
	run    string           // of this server: numbers of another one say nothing
	count  int64            // of messages
	latest map[string]int64 // that of each job
}

// message is a job as it became, and the number of that.
type message struct {
	Job
	number int64
	gone   bool // the job is no more, of which only the name is told
}

type page struct {
	lock    sync.Mutex
	waiting map[string]message
	order   []string      // the message of the least number first
	wake    chan struct{} // holds at most one sign
	gone    chan struct{} // closed with the broker
}

// newBroker numbers the jobs of before as messages that were told, so that a stream that breaks off amid them goes on there.
func newBroker(before []Job) *broker {
	b := &broker{pages: map[*page]bool{}, run: newIdentity(), count: int64(len(before)), latest: map[string]int64{}}
	for k, j := range before {
		b.latest[j.ID] = b.count - int64(k) // the oldest first
	}
	return b
}

// mostPages bounds the streams that are open at a time.
const mostPages = 256

// join opens a stream. One that goes on behind a message begins with the jobs that have changed since, of another server's run with all.
func (b *broker) join(behind string, jobs func() []Job) *page {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.closed || len(b.pages) >= mostPages {
		return nil
	}
	p := &page{waiting: map[string]message{}, wake: make(chan struct{}, 1), gone: make(chan struct{})}
	b.pages[p] = true
	if behind == "" {
		return p
	}
	run, text, _ := strings.Cut(behind, "-")
	from, err := strconv.ParseInt(text, 10, 64)
	if run != b.run || err != nil {
		from = -1
	}
	list := jobs()
	slices.SortStableFunc(list, func(x, y Job) int { return cmp.Compare(b.latest[x.ID], b.latest[y.ID]) })
	for _, j := range list {
		if number := b.latest[j.ID]; number > from {
			p.put(message{j.told(), number, false})
		}
	}
	return p
}

// put lets a message wait for the page, in place of an earlier one about its job.
func (p *page) put(m message) {
	p.lock.Lock()
	if _, there := p.waiting[m.ID]; there {
		p.order = slices.DeleteFunc(p.order, func(id string) bool { return id == m.ID })
	}
	p.order = append(p.order, m.ID)
	p.waiting[m.ID] = m
	p.lock.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
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
	b.count++
	b.latest[j.ID] = b.count
	for p := range b.pages {
		p.put(message{j.told(), b.count, false})
	}
}

// forget drops what is known of a job that is no more, and tells pages so.
func (b *broker) forget(id string) {
	b.lock.Lock()
	defer b.lock.Unlock()
	delete(b.latest, id)
	for p := range b.pages {
		p.put(message{Job{ID: id}, b.count, true})
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
func (p *page) take() []message {
	p.lock.Lock()
	defer p.lock.Unlock()
	list := make([]message, 0, len(p.order))
	for _, id := range p.order {
		list = append(list, p.waiting[id])
	}
	p.order = p.order[:0]
	clear(p.waiting)
	return list
}

// breath is how often a stream says that it is alive.
const breath = 15 * time.Second

// stream is the one connection by which a page hears of all jobs.
func (s *Server) stream(w http.ResponseWriter, r *http.Request) {
	p := s.events.join(r.Header.Get("Last-Event-ID"), s.state.jobList)
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
			for _, m := range p.take() {
				kind := "job"
				body, err := json.Marshal(m.Job)
				if m.gone {
					kind, body = "removed", fmt.Appendf(nil, `{"id":%q}`, m.ID)
				}
				if err != nil || !send(fmt.Sprintf("id: %s-%d\nevent: %s\ndata: %s\n\n", s.events.run, m.number, kind, body)) {
					return
				}
			}
		}
	}
}
