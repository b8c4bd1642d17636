//go:build !unix

package disk

// full says whether an error is for want of room.
func full(error) bool { return false }
