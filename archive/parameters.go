package archive

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Parameters are a fit's parameters as text. In JSON, values that are numbers are written
// as numbers, so that other programs need not parse them.
type Parameters map[string]string

// MarshalJSON writes numbers as numbers and everything else as text.
func (p Parameters) MarshalJSON() ([]byte, error) {
	out := make(map[string]any, len(p))
	for name, text := range p {
		out[name] = text
		if _, err := strconv.ParseFloat(text, 64); err == nil && json.Valid([]byte(text)) {
			out[name] = json.Number(text)
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads numbers and texts alike.
func (p *Parameters) UnmarshalJSON(data []byte) error {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	out := make(Parameters, len(raw))
	for name, value := range raw {
		var number json.Number
		if err := json.Unmarshal(value, &number); err == nil && value[0] != '"' {
			out[name] = number.String()
			continue
		}
		var text string
		if err := json.Unmarshal(value, &text); err != nil {
			return fmt.Errorf("parameter %q is neither a number nor a text", name)
		}
		out[name] = text
	}
	*p = out
	return nil
}
