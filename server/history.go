package server

// history is what the lines of a journal tell of: what was removed, and how a job was asked for once it has ended, need not be kept.
type history struct {
	lines  []past
	latest map[string]int // number of the last line of a job, from 1; 0: it, or what else is called so, was removed
}

type past struct {
	id    string // "": of a removal
	bytes int
	job   bool
}

func (h *history) add(e *entry, bytes int) {
	if h.latest == nil {
		h.latest = map[string]int{}
	}
	p := past{bytes: bytes}
	switch {
	case e.Upload != nil:
		p.id = e.Upload.ID
	case e.Model != nil:
		p.id = e.Model.ID
	case e.Job != nil:
		p.id, p.job = e.Job.ID, true
	case e.Chosen != nil:
		p.id = e.Chosen.Job
	case e.Turned != nil:
		p.id = e.Turned.Job
	}
	h.lines = append(h.lines, p)
	if p.job {
		h.latest[p.id] = len(h.lines)
	} else if e.Remove != "" {
		h.latest[e.Remove] = 0
	}
}

// tells whether a line, of a number from 1, is still needed.
func (h *history) tells(number int) bool {
	p := h.lines[number-1]
	latest, known := h.latest[p.id]
	return p.id != "" && (!known || latest == number || latest > 0 && !p.job)
}

// long tells that most of it is no longer needed.
func (h *history) long() bool {
	all, needed := 0, 0
	for k, p := range h.lines {
		if all += p.bytes; h.tells(k + 1) {
			needed += p.bytes
		}
	}
	return 2*needed < all
}
