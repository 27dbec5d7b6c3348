package jobs

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
)

// fields are those of a message of bytes, by number; integers are left out.
func fields(t *testing.T, b []byte) map[uint64][][]byte {
	t.Helper()
	out := map[uint64][][]byte{}
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		size, m := binary.Uvarint(b[max(n, 0):])
		if n <= 0 || m <= 0 || tag&7 == 2 && uint64(len(b)-n-m) < size {
			t.Fatal("a message that ends too early")
		}
		b = b[n+m:]
		switch tag & 7 {
		case 2:
			out[tag>>3] = append(out[tag>>3], b[:size])
			b = b[size:]
		case 5:
			t.Fatal("no four bytes are expected here")
		}
	}
	return out
}

// Every method of the table is exported as a graph in which each operation takes what is there, or refused in words of
// its own. What graphs compute is held against the program in testdata of package onnx, by ONNX Runtime.
func TestExportOfEveryMethod(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n, d = 60, 6
	rows, values, labels := mat.NewDense(n, d, nil), make([]float64, n), make([]string, n)
	for i := range n {
		for j := range d {
			rows.Set(i, j, r.NormFloat64()+float64(i%2*j))
		}
		values[i], labels[i] = rows.At(i, 0)+r.NormFloat64(), []string{"no", "yes"}[i%2]
	}
	refused := 0
	for _, m := range catalog.Methods() {
		set := &dataset.Set{Name: "made", X: rows, Columns: []string{"a", "b", "c", "d", "e", "f"}}
		switch m.Tasks[0] {
		case catalog.Regress:
			set.Target = &dataset.Target{Name: "y", Values: values}
		case catalog.Classify:
			set.Target = dataset.ClassTarget("y", labels)
		}
		request := inlier.Fit{Method: m.Name, Data: inlier.Data{Set: set}}
		if m.Family == "tensor" {
			set.Shape = []int{2, 3}
		}
		fit, err := request.Run(context.Background(), nil)
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		for _, single := range []bool{false, true} {
			made, err := inlier.Export{Model: fit.Fitted(), Float32: single}.Run(context.Background(), nil)
			if err != nil {
				if _, ok := inlier.AsError(err); !ok || !strings.Contains(err.Error(), "ONNX") {
					t.Errorf("%s: refused with %v", m.Name, err)
				}
				refused++
				continue
			}
			graph := fields(t, fields(t, made.Content)[7][0])
			there := map[string]bool{}
			for _, list := range [][][]byte{graph[5], graph[11]} {
				for _, one := range list {
					f := fields(t, one)
					for _, name := range append(f[8], f[1]...) {
						there[string(name)] = true
					}
				}
			}
			for _, node := range graph[1] {
				f := fields(t, node)
				for _, name := range f[1] {
					if !there[string(name)] {
						t.Fatalf("%s: %s takes %s, which is not there", m.Name, f[4][0], name)
					}
				}
				for _, name := range f[2] {
					there[string(name)] = true
				}
			}
			if len(graph[12]) != len(made.Outputs) || len(made.Outputs) == 0 {
				t.Errorf("%s: %d outputs, %d told", m.Name, len(graph[12]), len(made.Outputs))
			}
			for _, o := range made.Outputs {
				if !there[o.Name] {
					t.Errorf("%s: nothing makes the output %s", m.Name, o.Name)
				}
			}
		}
	}
	if refused != 2*3 {
		t.Errorf("%d exports were refused; there are three methods without operators", refused)
	}
}
