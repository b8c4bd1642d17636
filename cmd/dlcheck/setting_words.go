package main

import "dlcheck/model"

// settingWords say in a short line what a field means or, of a field with a few
// values, what one of them does. The help says it at length.
var settingWords = map[string]string{
	"clients":   "how many clients share the store",
	"ticks":     "how far the clock may go",
	"ttl":       "length of a lease in ticks",
	"servers":   "lock servers, of which a majority grants",
	"rounds":    "how often each client runs its program",
	"pauses":    "pauses of one client in one round",
	"max-pause": "longest pause in ticks",
	"program":   "what a client does in a round",

	"lost-requests": "servers that acquires may miss, in all",
	"lost-replies":  "grants that the client never hears of",
	"adopt no":      "a client that finds itself named as the holder asks again all the same",
	"adopt yes":     "a client that finds itself named as the holder goes on as the holder",
	"late-answers":  "grants that the client hears of late",
	"cut-offs":      "clients that may be cut off from the lock service, and still reach the store",

	"crashes":                 "clients that may stop for ever",
	"restarts":                "restarts of lock servers, which forget their lease",
	"restart-forgets lease":   "a server that restarts has forgotten its lease",
	"restart-forgets counter": "a server that restarts has forgotten its lease and its counter",
	"restart-delay":           "ticks in which a server that restarted grants nothing",
	"fence-restarts":          "restarts of the store, which forgets its highest token",

	"expiry server":   "the server's clock ends a lease",
	"expiry never":    "a lease does not run out",
	"expiry observed": "a contender ends a lease, a ttl after it saw the record change, by its own clock",
	"expiry absolute": "a contender compares its clock with the time that the holder wrote",
	"expiry any":      "a lease may end at any moment, which is every ttl at once",
	"deadline":        "ticks after its grant or last renewal when a client stops, by its own clock",
	"clock-jumps":     "ticks that servers' clocks jump ahead, in all",
	"client-jumps":    "ticks that clients' clocks jump ahead, in all",

	"renewal none":     "nobody renews a lease",
	"renewal own":      "a client that is awake renews what is still its own",
	"renewal recreate": "a client that is awake also takes an expired lease again that is free",
	"renewal outlives": "the renewal goes on after the release",
	"release compare":  "a release frees only what is still the client's own",
	"release blind":    "a release frees whatever is there",
	"release never":    "a release frees nothing",
	"lock-delay":       "ticks that a server stays closed after a lease ran out",
	"queue none":       "who cannot have the lock asks again",
	"queue judged":     "clients wait in line, and whose session ran out there is granted nothing",
	"queue trusting":   "clients wait in line, and are told that they hold the lock whatever their session",
	"lock lease":       "an acquire gives a lease and a token",
	"lock none":        "an acquire gives a token only, to anyone at any time",

	"token granted":    "a client shows the count of its grant",
	"token latest":     "a client shows the count of that moment",
	"token per-holder": "a client shows a count of changes of the holder",
	"token none":       "a client shows no token",
	"delayed-writes":   "writes that may be under way for any time",
	"duplicates":       "copies of delayed writes that arrive as well",
	"serial off":       "the store takes a write whatever its serial number",
	"serial on":        "the store refuses a write whose serial number is not the largest within its token",
	"fences shared":    "one fence for all objects of the store",
	"fences each":      "a fence for each object of the store",
}

// docOf says what a setting means.
func docOf(set model.Setting) string {
	if e, err := model.Stores.Find(set.Value); set.Field == "store" && err == nil {
		return e.Doc
	}
	if words := settingWords[set.Field]; words != "" {
		return words
	}
	return settingWords[set.Field+" "+set.Value]
}
