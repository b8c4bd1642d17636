//go:build !race

package checker

// randomWorlds is how many worlds are drawn, 50 schedules each.
const randomWorlds = 20_000

// randomQuestions is how many questions are asked with and without reductions.
const randomQuestions = 400

// randomCombinations is how many combinations of axes are asked both ways.
const randomCombinations = 2_000
