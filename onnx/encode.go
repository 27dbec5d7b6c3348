package onnx

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
)

// The messages of onnx.proto, as far as they are needed, by the numbers of their fields. In the encoding of protocol
// buffers a field is its number and kind, then an integer of variable length, four bytes, or a length and so many bytes.

const (
	irVersion   = 8
	operators   = 17
	mlOperators = 3
)

// Bytes is the graph as an ONNX model.
func (g *Graph) Bytes(producer, version, about string) []byte {
	var graph []byte
	for _, n := range g.nodes {
		graph = message(graph, 1, n)
	}
	graph = text(graph, 2, "inlier")
	for _, t := range g.tensor {
		graph = message(graph, 5, t)
	}
	for _, t := range g.ins {
		graph = message(graph, 11, t.info())
	}
	var ends []byte
	for _, t := range g.outs { // an output has a name of its own
		ends = message(ends, 1, node("Identity", "", []Value{Value(t.Name)}, []Value{t.Value}, nil))
		graph = message(graph, 12, t.info())
	}
	graph = append(graph, ends...)
	model := integer(nil, 1, irVersion)
	model = text(model, 2, producer)
	model = text(model, 3, version)
	model = text(model, 6, about)
	model = message(model, 7, graph)
	model = message(model, 8, integer(nil, 2, operators))
	if g.ml {
		model = message(model, 8, integer(text(nil, 1, "ai.onnx.ml"), 2, mlOperators))
	}
	for _, note := range g.notes {
		model = message(model, 14, text(text(nil, 1, note[0]), 2, note[1]))
	}
	return model
}

// The kinds of fields.
const (
	variable = 0
	counted  = 2
	four     = 5
)

func message(to []byte, field uint64, m []byte) []byte {
	return append(binary.AppendUvarint(binary.AppendUvarint(to, field<<3|counted), uint64(len(m))), m...)
}

func text(to []byte, field uint64, s string) []byte { return message(to, field, []byte(s)) }

func integer(to []byte, field uint64, v int) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(to, field<<3|variable), uint64(int64(v)))
}

func single(to []byte, field uint64, v float32) []byte {
	return binary.LittleEndian.AppendUint32(binary.AppendUvarint(to, field<<3|four), math.Float32bits(v))
}

// info is a ValueInfoProto.
func (t Tensor) info() []byte {
	shape := message(nil, 1, text(nil, 2, "rows"))
	for _, n := range t.Columns {
		shape = message(shape, 1, integer(nil, 1, n))
	}
	tensor := message(integer(nil, 1, int(t.Element)), 2, shape)
	return text(message(text(nil, 1, t.Name), 2, message(nil, 1, tensor)), 3, t.Meaning)
}

// node is a NodeProto.
func node(operator, domain string, names, of []Value, attributes map[string]any) []byte {
	var out []byte
	for _, v := range of {
		out = text(out, 1, string(v))
	}
	for _, v := range names {
		out = text(out, 2, string(v))
	}
	out = text(out, 4, operator)
	for _, key := range slices.Sorted(maps.Keys(attributes)) {
		out = message(out, 5, attribute(key, attributes[key]))
	}
	if domain != "" {
		out = text(out, 7, domain)
	}
	return out
}

// attribute is an AttributeProto.
func attribute(name string, value any) []byte {
	out := text(nil, 1, name)
	switch v := value.(type) {
	case int:
		return integer(integer(out, 3, v), 20, 2)
	case float32:
		return integer(single(out, 2, v), 20, 1)
	case []float32:
		for _, f := range v {
			out = single(out, 7, f)
		}
		return integer(out, 20, 6)
	case []int:
		for _, n := range v {
			out = integer(out, 8, n)
		}
		return integer(out, 20, 7)
	case []string:
		for _, s := range v {
			out = text(out, 9, s)
		}
		return integer(out, 20, 8)
	}
	panic("onnx: an attribute of a kind that is not known")
}

// numbers is a TensorProto with raw data.
func numbers(name string, data []float64, shape []int) []byte {
	out := text(integer(dims(shape), 2, int(Double)), 8, name)
	raw := make([]byte, 0, 8*len(data))
	for _, v := range data {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
	}
	return message(out, 9, raw)
}

func integers(name string, list []int) []byte {
	out := text(integer(dims([]int{len(list)}), 2, int(Integer)), 8, name)
	var raw []byte
	for _, v := range list {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(int64(v)))
	}
	return message(out, 9, raw)
}

func texts(name string, list []string) []byte {
	out := integer(dims([]int{len(list)}), 2, int(Text))
	for _, s := range list {
		out = text(out, 6, s)
	}
	return text(out, 8, name)
}

func dims(shape []int) (out []byte) {
	for _, n := range shape {
		out = integer(out, 1, n)
	}
	return out
}
