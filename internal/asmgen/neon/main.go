// Neon writes the assembly kernels of package linalg/fastblas for arm64. Run it with
//
//	go generate ./linalg/fastblas
//
// The generator behind the kernels for amd64 knows that processor alone, and Go's assembler
// has no names for most vector instructions on doubles, so this is a small one of its own:
// text, with the missing instructions as their encodings (encoding.go).
package main

import (
	"flag"
	"log"
	"os"

	"github.com/inlier-ml/inlier/internal/asmgen/brief"
)

func main() {
	out := flag.String("out", "", "file for the assembly")
	stubs := flag.String("stubs", "", "file for the declarations")
	pkg := flag.String("pkg", "", "name of the package")
	flag.Parse()
	p := kernels(*pkg)
	for name, text := range map[string]string{*out: brief.Assembly(p.code.String()), *stubs: p.stubs.String()} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// kernels is all there is.
func kernels(pkg string) *program {
	p := newProgram(pkg)
	for w := widest; w >= 1; w-- {
		p.tile(w)
	}
	p.gather()
	p.center()
	p.transpose()
	p.dot()
	p.axpy()
	p.dot4()
	p.axpy4()
	p.exp()
	return p
}
