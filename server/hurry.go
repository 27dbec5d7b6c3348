package server

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// hurry is how long a server that stops waits for a client that neither sends nor takes anything; others have until the grace ends.
const hurry = 2 * time.Second

// answers are those under way.
type answers struct {
	lock  sync.Mutex
	now   map[*answer]struct{}
	hasty bool
}

func (a *answers) begin(out *answer) {
	a.lock.Lock()
	defer a.lock.Unlock()
	if a.now == nil {
		a.now = map[*answer]struct{}{}
	}
	a.now[out] = struct{}{}
	if a.hasty {
		out.hasten()
	}
}

func (a *answers) end(out *answer) {
	a.lock.Lock()
	defer a.lock.Unlock()
	delete(a.now, out)
}

func (a *answers) hurry() {
	a.lock.Lock()
	defer a.lock.Unlock()
	a.hasty = true
	for out := range a.now {
		out.hasten()
	}
}

// hasten shortens the patience with a client, also that of a read or write which waits for it now.
func (a *answer) hasten() {
	a.silence.Store(int64(min(hurry, time.Duration(a.silence.Load()))))
	a.patience()
	if a.reading.Load() { // else a read under way only watches whether the client is still there
		_ = a.control.SetReadDeadline(time.Now().Add(hurry))
	}
}

// silent are connections on which no request has come yet.
type silent struct {
	lock sync.Mutex
	now  map[net.Conn]struct{}
}

func (s *silent) follow(c net.Conn, state http.ConnState) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.now == nil {
		s.now = map[net.Conn]struct{}{}
	}
	if state == http.StateNew {
		s.now[c] = struct{}{}
	} else {
		delete(s.now, c)
	}
}

func (s *silent) close() {
	s.lock.Lock()
	defer s.lock.Unlock()
	for c := range s.now {
		_ = c.Close()
	}
}
