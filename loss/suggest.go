package loss

import "fmt"

// suggestion is `, did you mean "x"?` for the known name nearest to a mistyped one, or
// nothing when none is near.
func suggestion(typed string, known []string) string {
	best, nearest := max(2, len(typed)/2)+1, ""
	for _, k := range known {
		if d := editDistance(typed, k); d < best {
			best, nearest = d, k
		}
	}
	if nearest == "" || best >= len(nearest) {
		return ""
	}
	return fmt.Sprintf(", did you mean %q?", nearest)
}

// editDistance is the least number of single-byte insertions, deletions and
// replacements that turn a into b.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := diagonal
			if a[i-1] != b[j-1] {
				replace++
			}
			diagonal = row[j]
			row[j] = min(row[j]+1, row[j-1]+1, replace)
		}
	}
	return row[len(b)]
}
