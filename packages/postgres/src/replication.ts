// Keeps a service from promising a change that no standby has, if the database has synchronous standbys (interface §21).
//
// A commit then waits for a standby. If the wait is cancelled, the commit succeeds with a warning, but the change is on the primary
// only. A primary that is cut off, or was restarted, shows such changes to its readers. So the warning makes the statement fail,
// and a response or message that depends on a read first waits for a commit of its own: a standby that has this commit has all
// earlier ones.
import { batch, settlesWithin, sharedRead } from "@tradepost/runtime";
import type { Pool, PoolClient } from "pg";
import { connectionOf } from "./pg-internals.ts";

/** Perhaps no standby has the change, or the data that was read. The response is 503 (interface §1). */
class UnreplicatedError extends Error {
  /** `statement_completion_unknown`, as for a connection that is lost during a commit. */
  readonly code = "40003";
  /** As /readyz reports (interface §9). */
  readonly missing = "not_replicating";
}

// The function of Postgres that waits for the standbys. Its messages are translated, but not its name.
const WAIT_ROUTINE = "SyncRepWaitForLSN";

/** Closes the connection of a commit whose wait for the standbys was cancelled. */
export function failUnreplicated(client: PoolClient): void {
  client.on("notice", ({ routine }) => {
    if (routine !== WAIT_ROUTINE) return;
    const connection = connectionOf(client);
    // The end of the statement is in the same packet, so the statement must fail before pg reads on.
    connection.emit("error", new UnreplicatedError("The wait for a standby was cancelled."));
    connection.stream.destroy();
  });
}

const LOOK_EVERY_MS = 5_000;
// While no connection is free for the check, standbys are assumed absent for this time.
const KNOWN_FOR_MS = 30_000;
// A commit that no standby confirms otherwise waits for 20 s.
const WAIT_MAX_MS = 10_000;
// Until then no other commit starts, so a primary that is cut off occupies one connection.
const ALONE_FOR_MS = 30_000;
const WAITERS_MAX = 10_000;

/**
 * Resolves once a synchronous standby has everything that was visible to reads before the call. Without standbys it resolves at once, and
 * notices new standbys after 5 s, or 30 s on a busy database. If none responds in `waitMs` (10 s by default), rejects with an error that
 * `isDatabaseUnavailable` knows.
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
  const lookAgain = sharedRead(() => commit(undefined).catch(() => undefined));
  return async (waitMs = WAIT_MAX_MS) => {
    const knownForMs = hasStandbys ? Number.POSITIVE_INFINITY : performance.now() - lookedAt;
    if (knownForMs < KNOWN_FOR_MS) {
      if (knownForMs >= LOOK_EVERY_MS) void lookAgain();
      return;
    }
    const committed = commit(undefined);
    if (!(await settlesWithin(committed, waitMs)))
      throw new UnreplicatedError("No standby has confirmed a commit in time.");
    await committed;
  };
}

// The smallest record that makes a transaction wait for the standbys.
const COMMIT_SOMETHING = `
  select has_standbys as "hasStandbys",
         case when has_standbys then pg_logical_emit_message(true, 'tradepost', '') end as position
    from (select current_setting('synchronous_standby_names') <> '' as has_standbys) as setting`;
