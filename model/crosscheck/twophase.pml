/*
 * Two-phase commit as in Gray and Lamport, "Consensus on Transaction Commit"
 * (2006), module TwoPhase, with RMS resource managers, for Spin. The explorer's
 * tests have the same system, whose counts are known from TLC.
 *
 *   spin -o2 -a -DRMS=9 twophase.pml && gcc -O3 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -E
 *
 * As in core.pml: one process, all initial values in the declarations, one
 * d_step for one action, so that pan's "states, stored" are the states.
 */
#ifndef RMS
#define RMS 3        /* 3 to 10 */
#endif

/* States of a resource manager, and of the transaction manager. */
#define WORKING   0
#define PREPARED  1
#define COMMITTED 2
#define ABORTED   3

byte rm[RMS];
byte tm;

/* Sets of resource managers, a bit for each: whom the transaction manager has
 * noted as prepared, and whose Prepared message was sent. */
#if RMS > 8
#define SET short
#else
#define SET byte
#endif
SET noted;
SET sent;
#define ONLY(r) (1 << (r))
#define ALL     (ONLY(RMS) - 1)

bool commitSent;
bool abortSent;

/* In this order: TMRcvPrepared, RMPrepare, RMChooseToAbort, RMRcvCommitMsg,
 * RMRcvAbortMsg. Each may be taken again where it changes nothing. */
#define RM(r) \
	:: d_step { tm == WORKING && (sent & ONLY(r)) -> noted = noted | ONLY(r) } \
	:: d_step { rm[r] == WORKING -> rm[r] = PREPARED; sent = sent | ONLY(r) } \
	:: d_step { rm[r] == WORKING -> rm[r] = ABORTED } \
	:: d_step { commitSent -> rm[r] = COMMITTED } \
	:: d_step { abortSent -> rm[r] = ABORTED }

active proctype system() {
	do
	:: d_step { tm == WORKING && noted == ALL -> tm = COMMITTED; commitSent = true }
	:: d_step { tm == WORKING -> tm = ABORTED; abortSent = true }
	RM(0)
	RM(1)
	RM(2)
#if RMS > 3
	RM(3)
#endif
#if RMS > 4
	RM(4)
#endif
#if RMS > 5
	RM(5)
#endif
#if RMS > 6
	RM(6)
#endif
#if RMS > 7
	RM(7)
#endif
#if RMS > 8
	RM(8)
#endif
#if RMS > 9
	RM(9)
#endif
	od
}
