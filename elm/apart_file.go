package elm

import (
	"strings"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/loss"
)

// betweenLosses stands between the losses of several outputs in a file.
const betweenLosses = "; "

// describeApart says what each of several outputs has of its own.
func (m *Model) describeApart(found archive.Parameters) {
	var lambdas, sigmas []string
	for _, own := range m.apart {
		lambdas, sigmas = append(lambdas, archive.FormatNumber(own.lambda)), append(sigmas, archive.FormatNumber(own.loss.Scale()))
	}
	if m.apart == nil {
		return
	}
	found["lambda"] = strings.Join(lambdas, ",")
	if m.loss.Scale() > 0 {
		found["sigma"] = strings.Join(sigmas, ",")
	}
}

// storeApart stores what each output has of its own.
func (m *Model) storeApart(extra map[string]any) {
	if m.apart == nil {
		return
	}
	var losses []string
	var largest, lambda []float64
	for _, own := range m.apart {
		losses, largest, lambda = append(losses, own.loss.String()), append(largest, own.largest), append(lambda, own.lambda)
	}
	extra["losses_at"], extra["largest_weights"], extra["lambdas"] = strings.Join(losses, betweenLosses), largest, lambda
}

// restoreApart restores what each of several outputs has of its own; nil: nothing.
func restoreApart(r *archive.Reader) ([]single, error) {
	if !r.Knows("losses_at") {
		return nil, nil
	}
	losses, largest, lambda := strings.Split(r.Text("losses_at"), betweenLosses), r.Numbers("largest_weights"), r.Numbers("lambdas")
	if r.Err() == nil && (len(largest) != len(losses) || len(lambda) != len(losses)) {
		r.Fail("%d losses, %d weights and %d penalties of outputs", len(losses), len(largest), len(lambda))
	}
	if r.Err() != nil {
		return nil, r.Err()
	}
	var out []single
	for c, text := range losses {
		spec, err := loss.Parse(text)
		if err != nil {
			return nil, err
		}
		out = append(out, single{loss: spec.At(spec.Rule().Value), largest: largest[c], lambda: lambda[c]})
	}
	return out, nil
}
