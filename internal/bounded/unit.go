package bounded

import (
	"context"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

// Numbers whose typical size is outside of Smallest and Largest cannot be squared and added: squares
// overflow, or lose their digits. A method that squares them as they are refuses such a table as a
// whole, in the words below; one that scales first works at any size.
const (
	Largest  = 1e140
	Smallest = 1e-140
)

// The refusals of tables in absurd units.
var (
	ErrLarge = refusal.Data("numbers are too large to be squared and added; change their unit: divide the data by a common factor")
	ErrSmall = refusal.Data("numbers differ by so little that their squares vanish; change their unit: multiply the data by a common factor")
)

// Unit refuses a table by the typical distance of its rows, such as [Limits.Typical]; 0 is that of equal rows.
func Unit(typical float64) error {
	switch {
	case typical > Largest:
		return ErrLarge
	case typical > 0 && typical < Smallest:
		return ErrSmall
	}
	return nil
}

// CheckUnit is [Unit] of a table in memory; others are not read for this alone.
func CheckUnit(ctx context.Context, src linalg.Source, w []float64) error {
	if _, ok := src.(linalg.InMemory); !ok {
		return nil
	}
	limits, err := Of(ctx, src, w)
	if err != nil {
		return err
	}
	return Unit(limits.Typical)
}
