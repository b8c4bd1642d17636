/*
 * The core transition system of dlcheck, for Spin: clients lease a lock from
 * servers, pause where it hurts, and write to a store that judges tokens.
 *
 * It was written from the rules, not from dlcheck's code, and shares nothing
 * with it: that is its only worth. When the two disagree, at least one of them
 * has misread a rule, and the rules are therefore repeated here one by one,
 * each above the lines that claim to say the same.
 *
 * By hand:
 *
 *   spin -o2 -a core.pml && gcc -O3 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -E
 *
 * for the counts, and for a shortest counterexample
 *
 *   spin -o2 -a -DSTORE=FENCED -DPROPERTY=LOST_UPDATE core.pml &&
 *   gcc -O3 -DSAFETY -DNOREDUCE -DBFS -o pan pan.c && ./pan -E && ./pan -r -S
 *
 * -o2 matters: without it Spin drops variables that are written and never
 * tested, and the history variables are such. -DNOREDUCE and one single
 * process matter as well: nothing may be reduced, each state is to be counted.
 * -E: that all clients are done and time is up is an end, not a deadlock.
 *
 * What pan counts. All initial values stand in the declarations, and the only
 * process is a loop, so the first state of the process is the first state of
 * the system: states are pan's "states, stored", as they are. pan's transitions
 * are "stored + matched", arrivals at states, and the initial state is stored
 * without anyone having stepped there: one less is the number of transitions.
 * (With assignments in an init step before the loop it would be one state and
 * two transitions too many.)
 */

/* Store policies and properties, to be named on the command line. */
#define PLAIN   0
#define FENCED  1
#define STRICT  2
#define CLAIMED 3

#define NONE            0
#define STALE_OVERWRITE 1
#define LOST_UPDATE     2

/* The world. Every one of these can be replaced with -D. */
#ifndef CLIENTS
#define CLIENTS 2        /* 1 to 4 */
#endif
#ifndef SERVERS
#define SERVERS 1
#endif
#ifndef TICKS
#define TICKS 30         /* at most 254 ticks in a schedule */
#endif
#if TICKS > 254
#error "at most 254 TICKS: now is a byte"
#endif
/* -DUNLIMITED: no bound on ticks, and then no clock in the state. */
#ifndef TTL
#define TTL 10
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef PAUSES
#define PAUSES 1         /* for one client in one round */
#endif
#ifndef STORE
#define STORE CLAIMED
#endif
#ifndef PROPERTY
#define PROPERTY NONE    /* NONE counts; the others stop at a violation */
#endif

/* Phases: what a client will do next. All begin idle, which is 0. */
#define AT_IDLE    0
#define AT_READ    1
#define AT_WRITE   2
#define AT_RELEASE 3
#define AT_DONE    4

#define NOBODY 255

/* Each server: who holds its lease, for how many ticks more, and how many
 * leases it ever granted. The counter's value at a grant is the grant's token. */
byte holder[SERVERS] = NOBODY;
byte remaining[SERVERS];
byte counter[SERVERS];

/* Each client. */
byte phase[CLIENTS];
byte token[CLIENTS];
bool stale[CLIENTS];        /* its snapshot has been replaced since it read */
bool paused[CLIENTS];
bool moved[CLIENTS];        /* took its step in this tick */
byte pausesUsed[CLIENTS];   /* in this round */
byte roundsLeft[CLIENTS] = ROUNDS;

/* The store: the highest token it has accepted. The plain store judges no
 * token and remembers none. */
byte highest;

/* History, kept only to judge: the number of the grant, in the true order of
 * grants, that each client works under; how many grants there were; and the
 * highest of them that the store has applied. As the servers are in step, the
 * number of grants equals each server's counter and adds no state. */
byte generation[CLIENTS];
byte grants;
byte applied;

#ifndef UNLIMITED
byte now;
#endif

/* Scratch, used within one action and zeroed at its end. Counting, it is hidden
 * and takes no room in a stored state; pan's breadth-first search, which finds
 * the shortest counterexamples, does not admit hidden variables, and there the
 * zeroes see to it that the states are the same. */
#if PROPERTY == NONE
#define SCRATCH hidden byte
#else
#define SCRATCH byte
#endif
SCRATCH s;
SCRATCH k;
SCRATCH largest;
SCRATCH accepted;

inline sweep() {
	s = 0;
	k = 0;
	largest = 0;
	accepted = 0
}

#if SERVERS == 1
#define FREE ((holder[0] == NOBODY))
#elif SERVERS == 3
#define FREE ((holder[0] == NOBODY) + (holder[1] == NOBODY) + (holder[2] == NOBODY))
#elif SERVERS == 5
#define FREE ((holder[0] == NOBODY) + (holder[1] == NOBODY) + (holder[2] == NOBODY) + (holder[3] == NOBODY) + (holder[4] == NOBODY))
#else
#error "SERVERS is 1, 3 or 5"
#endif

/* A dead value is zeroed, so that states that differ only in it are one state. */
inline forget(c) {
	token[c] = 0;
	generation[c] = 0;
	stale[c] = false
}

/*
 * acquire: a client that is idle and has not moved may acquire when a majority
 * of the servers is free. Each free server counts one up, is held by the
 * client, for ttl ticks. The token is the largest of the counters granted.
 *
 * Acquiring is never urgent, and a denied acquire is no transition.
 */
#define mayAcquire(c) (phase[c] == AT_IDLE && !moved[c] && 2 * FREE > SERVERS)
inline acquire(c) {
	do
	:: s < SERVERS ->
		if
		:: holder[s] == NOBODY ->
			counter[s]++;
			holder[s] = c;
			remaining[s] = TTL;
			if
			:: counter[s] > largest -> largest = counter[s]
			:: else
			fi
		:: else
		fi;
		s++
	:: else -> break
	od;
	grants++;
	token[c] = largest;
	generation[c] = grants;
	phase[c] = AT_READ;
	moved[c] = true;
	printf("acquire %d: token %d\n", c, token[c])
}

/*
 * read: a client in phase read that has not moved takes a fresh snapshot and
 * goes on to write; it is paused no longer.
 *
 * Only the claimed store looks at the token of a read: one below the highest
 * is refused, and the client, whose token is dead now, goes on to release; any
 * other becomes the highest.
 */
#define mayRead(c) (phase[c] == AT_READ && !moved[c])
inline read(c) {
	if
	:: STORE == CLAIMED && token[c] < highest ->
		forget(c);
		phase[c] = AT_RELEASE;
		printf("read %d: refused\n", c)
	:: else ->
		if
		:: STORE == CLAIMED -> highest = token[c]
		:: else
		fi;
		stale[c] = false;
		phase[c] = AT_WRITE;
		printf("read %d\n", c)
	fi;
	moved[c] = true;
	paused[c] = false
}

/*
 * write: a client in phase write that has not moved hands its token to the
 * store. plain accepts always; fenced and claimed accept a token that is at
 * least the highest, strict one that is above it; the token accepted is then
 * the highest.
 *
 * Accepted, the content becomes the client's, and every other client that has
 * read and has not yet written has a stale snapshot. Accepted or refused, the
 * client goes on to release, is paused no longer, and keeps neither token nor
 * generation nor snapshot.
 *
 * stale-overwrite: no accepted write belongs to an older grant than one already
 * applied. lost-update: no accepted write is computed from a snapshot that
 * another accepted write has replaced. Both are judged here, at the transition,
 * and nothing of the verdict is kept: worlds that violate them can be counted.
 */
#define mayWrite(c) (phase[c] == AT_WRITE && !moved[c])
inline write(c) {
	accepted = (STORE == PLAIN
		|| (STORE == STRICT && token[c] > highest)
		|| ((STORE == FENCED || STORE == CLAIMED) && token[c] >= highest));
	printf("write %d: accepted %d\n", c, accepted);
#if PROPERTY == STALE_OVERWRITE
	assert(!(accepted && generation[c] < applied));
#endif
#if PROPERTY == LOST_UPDATE
	assert(!(accepted && stale[c]));
#endif
	if
	:: accepted ->
		if
		:: STORE != PLAIN -> highest = token[c]
		:: else
		fi;
		if
		:: generation[c] > applied -> applied = generation[c]
		:: else
		fi;
		do
		:: k < CLIENTS ->
			if
			:: k != c && phase[k] == AT_WRITE -> stale[k] = true
			:: else
			fi;
			k++
		:: else -> break
		od
	:: else
	fi;
	forget(c);
	phase[c] = AT_RELEASE;
	moved[c] = true;
	paused[c] = false
}

/*
 * release: a client in phase release that has not moved frees every server it
 * still holds. Its round is over: no pauses used, one round less, and it is
 * idle again, or done; paused no longer.
 */
#define mayRelease(c) (phase[c] == AT_RELEASE && !moved[c])
inline release(c) {
	do
	:: s < SERVERS ->
		if
		:: holder[s] == c ->
			holder[s] = NOBODY;
			remaining[s] = 0
		:: else
		fi;
		s++
	:: else -> break
	od;
	pausesUsed[c] = 0;
	roundsLeft[c]--;
	if
	:: roundsLeft[c] > 0 -> phase[c] = AT_IDLE
	:: else -> phase[c] = AT_DONE
	fi;
	moved[c] = true;
	paused[c] = false;
	printf("release %d\n", c)
}

/*
 * pause: a client inside its program that has not moved and is not paused may
 * pause, in place of its step, while it has pauses left. It wakes by taking
 * the step it had before it.
 */
#define inside(c) (phase[c] == AT_READ || phase[c] == AT_WRITE || phase[c] == AT_RELEASE)
#define mayPause(c) (inside(c) && !moved[c] && !paused[c] && pausesUsed[c] < PAUSES)
inline pause(c) {
	paused[c] = true;
	moved[c] = true;
	pausesUsed[c]++;
	printf("pause %d\n", c)
}

/*
 * tick: while the bound is not reached, and when every client is idle, done,
 * has moved or is paused, the clock advances by one. Then nobody has moved, and
 * every lease held is one shorter; one that reaches 0 is free. Leases are
 * half-open: granted at t with ttl 10, it can be granted again at t+10.
 */
#define lets(c) (!inside(c) || moved[c] || paused[c])
#if CLIENTS == 1
#define ALL_LET lets(0)
#elif CLIENTS == 2
#define ALL_LET (lets(0) && lets(1))
#elif CLIENTS == 3
#define ALL_LET (lets(0) && lets(1) && lets(2))
#elif CLIENTS == 4
#define ALL_LET (lets(0) && lets(1) && lets(2) && lets(3))
#else
#error "CLIENTS is 1 to 4"
#endif
#ifdef UNLIMITED
#define mayTick (ALL_LET)
#else
#define mayTick (now < TICKS && ALL_LET)
#endif
inline tick() {
#ifndef UNLIMITED
	now++;
#endif
	do
	:: k < CLIENTS -> moved[k] = false; k++
	:: else -> break
	od;
	do
	:: s < SERVERS ->
		if
		:: holder[s] != NOBODY ->
			remaining[s]--;
			if
			:: remaining[s] == 0 -> holder[s] = NOBODY
			:: else
			fi
		:: else
		fi;
		s++
	:: else -> break
	od;
	printf("tick\n")
}

/* One d_step for one action: what it passes through on its way is no state. */
#define CLIENT(c) \
	:: d_step { mayAcquire(c) -> acquire(c); sweep() } \
	:: d_step { mayRead(c)    -> read(c); sweep() } \
	:: d_step { mayWrite(c)   -> write(c); sweep() } \
	:: d_step { mayRelease(c) -> release(c); sweep() } \
	:: d_step { mayPause(c)   -> pause(c); sweep() }

active proctype system() {
	do
	:: d_step { mayTick -> tick(); sweep() }
	CLIENT(0)
#if CLIENTS > 1
	CLIENT(1)
#endif
#if CLIENTS > 2
	CLIENT(2)
#endif
#if CLIENTS > 3
	CLIENT(3)
#endif
	od
}
