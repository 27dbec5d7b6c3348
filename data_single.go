package inlier

import (
	"cmp"
	"context"
	"fmt"

	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/memory"
	"github.com/inlier-ml/inlier/internal/words"
)

const (
	single = "single"
	// mostRounding is how much single precision may round a column by, in units of its spread. Noise of models is larger by far; a column
	// is rounded so when it lies two hundred spreads from 0.
	mostRounding = 1e-5
	// singleShare is the part of a table in single precision whose numbers a fit may hold beside it in double precision.
	singleShare = 8
)

// checkPrecision refuses what is no precision, or none for these data.
func (d Data) checkPrecision(n needs) error {
	switch {
	case d.Precision == "" || d.Precision == "double":
		return nil
	case d.Precision != single:
		return about("precision", usage("--precision is single or double", "--precision %s is not known", d.Precision))
	case !n.Blocks || d.Tolerant || d.Set != nil || d.Source != nil:
		return about("precision", usage("leave it out", "--precision single is for fits to files that are read as they are"))
	}
	return nil
}

// inSingle holds a table in single precision, where that is asked for and it fits; nil: it is not.
func (d Data) inSingle(ctx context.Context, src *file.Source) (*blockwise, error) {
	if d.Precision != single {
		return nil, nil
	}
	bound := cmp.Or(d.Memory, d.bound, memory.Free()/4*3)
	rows, err := src.Count(ctx)
	if err != nil {
		return nil, err
	}
	if _, columns := src.Dims(); int64(rows)*int64(columns) > (bound-besideData)/5 { // four bytes, and one for what is beside
		return nil, nil
	}
	held, err := src.HoldSingle(ctx)
	if held == nil || err != nil {
		return nil, err
	}
	if held.Rounding >= 1 {
		return nil, about("precision", usage("leave out --precision single", "single precision would round column %q by as much as its values differ", held.Column))
	}
	if held.Rounding > mostRounding {
		return nil, about("precision", usage(fmt.Sprintf("leave out --precision single, or subtract about its median from %q first", held.Column),
			"single precision would round column %q by %.0e of its spread: its values lie far from 0 beside what they differ by", held.Column, held.Rounding))
	}
	return &blockwise{Source: src, bound: bound, held: held}, nil
}

// singleRoom is how many numbers in double precision a fit may hold beside the table.
func (b *blockwise) singleRoom() int { return int(b.held.Bytes / 4 / singleShare) }

// Held tells how much was held in single precision, and what that has rounded.
func (r *FitResult) Held() string {
	text := words.Size(r.Single.Bytes) + " held"
	if r.Single.Column == "" {
		return text + ", nothing is rounded"
	}
	return fmt.Sprintf("%s, rounded by %.0e of a column's spread at most (%s)", text, r.Single.Rounding, r.Single.Column)
}
