package linalg

// Parallel calls do(0) ... do(n-1), each once, on up to Threads() goroutines, and returns
// when all are done. The calls must not depend on one another.
func Parallel(n int, do func(i int)) { parallel(n, do) }
