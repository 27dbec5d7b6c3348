// Package onnx writes computations as ONNX models, which other programs and services run.
//
// A [Graph] is built from the inputs on: every operation takes values that are there and
// returns the next one. Models of the families add themselves to a graph; who exports one
// gives the graph its inputs before and its outputs after. Only operators of the standard's
// operator set 17 and of its machine learning set 3 are used, all of which ONNX Runtime has
// for numbers of 64 bits.
package onnx

import (
	"fmt"
	"strings"
)

// Value is what an operation returns: the name that it has inside the graph.
type Value string

// Element is what a tensor holds.
type Element int32

// The elements, by their numbers in the standard.
const (
	Single  Element = 1
	Integer Element = 7
	Text    Element = 8
	Flag    Element = 9
	Double  Element = 11
)

// Tensor is a value that crosses the border of a graph. Columns are the sizes after the first
// axis, which is that of the rows; none: there is one element per row.
type Tensor struct {
	Name    string
	Value   Value
	Element Element // zero: numbers, Double or Single as the graph's border has them
	Columns []int
	Meaning string
}

// Graph is a computation on a number of rows that is not known before. Its methods panic on
// data that do not fit a shape, which is a mistake of the program.
type Graph struct {
	border        Element // of numbers that enter and leave; inside all are Double
	nodes, tensor [][]byte
	ins, outs     []Tensor
	notes         [][2]string
	named         int
	ml            bool // an operator of the machine learning set is in use
}

// New makes an empty graph that takes and returns numbers of 64 bits, or of 32. Inside it has 64 always: models whose terms
// cancel (many nodes of a machine, distances from far rows) would keep two or three digits otherwise.
func New(single bool) *Graph {
	if single {
		return &Graph{border: Single}
	}
	return &Graph{border: Double}
}

// Input gives the graph an input.
func (g *Graph) Input(t Tensor) Value {
	t.Value = Value(t.Name)
	if t.Element != 0 {
		g.ins = append(g.ins, t)
		return t.Value
	}
	t.Element = g.border
	g.ins = append(g.ins, t)
	return g.cast(t.Value, Double)
}

// Output makes a value an output.
func (g *Graph) Output(t Tensor) {
	if t.Element == 0 {
		t.Element, t.Value = g.border, g.cast(t.Value, g.border)
	}
	g.outs = append(g.outs, t)
}

// cast turns numbers into those of another size; of 64 bits they are as they are.
func (g *Graph) cast(v Value, to Element) Value {
	if g.border == Double {
		return v
	}
	return g.With("Cast", map[string]any{"to": int(to)}, v)
}

// Outputs are the outputs so far.
func (g *Graph) Outputs() []Tensor { return g.outs }

// Inputs are the inputs so far.
func (g *Graph) Inputs() []Tensor { return g.ins }

// Note keeps a line of text beside the computation, under a key.
func (g *Graph) Note(key, text string) { g.notes = append(g.notes, [2]string{key, text}) }

func (g *Graph) next() Value {
	g.named++
	return Value(fmt.Sprintf("%s%d", inner, g.named))
}

// inner begins the names of values within a graph.
const inner = "inlier/"

// Inner tells whether a name may be one within a graph, so that no input can have it.
func Inner(name string) bool { return strings.HasPrefix(name, inner) }

// Numbers is a constant of a shape, row after row.
func (g *Graph) Numbers(data []float64, shape ...int) Value {
	size := 1
	for _, n := range shape {
		size *= n
	}
	if size != len(data) {
		panic(fmt.Sprintf("onnx: %d numbers for the shape %v", len(data), shape))
	}
	name := g.next()
	g.tensor = append(g.tensor, numbers(string(name), data, shape))
	return name
}

// Row is a constant with one number per column.
func (g *Graph) Row(data []float64) Value { return g.Numbers(data, len(data)) }

// Number is one constant.
func (g *Graph) Number(v float64) Value { return g.Numbers([]float64{v}) }

// Integers is a constant list.
func (g *Graph) Integers(list ...int) Value {
	name := g.next()
	g.tensor = append(g.tensor, integers(string(name), list))
	return name
}

// Texts is a constant list.
func (g *Graph) Texts(list []string) Value {
	name := g.next()
	g.tensor = append(g.tensor, texts(string(name), list))
	return name
}

// Do applies an operator.
func (g *Graph) Do(operator string, of ...Value) Value { return g.With(operator, nil, of...) }

// With applies an operator with attributes: integers, lists of them, or texts.
func (g *Graph) With(operator string, attributes map[string]any, of ...Value) Value {
	name := g.next()
	g.nodes = append(g.nodes, node(operator, "", []Value{name}, of, attributes))
	return name
}

// Learned applies an operator of the machine learning set.
func (g *Graph) Learned(operator string, attributes map[string]any, of ...Value) Value {
	name := g.next()
	g.ml = true
	g.nodes = append(g.nodes, node(operator, "ai.onnx.ml", []Value{name}, of, attributes))
	return name
}
