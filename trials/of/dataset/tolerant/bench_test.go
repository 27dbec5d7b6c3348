package tolerant

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// BenchmarkOpen reads a plain table of numbers.
func BenchmarkOpen(b *testing.B) {
	var text strings.Builder
	text.WriteString("a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t\n")
	random := rand.New(rand.NewPCG(1, 2))
	for range 50000 {
		for j := range 20 {
			if j > 0 {
				text.WriteByte(',')
			}
			fmt.Fprintf(&text, "%.6g", 100*random.NormFloat64())
		}
		text.WriteByte('\n')
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if _, err := tolerant.Open(b.Context(), []string{"-"}, tolerant.Options{Input: strings.NewReader(text.String())}); err != nil {
			b.Fatal(err)
		}
	}
}
