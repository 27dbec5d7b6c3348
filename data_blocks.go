package inlier

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/memory"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/linalg"
)

// What a bound on memory is spent on.
const (
	// besideData is what the program takes whatever the table is: its code, buffers, small results.
	besideData = 48 << 20
	// codeBytes of that are code and what it begins with.
	codeBytes = 24 << 20
	// heldShare is the part of the rest of the bound that a table, or a part of it, may take that a fit would hold.
	heldShare = 4
)

// fits tells whether a table of so many numbers is read into memory within a bound.
func (n needs) fits(numbers, columns, bound int64) bool {
	return numbers <= math.MaxInt64/4096 && n.bytes(numbers, columns) <= bound
}

// bytes is the memory that the job takes with a table of so many numbers: eight for each and one beside, or more where
// standardised copies, residuals and weights are held, which blocks spare.
func (n needs) bytes(numbers, columns int64) int64 {
	each := int64(9)
	rows := numbers / max(columns, 1)
	if n.Beside {
		each = 24
		numbers += rows * n.Kept / each
	}
	return numbers*each + rows*n.PerRow + besideData
}

// blockwise is a file that a fit reads in blocks, as often as it needs, because it does not fit
// into the memory that it may take.
type blockwise struct {
	*file.Source
	bound   int64  // bytes
	id      string // the column that names the rows
	target  *dataset.Target
	classed *classed
	scans   atomic.Int64
	kept    *kept      // nil: nothing is kept
	others  others     // who make passes; nil: nobody but us
	read    func()     // tells of a reading, where the table is part of another; else nil
	held    *file.Held // the table in single precision; nil: it stays in its file
}

// load reads a file or stream, or leaves it open to be read in blocks.
func (d Data) load(ctx context.Context, n needs, r *reporter) (_ *dataset.Set, parts *blockwise, err error) {
	if d.Tolerant {
		clean, t, err := d.tolerate(ctx, n)
		if err != nil {
			return nil, nil, err
		}
		n.Blocks = false
		set, _, err := clean.load(ctx, n, r)
		return set, nil, t.place(err)
	}
	files, err := d.files(ctx)
	if err != nil {
		return nil, nil, err
	}
	src, err := d.open(ctx, n, files)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if parts == nil {
			src.Close()
		}
	}()
	ids := src.Files()
	if info, err := os.Stat(files[0]); ids != nil && err == nil && (len(files) > 1 || !info.IsDir()) && d.OnFiles != nil {
		d.OnFiles(ids) // those of a list may stand anywhere
	}
	if n.Blocks {
		if parts, err = d.inSingle(ctx, src); err == nil && parts == nil {
			parts, err = d.inBlocks(ctx, src, n)
		}
		if err != nil {
			return nil, nil, err
		} else if parts != nil {
			parts.id = d.ID
			return nil, parts, nil
		}
	}
	if d.ID != "" {
		if ids, err = src.Texts(ctx, d.ID); err != nil {
			return nil, nil, err
		}
	}
	if rows, columns := src.Dims(); rows > 0 {
		r.send(Event{Phase: "read", Rows: rows, Columns: columns})
	}
	set, err := src.Read(ctx)
	if err != nil {
		return nil, nil, err
	}
	if ids != nil && len(ids) != set.Rows() {
		return nil, nil, fmt.Errorf("%s changed while it was read", src.Name())
	}
	set.IDs = ids
	return set, nil, nil
}

// inBlocks tells whether a file is to be read in blocks, and has counted its rows if it is.
func (d Data) inBlocks(ctx context.Context, src *file.Source, n needs) (*blockwise, error) {
	bound := d.Memory
	if bound <= 0 {
		bound, n.Beside = cmp.Or(d.bound, memory.Free()/4*3), false
	}
	_, columns := src.Dims()
	if most, known := src.MostNumbers(); known && n.fits(most, int64(columns), bound) || !known && d.Memory <= 0 {
		return nil, nil
	}
	if d.rows > 0 {
		src.Counted(d.rows)
		return &blockwise{Source: src, bound: bound}, nil
	}
	rows, err := src.Count(ctx)
	if err != nil {
		return nil, err
	}
	if n.fits(int64(rows)*int64(columns), int64(columns), bound) {
		return nil, nil
	}
	return &blockwise{Source: src, bound: bound}, nil
}

// Room is how many numbers a fit may hold.
func (b *blockwise) Room() int {
	if b.held != nil {
		return b.singleRoom()
	}
	free := b.bound
	if free >= besideData { // a smaller one is not meant for the whole program
		free -= codeBytes
	}
	return int(min(free/heldShare/8, math.MaxInt))
}

// Single is the table that is held so, where passes are neither kept nor made by others.
func (b *blockwise) Single() *linalg.Single {
	if b.held == nil || b.kept != nil || b.others != nil {
		return nil
	}
	return b.Source.Single()
}

// Target is read once, where it is asked for.
func (b *blockwise) Target(ctx context.Context) (target *dataset.Target, err error) {
	if b.target == nil {
		b.target, err = b.Source.Target(ctx)
	}
	return b.target, err
}

// Beside is the table with its target as the last column, and the name of that; nil where that cannot be.
func (b *blockwise) Beside() (linalg.Source, string) {
	src := b.Source.Beside()
	if src == nil {
		return nil, ""
	}
	columns := src.Columns()
	return &blockwise{Source: src, bound: b.bound, read: b.count, kept: b.kept, others: b.others, held: b.held}, columns[len(columns)-1]
}

// classed is a table with the classes of its rows as the last column.
type classed struct {
	src    linalg.Source // nil: the target is none of classes
	target *dataset.Target
	counts []int
}

// BesideClasses is the table with the index of its class as the last column, the target without its labels, and how many rows each
// class has; nil where the target is none of classes.
func (b *blockwise) BesideClasses(ctx context.Context) (linalg.Source, *dataset.Target, []int, error) {
	if b.classed == nil {
		b.count()
		src, target, counts, err := b.Source.BesideClasses(ctx)
		if err != nil {
			return nil, nil, nil, err
		}
		b.classed = &classed{target: target, counts: counts}
		if src != nil {
			b.classed.src = &blockwise{Source: src, bound: b.bound, read: b.count, kept: b.kept, others: b.others, held: b.held}
		}
	}
	return b.classed.src, b.classed.target, b.classed.counts, nil
}

// names are those of some rows, given from 1 and rising; nil where rows have none.
func (b *blockwise) names(ctx context.Context, rows []int) ([]string, error) {
	var out []string
	if files := b.Files(); files != nil && b.id == "" {
		for _, row := range rows {
			out = append(out, files[row-1])
		}
		return out, nil
	}
	if b.id == "" || len(rows) == 0 {
		return nil, nil
	}
	b.count()
	at := 0
	err := b.ScanTexts(ctx, b.id, func(texts []string) error {
		for ; len(out) < len(rows) && rows[len(out)] <= at+len(texts); out = append(out, texts[rows[len(out)]-1-at]) {
		}
		at += len(texts)
		return nil
	})
	return out, err
}

// count counts a reading.
func (b *blockwise) count() {
	if b.scans.Add(1); b.read != nil {
		b.read()
	}
}

// Read refuses a table that a fit may not hold.
func (b *blockwise) Read(ctx context.Context) (*dataset.Set, error) {
	rows, columns := b.Dims()
	if rows <= b.Room()/max(columns, 1) {
		b.count()
		return b.Source.Read(ctx)
	}
	return nil, &linalg.RoomError{Rows: rows, Columns: columns, Room: b.Room()}
}

// Scan counts how often the file is read.
func (b *blockwise) Scan(ctx context.Context, visit func(first int, block *mat.Dense) error) error {
	b.count()
	return b.Source.Scan(ctx, visit)
}

// begin looks at a file that is read in blocks as table looks at one in memory.
func (d Data) begin(ctx context.Context, b *blockwise, n needs, r *reporter) error {
	rows, columns := b.Dims()
	r.send(Event{Phase: "read", Done: 1, Total: 1, Rows: rows, Columns: columns, Blocks: b.held == nil})
	if !n.Varied || d.Constant == "keep" || b.Unnamed() || b.Shape() != nil || rows < 2 {
		return nil
	}
	j, value, err := b.constantColumn(ctx)
	if err == nil && j >= 0 {
		err = unvaried(b.Name(), b.Columns()[j], value)
	}
	if err != nil {
		b.Close()
		return d.hintTolerant(ctx, hintMissing(err, n.Method))
	}
	return nil
}

// exceeded warns where the bound was not kept.
func (b *blockwise) exceeded(peak int64) []string {
	if b.bound < besideData || peak <= b.bound { // a smaller one is not meant for the whole program
		return nil
	}
	return []string{fmt.Sprintf("peak memory of %s is above the bound of %s: the table was read in blocks, but what is held beside them takes more",
		words.Size(peak), words.Size(b.bound))}
}

// tooLarge says of a method that holds all rows what it would need.
func tooLarge(err error, job *fitJob, bound int64, held bool) error {
	var e *linalg.RoomError
	if !errors.As(err, &e) {
		return err
	}
	method := job.method.Name
	if p, has := job.method.Param("scaling"); has && p.Default == "none" && !job.values.Is("scaling", "none") { // which reads in blocks without
		method += " with scaling=" + job.values.Text("scaling")
	}
	if held {
		return about("precision", usage("leave out --precision single", "%s holds all of its %d x %d numbers in memory in double precision", method, e.Rows, e.Columns))
	}
	need := int64(e.Rows)*int64(e.Columns)*9 + besideData
	hint := fmt.Sprintf("--memory %dMiB would do; subspaces, robust linear regression, linear classifiers, learning machines with a penalty and k-means read a table in blocks, --limit N learns from the first N rows", need>>20+1)
	return about("memory", usage(hint, "%s holds all of its %d x %d numbers in memory, which take more than %s", method, e.Rows, e.Columns, words.Size(bound)))
}
