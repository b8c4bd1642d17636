package model

// The token is what a client shows to the store.
var token = NewAxis(Axis{
	Name: "token",
	Doc: "what a client shows to the store: the count of its grant (granted), the count of that moment (latest, as Redisson's getToken), " +
		"a count of changes of the holder (per-holder, as Kubernetes' leaseTransitions), or nothing (none)",
	Choices: []string{"granted", "latest", "per-holder", "none"},
})

const (
	tokenGranted = iota
	tokenLatest
	tokenPerHolder
	tokenNone
)

// HasTokens says whether a grant comes with a token.
func (c *Config) HasTokens() bool { return token.Of(c) != tokenNone }

// shown is the token that client c shows to the store in s. One that is
// fetched late cannot be fetched by a client that is cut off.
func (w *World) shown(s State, c int) int {
	if w.servers.tokens == tokenLatest && w.clients.cut[c].Get(s) == 0 {
		return w.servers.newest(s, Nobody)
	}
	return w.clients.token[c].Get(s)
}
