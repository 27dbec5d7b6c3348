package fastblas

// fewRows is the number of rows of A up to which packing B costs more than it saves.
const fewRows = 3

// multiplyFew adds A*B to C for a few rows of A, B in place. Every element of C sees the operations that a tile
// would do: the terms of a panel one after the other, then their sum.
func multiplyFew(m, n, k int, a []float64, lda int, b []float64, ldb int, c []float64, ldc int) {
	kn, ws := current.Load(), workspaces.Get().(*workspace)
	ws.reserve(n)
	sum, depth := ws.a[:n], min(k, evenly(k, maxDepth, 8))
	for i := range m {
		row := a[i*lda : i*lda+k]
		for s := 0; s < k; s += depth {
			clear(sum)
			end := min(s+depth, k)
			t := s
			for ; t+4 <= end; t += 4 {
				kn.axpy4(n, &row[t], &b[t*ldb], ldb, &sum[0])
			}
			for ; t < end; t++ {
				kn.axpy(n, row[t], &b[t*ldb], &sum[0])
			}
			kn.axpy(n, 1, &sum[0], &c[i*ldc])
		}
	}
	workspaces.Put(ws)
}
