package check

import (
	"math"
	"strings"
	"unicode"
)

const (
	// longestWord that is compared, in letters, and most words of a column on either side.
	longestWord      = 60
	mostUsual        = 300
	mostMisspelt     = 3000
	misspeltTimes    = 10 // a word is at least so many times as frequent as its misspelt form
	shortTimes       = 50 // the same for words of three or four letters
	mostShort        = 12 // frequent words of a list in which such words are compared
	writtenOtherwise = 5  // the same where only case, blanks or signs differ
)

// meaning is the frequent word that a rare one probably stands for.
type meaning struct {
	level int
	p     float64
	slip  string
}

// misspelt finds rare words that differ from a frequent one by a letter or two, or by the way they
// are written. Names that differ by digits, short codes, and lists in which frequent words
// already differ by as little are left alone.
func misspelt(levels []string, counts []int) map[int]meaning {
	var usual, rare []int
	for k, n := range counts {
		if n >= writtenOtherwise && len(usual) < mostUsual {
			usual = append(usual, k)
		}
	}
	if len(usual) == 0 {
		return nil
	}
	top := counts[usual[0]]
	for _, k := range usual {
		top = max(top, counts[k])
	}
	for k, n := range counts {
		if n > 0 && n*writtenOtherwise <= top && len(rare) < mostMisspelt {
			rare = append(rare, k)
		}
	}
	runes := make(map[int][]rune)
	bare := make(map[int]string)
	for _, k := range append(append([]int(nil), usual...), rare...) {
		runes[k], bare[k] = []rune(strings.ToLower(levels[k])), folded(levels[k])
	}
	closest := usualDistance(usual, counts, runes)
	out := map[int]meaning{}
	for _, k := range rare {
		best := meaning{p: 1}
		for _, u := range usual {
			if u == k || counts[u] < writtenOtherwise*counts[k] {
				continue
			}
			m := meaning{level: u, p: 1}
			if bare[u] == bare[k] && bare[u] != "" {
				m.p, m.slip = 1e-6, "written otherwise"
			} else if counts[u] >= misspeltTimes*counts[k] {
				m.p = typoP(runes[k], runes[u], closest)
				if counts[u] >= shortTimes*counts[k] && len(usual) <= mostShort && closest > 1 && besideKey(runes[k], runes[u]) {
					m.p = math.Min(m.p, 1e-5)
				}
				m.slip = "misspelt"
			}
			if m.p < best.p || m.p == best.p && m.p < 1 && counts[u] > counts[best.level] {
				best = m
			}
		}
		if best.p < 1 {
			out[k] = best
		}
	}
	return out
}

// usualDistance is how near two frequent words are to each other, up to 3: such a difference
// means something in this list.
func usualDistance(usual []int, counts []int, runes map[int][]rune) int {
	least := 3
	top := counts[usual[0]]
	for _, u := range usual {
		top = max(top, counts[u])
	}
	var frequent []int
	for _, u := range usual {
		if counts[u]*20 >= top {
			frequent = append(frequent, u)
		}
	}
	for i, a := range frequent {
		for _, b := range frequent[:i] {
			if !digitsDiffer(runes[a], runes[b]) { // agent 1 and agent 2 say nothing about agetn 1
				least = min(least, typingDistance(runes[a], runes[b], 2))
			}
		}
	}
	return least
}

// typoP is the chance given to a word that is this near to a frequent one; 1 where it is not near.
func typoP(word, usual []rune, closest int) float64 {
	if len(word) < 4 || len(usual) < 4 {
		return 1
	}
	d := typingDistance(word, usual, 2)
	if d >= closest || d > 2 || digitsDiffer(word, usual) {
		return 1
	}
	switch longest := max(len(word), len(usual)); {
	case d == 1 && longest >= 5:
		return 1e-5
	case d == 1:
		return 1e-4
	case longest >= 8:
		return 1e-4
	}
	return 1
}

// keys are the letters as they lie beside each other.
var keys = []string{"qwertyuiop", "asdfghjkl", "zxcvbnm"}

// besideKey says that two words of three or of four letters differ by a finger's slip: two neighbours exchanged, or
// the key beside the right one. Other short words differ by right: USD and AUD.
func besideKey(a, b []rune) bool {
	if len(a) != len(b) || len(a) < 3 || len(a) > 4 {
		return false
	}
	var at []int
	for i := range a {
		if !unicode.IsLetter(a[i]) || !unicode.IsLetter(b[i]) {
			return false
		}
		if a[i] != b[i] {
			at = append(at, i)
		}
	}
	switch len(at) {
	case 1:
		for _, row := range keys {
			i, k := strings.IndexRune(row, a[at[0]]), strings.IndexRune(row, b[at[0]])
			if i >= 0 && k >= 0 && (i-k == 1 || k-i == 1) {
				return true
			}
		}
	case 2:
		return at[1] == at[0]+1 && a[at[0]] == b[at[1]] && a[at[1]] == b[at[0]]
	}
	return false
}

// digitsDiffer says that two words have different digits: "room 12" and "room 13" are two rooms.
func digitsDiffer(a, b []rune) bool {
	digits := func(w []rune) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return r
			}
			return -1
		}, string(w))
	}
	return digits(a) != digits(b)
}

// folded is a word without what people write in different ways: case, blanks, signs. Words whose
// signs may carry their meaning (C and C++) have none of it left out.
func folded(word string) string {
	bare := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '-' || r == '_' || r == '.' || r == '\u00a0' {
			return -1
		}
		return unicode.ToLower(r)
	}, word)
	for _, r := range bare {
		if unicode.IsDigit(r) { // 1.5 and 15, 1-2 and 12
			return strings.ToLower(strings.TrimSpace(word))
		}
	}
	return bare
}

// typingDistance is the number of letters that were left out, put in, replaced, or exchanged with
// their neighbour (Damerau's, each place changed once), counted up to one more than most.
func typingDistance(a, b []rune, most int) int {
	if len(a) > longestWord || len(b) > longestWord || len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	var room [3][longestWord + 1]int
	before, row, next := room[0][:len(b)+1], room[1][:len(b)+1], room[2][:len(b)+1]
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			next[j] = d
			least = min(least, d)
		}
		if least > most {
			return most + 1
		}
		before, row, next = row, next, before
	}
	return min(row[len(b)], most+1)
}
