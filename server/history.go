package server

// history is what lines of a journal tell of: what was removed and earlier lines of a job may go.
type history struct {
	lines  []past
	latest map[string]int // number of a job's last line, from 1; 0: of what was removed
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
	p := past{"", bytes, e.Job != nil}
	switch {
	case e.Upload != nil:
		p.id = e.Upload.ID
	case e.Model != nil:
		p.id = e.Model.ID
	case p.job:
		p.id = e.Job.ID
	case e.Chosen != nil:
		p.id = e.Chosen.Job
	case e.Turned != nil:
		p.id = e.Turned.Job
	case e.Remove == "":
		p.id = "later" // of a version to come
	}
	h.lines = append(h.lines, p)
	if p.job {
		h.latest[p.id] = len(h.lines)
	} else if p.id == "" {
		h.latest[e.Remove] = 0
	}
}

// tells whether a line, from 1, is needed.
func (h *history) tells(number int) bool {
	p := h.lines[number-1]
	latest, known := h.latest[p.id]
	return p.id != "" && (!known || latest == number || latest > 0 && !p.job)
}

// long tells that most may go.
func (h *history) long() bool {
	rest := 0
	for k, p := range h.lines {
		if h.tells(k + 1) {
			rest -= p.bytes
		} else {
			rest += p.bytes
		}
	}
	return rest > 0
}
