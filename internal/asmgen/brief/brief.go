// Package brief writes assembly of many instructions that repeat each other in few bytes: what stands
// in several places, but for some operands, becomes a macro. The machine code is the same.
package brief

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// instruction is one of the text, or the use of a macro.
type instruction struct {
	name  string
	args  []string
	macro bool
}

// text is the instruction as it is written; an end of line follows.
func (i instruction) text() string {
	switch args := strings.Join(i.args, ","); {
	case len(i.args) == 0:
		return i.name
	case i.macro:
		return i.name + "(" + args + ")"
	default:
		return i.name + " " + args
	}
}

// line is an instruction, or what no macro may hold: a label, the beginning of a function, data.
type line struct {
	instruction
	fixed string // "" for an instruction
}

func (l line) text() string {
	if l.fixed != "" {
		return l.fixed
	}
	return l.instruction.text()
}

const note = "// Instructions that repeat are macros, made by the generator; go tool objdump shows what they stand for.\n"

// Assembly returns the text in few bytes. Comments go, but for the first line and constraints.
func Assembly(text string) string {
	var out strings.Builder
	lines, names := parse(text, &out)
	out.WriteString(note)
	for _, definition := range names {
		out.WriteString(definition + "\n")
	}
	for n := 1; ; n++ {
		best := candidate{}
		for _, c := range candidates(lines) {
			if c.saved > best.saved {
				best = c
			}
		}
		if best.saved <= 0 {
			break
		}
		var definition string
		lines, definition = best.apply(lines, fmt.Sprintf("m%d", n))
		out.WriteString(definition + "\n")
	}
	for _, l := range lines {
		out.WriteString(l.text() + "\n")
	}
	return out.String()
}

var (
	word      = regexp.MustCompile(`^WORD \$(0x[0-9a-f]{8}) // (\w+) (.*)$`)
	registers = regexp.MustCompile(`\b[vd](\d+)`)
	element   = regexp.MustCompile(`\[(\d)\]$`)
)

// parse cuts a text into lines and writes its head. Encoded instructions become macros of their registers, which it defines.
func parse(text string, head *strings.Builder) (lines []line, definitions []string) {
	for i, raw := range strings.Split(text, "\n") {
		s := strings.TrimSpace(raw)
		switch m := word.FindStringSubmatch(s); {
		case m != nil:
			l, definition := encoded(m)
			if !slices.Contains(definitions, definition) {
				definitions = append(definitions, definition)
			}
			lines = append(lines, l)
		case s == "":
		case i == 0 || strings.HasPrefix(s, "//go:"):
			head.WriteString(s + "\n\n")
		case strings.HasPrefix(s, "#"):
			head.WriteString(s + "\n")
		case strings.HasPrefix(s, "//"):
		case strings.Contains(s, "(FP)"): // go vet compares it with the declaration
			lines = append(lines, line{fixed: strings.ReplaceAll(strings.Join(strings.Fields(s), " "), ", ", ",")})
		case strings.HasSuffix(s, ":") || strings.HasPrefix(s, "TEXT") || strings.HasPrefix(s, "DATA") || strings.HasPrefix(s, "GLOBL"):
			lines = append(lines, line{fixed: strings.Join(strings.Fields(s), " ")})
		default:
			name, rest, _ := strings.Cut(s, " ")
			lines = append(lines, line{instruction: instruction{name: name, args: operands(rest)}})
		}
	}
	return lines, definitions
}

// encoded is an instruction that the assembler does not know, given as its code and in the manual's words.
func encoded(m []string) (line, string) {
	code, err := strconv.ParseUint(m[1], 0, 32)
	if err != nil {
		panic(err)
	}
	name, params, sum := strings.ToUpper(m[2]), "", ""
	if e := element.FindStringSubmatch(m[3]); e != nil {
		name += e[1]
	}
	var args []string
	for i, r := range registers.FindAllStringSubmatch(m[3], -1) {
		v, _ := strconv.ParseUint(r[1], 10, 8)
		place := []int{0, 5, 16}[i]
		code &^= v << place
		param := "DNM"[i : i+1]
		params += "," + param
		sum += fmt.Sprintf("|%s<<%d", param, place)
		args = append(args, r[1])
	}
	return line{instruction: instruction{name: name, args: args, macro: true}},
		fmt.Sprintf("#define %s(%s) WORD $(%#x%s)", name, params[1:], code, sum)
}

// operands are cut at commas outside of brackets.
func operands(s string) (list []string) {
	depth, from := 0, 0
	s = strings.ReplaceAll(s, " ", "")
	for i, r := range s {
		switch {
		case strings.ContainsRune("([", r):
			depth++
		case strings.ContainsRune(")]", r):
			depth--
		case r == ',' && depth == 0:
			list = append(list, s[from:i])
			from = i + 1
		}
	}
	if from < len(s) {
		list = append(list, s[from:])
	}
	return list
}

// longest is how many instructions a macro may hold, parameters how many operands of them may differ.
const longest, parameters = 64, 12

// letters name parameters; those that are suffixes of instructions (P, W, Z) and parameters of encoded ones would be taken for them.
var letters = strings.Split("QSTUXYHJKLEG", "")

// candidate is a macro that could be made.
type candidate struct {
	at     []int // lines at which it would stand
	length int
	saved  int
}

// candidates are runs of instructions that are alike but for operands, and parts of those that have more operands in common.
func candidates(lines []line) (list []candidate) {
	for length := 1; length <= min(longest, len(lines)); length++ {
		alike := map[string][]int{}
		for at := range lines[:len(lines)-length+1] {
			if key, ok := names(lines[at : at+length]); ok {
				alike[key] = append(alike[key], at)
			}
		}
		for _, at := range sorted(alike) {
			for len(at) > 1 {
				c := candidate{at: apart(at, length), length: length}
				c.saved = c.worth(lines)
				list = append(list, c)
				at = commonest(lines, at, length)
			}
		}
	}
	return list
}

// sorted are the values in the order of their keys, so that each run writes the same text.
func sorted(of map[string][]int) (list [][]int) {
	var keys []string
	for k, at := range of {
		if len(at) > 1 {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for _, k := range keys {
		list = append(list, of[k])
	}
	return list
}

// names tells what instructions are called and how many operands they have; false where one is none.
func names(run []line) (string, bool) {
	var b strings.Builder
	for _, l := range run {
		if l.fixed != "" {
			return "", false
		}
		fmt.Fprintf(&b, "%s/%d;", l.name, len(l.args))
	}
	return b.String(), true
}

// apart leaves out runs that overlap one before.
func apart(at []int, length int) (list []int) {
	for _, p := range at {
		if len(list) == 0 || p >= list[len(list)-1]+length {
			list = append(list, p)
		}
	}
	return list
}

// commonest are the runs that share the commonest operand of all those that are not yet the same in all.
func commonest(lines []line, at []int, length int) []int {
	var best []int
	for i := range length {
		for j := range lines[at[0]+i].args {
			by := map[string][]int{}
			for _, p := range at {
				v := lines[p+i].args[j]
				by[v] = append(by[v], p)
			}
			if len(by) == 1 {
				continue
			}
			for _, some := range sorted(by) {
				if len(some) > len(best) {
					best = some
				}
			}
		}
	}
	return best
}

// body is the text of the macro, with its parameters, and what these are in each place; false where that is too much.
func (c candidate) body(lines []line) (body string, uses [][]string, ok bool) {
	uses = make([][]string, len(c.at))
	known := map[string]string{} // what an operand is in all places, and the letter for it
	for i := range c.length {
		first := lines[c.at[0]+i]
		made := instruction{name: first.name, macro: first.macro}
		for j, arg := range first.args {
			var values []string
			same := true
			for _, p := range c.at {
				v := lines[p+i].args[j]
				values = append(values, v)
				same = same && v == arg
			}
			if key := strings.Join(values, ";"); !same {
				if known[key] == "" {
					if len(known) == parameters || strings.ContainsAny(key, "[") {
						return "", nil, false
					}
					known[key] = letters[len(known)]
					for k, v := range values {
						uses[k] = append(uses[k], v)
					}
				}
				arg = known[key]
			}
			made.args = append(made.args, arg)
		}
		if i > 0 {
			body += ";"
		}
		body += made.text()
	}
	return body, uses, true
}

// worth is how many bytes the macro saves.
func (c candidate) worth(lines []line) int {
	body, uses, ok := c.body(lines)
	if !ok || len(c.at) < 2 {
		return 0
	}
	const name = "m00"
	saved := -len("#define " + name + "() " + body + "\n")
	saved -= 2 * len(uses[0])
	for k, p := range c.at {
		for i := range c.length {
			saved += len(lines[p+i].text()) + 1
		}
		saved -= len(instruction{name: name, args: uses[k], macro: true}.text()) + 1
	}
	return saved
}

// apply puts the macro in its places and returns its definition.
func (c candidate) apply(lines []line, name string) ([]line, string) {
	body, uses, _ := c.body(lines)
	var out []line
	k := 0
	for at := 0; at < len(lines); {
		if k < len(c.at) && at == c.at[k] {
			out = append(out, line{instruction: instruction{name: name, args: uses[k], macro: true}})
			at += c.length
			k++
			continue
		}
		out = append(out, lines[at])
		at++
	}
	params := ""
	if len(uses[0]) > 0 {
		params = "(" + strings.Join(letters[:len(uses[0])], ",") + ")"
	}
	return out, "#define " + name + params + " " + body
}
