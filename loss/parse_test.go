package loss

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// drawSpec makes any valid Spec.
func drawSpec(t *rapid.T) Spec {
	info := rapid.SampledFrom(Losses()).Draw(t, "loss")
	s := MustParse(info.Name)
	for _, p := range info.Parameters {
		if p.Bandwidth {
			rule := rapid.OneOf(
				rapid.Just(Rule{Kind: Auto}), rapid.Just(Rule{Kind: Silverman}),
				rapid.Map(rapid.Float64Range(MinScale, MaxScale), FixedAt)).Draw(t, p.Name)
			s = s.WithRule(rule)
			continue
		}
		v := rapid.Float64Range(p.Min, p.Max).Draw(t, p.Name)
		next, err := s.With(p.Name, number(v))
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := next.Value(p.Name); !ok || got != v {
			t.Fatalf("%s: parameter %s reads %g after setting %g", next, p.Name, got, v)
		}
		s = next
	}
	return s
}

func TestTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpec(t)
		read, err := Parse(s.String())
		if err != nil || read != s {
			t.Fatalf("%s reads as %s (%v)", s, read, err)
		}
		if rule, err := ParseRule(s.Rule().String()); err != nil || rule != s.Rule() {
			t.Fatalf("rule %s reads as %s (%v)", s.Rule(), rule, err)
		}
		// The loss made of it says its bandwidth and reads back as itself.
		scale := rapid.Float64Range(MinScale, MaxScale).Draw(t, "scale")
		l := s.At(scale)
		again, err := Parse(l.String())
		if err != nil {
			t.Fatal(err)
		}
		if b := again.At(again.Bandwidth(nil, nil, 1)); b.String() != l.String() || b.Scale() != l.Scale() || b.Weight(1.5) != l.Weight(1.5) {
			t.Fatalf("%v reads back as %v", l, b)
		}
		if l.Concave() != s.Concave() {
			t.Fatalf("%v: loss and specification disagree on concavity", l)
		}
		// JSON
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back Spec
		if err := json.Unmarshal(data, &back); err != nil || back != s {
			t.Fatalf("%s reads as %s (%v)", data, back, err)
		}
	})
}
