package brief

import (
	"regexp"
	"strings"
	"testing"
)

// Written out, macros are the instructions they stand for, in their order.
func TestMacrosStandForTheInstructions(t *testing.T) {
	long := "// Code generated for a test.\n\n//go:build arm64\n\n#include \"textflag.h\"\n\n"
	for _, name := range []string{"one", "two"} {
		long += "// func " + name + "\nTEXT ·" + name + "(SB), NOSPLIT, $0-8\n\tMOVD a+0(FP), R1\nloop:\n"
		for _, v := range []string{"0", "1", "2", "3"} {
			long += "\tVLD1R.P (R1)(R9), [V" + v + ".D2]\n\tFLDPQ.P 32(R1), (F2, F" + v + ")\n\tVFMLA V" + v + ".D2, V24.D2, V1.D2\n\tADD R3, R2, R" + v + "\n"
		}
		long += "\tWORD $0x4fde1300 // fmla v0.2d, v24.2d, v30.d[0]\n\tBNE loop\n\tRET\n"
	}
	short := Assembly(long)
	if len(short) > len(long)*3/4 {
		t.Errorf("%d bytes became %d", len(long), len(short))
	}
	var want []string
	for _, l := range strings.Split(long, "\n")[5:] {
		if l = strings.ReplaceAll(strings.Join(strings.Fields(l), " "), ", ", ","); l != "" && !strings.HasPrefix(l, "//") {
			l, _, _ = strings.Cut(l, " // ")
			want = append(want, strings.ReplaceAll(l, ", ", ","))
		}
	}
	got := written(t, short)
	for i := range want {
		w := strings.ReplaceAll(want[i], "$0x4fde1300", "$(0x4fc01000|0<<0|24<<5|30<<16)")
		if i >= len(got) || strings.ReplaceAll(got[i], ", ", ",") != w {
			t.Fatalf("instruction %d is %q, not %q", i, got[i:min(i+1, len(got))], w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d lines, not %d", len(got), len(want))
	}
}

// written is a text whose macros are written out.
func written(t *testing.T, text string) (list []string) {
	type macro struct {
		params []string
		body   string
	}
	macros := map[string]macro{}
	head := regexp.MustCompile(`^#define (\w+)(?:\(([^)]*)\))? (.*)$`)
	use := regexp.MustCompile(`^(\w+)(?:\((.*)\))?$`)
	var add func(statement string)
	add = func(statement string) {
		m := use.FindStringSubmatch(statement)
		if m == nil || macros[m[1]].body == "" {
			list = append(list, statement)
			return
		}
		body, args := macros[m[1]].body, operands(m[2])
		if len(args) != len(macros[m[1]].params) {
			t.Fatalf("%s: %d operands, not %d", statement, len(args), len(macros[m[1]].params))
		}
		body = regexp.MustCompile(`\w+`).ReplaceAllStringFunc(body, func(word string) string {
			for i, p := range macros[m[1]].params {
				if word == p {
					return args[i]
				}
			}
			return word
		})
		for _, s := range strings.Split(body, ";") {
			add(s)
		}
	}
	for _, l := range strings.Split(text, "\n") {
		if m := head.FindStringSubmatch(l); m != nil {
			macros[m[1]] = macro{params: operands(m[2]), body: m[3]}
		} else if l != "" && !strings.HasPrefix(l, "//") && !strings.HasPrefix(l, "#include") {
			add(l)
		}
	}
	return list
}
