package file

import (
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"
)

// parquetSeconds makes seconds since 1970, or since midnight, of days and times; nil for columns of
// anything else.
func parquetSeconds(c *parquet.Column) decoding {
	logical := c.Type().LogicalType()
	if logical == nil {
		return nil
	}
	var unit format.TimeUnit
	switch m := logical.Value.(type) {
	case *format.DateType:
		return func(dst []float64, values encoding.Values) {
			for i, day := range values.Int32()[:len(dst)] {
				dst[i] = 86400 * float64(day)
			}
		}
	case *format.TimestampType:
		unit = m.Unit
	case *format.TimeType:
		unit = m.Unit
	}
	if unit.Value == nil {
		return nil
	}
	perSecond := float64(time.Second / unit.Value.Duration()) // whole, so that whole seconds stay so
	switch c.Type().Kind() {
	case parquet.Int32:
		return machineNumbers((*encoding.Values).Int32, perSecond)
	case parquet.Int64:
		return machineNumbers((*encoding.Values).Int64, perSecond)
	}
	return nil
}
