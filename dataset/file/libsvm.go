package file

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/cell"
)

// libsvmTable is a sparse text file: a label, then index:value pairs. What is not
// named is zero. Indices count from 1, or from 0 when a 0 occurs.
type libsvmTable struct {
	file    *content
	n, d    int
	base    int
	cols    []field
	longest int // bytes of a line
}

// isLIBSVM tells by the first lines: numbers followed by pairs.
func isLIBSVM(lines [][]byte) bool {
	pairs := 0
	for _, line := range lines {
		tokens := bytes.Fields(stripComment(line))
		if len(tokens) == 0 {
			continue
		}
		if _, kind := cell.Parse(tokens[0]); kind != cell.Number {
			return false
		}
		for _, token := range tokens[1:] {
			if _, _, ok := splitPair(token); !ok && !bytes.HasPrefix(token, []byte("qid:")) {
				return false
			}
			pairs++
		}
	}
	return pairs > 0
}

func stripComment(line []byte) []byte {
	if at := bytes.IndexByte(line, '#'); at >= 0 {
		return line[:at]
	}
	return line
}

// nextToken splits the first word off a line.
func nextToken(line []byte) (token, rest []byte) {
	line = bytes.TrimLeft(line, " \t\r\v\f")
	end := bytes.IndexAny(line, " \t\r\v\f")
	if end < 0 {
		return line, nil
	}
	return line[:end], line[end:]
}

// splitPair reads index:value.
func splitPair(token []byte) (index int, value float64, ok bool) {
	at := bytes.IndexByte(token, ':')
	if at < 1 || at > 10 {
		return 0, 0, false
	}
	for _, c := range token[:at] {
		if c < '0' || c > '9' {
			return 0, 0, false
		}
		index = index*10 + int(c-'0')
	}
	value, kind := cell.Parse(token[at+1:])
	return index, value, kind == cell.Number
}

// libsvmDriver reads and writes sparse text.
var libsvmDriver = driver{
	name: LIBSVM, endings: []string{".libsvm", ".svm"}, lines: isLIBSVM,
	open:  func(f *content, opts *Options) (table, error) { return openLIBSVM(f, opts) },
	write: writeLIBSVM,
}

// openLIBSVM goes through the file once to find the number of rows and columns.
func openLIBSVM(f *content, opts *Options) (*libsvmTable, error) {
	t := &libsvmTable{file: f, base: 1, longest: opts.maxRow()}
	most := opts.maxColumns()
	largest, zero := 0, false
	in, err := f.open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	err = splitText(f.name, in, 1, 0, t.longest, func(b *textBlock) error {
		defer b.free()
		return eachLine(b, func(number int, line []byte) error {
			t.n++
			_, rest := nextToken(line) // the label
			for {
				var token []byte
				if token, rest = nextToken(rest); len(token) == 0 {
					return nil
				}
				at := bytes.IndexByte(token, ':')
				if at < 0 {
					continue // complained about when the values are read
				}
				index, err := strconv.Atoi(string(token[:at]))
				if err != nil {
					continue
				}
				if index > most {
					e := &dataset.InputError{File: f.name, Line: number, Problem: fmt.Sprintf("index %d is larger than the allowed %d columns", index, most)}
					return e.WithHint(lift)
				}
				largest, zero = max(largest, index), zero || index == 0
			}
		})
	})
	if err != nil {
		return nil, err
	}
	if zero {
		t.base = 0
	}
	t.d = largest + 1 - t.base
	for _, name := range opts.Columns { // later columns of a model are zero here
		if digits, ok := strings.CutPrefix(name, "x"); ok {
			if k, err := strconv.Atoi(digits); err == nil && k <= most {
				t.d = max(t.d, k)
			}
		}
	}
	if t.d < 1 {
		return nil, problem(f.name, "the file holds no index:value pair")
	}
	if err := opts.checkColumns(f.name, t.d, f.size); err != nil {
		return nil, err
	}
	if err := opts.checkGrowth(f.name, t.n, t.d, f.size, cellsPerByte); err != nil {
		return nil, err
	}
	t.cols = numberedFields(t.d)
	return t, nil
}

// eachLine calls visit for every line that holds something besides a comment.
func eachLine(b *textBlock, visit func(number int, line []byte) error) error {
	data := b.data
	for number := b.line; len(data) > 0; number++ {
		end := bytes.IndexByte(data, '\n')
		if end < 0 {
			end = len(data)
		}
		line := bytes.TrimSpace(stripComment(data[:end]))
		data = data[min(end+1, len(data)):]
		if len(line) == 0 {
			continue
		}
		if err := visit(number, line); err != nil {
			return err
		}
	}
	return nil
}

func (t *libsvmTable) fields() []field                    { return t.cols }
func (t *libsvmTable) named() bool                        { return false }
func (t *libsvmTable) label() *field                      { return &field{name: "label", kind: dataset.Number} }
func (t *libsvmTable) shape() []int                       { return nil }
func (t *libsvmTable) rows() (int, bool)                  { return t.n, true }
func (t *libsvmTable) bound(context.Context) (int, error) { return t.n, nil }
func (t *libsvmTable) close() error                       { return t.file.close() }

func (t *libsvmTable) scan(ctx context.Context, job *job, visit func(*chunk) error) error {
	in, err := t.file.open()
	if err != nil {
		return err
	}
	defer in.Close()
	position := slices.Repeat([]int{-1}, t.d) // of each column among the features
	for p, f := range job.features {
		position[f] = p
	}
	produce := func(emit func(*textBlock) error) error {
		return splitText(t.file.name, in, 1, 0, t.longest, func(b *textBlock) error {
			// Rows become dense, so a block of a very sparse file is cut further.
			most := max(1, (1<<18)/max(1, len(job.features)))
			return cutLines(b, most, emit)
		})
	}
	work := func(b *textBlock) (*chunk, error) {
		defer b.free()
		return t.parse(b, job, position)
	}
	return inOrder(ctx, produce, work, visit)
}

// cutLines divides a block into blocks of at most so many lines.
func cutLines(b *textBlock, most int, emit func(*textBlock) error) error {
	for {
		at, lines := 0, 0
		for lines < most && at < len(b.data) {
			end := bytes.IndexByte(b.data[at:], '\n')
			if end < 0 {
				at = len(b.data)
				break
			}
			at += end + 1
			lines++
		}
		if at == len(b.data) {
			return emit(b)
		}
		if err := emit(&textBlock{data: bytes.Clone(b.data[:at]), line: b.line}); err != nil {
			return err
		}
		b.data, b.line = b.data[at:], b.line+lines
	}
}

func (t *libsvmTable) parse(b *textBlock, job *job, position []int) (*chunk, error) {
	c := newChunk()
	k := len(job.features)
	lines := bytes.Count(b.data, []byte{'\n'}) + 1
	c.x, c.lines = slices.Grow(c.x, lines*k), slices.Grow(c.lines, lines)
	err := eachLine(b, func(number int, line []byte) error {
		wrong := func(format string, args ...any) error {
			return &dataset.InputError{File: t.file.name, Line: number, Problem: fmt.Sprintf(format, args...)}
		}
		token, rest := nextToken(line)
		label, kind := cell.Parse(token)
		if kind != cell.Number {
			return wrong("label %s is not a number", quote(token))
		}
		from := len(c.x)
		c.x = slices.Grow(c.x, k)[:from+k]
		row := c.x[from:]
		clear(row)
		target, previous := 0.0, -1
		for {
			if token, rest = nextToken(rest); len(token) == 0 {
				break
			}
			if bytes.HasPrefix(token, []byte("qid:")) {
				continue
			}
			index, value, ok := splitPair(token)
			if !ok {
				return wrong("%s is not a pair of index and number", quote(token))
			}
			if index == previous {
				return wrong("index %d comes twice", index)
			}
			if index < previous {
				return wrong("index %d comes after %d; indices must rise", index, previous)
			}
			previous = index
			at := index - t.base
			if at >= t.d {
				return wrong("the file changed while it was read")
			}
			if at == job.target {
				target = value
			} else if p := position[at]; p >= 0 {
				row[p] = value
			}
		}
		switch {
		case job.target == labelTarget:
			c.y = append(c.y, label)
		case job.target >= 0:
			c.y = append(c.y, target)
		}
		c.lines = append(c.lines, number)
		c.rows++
		return nil
	})
	return c, err
}
