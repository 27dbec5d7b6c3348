//go:build !race

package workspace

// Forgets tells whether rooms get lost at random, as they do under the race detector: then
// no test can count allocations.
const Forgets = false
