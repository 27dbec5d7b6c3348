package worker

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unsafe"

	"github.com/inlier-ml/inlier/internal/words"
)

// A message is JSON and raw frames, in both directions:
//
//	"inl1" | length of the JSON, uint32 | number of frames, uint32 | length of each frame, uint64 | JSON | frames
//
// All integers are little endian. Frames are the memory of arrays in row order; the JSON says what each holds.
const (
	magic      = "inl1"
	mostText   = 1 << 28 // bytes of JSON
	mostFrames = 1 << 20 // a table of columns has one for each
)

// errForeign ends the conversation: what follows cannot be understood either.
var errForeign = errors.New("worker: standard input does not hold messages of this protocol")

// message is what was read. Frames are nil where refused tells why they were passed over.
type message struct {
	text    []byte
	frames  [][]byte
	refused error
}

// readMessage reads the next message. Frames that together are larger than room are read past, not kept. io.EOF
// is the end between two messages.
func readMessage(r io.Reader, room func() int64) (*message, error) {
	var head [12]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	length, count := binary.LittleEndian.Uint32(head[4:]), binary.LittleEndian.Uint32(head[8:])
	if string(head[:4]) != magic || length > mostText || count > mostFrames {
		return nil, errForeign
	}
	sizes := make([]byte, 8*count)
	if _, err := io.ReadFull(r, sizes); err != nil {
		return nil, err
	}
	m := &message{text: make([]byte, length)}
	if _, err := io.ReadFull(r, m.text); err != nil {
		return nil, err
	}
	var total int64
	lengths := make([]int64, count)
	for k := range lengths {
		size := binary.LittleEndian.Uint64(sizes[8*k:])
		if size > 1<<56 || total > 1<<56 {
			return nil, errForeign
		}
		lengths[k] = int64(size)
		total += int64(size)
	}
	const unasked = 1 << 24 // so little is there anyhow
	if total > unasked {
		if have := room(); total > have {
			m.refused = &tooLarge{total, have}
			_, err := io.CopyN(io.Discard, r, total)
			return m, err
		}
	}
	for _, size := range lengths {
		frame := aligned(int(size))
		if _, err := io.ReadFull(r, frame); err != nil {
			return nil, err
		}
		m.frames = append(m.frames, frame)
	}
	return m, nil
}

// tooLarge is a request whose arrays do not fit into memory.
type tooLarge struct{ need, have int64 }

func (e *tooLarge) Error() string {
	return fmt.Sprintf("the arrays have %s, but %s of memory are free", words.Size(e.need), words.Size(e.have))
}

// aligned is room for bytes that may be looked at as numbers of 8 bytes.
func aligned(n int) []byte {
	if n == 0 {
		return []byte{}
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(make([]float64, (n+7)/8)))), n)
}

// writeMessage writes one message.
func writeMessage(w io.Writer, body any, frames ...[]byte) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	head := make([]byte, 0, 12+8*len(frames)+len(text))
	head = append(head, magic...)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(text)))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(frames)))
	for _, f := range frames {
		head = binary.LittleEndian.AppendUint64(head, uint64(len(f)))
	}
	head = append(head, text...)
	const little = 1 << 15 // that is written at once
	if size(frames) < little {
		for _, f := range frames {
			head = append(head, f...)
		}
		frames = nil
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	for _, f := range frames {
		if len(f) > 0 {
			if _, err := w.Write(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// size is the bytes of frames.
func size(frames [][]byte) int {
	total := 0
	for _, f := range frames {
		total += len(f)
	}
	return total
}
