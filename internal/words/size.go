package words

import (
	"math"
	"strconv"
	"strings"
)

// ParseSize reads a number of bytes such as 256MiB, 1.5 GB, 64M or 4096: powers of 1000 with B, powers
// of 1024 with iB or the letter alone.
func ParseSize(text string) (bytes int64, ok bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	end := strings.LastIndexAny(text, "0123456789.") + 1
	number, err := strconv.ParseFloat(text[:end], 64)
	if err != nil {
		return 0, false
	}
	unit := strings.TrimSpace(text[end:])
	base := 1024.0
	if short := strings.TrimSuffix(unit, "ib"); short != unit {
		unit = short
	} else if short := strings.TrimSuffix(unit, "b"); short != unit && short != "" {
		unit, base = short, 1000
	}
	power := 0
	if unit != "" && unit != "b" {
		if power = strings.Index("kmgt", unit) + 1; power == 0 || len(unit) != 1 {
			return 0, false
		}
	}
	number *= math.Pow(base, float64(power))
	return int64(number), number >= 0 && number < 1<<62
}
