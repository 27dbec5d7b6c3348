// Package spill keeps large arrays in files that are mapped into memory, so that tables larger than a bound are worked on by the code
// that works on those in memory. The system reads and writes their pages as they are used; a guard gives pages back as soon as more
// than the bound are resident. Files have no names and are gone when the program ends, however it does.
package spill

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/inlier-ml/inlier/internal/words"
)

// small is the size below which an array stays in memory.
const small = 1 << 16

// leastShare is the part of the bound that arrays may take however much memory the rest of the program takes: below, pages would come and go all the time.
const leastShare = 4

// Room is where large arrays are kept. A nil room keeps them in memory.
type Room struct {
	bound int64 // bytes that may be resident
	whole int64 // and those of the whole program
	base  int64 // of mapped files before
	since atomic.Int64
	lock  sync.Mutex
	maps  [][]byte
	done  chan struct{}
}

// Error says that there is no room for an array. Make panics with it, and Caught returns it.
type Error struct {
	Need, Free int64 // bytes; Free below 0: not known
	Folder     string
	Err        error
}

func (e *Error) Error() string {
	if e.Free >= 0 && e.Free < e.Need {
		return fmt.Sprintf("%s are needed in the folder for temporary files, %s, and %s are free", words.Size(e.Need), e.Folder, words.Size(e.Free))
	}
	return fmt.Sprintf("the folder for temporary files, %s, cannot hold %s: %v", e.Folder, words.Size(e.Need), e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Caught turns the panic of an array without room into an error: defer spill.Caught(&err).
func Caught(err *error) {
	if met := recover(); met != nil {
		e, ours := met.(*Error)
		if !ours {
			panic(met)
		}
		*err = e
	}
}

// every room that is open, so that an array is known by its address.
var (
	rooms  sync.Mutex
	opened []*Room
)

// New opens a room of whose arrays at most so many bytes are to be resident, fewer where the whole program has more than its bound, but a
// part of them in any case. It must be closed.
func New(bound, whole int64) (*Room, error) {
	if !mapped {
		return nil, errors.New("this system maps no files into memory")
	}
	if err := onDisk(os.TempDir()); err != nil {
		return nil, err
	}
	_, base := resident()
	r := &Room{bound: bound, whole: whole, base: base, done: make(chan struct{})}
	rooms.Lock()
	opened = append(opened, r)
	rooms.Unlock()
	go r.guard()
	return r, nil
}

// Close frees all arrays; none may be used any more.
func (r *Room) Close() error {
	if r == nil {
		return nil
	}
	rooms.Lock()
	at := slices.Index(opened, r)
	if at >= 0 {
		opened = slices.Delete(opened, at, at+1)
	}
	rooms.Unlock()
	if at < 0 {
		return nil
	}
	close(r.done)
	r.lock.Lock()
	defer r.lock.Unlock()
	var err error
	for _, m := range r.maps {
		err = errors.Join(err, unmap(m))
	}
	r.maps = nil
	return err
}

// guard gives pages back where more than the bound are resident.
func (r *Room) guard() {
	const often = time.Millisecond
	tick := time.NewTicker(often)
	defer tick.Stop()
	for {
		select {
		case <-r.done:
			return
		case <-tick.C:
			r.trim()
		}
	}
}

func (r *Room) trim() {
	all, files := resident()
	if files -= r.base; files <= r.bound && (all <= r.whole || files <= r.bound/leastShare) {
		return
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	for _, m := range r.maps {
		leave(m)
	}
}

// Touched says that so many places far from each other were used: the system maps the pages around each, up to a large one of the file,
// faster than the guard can see.
func (r *Room) Touched(places int) { r.Passed(int64(places) << 20) }

// Reached is Touched for rows that are visited in ascending order: those near the last one are on pages that are there already.
func (r *Room) Reached(last *int, row, arrays int) {
	if at := row/(2*paced) + 1; at != *last {
		*last = at
		r.Touched(arrays)
	}
}

// Passed says that so many bytes were gone through.
func (r *Room) Passed(bytes int64) {
	if r != nil && r.since.Add(bytes) > r.bound/8 {
		r.since.Store(0)
		r.trim()
	}
}

// space maps a new file.
func (r *Room) space(size int64) ([]byte, error) {
	folder := os.TempDir()
	if free := freeSpace(folder); free >= 0 && size > free {
		return nil, &Error{size, free, folder, nil}
	}
	f, err := nameless(folder)
	if err != nil {
		return nil, &Error{size, -1, folder, err}
	}
	defer f.Close()
	if err := reserve(f, size); err != nil {
		return nil, &Error{size, freeSpace(folder), folder, err}
	}
	return r.hold(f, size)
}

func (r *Room) hold(f *os.File, size int64) ([]byte, error) {
	m, err := mapFile(f, size)
	if err != nil {
		return nil, &Error{size, -1, f.Name(), err}
	}
	rooms.Lock()
	defer rooms.Unlock()
	r.lock.Lock()
	r.maps = append(r.maps, m)
	r.lock.Unlock()
	return m, nil
}

// nameless is a new file that is gone when it is closed and no longer mapped.
func nameless(folder string) (*os.File, error) {
	f, err := os.CreateTemp(folder, "inlier-*")
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}

// find is the room and the map that hold an address; nobody else opens, maps or frees meanwhile.
func find(address uintptr) (*Room, int) {
	for _, r := range opened {
		at := slices.IndexFunc(r.maps, func(m []byte) bool {
			first := uintptr(unsafe.Pointer(unsafe.SliceData(m)))
			return first <= address && address < first+uintptr(len(m))
		})
		if at >= 0 {
			return r, at
		}
	}
	return nil, -1
}

// ReadAll reads a stream to its end, which must come at a limit; over tells that it did not.
func (r *Room) ReadAll(in io.Reader, limit int64) (data []byte, over bool, err error) {
	f, err := nameless(os.TempDir())
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	n, err := io.Copy(f, io.LimitReader(in, limit+1))
	if err != nil || n > limit || n == 0 {
		return nil, n > limit, err
	}
	data, err = r.hold(f, n)
	return data, false, err
}

// Rows counts rows up to n of which so many arrays are used, and lets pages be given back on the way.
func (r *Room) Rows(n, arrays int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for first := 0; first < n; first += paced {
			for i := first; i < min(first+paced, n); i++ {
				if !yield(i) {
					return
				}
			}
			r.Passed(paced * 8 * int64(arrays))
		}
	}
}
