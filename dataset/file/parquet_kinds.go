package file

import (
	"encoding/binary"
	"math"
	"math/big"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/half"
)

// parquetKind chooses how values become numbers.
func parquetKind(c *parquet.Column, f field) (func(parquet.Value) float64, field) {
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
			return func(v parquet.Value) float64 { return float64(v.Int32()) / scale }, f
		case parquet.Int64:
			return func(v parquet.Value) float64 { return float64(v.Int64()) / scale }, f
		}
		return func(v parquet.Value) float64 { return longDecimal(v.ByteArray(), int(m.Scale)) }, f
	case *format.IntType:
		if !m.IsSigned && c.Type().Kind() == parquet.Int32 {
			return func(v parquet.Value) float64 { return float64(v.Uint32()) }, f
		}
		if !m.IsSigned && c.Type().Kind() == parquet.Int64 {
			return func(v parquet.Value) float64 { return float64(v.Uint64()) }, f
		}
	}
	switch c.Type().Kind() {
	case parquet.Boolean:
		return func(v parquet.Value) float64 {
			if v.Boolean() {
				return 1
			}
			return 0
		}, f
	case parquet.Int32:
		return func(v parquet.Value) float64 { return float64(v.Int32()) }, f
	case parquet.Int64:
		return func(v parquet.Value) float64 { return float64(v.Int64()) }, f
	case parquet.Float:
		return func(v parquet.Value) float64 { return float64(v.Float()) }, f
	case parquet.Double:
		return func(v parquet.Value) float64 { return v.Double() }, f
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

// halfNumber reads a number of half precision.
func halfNumber(v parquet.Value) float64 {
	b := v.ByteArray()
	if len(b) != 2 {
		return math.NaN()
	}
	return half.Float64(binary.LittleEndian.Uint16(b))
}
