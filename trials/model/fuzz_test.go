package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/model"
)

// use does with a model what predict, transform, reconstruct, outliers and score do. It may
// refuse, and must never panic.
func use(t *testing.T, m catalog.Model) {
	about := m.Describe()
	d := about.Columns
	if d < 1 || d > 1000 {
		return
	}
	ctx := context.Background()
	x := mat.NewDense(3, d, nil)
	for j := range d {
		x.Set(1, j, float64(j)-1.5)
		x.Set(2, j, 1e9*float64(j+1))
	}
	set := &dataset.Set{Name: "rows", X: x, Columns: about.ColumnNames, Shape: about.Shape}
	switch {
	case about.Task == catalog.Classify && len(about.Classes) > 0:
		set.Target = &dataset.Target{Name: "y", Labels: []int{0, len(about.Classes) - 1, 0}, Classes: about.Classes}
	case about.Task == catalog.Regress:
		set.Target = &dataset.Target{Name: "y", Values: []float64{1, 2, 1e300}}
	}
	if p, ok := m.(catalog.Predictor); ok {
		if got, err := p.Predict(ctx, x); err == nil && len(got.Values)+len(got.Labels) < 3 {
			t.Fatalf("%d predictions for 3 rows", len(got.Values)+len(got.Labels))
		}
	}
	if p, ok := m.(catalog.Transformer); ok {
		if scores, err := p.Transform(ctx, x); err == nil {
			if _, k := scores.Dims(); k != len(p.ScoreNames()) {
				t.Fatalf("%d scores and %d names", k, len(p.ScoreNames()))
			}
		}
		_, _ = p.Reconstruct(ctx, x)
	}
	if p, ok := m.(catalog.Detector); ok {
		if got, err := p.Outliers(ctx, set); err == nil && len(got.Outlier) != 3 {
			t.Fatalf("%d verdicts on 3 rows", len(got.Outlier))
		}
	}
}

// fittedStates are the states of small models, one of each method.
func fittedStates(f *testing.F) []catalog.State {
	x := mat.NewDense(24, 6, nil)
	for i := range 24 {
		for j := range 6 {
			x.Set(i, j, float64((i*i*(j+3)+7*j)%23)+float64(i%2)*float64(10*j))
		}
	}
	classes := make([]float64, 24)
	for i := range classes {
		classes[i] = float64(i % 2)
	}
	var states []catalog.State
	for _, method := range catalog.Methods() {
		set := &dataset.Set{Name: "rows", X: x, Columns: []string{"a", "b", "c", "d", "e", "f"}, Shape: []int{3, 2}}
		set.Target = dataset.NumberTarget("y", classes, dataset.TaskAuto)
		for _, given := range []map[string]string{{"components": "2"}, {"rank": "1x1"}, {"rank": "1"}, {"clusters": "2"}, {"hidden": "5"}, {}} {
			m, err := method.Fit(context.Background(), set.Source(), given, catalog.Run{Seed: 1})
			if err == nil {
				states = append(states, m.State())
				break
			}
		}
	}
	if len(states) < 20 {
		f.Fatalf("only %d methods could be fitted", len(states))
	}
	return states
}

// FuzzRestore spoils the state of a real model in one place, which the checksum of the
// file would hide from FuzzRead: an entry or the shape of an array, or a piece of the
// description. The model is refused or works.
func FuzzRestore(f *testing.F) {
	states := fittedStates(f)
	for i := range states {
		f.Add(uint8(i), uint8(0), uint16(0), 1e300, int8(0), "", "")
		f.Add(uint8(i), uint8(1), uint16(1), -1.0, int8(1), "columns\": 6", "columns\": 5")
		f.Add(uint8(i), uint8(2), uint16(2), 0.0, int8(-1), "auto", "nan")
	}
	f.Fuzz(func(t *testing.T, which, array uint8, at uint16, value float64, grow int8, old, new string) {
		s := states[int(which)%len(states)]
		if math.IsNaN(value) || math.IsInf(value, 0) {
			value = math.MaxFloat64
		}
		spoiled := catalog.State{Arrays: map[string]catalog.Array{}}
		for i, name := range slices.Sorted(maps.Keys(s.Arrays)) {
			a := catalog.Array{Shape: append([]int(nil), s.Arrays[name].Shape...), Data: append([]float64(nil), s.Arrays[name].Data...)}
			if i == int(array)%len(s.Arrays) && len(a.Data) > 0 {
				a.Data[int(at)%len(a.Data)] = value
				if k := int(at) % len(a.Shape); a.Shape[k]+int(grow) >= 0 {
					a.Shape[k] += int(grow)
					n := 1
					for _, k := range a.Shape {
						n *= k
					}
					a.Data = append(a.Data, make([]float64, max(0, n-len(a.Data)))...)[:n]
				}
			}
			spoiled.Arrays[name] = a
		}
		about, err := json.Marshal(struct {
			D catalog.Description
			E map[string]any
		}{withoutNaN(s.Description), s.Extra})
		if err != nil {
			t.Fatal(err)
		}
		var back struct {
			D catalog.Description
			E map[string]any
		}
		text := string(about)
		if old != "" {
			text = strings.Replace(text, old, new, 1)
		}
		if json.Unmarshal([]byte(text), &back) != nil {
			return
		}
		spoiled.Description, spoiled.Extra = back.D, back.E
		var b bytes.Buffer
		if model.Write(&b, kept{spoiled}, model.Input{}) != nil {
			return // no file holds this
		}
		c, err := readBytes(b.Bytes())
		if err != nil {
			refused(t, err, "m.npz")
			return
		}
		m, err := c.Model()
		if err != nil {
			var file *archive.FileError
			if !errors.As(err, &file) {
				t.Fatalf("%v is no complaint about the file", err)
			}
			return
		}
		use(t, m)
	})
}

// withoutNaN makes a description fit for JSON.
func withoutNaN(d catalog.Description) catalog.Description {
	d.Objective, d.Effective, d.Numbers = 1, 1, nil
	return d
}

// FuzzRead feeds arbitrary bytes to the loader: it must refuse or succeed, never panic,
// and what it accepts must survive being written and read again.
func FuzzRead(f *testing.F) {
	whole := written(f, example())
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte("PK\x03\x04"))
	f.Add([]byte("a,b\n1,2\n"))
	f.Add([]byte{})
	f.Add(edit(f, whole, `"format_version": 1`, `"format_version": 9`))
	f.Add(edit(f, whole, `"columns": 3`, `"columns": 9223372036854775807`))
	f.Add(edit(f, whole, `"arrays": {`, `"arrays": {"huge": [4611686018427387904, 2],`))
	f.Add(rezip(f, whole, "mean.npy", func(b []byte) []byte {
		return bytes.Replace(b, []byte("(3,), }            "), []byte("(1300000000000,), }"), 1)
	}))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := readBytes(b)
		if err != nil {
			refused(t, err, "m.npz")
			return
		}
		if m, err := c.Model(); err != nil {
			refused(t, err, "m.npz")
		} else {
			use(t, m)
		}
		again, err := readBytes(written(t, kept{c.State()}))
		if err != nil {
			t.Fatalf("accepted once, refused after writing: %v", err)
		}
		if diff := cmp.Diff(c.State(), again.State(), cmpopts.EquateNaNs(), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("state changed:\n%s", diff)
		}
	})
}
