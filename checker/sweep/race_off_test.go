//go:build !race

package sweep

// raced says whether the race detector is on.
const raced = false
