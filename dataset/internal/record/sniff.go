package record

import (
	"strings"

	"github.com/inlier-ml/inlier/dataset/internal/cell"
)

// mostSampledFields bounds the fields that are looked at.
const mostSampledFields = 1 << 21

// Sample splits text into at most so many records of at most so many fields.
func Sample(text []byte, delimiter byte, most, columns int) (sample [][][]byte, line int, wrong string) {
	r := Records{Data: text, Delimiter: delimiter, Line: 1, Quotes: true, Most: columns}
	fields := 0
	for len(sample) < most && (len(sample) < 2 || fields < mostSampledFields) {
		line, ok, wrong := r.Next()
		if wrong != "" {
			return sample, line, wrong
		}
		if !ok {
			break
		}
		sample = append(sample, append([][]byte(nil), r.Fields...))
		fields += len(r.Fields)
	}
	return sample, 0, ""
}

// GuessDelimiter takes the character that splits most of the first lines into the same
// number of fields, more than one; of equally good ones that with more fields.
func GuessDelimiter(text []byte, decimalComma bool, columns int) byte {
	best, bestShare, bestWidth := byte(','), 0.0, 1
	var fields [][]byte // room for those of a record
	for _, d := range []byte{',', '\t', ';', '|', ' '} {
		if d == ',' && decimalComma {
			continue
		}
		r := Records{Data: text, Delimiter: d, Line: 1, Quotes: true, Most: columns, Fields: fields[:0]}
		widths, all, numeric := map[int]int{}, 0, 0
		for all < 100 {
			_, ok, wrong := r.Next()
			if !ok || wrong != "" {
				break
			}
			widths[len(r.Fields)]++
			all++
			if d == ' ' && mostlyNumbers(r.Fields) {
				numeric++
			}
		}
		fields = r.Fields
		if all == 0 {
			continue
		}
		mode, count := 1, 0
		for w, c := range widths {
			if c > count || c == count && w > mode {
				mode, count = w, c
			}
		}
		share := float64(count) / float64(all)
		if mode == 1 {
			continue
		}
		if d == ' ' && (bestWidth > 1 && bestShare > 0.5 || share < 1 && 2*numeric <= all) {
			continue // blanks are delimiters only if nothing better is there
		}
		if share > bestShare+1e-9 || share > bestShare-1e-9 && mode > bestWidth {
			best, bestShare, bestWidth = d, share, mode
		}
	}
	return best
}

func mostlyNumbers(record [][]byte) bool {
	numbers := 0
	for _, f := range record {
		if _, kind := cell.Parse(f); kind == cell.Number {
			numbers++
		}
	}
	return numbers*2 > len(record)
}

// LooksLikeHeader tells whether the first record names the columns: it does when some
// column has text there and numbers below; or when it holds no number at all and no
// text that comes again in the same column.
func LooksLikeHeader(sample [][][]byte, kindOf func(field []byte) cell.Kind) bool {
	numbers, texts := 0, 0
	again := false
	for k, name := range sample[0] {
		switch kindOf(name) {
		case cell.Number:
			numbers++
			continue
		case cell.Missing:
			continue
		}
		texts++
		numeric, other := 0, 0
		for _, r := range sample[1:] {
			if k >= len(r) {
				continue
			}
			switch kindOf(r[k]) {
			case cell.Number, cell.Infinite:
				numeric++
			case cell.Text:
				other++
				again = again || string(r[k]) == string(name)
			}
		}
		if numeric > 9*other {
			return true
		}
	}
	return numbers == 0 && texts > 0 && !again
}

// Names tells whether fields are the header of a table whose columns are known: they hold all its names, in any order, or nothing else
// and half of them.
func Names(fields [][]byte, known []string) bool {
	here := make(map[string]bool, len(fields))
	for _, f := range fields {
		here[strings.TrimSpace(cell.Decode(f))] = true
	}
	met := 0
	for _, name := range known {
		if here[name] {
			met++
		}
	}
	return met > 0 && (met == len(known) || met > 1 && met == len(fields) && 2*met >= len(known))
}
