package main

import "fmt"

// word writes an instruction that Go's assembler does not know, with its name in the
// manual's syntax. A test compares the two by an independent disassembler.
func (p *program) word(encoding uint32, format string, args ...any) {
	p.op("WORD $0x%08x // %s", encoding, fmt.Sprintf(format, args...))
}

// three is an instruction on pairs of doubles: d = n op m, or d op= n*m.
func (p *program) three(base uint32, name string, d, n, m int) {
	p.word(base|uint32(m<<16|n<<5|d), "%s v%d.2d, v%d.2d, v%d.2d", name, d, n, m)
}

func (p *program) fadd(d, n, m int) { p.three(0x4e60d400, "fadd", d, n, m) }
func (p *program) fsub(d, n, m int) { p.three(0x4ee0d400, "fsub", d, n, m) }
func (p *program) fmul(d, n, m int) { p.three(0x6e60dc00, "fmul", d, n, m) }
func (p *program) fmax(d, n, m int) { p.three(0x4e60f400, "fmax", d, n, m) }
func (p *program) fmin(d, n, m int) { p.three(0x4ee0f400, "fmin", d, n, m) }

// fmla adds n*m to d with one rounding, fmls subtracts it.
func (p *program) fmla(d, n, m int) { p.op("VFMLA V%d.D2, V%d.D2, V%d.D2", m, n, d) }
func (p *program) fmls(d, n, m int) { p.op("VFMLS V%d.D2, V%d.D2, V%d.D2", m, n, d) }

// fmlaBy adds to d the pair n multiplied by one number, half of m.
func (p *program) fmlaBy(d, n, m, half int) {
	p.word(0x4fc01000|uint32(half<<11|m<<16|n<<5|d), "fmla v%d.2d, v%d.2d, v%d.d[%d]", d, n, m, half)
}

// two is an instruction with one operand.
func (p *program) two(base uint32, name string, d, n int, rest string) {
	p.word(base|uint32(n<<5|d), "%s v%d.2d, v%d.2d%s", name, d, n, rest)
}

// frintn rounds to integers, halves to even ones; fcvtzs makes them int64.
func (p *program) frintn(d, n int) { p.two(0x4e618800, "frintn", d, n, "") }
func (p *program) fcvtzs(d, n int) { p.two(0x4ee1b800, "fcvtzs", d, n, "") }

// halve shifts integers right by one place, rounding towards minus infinity.
func (p *program) halve(d, n int) { p.two(0x4f7f0400, "sshr", d, n, ", #1") }

// sumPair sets d to the sum of both halves of n.
func (p *program) sumPair(d, n int) {
	p.word(0x7e70d800|uint32(n<<5|d), "faddp d%d, v%d.2d", d, n)
}
