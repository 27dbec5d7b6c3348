// Asmgen writes the assembly kernels of package linalg/fastblas. Run it with
//
//	go generate ./linalg/fastblas
//
// It is a module of its own, so that the generator's dependencies do not become
// those of the library.
package main

import (
	"flag"
	"log"
	"os"

	"github.com/mmcloughlin/avo/build"

	"github.com/inlier-ml/inlier/internal/asmgen/brief"
)

func main() {
	build.ConstraintExpr("amd64")
	for _, s := range []set{avx512, avx2} {
		for w := s.widest; w >= 1; w-- {
			tile(s, w)
		}
		for w := s.widest; w >= 1; w-- {
			tileSingle(s, w)
		}
		centerSingle(s)
		gather(s)
		center(s)
		dot(s)
		axpy(s)
		dot4(s)
		axpy4(s)
		below(s)
	}
	transposeAVX512()
	transposeAVX2()
	expAVX512()
	expAVX2()
	build.Generate()
	out := flag.Lookup("out").Value.String()
	text, err := os.ReadFile(out)
	if err == nil {
		err = os.WriteFile(out, []byte(brief.Assembly(string(text))), 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}
