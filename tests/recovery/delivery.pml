/*
 * From commit to the end of each delivery: outbox, relay, broker, fan-out, dispatch, retry, hold, sweep, tally and replay, while
 * processes die, the broker loses, doubles, reorders and lies about a confirm, and subscriptions are held, paused, resumed and deleted.
 * ARCHITECTURE.md walks through the same steps in the code. Spin searches every order of them:
 *
 *   - At the end each committed event is delivered, failed or cancelled for each subscription, or named as lost.
 *   - At most ATTEMPTS attempts of a delivery count.
 *   - No attempt is claimed for a subscription that is paused or deleted.
 *   - Every execution ends.
 *
 * One transaction of Postgres is one atomic step. A process that dies starts again with nothing in memory, and DIES names the fail point
 * in the code. A fault uses up one of FAULTS; with ONLY_DEATHS each one is a death, and nobody changes subscriptions. Each macro that
 * begins with BREAK_ disables one mechanism. The tests check that the search then finds a violation, and that without them every
 * statement is reached.
 *
 * An option that begins with an `if` has `true` before it: otherwise its `else` would be that of the outer `if`.
 */

#ifndef EVENTS
#define EVENTS 1
#endif
#ifndef SUBSCRIPTIONS
#define SUBSCRIPTIONS 2
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 2
#endif
#ifndef FAULTS
#define FAULTS 2
#endif
#define DELIVERIES (EVENTS * SUBSCRIPTIONS)
#define SUBSCRIPTION(d) ((d) % SUBSCRIPTIONS)
#define EVENT(d) ((d) / SUBSCRIPTIONS)

/* The options of a choice for each event, subscription or delivery. */
#if EVENTS == 2
#define EACH_EVENT(option) option(0) option(1)
#else
#define EACH_EVENT(option) option(0)
#endif
#if SUBSCRIPTIONS == 2
#define EACH_SUBSCRIPTION(option) option(0) option(1)
#else
#define EACH_SUBSCRIPTION(option) option(0)
#endif
#if EVENTS + SUBSCRIPTIONS == 4
#define EACH_DELIVERY(option) option(0) option(1) option(2) option(3)
#elif EVENTS + SUBSCRIPTIONS == 3
#define EACH_DELIVERY(option) option(0) option(1)
#else
#define EACH_DELIVERY(option) option(0)
#endif

/* The status of a delivery. ABSENT: its event has not been fanned out. */
#define ABSENT 0
#define OPEN 1
#define PAUSED 2
#define DELIVERED 3
#define FAILED 4
#define CANCELLED 5

/* Where an open delivery is: in Postgres until its turn, with a worker, or in a retry queue. */
#define WAITING 0
#define LOCKED 1
#define DELAYED 2

/* The databases: a committed event is in the outbox, then kept among the published ones for some days. */
bool inOutbox[EVENTS], isKept[EVENTS], isKnown[EVENTS], isNamedLost[EVENTS];
byte status[DELIVERIES], place[DELIVERIES], attempts[DELIVERIES];
bool isOrphan[DELIVERIES]; /* The process that holds the lock is dead. */
bool isActive[SUBSCRIPTIONS] = true, isDeleted[SUBSCRIPTIONS], isHeld[SUBSCRIPTIONS], mustReconcile[SUBSCRIPTIONS];

/* The broker: copies of events, and of the messages of retries. Any of them may arrive next. */
#define COPIES 2
byte events[EVENTS], retries[DELIVERIES];

/* The receivers. */
bool isAccepted[DELIVERIES];

byte faults = FAULTS;
#define DIES(at) faults > 0 -> faults--; printf(at)
#ifdef ONLY_DEATHS
#define MAY_FAIL false
#else
#define MAY_FAIL faults > 0
#endif
#define FAULT MAY_FAIL -> faults--

/* The broker may lose the message, or its confirm, or confirm what it loses. */
inline publish(copies) {
  if
  :: copies < COPIES -> copies++; confirmed = true
  :: copies < COPIES && MAY_FAIL -> faults--; copies++; confirmed = false
  :: FAULT; confirmed = false
  :: FAULT; confirmed = true
  fi
}

inline take(copies) {
  if
  :: copies > 0 -> copies--
  :: else
  fi
}

active proctype Clients() {
  byte event;
  for (event : 0 .. EVENTS - 1) {
    inOutbox[event] = true
  }
}

/* Moves a row only after its confirm. Otherwise it publishes the row again. */
#define RELAYS(e) :: inOutbox[e] -> event = e
active proctype Relay() {
  byte event;
  bool confirmed;
end:
  do
  :: atomic {
       if EACH_EVENT(RELAYS) fi
#ifdef BREAK_RELAY_DELETES_FIRST
       ; inOutbox[event] = false
#endif
     }
     if
     :: atomic { DIES("dies at relay.claimed\n"); goto end }
     :: atomic { publish(events[event]) }
     fi
     if
     :: atomic { DIES("dies at relay.confirmed\n"); goto end }
     :: atomic { confirmed -> inOutbox[event] = false; isKept[event] = true }
     :: !confirmed
     fi
  od
}

/* Copies are lost and doubled also after their confirm: a node fails, a queue is deleted, a consumer's acknowledgement is lost. */
#define LOSES_EVENT(e) :: atomic { MAY_FAIL && events[e] > 0 -> faults--; events[e]-- }
#define DOUBLES_EVENT(e) :: atomic { MAY_FAIL && events[e] == 1 -> faults--; events[e]++ }
#define LOSES_RETRY(d) :: atomic { MAY_FAIL && retries[d] > 0 -> faults--; retries[d]-- }
#define DOUBLES_RETRY(d) :: atomic { MAY_FAIL && retries[d] == 1 -> faults--; retries[d]++ }
active proctype Broker() {
end:
  do
  EACH_EVENT(LOSES_EVENT)
  EACH_EVENT(DOUBLES_EVENT)
  EACH_DELIVERY(LOSES_RETRY)
  EACH_DELIVERY(DOUBLES_RETRY)
  od
}

/* Writes an event and its deliveries in one transaction, unless the event is known, and acknowledges the message afterwards. */
#define ARRIVES(e) :: events[e] > 0 -> event = e
active proctype FanOut() {
  byte event, subscription;
end:
  do
  :: atomic {
       if EACH_EVENT(ARRIVES) fi
     }
     if
     :: atomic { DIES("dies at fan-out.matched\n"); goto end }
     :: d_step {
          true;
          if
#ifdef BREAK_FAN_OUT_REPEATS
          :: true ->
#else
          :: !isKnown[event] ->
#endif
             isKnown[event] = true;
             for (subscription : 0 .. SUBSCRIPTIONS - 1) {
               if
               :: isDeleted[subscription] -> status[event * SUBSCRIPTIONS + subscription] = CANCELLED
               :: isActive[subscription] -> status[event * SUBSCRIPTIONS + subscription] = OPEN
               :: else -> status[event * SUBSCRIPTIONS + subscription] = PAUSED
               fi
             }
          :: else
          fi;
          /* Otherwise it would be part of the state. */
          subscription = 0
        }
     fi
     if
     :: atomic { DIES("dies at fan-out.committed\n"); goto end }
     :: d_step { true; take(events[event]) }
     fi
  od
}

/* Claims a delivery under the lock of its subscription, makes the request, and records the result if nobody has before. */
#ifdef BREAK_CLAIM_IGNORES_PAUSE
#define MAY_SEND(s) !isHeld[s]
#else
#define MAY_SEND(s) isActive[s] && !isHeld[s]
#endif
#define CLAIMS(d) :: status[d] == OPEN && place[d] == WAITING && MAY_SEND(SUBSCRIPTION(d)) -> delivery = d
proctype Worker() {
  byte delivery, attempt;
  bool isSuccess, confirmed;
end:
  do
  :: atomic {
       if EACH_DELIVERY(CLAIMS) fi;
       assert(isActive[SUBSCRIPTION(delivery)]);
       place[delivery] = LOCKED;
       isOrphan[delivery] = false;
       attempt = attempts[delivery] + 1
     }
     if
     :: atomic { DIES("dies at dispatch.claimed\n"); isOrphan[delivery] = true; goto end }
     :: atomic { isAccepted[delivery] = true; isSuccess = true }
     :: atomic { FAULT; isAccepted[delivery] = true; isSuccess = false }
     :: isSuccess = false
     fi
     if
     :: atomic { DIES("dies at dispatch.sent\n"); isOrphan[delivery] = true; goto end }
     :: atomic {
          true;
          if
#ifndef BREAK_SETTLE_COUNTS_TWICE
          :: attempts[delivery] != attempt - 1 -> goto end
#endif
          :: else
          fi;
          attempts[delivery]++;
          assert(attempts[delivery] <= ATTEMPTS);
          place[delivery] = DELAYED;
          if
          :: isSuccess -> status[delivery] = DELIVERED; goto end
          :: else
          fi;
          if
          :: isHeld[SUBSCRIPTION(delivery)] = true
          :: true
          fi;
          if
          :: attempts[delivery] == ATTEMPTS ->
             status[delivery] = (status[delivery] == CANCELLED -> CANCELLED : FAILED);
             goto end
          :: else
          fi;
          if
          :: status[delivery] != OPEN -> goto end
          :: else
          fi
        }
     fi
     if
     :: atomic { DIES("dies at settle.committed\n"); goto end }
     :: atomic { publish(retries[delivery]) }
     fi
  od
}

/* A message of a retry that is due. A second copy finds that its delivery no longer waits for it. */
#define IS_DUE(d) :: atomic { retries[d] > 0 -> retries[d]--; COMES_DUE(d) }
#define COMES_DUE(d) if :: status[d] == OPEN && place[d] == DELAYED -> place[d] = WAITING :: else fi
active proctype Retries() {
end:
  do
  EACH_DELIVERY(IS_DUE)
  od
}

/* The end of a hold: the time that a receiver has asked for is over, or its endpoint is tried again. */
#define ENDS_HOLD(s) :: isHeld[s] -> isHeld[s] = false
active proctype Holds() {
end:
  do
  EACH_SUBSCRIPTION(ENDS_HOLD)
  od
}

/* Does not know what the broker still has. A lock may also expire while its owner lives, but is slow. */
#define SWEEPS_OVERDUE(d) :: atomic { status[d] == OPEN && place[d] == DELAYED -> place[d] = WAITING }
#define SWEEPS_ORPHAN(d) :: atomic { status[d] == OPEN && place[d] == LOCKED && isOrphan[d] -> place[d] = WAITING }
#define SWEEPS_SLOW(d) :: atomic { status[d] == OPEN && place[d] == LOCKED && MAY_FAIL -> faults--; place[d] = WAITING }
#ifndef BREAK_NO_SWEEP
active proctype Sweep() {
end:
  do
  EACH_DELIVERY(SWEEPS_OVERDUE)
  EACH_DELIVERY(SWEEPS_ORPHAN)
  EACH_DELIVERY(SWEEPS_SLOW)
  od
}
#endif

/* Compares what was published with what arrived. Publishes again what is kept; what is no longer kept it names as lost. */
#define REPLAYS(e) :: atomic { isKept[e] && !isKnown[e] && events[e] == 0 -> publish(events[e]) }
#define FORGETS(e) :: atomic { isKept[e] && MAY_FAIL -> faults--; isKept[e] = false; isNamedLost[e] = !isKnown[e] }
#ifndef BREAK_NO_TALLY
active proctype Tally() {
  bool confirmed;
end:
  do
  EACH_EVENT(REPLAYS)
  EACH_EVENT(FORGETS)
  od
}
#endif

/* An admin pauses and resumes a subscription, or deletes it. Only the subscription changes at once. */
#define CHANGES(s, active, deleted) \
  d_step { isActive[s] = active; isDeleted[s] = deleted; mustReconcile[s] = true }
proctype Admin(byte subscription) {
  if
  :: CHANGES(subscription, false, false)
  :: goto unchanged
  fi;
  if
  :: CHANGES(subscription, true, false)
  :: CHANGES(subscription, false, true)
  fi;
unchanged:
  skip
}

/* Lets the deliveries follow their subscription. A note in the database says that it must, also after a crash. */
#define IS_BEHIND(d) (isDeleted[SUBSCRIPTION(d)] && (status[d] == OPEN || status[d] == PAUSED) \
  || !isDeleted[SUBSCRIPTION(d)] && status[d] == (isActive[SUBSCRIPTION(d)] -> PAUSED : OPEN))
#define FOLLOWS(d) :: atomic { mustReconcile[SUBSCRIPTION(d)] && IS_BEHIND(d) -> \
  status[d] = (isDeleted[SUBSCRIPTION(d)] -> CANCELLED : (isActive[SUBSCRIPTION(d)] -> OPEN : PAUSED)); \
  place[d] = (place[d] == LOCKED -> LOCKED : WAITING) }
#if EVENTS == 2
#define HAVE_FOLLOWED(s) !IS_BEHIND(s) && !IS_BEHIND(s + SUBSCRIPTIONS)
#else
#define HAVE_FOLLOWED(s) !IS_BEHIND(s)
#endif
#ifdef BREAK_RECONCILE_FORGETS
#define IS_DONE(s) :: atomic { mustReconcile[s] -> mustReconcile[s] = false }
#else
#define IS_DONE(s) :: atomic { mustReconcile[s] && HAVE_FOLLOWED(s) -> mustReconcile[s] = false }
#endif
active proctype Reconciliation() {
end:
  do
  EACH_DELIVERY(FOLLOWS)
  EACH_SUBSCRIPTION(IS_DONE)
  od
}

/* Nothing can happen any more. */
active proctype End() {
  byte d;
  timeout ->
  d_step {
    for (d : 0 .. DELIVERIES - 1) {
      printf("delivery %d: status %d, attempts %d\n", d, status[d], attempts[d]);
      assert(status[d] == DELIVERED || status[d] == FAILED || status[d] == CANCELLED || isNamedLost[EVENT(d)]);
      assert(status[d] != DELIVERED || isAccepted[d]);
      assert(status[d] != FAILED || attempts[d] == ATTEMPTS)
    }
  }
}

init {
  byte subscription;
  atomic {
#ifndef ONLY_DEATHS
    for (subscription : 0 .. SUBSCRIPTIONS - 1) {
      run Admin(subscription)
    };
#endif
    run Worker();
    run Worker()
  }
}
