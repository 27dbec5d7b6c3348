package tolerant

import (
	"archive/zip"
	"encoding/binary"
	"io"
	"os"
)

// unpacked is how many bytes a packed file of this machine says that it becomes; 0 where it does not say. Those of a gzip file are told
// up to 4 GiB; a file may lie, for which reading has limits of its own.
func unpacked(name, ending string) int64 {
	f, err := os.Open(name)
	if err != nil {
		return 0
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0
	}
	if ending == ".gz" {
		var size [4]byte
		if _, err := f.ReadAt(size[:], info.Size()-4); err != nil && err != io.EOF {
			return 0
		}
		return int64(binary.LittleEndian.Uint32(size[:]))
	}
	archive, err := zip.NewReader(f, info.Size())
	if err != nil {
		return 0
	}
	sum := int64(0)
	for _, inside := range archive.File {
		sum += int64(min(inside.UncompressedSize64, 1<<40))
	}
	return sum
}
