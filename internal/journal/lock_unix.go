//go:build unix && !aix && !solaris

package journal

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes the file if nobody else has it. The system gives it back when the file is
// closed or the program ends.
func tryLock(f *os.File) (bool, error) {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.ENOLCK):
			return true, nil // a file system without locks: better a journal than none
		}
		return false, err
	}
}
