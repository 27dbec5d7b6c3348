package loss

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/loss"
	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"square", "square"},
		{"kmpe", "kmpe:p=2,sigma=auto"},
		{"kmpe:p=4,sigma=0.8", "kmpe:p=4,sigma=0.8"},
		{" KMPE : Sigma = Silverman , P = 4 ", "kmpe:p=4,sigma=silverman"},
		{"huber:c=1.345", "huber:c=1.345"},
		{"huber", "huber:c=auto"},
		{"l1", "l1"},
		{"r1", "l1"},
		{"l1:floor=0.01", "l1:floor=0.01"},
		{"lp:p=1.5", "lp:p=1.5"},
		{"mpe:p=1.5", "lp:p=1.5"},
		{"gm:p=0.4,delta=0.01", "gm:p=0.4,delta=0.01"},
		{"gcorr:alpha=1,beta=auto", "gcorr:alpha=1,beta=auto"},
		{"gkmpe:alpha=2,beta=auto,p=2", "gkmpe:alpha=2,beta=auto,p=2"},
		{"correntropy", "welsch:sigma=auto"},
		{"c-loss:sigma=1e-3", "welsch:sigma=0.001"},
		{"cauchy", "cauchy:c=auto"},
		{"tukey", "tukey:c=auto"},
	} {
		s, err := loss.Parse(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
		} else if s.String() != c.want {
			t.Errorf("%q reads as %s, want %s", c.text, s, c.want)
		}
	}
	if (loss.Spec{}).String() != "square" || loss.MustParse("square") != (loss.Spec{}) {
		t.Error("the zero Spec is not the square loss")
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		says []string
	}{
		{"", []string{"loss:", "names no loss", "welsch"}},
		{":p=2", []string{"names no loss"}},
		{"welch", []string{`unknown loss "welch"`, `did you mean "welsch"?`, "square, kmpe"}},
		{"hubre:c=1", []string{`did you mean "huber"?`}},
		{"something-else", []string{"unknown loss", "known losses: square"}},
		{"kmpe:p=0", []string{"kmpe: parameter p = 0 is out of range", "from 0.01 to 100"}},
		{"kmpe:p=nan", []string{"parameter p = nan is out of range"}},
		{"kmpe:p=1e9", []string{"parameter p = 1e9 is out of range"}},
		{"kmpe:p=two", []string{`parameter p: "two" is not a number`, "from 0.01 to 100"}},
		{"kmpe:sigma=-1", []string{"kmpe: parameter sigma: bandwidth -1 is out of range", "auto, silverman or a number"}},
		{"kmpe:sigma=inf", []string{"bandwidth inf is out of range"}},
		{"kmpe:sigma=wide", []string{`"wide" is no bandwidth`}},
		{"welsch:sigma=none", []string{"none is for losses without bandwidth"}},
		{"kmpe:sgma=1", []string{`kmpe has no parameter "sgma"`, `did you mean "sigma"?`, "it has p, sigma"}},
		{"square:p=2", []string{"square has no parameters"}},
		{"kmpe:p", []string{`"p" is not of the form parameter=value`}},
		{"kmpe:", []string{"not of the form"}},
		{"kmpe:p=2,p=3", []string{"parameter p is given twice"}},
	} {
		_, err := loss.Parse(c.text)
		if err == nil {
			t.Errorf("%q is accepted", c.text)
			continue
		}
		for _, part := range c.says {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q: error %q does not say %q", c.text, err, part)
			}
		}
		if !strings.HasPrefix(err.Error(), "loss: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %q is not one line of this package", c.text, err)
		}
	}
}

func TestRules(t *testing.T) {
	s := loss.MustParse("welsch:sigma=2")
	if s.Rule() != loss.FixedAt(2) || s.WithRule(loss.Rule{}).Rule().Kind != loss.Auto || s.WithRule(loss.Rule{Kind: loss.Silverman}).Rule().Kind != loss.Silverman {
		t.Error("rules of a loss with bandwidth")
	}
	if l1 := loss.MustParse("l1"); l1.Rule().Kind != loss.None || l1.WithRule(loss.FixedAt(3)) != l1 || l1.At(3).Scale() != 0 {
		t.Error("a loss without bandwidth took one")
	}
	if s.At(5).Scale() != 5 {
		t.Error("At does not take its argument")
	}
	for _, text := range []string{"", "0", "-3", "1e999", "nan", "many"} {
		if r, err := loss.ParseRule(text); err == nil || !strings.HasPrefix(err.Error(), "loss: ") {
			t.Errorf("rule %q reads as %v (%v)", text, r, err)
		}
	}
}

func TestNamesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, i := range loss.Losses() {
		for _, n := range append([]string{i.Name}, i.Aliases...) {
			if seen[n] {
				t.Errorf("%q names two losses", n)
			}
			seen[n] = true
			if got, err := loss.Lookup(n); err != nil || got.Name != i.Name {
				t.Errorf("Lookup(%q) is %q (%v)", n, got.Name, err)
			}
		}
		if i.Summary == "" || i.Rho == "" || i.Weight == "" || i.Descends == "" || i.Paper == "" {
			t.Errorf("%s: a text is missing", i.Name)
		}
		bandwidths := 0
		for _, p := range i.Parameters {
			if p.Bandwidth {
				bandwidths++
			} else if open := p.Auto > 0 && p.Default == 0; !open && (p.Default < p.Min || p.Default > p.Max) {
				t.Errorf("%s: default of %s lies outside its range", i.Name, p.Name)
			}
			if p.Meaning == "" {
				t.Errorf("%s: %s has no meaning", i.Name, p.Name)
			}
		}
		if has := loss.MustParse(i.Name).Rule().Kind != loss.None; bandwidths > 1 || has != (bandwidths == 1) {
			t.Errorf("%s: %d bandwidths, rule %v", i.Name, bandwidths, loss.MustParse(i.Name).Rule())
		}
	}
	data, err := json.Marshal(loss.MustParse("kmpe").Info())
	if err != nil || !strings.Contains(string(data), `"default":"auto"`) {
		t.Errorf("%s (%v)", data, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, i := range loss.Losses() {
		f.Add(loss.MustParse(i.Name).String())
		for _, a := range i.Aliases {
			f.Add(a)
		}
	}
	for _, text := range []string{"", ":", "kmpe:", "kmpe:p=", "kmpe:=2", "kmpe:p=2,,", "KMPE:P=0x1p2", "lp:p=1_0", "gm:delta=1e-300", "huber:c=+1", "welsch:sigma=İ", "l1:floor=1e140"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := loss.Parse(text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "loss: ") {
				t.Errorf("%q: error %q does not name its package", text, err)
			}
			return
		}
		read, err := loss.Parse(s.String())
		if err != nil || read != s {
			t.Errorf("%q reads as %s, and that as %s (%v)", text, s, read, err)
		}
		l := s.At(1)
		if w := l.Weight(1); !(w >= 0) {
			t.Errorf("%q: weight %g at s=1", text, w)
		}
	})
}

// drawSpec makes any valid Spec.
func drawSpec(t *rapid.T) loss.Spec {
	info := rapid.SampledFrom(loss.Losses()).Draw(t, "loss")
	s := loss.MustParse(info.Name)
	for _, p := range info.Parameters {
		if p.Bandwidth {
			rule := rapid.OneOf(
				rapid.Just(loss.Rule{Kind: loss.Auto}), rapid.Just(loss.Rule{Kind: loss.Silverman}),
				rapid.Map(rapid.Float64Range(loss.MinScale, loss.MaxScale), loss.FixedAt)).Draw(t, p.Name)
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
		read, err := loss.Parse(s.String())
		if err != nil || read != s {
			t.Fatalf("%s reads as %s (%v)", s, read, err)
		}
		if rule, err := loss.ParseRule(s.Rule().String()); err != nil || rule != s.Rule() {
			t.Fatalf("rule %s reads as %s (%v)", s.Rule(), rule, err)
		}
		// The loss made of it says its bandwidth and reads back as itself.
		scale := rapid.Float64Range(loss.MinScale, loss.MaxScale).Draw(t, "scale")
		l := s.At(scale)
		again, err := loss.Parse(l.String())
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
		var back loss.Spec
		if err := json.Unmarshal(data, &back); err != nil || back != s {
			t.Fatalf("%s reads as %s (%v)", data, back, err)
		}
	})
}
