package file

import (
	"fmt"
	"runtime/debug"
)

// Fault is a panic in a goroutine of a reader: a mistake of this package and not of the
// file, but no reason to end the whole program.
type Fault struct {
	// Value is what was panicked with.
	Value any
	// Stack tells where.
	Stack []byte
}

// Error is one line.
func (f *Fault) Error() string {
	return fmt.Sprintf("dataset: internal error while reading: %v", f.Value)
}

// Unwrap gives access to the error that was panicked with, if it was one.
func (f *Fault) Unwrap() error {
	err, _ := f.Value.(error)
	return err
}

// caught runs one piece of a goroutine's work and returns a panic in it as a Fault,
// because a panic that leaves a goroutine ends the process.
func caught(run func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &Fault{Value: p, Stack: debug.Stack()}
		}
	}()
	return run()
}
