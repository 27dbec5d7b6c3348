package linalg

// Finding is an accumulator of a [Pass] that can be kept: Parts lists where all that the pass finds stands, beside the
// accumulator too. Of a fresh accumulator the parts are where what was kept goes. A part is a *float64, *int, *bool,
// []float64 or *mat.Dense, each as long as in any other pass of its kind; a *[]float64 that is nil or has a
// number for each column; or a *[]int of numbers of rows, from 0.
type Finding interface{ Parts() []any }

// Keeper is a Source that keeps what passes over it have found, in their order, so that a fit that was interrupted does
// not make them again. Only passes with a [Finding] are kept.
type Keeper interface {
	Source
	// Recall fills in what the next pass has found, and is false where that is not known.
	Recall(Finding) (bool, error)
	// Keep keeps what a pass has found.
	Keep(Finding) error
}

// recalled makes a pass, or recalls what it has found.
func recalled[A any](src Source, fresh func() A, pass func() (A, error)) (A, error) {
	k, ok := src.(Keeper)
	if !ok {
		return pass()
	}
	var known any = fresh()
	found, ok := known.(Finding)
	if !ok {
		return pass()
	}
	if ok, err := k.Recall(found); ok || err != nil {
		return known.(A), err
	}
	out, err := pass()
	if err == nil {
		err = k.Keep(any(out).(Finding))
	}
	return out, err
}

// Parts are the kept ones.
func (m *Moments) Parts() []any { return []any{&m.total, &m.shift, m.sum, m.gram} }

// Recall asks the source.
func (c *changed) Recall(f Finding) (bool, error) {
	if k, ok := c.Source.(Keeper); ok {
		return k.Recall(f)
	}
	return false, nil
}

// Keep tells the source.
func (c *changed) Keep(f Finding) error {
	if k, ok := c.Source.(Keeper); ok {
		return k.Keep(f)
	}
	return nil
}
