package compare

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/score"
)

// keeps is how much a fit keeps of a row.
type keeps struct {
	components int
	rank       string // of images and tensors: one number per mode
}

// size tells how much a fit keeps.
func (f *Fitted) size() (keeps, error) {
	bases, err := f.bases()
	if err != nil {
		return keeps{}, err
	}
	k := keeps{components: 1}
	var sides []string
	for _, b := range bases {
		_, m := b.Dims()
		k.components *= m
		sides = append(sides, strconv.Itoa(m))
	}
	if f.tensor() {
		k.rank = strings.Join(sides, "x")
	}
	return k, nil
}

// shared are the parameters of another method that keeps as much.
func (k keeps) shared(m *catalog.Method, given map[string]string) map[string]string {
	all := maps.Clone(given)
	if all == nil {
		all = map[string]string{}
	}
	switch {
	case k.rank == "":
		all["components"] = strconv.Itoa(k.components)
	case m.OneSided():
		all["rank"] = k.rank[strings.LastIndex(k.rank, "x")+1:]
	default:
		all["rank"] = k.rank
	}
	return all
}

// Kept says how much every method keeps.
func (c *Reduced) Kept() string {
	if c.Rank != "" {
		return "rank " + c.Rank
	}
	return words.Plural(c.Components, "component")
}

// tensor tells whether a fit has one factor per mode.
func (f *Fitted) tensor() bool {
	_, ok := f.Model.State().Arrays["factor_0"]
	return ok
}

// bases are the fitted subspaces: one of d x m for PCA, one per mode for tensors; an error
// for models that have none.
func (f *Fitted) bases() ([]*mat.Dense, error) {
	arrays := f.Model.State().Arrays
	if a, ok := arrays["components"]; ok {
		rows, err := a.Dense()
		if err != nil {
			return nil, err
		}
		return []*mat.Dense{mat.DenseCopyOf(rows.T())}, nil
	}
	var out []*mat.Dense
	for {
		a, ok := arrays[fmt.Sprintf("factor_%d", len(out))]
		if !ok {
			break
		}
		factor, err := a.Dense()
		if err != nil {
			return nil, err
		}
		out = append(out, factor)
	}
	if out == nil {
		return nil, fmt.Errorf("%s models have no components", f.Method)
	}
	return out, nil
}

// Angle is the largest angle in degrees between the subspaces of two models; an error where they have none that compare.
func Angle(a, b catalog.Model) (float64, error) {
	one, other := &Fitted{Model: a}, &Fitted{Model: b}
	own, err := one.bases()
	if err != nil {
		return 0, err
	}
	theirs, err := other.bases()
	if err == nil && len(own) != len(theirs) {
		err = fmt.Errorf("subspaces of %d and %d modes have no angle", len(own), len(theirs))
	}
	if err != nil {
		return 0, err
	}
	return one.AngleTo(theirs...)
}

// AngleTo is the largest angle in degrees between the fitted subspace and another, given by
// its bases. That of tensors is spanned by outer products of the factors' columns, so that
// its cosine is the product of those of the modes.
func (f *Fitted) AngleTo(theirs ...*mat.Dense) (float64, error) {
	own, err := f.bases()
	if err != nil {
		return 0, err
	}
	if len(own) == 1 {
		return score.LargestAngle(theirs[0], own[0])
	}
	cosine := 1.0
	for k, b := range own {
		angle, err := score.LargestAngle(theirs[k], b)
		if err != nil {
			return 0, err
		}
		cosine *= math.Cos(angle * math.Pi / 180)
	}
	return 180 / math.Pi * math.Acos(math.Min(cosine, 1)), nil
}
