// Package tempfile remembers temporary files and folders, so that a program that ends in
// the middle of its work, when it is interrupted for example, leaves none behind.
package tempfile

import (
	"os"
	"sync"
)

var (
	lock  sync.Mutex
	paths = map[string]bool{}
)

// Track remembers a temporary file or folder.
func Track(path string) {
	lock.Lock()
	defer lock.Unlock()
	paths[path] = true
}

// Forget is for one that was renamed or removed.
func Forget(path string) {
	lock.Lock()
	defer lock.Unlock()
	delete(paths, path)
}

// Remove removes one.
func Remove(path string) error {
	err := os.RemoveAll(path)
	Forget(path)
	return err
}

// RemoveAll removes all that are left. The program calls it last.
func RemoveAll() {
	lock.Lock()
	defer lock.Unlock()
	for path := range paths {
		_ = os.RemoveAll(path) // nothing more can be done
		delete(paths, path)
	}
}
