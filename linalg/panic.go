package linalg

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// caught keeps the first panic of several goroutines, so that it can be raised again
// where somebody may expect it: in the goroutine of the caller.
type caught struct {
	once  sync.Once
	value any
}

// catch, deferred, ends a panic and keeps it with the stack it came from. A panic with
// an error remains one for errors.Is and errors.As.
func (c *caught) catch() {
	p := recover()
	if p == nil {
		return
	}
	c.once.Do(func() {
		if err, ok := p.(error); ok {
			c.value = fmt.Errorf("%w\n\n%s", err, debug.Stack())
		} else {
			c.value = fmt.Sprintf("%v\n\n%s", p, debug.Stack())
		}
	})
}

// raise panics if something was caught. All goroutines must have ended.
func (c *caught) raise() {
	if c.value != nil {
		panic(c.value)
	}
}
