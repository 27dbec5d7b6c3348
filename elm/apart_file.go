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

// storeOutputs stores what is added to outputs and what each has of its own.
func (m *Model) storeOutputs(extra map[string]any) {
	switch offset := m.inputs.offset; len(offset) {
	case 0:
		extra["target_offset"] = 0.0
	case 1:
		extra["target_offset"] = offset[0]
	default:
		extra["target_offsets"] = offset
	}
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

// restoreOffset restores what is added to outputs. Files of old know none, or one number.
func (m *Model) restoreOffset(r *archive.Reader, outputs int) {
	switch {
	case r.Knows("target_offsets"):
		if m.inputs.offset = r.Numbers("target_offsets"); len(m.inputs.offset) != outputs {
			r.Fail("%d offsets for %d outputs", len(m.inputs.offset), outputs)
		}
	case r.Knows("target_offset"):
		if v := r.Number("target_offset"); v != 0 {
			m.inputs.offset = make([]float64, outputs)
			for c := range m.inputs.offset {
				m.inputs.offset[c] = v
			}
		}
	}
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
