//go:build race

package main

// raced says whether the race detector is on.
const raced = true
