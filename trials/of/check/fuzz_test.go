package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// FuzzRestore spoils the file of a real model in one place, with a checksum that says it is whole. It is refused, or judges.
func FuzzRestore(f *testing.F) {
	ctx := context.Background()
	table := ordersTable(60, 1)
	words, flags, days := make([]string, table.Rows), make([]float64, table.Rows), make([]float64, table.Rows)
	for i := range words {
		words[i], flags[i], days[i] = []string{"red", "green", "blue"}[i%3], float64(i%2), 19000+float64(i)
	}
	table.Columns = append(table.Columns, categoryColumn("colour", words), tolerant.Column{Name: "sent", Kind: tolerant.Boolean, Levels: []string{"no", "yes"}, Values: flags},
		tolerant.Column{Name: "day", Kind: tolerant.Date, Layout: "2006-01-02", Values: days})
	table.Columns[0].Values[3] = math.NaN()
	m, err := check.Learn(ctx, table, check.Settings{Target: "colour"}, nil)
	if err != nil {
		f.Fatal(err)
	}
	s := m.State()
	f.Add(true, uint16(0), 1e300, int8(0), "", "")
	f.Add(true, uint16(60*(len(table.Columns)-3)), 7.0, int8(0), "", "")
	f.Add(false, uint16(1), -1.0, int8(1), `"levels":["no","yes"]`, `"levels":[]`)
	f.Add(true, uint16(9), 0.0, int8(-1), "category", "date")
	f.Fuzz(func(t *testing.T, values bool, at uint16, value float64, grow int8, old, new string) {
		name, other := "values", "missing"
		if !values {
			name, other = other, name
		}
		a := archive.Array{Shape: slices.Clone(s.Arrays[name].Shape), Data: slices.Clone(s.Arrays[name].Data)}
		a.Data[int(at)%len(a.Data)] = value
		if a.Shape[0] += int(grow); a.Shape[0] < 0 {
			return
		}
		n := a.Shape[0] * a.Shape[1]
		a.Data = append(a.Data, make([]float64, max(0, n-len(a.Data)))...)[:n]
		text, err := json.Marshal(s.Extra)
		if err != nil {
			t.Fatal(err)
		}
		if old != "" {
			text = []byte(strings.Replace(string(text), old, new, 1))
		}
		spoiled := archive.State{Description: s.Description, Arrays: map[string]archive.Array{name: a, other: s.Arrays[other]}}
		var b bytes.Buffer
		if json.Unmarshal(text, &spoiled.Extra) != nil {
			return
		}
		if _, err := archive.WriteTo(&b, spoiled); err != nil {
			return // no file holds this
		}
		back, err := archive.Read(&b, func(s archive.State) (*check.Model, error) { return check.Restore(ctx, s) })
		if err != nil {
			var file *archive.FileError
			if !errors.As(err, &file) {
				t.Fatalf("%v is no complaint about the file", err)
			}
			return
		}
		aligned, _, _ := back.Align(table)
		if _, err := back.JudgeObserved(ctx, aligned, nil); err != nil {
			t.Fatal(err)
		}
		back.Drift(aligned)
	})
}
