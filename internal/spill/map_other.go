//go:build !linux

package spill

import (
	"errors"
	"os"
)

const mapped = false

func mapFile(*os.File, int64) ([]byte, error) { return nil, errors.ErrUnsupported }
func unmap([]byte) error                      { return nil }
func leave([]byte)                            {}
func reserve(*os.File, int64) error           { return errors.ErrUnsupported }
func freeSpace(string) int64                  { return -1 }
func onDisk(string) error                     { return nil }
func resident() (all, files int64)            { return 0, 0 }
