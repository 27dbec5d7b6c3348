package output

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Leavings are what a command leaves behind when it is interrupted.
type Leavings struct {
	lock  sync.Mutex
	files []string
	note  string // of work that can be gone on with
}

// Add remembers a file that was written whole.
func (l *Leavings) Add(file string) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if !slices.Contains(l.files, file) {
		l.files = append(l.files, file)
	}
}

// Say tells of work that can be gone on with.
func (l *Leavings) Say(format string, args ...any) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.note = fmt.Sprintf(format, args...)
}

// Text is what is left.
func (l *Leavings) Text() string {
	l.lock.Lock()
	defer l.lock.Unlock()
	switch {
	case l.note != "":
		return l.note
	case len(l.files) == 0:
		return "nothing was written"
	case len(l.files) == 1:
		return l.files[0] + " was written whole"
	}
	return strings.Join(l.files, ", ") + " were written whole"
}
