package file

import (
	"math"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/inlier-ml/inlier/dataset"
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
		f.refused = "the column holds long decimal numbers, which are not read"
		return nil, f
	case *format.IntType:
		if !m.IsSigned && c.Type().Kind() == parquet.Int32 {
			return func(v parquet.Value) float64 { return float64(v.Uint32()) }, f
		}
		if !m.IsSigned && c.Type().Kind() == parquet.Int64 {
			return func(v parquet.Value) float64 { return float64(v.Uint64()) }, f
		}
	case *format.Float16Type:
		f.refused = "the column holds half-precision numbers, which are not read"
		return nil, f
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
	f.refused = "the column holds " + c.Type().String() + " values, which are not read"
	return nil, f
}
