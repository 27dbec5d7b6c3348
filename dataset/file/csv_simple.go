package file

import (
	"bytes"
	"slices"

	"github.com/inlier-ml/inlier/dataset/internal/cell"
	"github.com/inlier-ml/inlier/dataset/internal/record"
)

// simple tells whether the rows of a block are likely to be numbers that can be read as they are
// met, without being split into fields first.
func (t *csvTable) simple(b *textBlock, job *job) bool {
	return !b.quotes && !t.opts.DecimalComma && bytes.IndexByte([]byte(",;\t|"), t.delimiter) >= 0 && !slices.Contains(job.text, true)
}

// simpleRow appends the next row to the chunk, if it consists of numbers and missing values alone
// and has as many fields as it should. Else it changes nothing.
func (t *csvTable) simpleRow(r *record.Records, c *chunk, job *job, roles []int) bool {
	data, from := r.Data, len(c.x)
	c.x = slices.Grow(c.x, len(job.features))
	row := c.x[from : from+len(job.features)]
	last := len(roles) - 1
	target, at := 0.0, 0
	for k, role := range roles {
		v, length := 0.0, 0
		if role != roleSkip {
			v, length = cell.Leading(data[at:])
		}
		end := at + length
		if length == 0 || data[end] != t.delimiter && data[end] != '\n' && data[end] != '\r' { // skipped, or no plain number
			for end < len(data) && data[end] != t.delimiter && data[end] != '\n' {
				end++
			}
			if role != roleSkip {
				text := data[at:end]
				if k == last {
					text = bytes.TrimSuffix(text, []byte{'\r'})
				}
				var kind cell.Kind
				v, kind = cell.Parse(text)
				if kind != cell.Number && (kind != cell.Missing || last == 0) { // a single column's empty line is no row
					return false
				}
			}
		}
		stop := t.delimiter
		if k == last {
			stop = '\n'
			if end+1 < len(data) && data[end] == '\r' {
				end++
			}
		}
		if end == len(data) || data[end] != stop {
			return false
		}
		switch {
		case role >= 0:
			row[role] = v
		case role == roleTarget:
			target = v
		}
		at = end + 1
	}
	c.x, c.lines = c.x[:from+len(job.features)], append(c.lines, r.Line)
	if job.target >= 0 {
		c.y = append(c.y, target)
	}
	c.rows++
	r.Data, r.Line = data[at:], r.Line+1
	return true
}
