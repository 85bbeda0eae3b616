// Keeps promises to what a standby has, if the database has synchronous standbys (interface §21).
//
// A commit then waits for a standby. Two things would break the promise without this file. A wait that is cancelled ends the
// commit with success and a warning, and the change is on the primary only. And a primary that is cut off, or restarted,
// shows such changes to whoever reads them. So the warning fails the statement, and a response or message that follows from a
// read first waits for a commit of its own: a standby that has this commit has all earlier ones.
import { batch, settlesWithin } from "@tradepost/runtime";
import type { Pool, PoolClient } from "pg";
import { connectionOf } from "./pg-internals.ts";

/** A change, or what a read has shown, is on the primary and may be on no standby. The response is 503 (interface §1). */
class UnreplicatedError extends Error {
  /** `statement_completion_unknown`, as for a connection that is lost during a commit. */
  readonly code = "40003";
  /** What /readyz names (interface §9). */
  readonly missing = "not_replicating";
}

// The function of Postgres that waits for the standbys. Its messages are translated, the name is not.
const WAIT_ROUTINE = "SyncRepWaitForLSN";

/** Fails the statement whose commit reports that its wait for the standbys was cancelled, and closes the connection. */
export function failUnreplicated(client: PoolClient): void {
  client.on("notice", ({ routine }) => {
    if (routine !== WAIT_ROUTINE) return;
    const connection = connectionOf(client);
    // The end of the statement is in the same packet, so the statement must fail before pg reads on.
    connection.emit("error", new UnreplicatedError("The wait for a standby was cancelled."));
    connection.stream.destroy();
  });
}

// After this time it is looked up again whether there are synchronous standbys. Without them, nothing else is asked.
const LOOK_EVERY_MS = 5_000;
// While no connection is free to look again, the last answer holds for this time.
const KNOWN_FOR_MS = 30_000;
// A commit without a standby waits until the pool gives up the connection, 20 s by default.
const WAIT_MAX_MS = 10_000;
// Calls that arrive while a commit waits share the next one, so that a cut-off primary holds one connection.
const ALONE_FOR_MS = 30_000;
const WAITERS_MAX = 10_000;

/**
 * Returns a function that resolves once a synchronous standby has everything that was visible to reads when it was called. Without
 * synchronous standbys it resolves at once; it finds out after 5 s that the database has got some, on a busy one after 30 s. It
 * rejects with an error that `isDatabaseUnavailable` knows if no standby responds within 10 s or `waitMs`, and with the database's error.
 */
export function replicationOf(pool: Pool): (waitMs?: number) => Promise<void> {
  let hasStandbys = true;
  let lookedAt = Number.NEGATIVE_INFINITY;
  const commit = batch<undefined, undefined>({
    itemsMax: WAITERS_MAX,
    maxWaitMs: ALONE_FOR_MS,
    work: async (waiters) => {
      const { rows } = await pool.query<{ hasStandbys: boolean }>(COMMIT_SOMETHING);
      hasStandbys = rows[0]?.hasStandbys ?? true;
      lookedAt = performance.now();
      return [...waiters];
    },
  });
  let isLooking = false;
  const lookAgain = () => {
    if (isLooking) return;
    isLooking = true;
    void commit(undefined)
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  };
  return async (waitMs = WAIT_MAX_MS) => {
    const knownForMs = hasStandbys ? Number.POSITIVE_INFINITY : performance.now() - lookedAt;
    if (knownForMs < KNOWN_FOR_MS) {
      if (knownForMs >= LOOK_EVERY_MS) lookAgain();
      return;
    }
    const committed = commit(undefined);
    if (!(await settlesWithin(committed, waitMs)))
      throw new UnreplicatedError("No standby has confirmed a commit in time.");
    await committed;
  };
}

// A message of logical replication is the smallest record that makes a transaction wait for the standbys. Nobody reads it.
const COMMIT_SOMETHING = `
  select has_standbys as "hasStandbys",
         case when has_standbys then pg_logical_emit_message(true, 'tradepost', '') end as position
    from (select current_setting('synchronous_standby_names') <> '' as has_standbys) as setting`;
