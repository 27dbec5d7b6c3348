package spill

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"slices"
	"testing"
)

func open(t *testing.T, bound int64) *Room {
	t.Helper()
	r, err := New(bound, 1<<40)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// TestArrays keep what is written to them, whatever is given back to the system meanwhile, and know their room.
func TestArrays(t *testing.T) {
	r := open(t, 0) // nothing may stay resident
	const n = 1 << 17
	a := Make[float64](r, n)
	for i := range a {
		a[i] = float64(i)
		if i%1000 == 0 {
			r.Touched(1)
		}
	}
	b := Clone(a)
	slices.Reverse(b)
	r.trim()
	for i := range a {
		if a[i] != float64(i) || b[i] != float64(n-1-i) {
			t.Fatalf("%g and %g at %d", a[i], b[i], i)
		}
	}
	if Of(a) != r || Of(b[5:]) != r || Of(make([]int, n)) != nil || Of([]int(nil)) != nil || Of(Make[int](r, 3)) != nil {
		t.Error("an array does not know where it is")
	}
	var grown []int32
	for i := range 3 * small {
		grown = Append(r, grown, int32(i))
	}
	for i, v := range grown {
		if int(v) != i {
			t.Fatalf("%d at %d of what was appended", v, i)
		}
	}
	maps := len(r.maps)
	Free(b[1:]) // a part
	Free(b)
	Free(make([]int, n))
	if len(r.maps) != maps-1 {
		t.Errorf("%d maps were freed, want 1", maps-len(r.maps))
	}
	if data, over, err := r.ReadAll(bytes.NewReader(make([]byte, 100)), 100); len(data) != 100 || over || err != nil {
		t.Errorf("%d bytes, over %t, %v", len(data), over, err)
	}
	if _, over, err := r.ReadAll(bytes.NewReader(make([]byte, 101)), 100); !over || err != nil {
		t.Errorf("a stream beyond its limit: over %t, %v", over, err)
	}
}

// TestSort: as slices.Sort does, with equal numbers, with infinities and NaN.
func TestSort(t *testing.T) {
	r := open(t, 0)
	for name, at := range map[string]func(i int) float64{
		"ascending": func(i int) float64 { return float64(i) },
		"equal":     func(int) float64 { return 1 },
		"few":       func(i int) float64 { return float64(i * 7919 % 3) },
		"all":       func(i int) float64 { return float64(i * 7919 % 1000003) },
		"odd":       func(i int) float64 { return []float64{math.NaN(), math.Inf(1), 2, math.Inf(-1), float64(i)}[i*7919%5] },
	} {
		a := Make[float64](r, 300001)
		for i := range a {
			a[i] = at(i)
		}
		want := slices.Clone(a)
		slices.Sort(want)
		if Sort(a); slices.CompareFunc(a, want, cmp.Compare) != 0 {
			t.Error(name)
		}
	}
}

// TestNoRoom is an error with the figure, not the end of the program; elements with pointers are refused.
func TestNoRoom(t *testing.T) {
	r := open(t, 1<<20)
	err := func() (err error) {
		defer Caught(&err)
		Make[float64](r, 1<<50)
		return nil
	}()
	var full *Error
	if !errors.As(err, &full) || full.Need != 8<<50 {
		t.Errorf("%v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("texts were put where nobody looks after them")
		}
	}()
	Make[string](r, small)
}
