// Lets statements of different requests commit together, with a fraction of the round trips and processor time.
//
// Guarantees. A statement resolves after its commit. If one statement of a group fails, the group is rolled back and each statement
// runs again by itself, so that a failure affects only its own request. The same happens if the group waits longer than 20 ms for a
// lock. If the connection is lost, all statements of the group fail, and each may or may not have been committed, as with a
// separate transaction.
import { batch } from "@tradepost/runtime";
import type { QueryConfig, QueryResult } from "pg";
import type { Session } from "./session.ts";

export interface TenantStatement {
  readonly tenantId: string;
  readonly config: QueryConfig;
}

// Two groups at a time would mostly wait for each other's locks. The next group starts when this one ends,
// or after 25 ms.
const MAX_WAIT_MS = 25;
const STATEMENTS_MAX = 32;
const LOCK_TIMEOUT_MS = 20;
const BEGIN = `begin; set local lock_timeout = '${LOCK_TIMEOUT_MS}ms'`;

/** The statement may run twice, the first time rolled back. */
export function startGroupCommit(options: {
  readonly connect: () => Promise<Session>;
  readonly runAlone: (statement: TenantStatement) => Promise<QueryResult>;
}): (statement: TenantStatement) => Promise<QueryResult> {
  async function commit(
    group: readonly TenantStatement[],
  ): Promise<readonly (QueryResult | Error | Promise<QueryResult>)[]> {
    const [only] = group;
    if (group.length === 1 && only !== undefined) return [await options.runAlone(only)];
    return (await commitTogether(group)) ?? group.map(options.runAlone);
  }

  /** Returns the committed results, or null after a rollback. Rejects if the outcome is unknown. */
  async function commitTogether(
    group: readonly TenantStatement[],
  ): Promise<readonly (QueryResult | Error)[] | null> {
    const session = await options.connect();
    try {
      const { begun, results, ended } = session.inOnePacket(() => send(session, group));
      const [outcomes] = await Promise.all([
        Promise.allSettled(group.map((statement) => results.get(statement) as Promise<QueryResult>)),
        Promise.allSettled([begun, ended]),
      ]);
      // Postgres responds with ROLLBACK to the commit of a transaction in which a statement failed.
      if ((await ended).command !== "COMMIT") return null;
      return outcomes.map((outcome) =>
        outcome.status === "fulfilled" ? outcome.value : (outcome.reason as Error),
      );
    } finally {
      session.releaseOrClose();
    }
  }

  function send(session: Session, group: readonly TenantStatement[]) {
    const begun = session.query(BEGIN);
    const results = new Map<TenantStatement, Promise<QueryResult>>();
    let currentTenantId: string | undefined;
    // By tenant, so that two groups lock the rows of the same tenants in the same order.
    for (const statement of group.toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1))) {
      // If this fails, the transaction is aborted.
      if (statement.tenantId !== currentTenantId) void session.setTenant(statement.tenantId);
      currentTenantId = statement.tenantId;
      results.set(statement, session.query(statement.config));
    }
    return { begun, results, ended: session.query("commit") };
  }

  return batch({ itemsMax: STATEMENTS_MAX, maxWaitMs: MAX_WAIT_MS, work: commit });
}
