package spill

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

const mapped = true

func mapFile(f *os.File, size int64) ([]byte, error) {
	m, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err == nil { // a look at one row of many columns would bring in two megabytes of each
		_ = unix.Madvise(m, unix.MADV_NOHUGEPAGE)
	}
	return m, err
}

func unmap(m []byte) error { return unix.Munmap(m) }

// leave gives the pages of a map back; what was written to them stays in the file.
func leave(m []byte) { _ = unix.Madvise(m, unix.MADV_DONTNEED) }

// reserve takes the space of a file, so that no writing to its map meets a full disk.
func reserve(f *os.File, size int64) error {
	err := unix.Fallocate(int(f.Fd()), 0, 0, size)
	if errors.Is(err, unix.EOPNOTSUPP) {
		return f.Truncate(size)
	}
	return err
}

// freeSpace is what a folder has room for; below 0: not known.
func freeSpace(folder string) int64 {
	var s unix.Statfs_t
	if unix.Statfs(folder, &s) != nil {
		return -1
	}
	return int64(s.Bavail) * int64(s.Bsize)
}

// onDisk refuses a folder that is itself in memory.
func onDisk(folder string) error {
	var s unix.Statfs_t
	if unix.Statfs(folder, &s) == nil && (int64(s.Type) == unix.TMPFS_MAGIC || int64(s.Type) == unix.RAMFS_MAGIC) {
		return fmt.Errorf("the folder for temporary files, %s, is itself in memory; name one on a disk by TMPDIR", folder)
	}
	return nil
}

// statm is asked many thousand times a second, so that it stays open.
var statm = sync.OnceValue(func() int {
	fd, err := unix.Open("/proc/self/statm", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1
	}
	return fd
})

// resident are the bytes that this process has in memory, and those of mapped files among them.
func resident() (all, files int64) {
	var room [256]byte
	n, err := unix.Pread(statm(), room[:], 0)
	if err != nil {
		return 0, 0
	}
	fields := bytes.Fields(room[:n])
	if len(fields) < 3 {
		return 0, 0
	}
	all, _ = strconv.ParseInt(string(fields[1]), 10, 64)
	files, _ = strconv.ParseInt(string(fields[2]), 10, 64)
	return all * int64(os.Getpagesize()), files * int64(os.Getpagesize())
}
