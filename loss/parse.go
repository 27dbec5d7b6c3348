package loss

import (
	"strings"

	"github.com/inlier-ml/inlier/refusal"
)

// Parse reads a loss from text: its name or alias, then perhaps a colon and parameters,
//
//	square   welsch   huber:c=1.345   lp:p=1.5   kmpe:p=2,sigma=auto   gkmpe:alpha=4,beta=0.7,p=2
//
// Parameters that are not given have their defaults; a bandwidth that is not given is
// chosen by the rule auto. Upper and lower case are the same, and blanks around names
// and numbers do not matter.
// A text that begins with "own:" names a loss of the program's own that was given to
// [Register].
func Parse(text string) (Spec, error) {
	if rest, ok := strings.CutPrefix(strings.TrimSpace(text), ownPrefix); ok {
		return parseOwn(rest)
	}
	name, rest, hasParameters := strings.Cut(text, ":")
	if strings.TrimSpace(name) == "" {
		return Spec{}, refusal.Setting("loss", "loss: %q names no loss; known losses: %s", text, strings.Join(allNames(), ", "))
	}
	i, err := find(name)
	if err != nil {
		return Spec{}, err
	}
	s := defaults(i)
	if !hasParameters {
		return s, nil
	}
	seen := map[string]bool{}
	for _, part := range strings.Split(rest, ",") {
		key, value, ok := strings.Cut(part, "=")
		key = strings.ToLower(strings.TrimSpace(key))
		value = strings.ToLower(strings.TrimSpace(value))
		if !ok || key == "" || value == "" {
			return Spec{}, refusal.Setting("loss", "loss: %q: %q is not of the form parameter=value", text, part)
		}
		if seen[key] {
			return Spec{}, refusal.Setting("loss", "loss: %q: parameter %s is given twice", text, key)
		}
		seen[key] = true
		if s, err = s.With(key, value); err != nil {
			return Spec{}, err
		}
	}
	return s, nil
}

// MustParse is Parse for texts written in the program; it panics on a wrong one.
func MustParse(text string) Spec {
	s, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return s
}

// MarshalText gives the text form, so that Specs can stand in JSON.
func (s Spec) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the text form.
func (s *Spec) UnmarshalText(text []byte) error {
	read, err := Parse(string(text))
	if err != nil {
		return err
	}
	*s = read
	return nil
}

// defaults is the loss at this place of families with its default parameters.
func defaults(i int) Spec {
	s := Spec{family: uint8(i)}
	k := 0
	for _, p := range families[i].Parameters {
		if p.Bandwidth {
			s.rule = Rule{Kind: Auto}
			continue
		}
		s.values[k] = p.Default
		k++
	}
	return s
}

func allNames() []string {
	out := make([]string, len(families))
	for i, f := range families {
		out[i] = f.Name
	}
	return out
}
