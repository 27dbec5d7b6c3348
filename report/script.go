package report

import (
	"slices"
	"strings"
	"unicode"
)

// rightToLeft reports letters that are written from right to left.
func rightToLeft(r rune) bool {
	return r >= 0x0590 && r <= 0x08FF || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC || r >= 0x10800 && r <= 0x10FFF || r >= 0x1E800 && r <= 0x1EFFF
}

// A letter is drawn in a form, or as it was typed where no font has the form.
type letter struct{ form, typed rune }

// visualOrder are the letters of a text from left to right as they are drawn: Arabic
// letters in the form that their neighbours ask for, and stretches of right-to-left
// letters turned round, with the marks behind the letters that bear them.
func visualOrder(text string) []letter {
	letters := joined([]rune(text))
	for start := 0; start < len(letters); {
		end := start
		for i := start; i < len(letters) && (rightToLeft(letters[i].typed) || end > start && letters[i].typed == ' '); i++ {
			if letters[i].typed != ' ' {
				end = i + 1
			}
		}
		if end == start {
			start++
			continue
		}
		slices.Reverse(letters[start:end])
		turnNumbers(letters[start:end])
		for i := start; i < end; { // reversed, marks stand before their letter: behind again
			k := i
			for k < end-1 && unicode.Is(unicode.Mn, letters[k].typed) {
				k++
			}
			slices.Reverse(letters[i : k+1])
			i = k + 1
		}
		start = end
	}
	return letters
}

// turnNumbers turns numbers in reversed letters round again: Arabic figures stand among letters from right to
// left, but are written from left to right.
func turnNumbers(letters []letter) {
	is := func(i int, set string) bool { return i < len(letters) && strings.ContainsRune(set, letters[i].typed) }
	const figures, separators = "٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹", "٫٬"
	for start := 0; start < len(letters); start++ {
		end := start
		for is(end, figures) || end > start && is(end, separators) && is(end+1, figures) {
			end++
		}
		if end > start {
			slices.Reverse(letters[start:end])
			start = end
		}
	}
}

// arabicForms are the first of the forms of a letter in Unicode, alone; the others follow
// in the order final, initial, medial. The number says how many forms there are: two do
// not join the next letter.
var arabicForms = map[rune]struct {
	alone rune
	forms int
}{
	'ء': {0xFE80, 1}, 'آ': {0xFE81, 2}, 'أ': {0xFE83, 2}, 'ؤ': {0xFE85, 2}, 'إ': {0xFE87, 2}, 'ئ': {0xFE89, 4}, 'ا': {0xFE8D, 2},
	'ب': {0xFE8F, 4}, 'ة': {0xFE93, 2}, 'ت': {0xFE95, 4}, 'ث': {0xFE99, 4}, 'ج': {0xFE9D, 4}, 'ح': {0xFEA1, 4}, 'خ': {0xFEA5, 4},
	'د': {0xFEA9, 2}, 'ذ': {0xFEAB, 2}, 'ر': {0xFEAD, 2}, 'ز': {0xFEAF, 2}, 'س': {0xFEB1, 4}, 'ش': {0xFEB5, 4}, 'ص': {0xFEB9, 4},
	'ض': {0xFEBD, 4}, 'ط': {0xFEC1, 4}, 'ظ': {0xFEC5, 4}, 'ع': {0xFEC9, 4}, 'غ': {0xFECD, 4}, 'ف': {0xFED1, 4}, 'ق': {0xFED5, 4},
	'ك': {0xFED9, 4}, 'ل': {0xFEDD, 4}, 'م': {0xFEE1, 4}, 'ن': {0xFEE5, 4}, 'ه': {0xFEE9, 4}, 'و': {0xFEED, 2}, 'ى': {0xFEEF, 2}, 'ي': {0xFEF1, 4},
	'پ': {0xFB56, 4}, 'چ': {0xFB7A, 4}, 'ژ': {0xFB8A, 2}, 'ک': {0xFB8E, 4}, 'گ': {0xFB92, 4}, 'ی': {0xFBFC, 4},
}

// lamAlef are the ligatures of lam with the forms of alef.
var lamAlef = map[rune]rune{'آ': 0xFEF5, 'أ': 0xFEF7, 'إ': 0xFEF9, 'ا': 0xFEFB}

// joined replaces Arabic letters by the forms in which they join their neighbours.
func joined(letters []rune) []letter {
	var out []letter
	mark := func(r rune) bool { return unicode.Is(unicode.Mn, r) }
	joins := false // the letter before joins this one
	for i := 0; i < len(letters); i++ {
		r := letters[i]
		f, ok := arabicForms[r]
		if !ok {
			out = append(out, letter{r, r})
			joins = joins && mark(r) || r == 'ـ'
			continue
		}
		if r == 'ل' && i+1 < len(letters) {
			if ligature, ok := lamAlef[letters[i+1]]; ok {
				if joins {
					ligature++
				}
				out = append(out, letter{ligature, r})
				joins = false
				i++
				continue
			}
		}
		next := i + 1
		for next < len(letters) && mark(letters[next]) {
			next++
		}
		follows := false
		if next < len(letters) {
			g, ok := arabicForms[letters[next]]
			follows = ok && g.forms > 1 || letters[next] == 'ـ'
		}
		follows = follows && f.forms == 4
		form := f.alone
		switch {
		case joins && f.forms > 1 && follows:
			form += 3
		case follows:
			form += 2
		case joins && f.forms > 1:
			form++
		}
		out = append(out, letter{form, r})
		joins = follows
	}
	return out
}
