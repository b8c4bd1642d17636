//go:build race

package checker

// randomWorlds is smaller under the race detector, which looks for races and
// not for schedules.
const randomWorlds = 300

const randomQuestions = 15

const randomCombinations = 40
