package file

import (
	"encoding/binary"
	"math"
	"math/big"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/half"
)

// decoding turns the values of a page that are there into numbers, dst of them.
type decoding func(dst []float64, values encoding.Values)

// machineNumbers is the decoding of numbers that are stored as they are, or as a whole number of parts.
func machineNumbers[T int32 | int64 | uint32 | uint64 | float32](view func(*encoding.Values) []T, parts float64) decoding {
	return func(dst []float64, values encoding.Values) {
		numbers := view(&values)[:len(dst)]
		if parts == 1 {
			for i, v := range numbers {
				dst[i] = float64(v)
			}
			return
		}
		for i, v := range numbers {
			dst[i] = float64(v) / parts
		}
	}
}

// eachOf is the decoding of values that stand as bytes.
func eachOf(number func([]byte) float64) decoding {
	return func(dst []float64, values encoding.Values) {
		b := newParquetBytes(values)
		for i := range dst {
			dst[i] = number(b.value(i))
		}
	}
}

func plainDoubles(dst []float64, values encoding.Values) { copy(dst, values.Double()[:len(dst)]) }

func booleans(dst []float64, values encoding.Values) {
	bits := values.Boolean()
	for i := range dst {
		dst[i] = float64(bits[i/8] >> (i % 8) & 1)
	}
}

// parquetKind chooses how values become numbers.
func parquetKind(c *parquet.Column, f field) (decoding, field) {
	logical := c.Type().LogicalType()
	var meaning any
	if logical != nil {
		meaning = logical.Value
	}
	switch m := meaning.(type) {
	case *format.DateType, *format.TimeType, *format.TimestampType:
		f.refused = "the column holds times, not numbers"
		return nil, f
	case *format.DecimalType:
		scale := math.Pow10(int(m.Scale))
		switch c.Type().Kind() {
		case parquet.Int32:
			return machineNumbers((*encoding.Values).Int32, scale), f
		case parquet.Int64:
			return longIntegers(int(m.Scale)), f
		}
		return eachOf(func(b []byte) float64 { return longDecimal(b, int(m.Scale)) }), f
	case *format.IntType:
		if !m.IsSigned && c.Type().Kind() == parquet.Int32 {
			return machineNumbers((*encoding.Values).Uint32, 1), f
		}
		if !m.IsSigned && c.Type().Kind() == parquet.Int64 {
			return machineNumbers((*encoding.Values).Uint64, 1), f
		}
	}
	switch c.Type().Kind() {
	case parquet.Boolean:
		return booleans, f
	case parquet.Int32:
		return machineNumbers((*encoding.Values).Int32, 1), f
	case parquet.Int64:
		return machineNumbers((*encoding.Values).Int64, 1), f
	case parquet.Float:
		return machineNumbers((*encoding.Values).Float, 1), f
	case parquet.Double:
		return plainDoubles, f
	case parquet.ByteArray, parquet.FixedLenByteArray:
		f.kind, f.texts = dataset.Text, true
		return nil, f
	}
	if c.Type().Kind() == parquet.Int96 { // which nothing else is written as
		f.refused = "the column holds times, not numbers"
		return nil, f
	}
	f.refused = "the column holds " + c.Type().String() + " values, which are not read"
	return nil, f
}

// longIntegers is the decoding of decimal numbers of 64 bits, more than a division would keep.
func longIntegers(scale int) decoding {
	parts := math.Pow10(scale)
	return func(dst []float64, values encoding.Values) {
		var digits [8]byte
		for i, v := range values.Int64()[:len(dst)] {
			if top := v >> 53; top == 0 || top == -1 {
				dst[i] = float64(v) / parts
				continue
			}
			binary.BigEndian.PutUint64(digits[:], uint64(v))
			dst[i] = longDecimal(digits[:], scale)
		}
	}
}

// longDecimal reads a decimal number of any length: the digits as a whole number, the most
// significant byte first, in two's complement.
func longDecimal(digits []byte, scale int) float64 {
	if len(digits) == 0 || len(digits) > 64 || scale > 1000 || scale < -1000 {
		return math.NaN()
	}
	if len(digits) <= 8 {
		n := int64(int8(digits[0]))
		for _, b := range digits[1:] {
			n = n<<8 | int64(b)
		}
		if n>>53 == 0 || n>>53 == -1 {
			return float64(n) / math.Pow10(scale)
		}
	}
	whole := new(big.Int).SetBytes(digits)
	if digits[0]&0x80 != 0 {
		whole.Sub(whole, new(big.Int).Lsh(big.NewInt(1), uint(8*len(digits))))
	}
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(scale, -scale))), nil)
	value := new(big.Rat).SetInt(whole)
	if scale < 0 {
		value.Mul(value, new(big.Rat).SetInt(ten))
	} else {
		value.Quo(value, new(big.Rat).SetInt(ten))
	}
	v, _ := value.Float64()
	return v
}

// halfColumns tells which of the outermost columns hold numbers of half precision, which the
// library takes for two bytes of anything.
func halfColumns(schema []format.SchemaElement) map[int]bool {
	halves := map[int]bool{}
	i, column := 1, 0
	for ; i < len(schema); column++ {
		e := &schema[i]
		_, half := e.LogicalType.Value.(*format.Float16Type)
		halves[column] = half && e.Type.Valid && e.TypeLength.Valid && e.TypeLength.V == 2
		i = afterElement(schema, i)
	}
	return halves
}

// afterElement is the place behind an element and all its members.
func afterElement(schema []format.SchemaElement, i int) int {
	members := int32(0)
	if e := &schema[i]; e.NumChildren.Valid && !e.Type.Valid {
		members = e.NumChildren.V
	}
	for i++; members > 0 && i < len(schema); members-- {
		i = afterElement(schema, i)
	}
	return i
}

// halfNumbers reads numbers of half precision.
var halfNumbers = eachOf(func(b []byte) float64 {
	if len(b) != 2 {
		return math.NaN()
	}
	return half.Float64(binary.LittleEndian.Uint16(b))
})
