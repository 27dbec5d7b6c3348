package main

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/internal/asmgen/brief"
)

// Every encoded instruction is what its comment says, in the eyes of GNU's disassembler (Debian's
// package binutils-aarch64-linux-gnu).
func TestEncodingsAreWhatTheySay(t *testing.T) {
	objdump, err := exec.LookPath("aarch64-linux-gnu-objdump")
	if err != nil {
		t.Skip("no disassembler for arm64 here")
	}
	words := regexp.MustCompile(`WORD \$(0x[0-9a-f]{8}) // (.*)`).FindAllStringSubmatch(kernels("fastblas").code.String(), -1)
	if len(words) == 0 {
		t.Fatal("no encoded instructions")
	}
	var code []byte
	for _, w := range words {
		v, err := strconv.ParseUint(w[1], 0, 32)
		if err != nil {
			t.Fatal(err)
		}
		code = binary.LittleEndian.AppendUint32(code, uint32(v))
	}
	file := filepath.Join(t.TempDir(), "code")
	if err := os.WriteFile(file, code, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(objdump, "-D", "-z", "-b", "binary", "-m", "aarch64", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^\s+[0-9a-f]+:\t[0-9a-f]{8} \t(.*)$`).FindAllStringSubmatch(string(out), -1)
	if len(lines) != len(words) {
		t.Fatalf("%d instructions disassembled to %d", len(words), len(lines))
	}
	for i, w := range words {
		if got := strings.Join(strings.Fields(lines[i][1]), " "); got != w[2] {
			t.Errorf("%s is %q, not %q", w[1], got, w[2])
		}
	}
}

// The files in the package are what this program writes.
func TestFilesAreUpToDate(t *testing.T) {
	p := kernels("fastblas")
	for name, want := range map[string]string{"asm_arm64.s": brief.Assembly(p.code.String()), "asm_arm64.go": p.stubs.String()} {
		got, err := os.ReadFile(filepath.Join("..", "..", "..", "linalg", "fastblas", name))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is out of date: go generate ./linalg/fastblas", name)
		}
	}
}
