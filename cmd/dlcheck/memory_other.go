//go:build !linux

package main

import "errors"

// fromLimit knows of no limit here.
func fromLimit() (uint64, error) { return 0, errors.New("there is no limit") }
