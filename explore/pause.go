package explore

// report tells the world that a bucket is done.
func (x *search) report() bool {
	least := x.coming()
	last := least.p() != x.now.p()
	if least != never {
		least += x.rule.quick
	}
	ok := x.pause(least, last)
	if x.opts.OnBucket != nil && !x.opts.OnBucket(x.progress(last)) && ok {
		return x.end(Stopped)
	}
	return ok
}

// coming is the cost of the next bucket, or at least not more.
func (x *search) coming() cost {
	switch {
	case !x.idle():
		return x.rows[x.next].cost
	case x.due < len(x.held.rows):
		return x.held.rows[x.due].cost
	}
	return never
}

// pause is what happens between waves. No transition to come will cost less
// than least.
func (x *search) pause(least cost, last bool) bool {
	x.found.settle(least)
	if x.opts.Progress != nil {
		x.opts.Progress(x.progress(last))
	}
	until := x.opts.Until &^ Slow
	switch {
	case x.err != nil:
		return false
	case until != 0 && until&^x.found.final == 0:
		return x.end(Found)
	}
	return x.mayGoOn()
}

func (x *search) mayGoOn() bool {
	switch {
	case x.cancelled.Load():
		return x.end(Interrupted)
	case x.opts.MaxBytes > 0 && x.needs() > x.opts.MaxBytes:
		return x.end(OutOfMemory)
	}
	return true
}

func (x *search) end(r Reason) bool {
	x.ended = r
	return false
}

func (x *search) progress(last bool) Progress {
	states, bytes := x.States(), x.Bytes()+x.alone.bytes()
	if x.relay != nil {
		bytes += x.relay.bytes()
	}
	return Progress{
		P: x.now.p(), Q: x.now.q(), Last: last,
		States: states, Frontier: states - x.expanded, Transitions: x.transitions,
		Found: x.found.found, Final: x.found.final,
		Bytes: bytes,
	}
}
