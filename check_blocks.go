package inlier

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/memory"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/words"
)

// A check of a table that does not fit into memory keeps its text, numbers and verdicts in files without a name, mapped into memory a part at a
// time (package spill). The same code looks at them, so that the verdicts are those of a check in memory.

// listedCells is how many wrong cells the result of such a check lists at most; cells.csv has all.
const listedCells = 10000

// room is where the table is kept; nil: it fits into memory.
func (c Check) room(ctx context.Context, paths []string, o tolerant.Options) (*spill.Room, int64, error) {
	if c.Memory < 0 {
		return nil, 0, usage("it is a number of bytes; 0: what the machine has free", "--memory %d is not allowed", c.Memory)
	}
	need := tolerant.Need(ctx, paths, o)
	bound := cmp.Or(c.Memory, memory.Free()/4*3)
	if need >= 0 && need+besideData <= bound || need < 0 && c.Memory == 0 {
		return nil, 0, nil
	}
	room, err := spill.New(bound/heldShare, bound/8*7)
	if err != nil {
		if c.Memory == 0 { // nobody asked for it
			return nil, 0, nil
		}
		return nil, 0, about("memory", usage(fmt.Sprintf("--memory %dMiB would do", (need+besideData)>>20+1), "a table of this size does not fit into %s: %v", words.Size(c.Memory), err))
	}
	return room, bound, nil
}

// Close gives back what a table takes that does not fit into memory; the result is not used any more.
func (r *CheckResult) Close() error {
	r.spooled.close()
	return r.Table.Room().Close()
}

// exceeded says that the bound was not kept, and by how much so far.
func (r *CheckResult) exceeded() {
	peak := memory.Peak()
	if r.Memory < besideData || peak <= r.Memory {
		return
	}
	const begins = "Peak memory of "
	r.Remarks = slices.DeleteFunc(slices.Clone(r.Remarks), func(m tolerant.Remark) bool { return strings.HasPrefix(m.Text, begins) })
	r.Remarks = append(r.Remarks, tolerant.Remark{Text: fmt.Sprintf(begins+"%s is above the bound of %s: the table is kept in temporary files, but what is held beside it takes more.", words.Size(peak), words.Size(r.Memory))})
}

// Written notes a file that was made of the result, which may have taken more memory than the check.
func (r *CheckResult) Written(path string) {
	r.Files = append(r.Files, path)
	r.exceeded()
}

// numbered are the rows, from 1, that have what is asked for.
func numbered(room *spill.Room, rows int, has func(row int) bool) []int {
	count := 0
	for i := range room.Rows(rows, 2) {
		if has(i) {
			count++
		}
	}
	out := spill.Make[int](room, count)[:0]
	for i := range room.Rows(rows, 2) {
		if has(i) {
			out = append(out, i+1)
		}
	}
	return out
}

// fromOne are rows counted from 1.
func fromOne(room *spill.Room, rows []int) []int {
	out := spill.Make[int](room, len(rows))
	for k, i := range rows {
		out[k] = i + 1
	}
	return out
}
