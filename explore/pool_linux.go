package explore

import (
	"syscall"
	"unsafe"
)

const hugePage = 2 << 20

// hugePages asks the kernel to back those parts of a block with huge pages that
// can be. If it will not, nothing is lost but time.
func hugePages(block []uint64) {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(block))), 8*len(block))
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(bytes))) % hugePage)
	if whole := (len(bytes) - skip) / hugePage * hugePage; whole > 0 {
		_ = syscall.Madvise(bytes[skip:skip+whole], syscall.MADV_HUGEPAGE)
	}
}
