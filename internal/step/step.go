// Package step keeps a model within the file of another: a step of a chain, the subspace of a
// class.
package step

import (
	"encoding/json"
	"errors"
	"math"

	"github.com/inlier-ml/inlier/archive"
)

// Pack is what a model file keeps of a step beside its arrays.
func Pack(s archive.State) map[string]any {
	return map[string]any{"description": describePlainly(s.Description), "extra": s.Extra}
}

// Unpack is the way back; the arrays are still to come.
func Unpack(packed any) (archive.State, error) {
	var step struct {
		Description archive.Description `json:"description"`
		Extra       map[string]any      `json:"extra"`
	}
	text, err := json.Marshal(packed)
	if err == nil {
		err = json.Unmarshal(text, &step)
	}
	if err != nil || step.Description.Method == "" {
		return archive.State{}, errors.New("the description of a step is missing or damaged")
	}
	return archive.State{Description: step.Description, Extra: step.Extra, Arrays: map[string]archive.Array{}}, nil
}

// describePlainly is a description as JSON has it, without numbers that JSON cannot
// express.
func describePlainly(d archive.Description) map[string]any {
	if math.IsNaN(d.Objective) || math.IsInf(d.Objective, 0) {
		d.Objective = 0
	}
	if math.IsNaN(d.Effective) || math.IsInf(d.Effective, 0) {
		d.Effective = 0
	}
	text, err := json.Marshal(d)
	if err != nil { // a result that is not finite: the rest is worth keeping
		d.Numbers = nil
		if text, err = json.Marshal(d); err != nil {
			return map[string]any{"method": d.Method}
		}
	}
	out := map[string]any{}
	if json.Unmarshal(text, &out) != nil {
		return map[string]any{"method": d.Method}
	}
	return out
}
