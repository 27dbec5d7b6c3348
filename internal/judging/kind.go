package judging

import "github.com/inlier-ml/inlier/verdict"

// OnMap is the quarter of the outlier map: off the subspace or not, far out within it or not.
func OnMap(off, far bool) verdict.Kind { return quarter(off, far, verdict.Orthogonal) }

// OnLine is the quarter of the regression map: off the line or not, far out in the columns or
// not.
func OnLine(off, far bool) verdict.Kind { return quarter(off, far, verdict.Vertical) }

func quarter(off, far bool, alone verdict.Kind) verdict.Kind {
	switch {
	case off && far:
		return verdict.BadLeverage
	case off:
		return alone
	case far:
		return verdict.GoodLeverage
	}
	return verdict.Regular
}
