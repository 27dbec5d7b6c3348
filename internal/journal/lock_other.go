//go:build !windows && (!unix || aix || solaris)

package journal

import "os"

// tryLock cannot tell here whether somebody else has the file.
func tryLock(*os.File) (bool, error) { return true, nil }
