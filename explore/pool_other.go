//go:build !linux

package explore

func hugePages([]uint64) {}
