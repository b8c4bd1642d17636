// Package sweep runs one schedule again and again with other numbers: over
// every cell of a grid of parameters, exhaustively and not at random, so that
// what comes out is a fact about the rectangle and not a rate. From the cells
// alone it can find the condition under which a property breaks, as an
// inequality over the parameters; see Fit.
package sweep
