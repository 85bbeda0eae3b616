// Lets writes that come at the same time commit together: one transaction, one flush to disk, and a fraction of the round
// trips and processor time of as many alone.
//
// Guarantees. Each is answered only once it is committed. A group of which one fails is rolled back, and each of it is
// done again alone, so that nobody fails for a stranger's sake; nor waits long for one: a group that meets a lock which is
// not let go soon is given up the same way. Where the connection is lost nobody knows what became of the group: every one
// of it fails, as it would have alone.
import { batch } from "@tradepost/runtime";
import type { PoolClient, QueryConfig, QueryResult } from "pg";
import { corked } from "./corked.ts";

/** A statement and whose rows it is about. */
export interface TenantStatement {
  readonly tenantId: string;
  readonly config: QueryConfig;
}

// Two at once would mostly wait for one another's locks; so the next begins beside one that takes longer than any should.
const MAX_WAIT_MS = 25;
const STATEMENTS_MAX = 32;
const LOCK_TIMEOUT_MS = 20;
const BEGIN = `begin; set local lock_timeout = '${LOCK_TIMEOUT_MS}ms'`;

/**
 * In: how to come by a connection, how to name the tenant on it, and how one statement is done alone. Out: does a
 * statement in the next group. A statement must be one that may be done again after it was rolled back.
 */
export function startGroupCommit(means: {
  readonly connect: () => Promise<PoolClient>;
  readonly nameTenant: (client: PoolClient, tenantId: string) => void;
  readonly alone: (statement: TenantStatement) => Promise<QueryResult>;
}): (statement: TenantStatement) => Promise<QueryResult> {
  async function commit(
    group: readonly TenantStatement[],
  ): Promise<readonly (QueryResult | Error | Promise<QueryResult>)[]> {
    const [only] = group;
    if (group.length === 1 && only !== undefined) return [await means.alone(only)];
    return (await together(group)) || group.map(means.alone);
  }

  /** Out: what each came to, committed; false where nothing was written. Rejects where nobody knows. */
  async function together(
    group: readonly TenantStatement[],
  ): Promise<readonly (QueryResult | Error)[] | false> {
    const client = await means.connect();
    try {
      const { begun, results, ended } = corked(client, () => send(client, group));
      const [outcomes] = await Promise.all([
        Promise.allSettled(group.map((one) => results.get(one) as Promise<QueryResult>)),
        Promise.allSettled([begun, ended]),
      ]);
      // A group of which one failed is answered with ROLLBACK.
      if ((await ended).command !== "COMMIT") return false;
      return outcomes.map((outcome) =>
        outcome.status === "fulfilled" ? outcome.value : (outcome.reason as Error),
      );
    } finally {
      client.release();
    }
  }

  function send(client: PoolClient, group: readonly TenantStatement[]) {
    const begun = client.query(BEGIN);
    const results = new Map<TenantStatement, Promise<QueryResult>>();
    let named: string | undefined;
    // In the order of tenants: two groups that both take locks for the same two do not wait for one another.
    for (const one of group.toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1))) {
      if (one.tenantId !== named) means.nameTenant(client, one.tenantId);
      named = one.tenantId;
      results.set(one, client.query(one.config));
    }
    return { begun, results, ended: client.query("commit") };
  }

  return batch({ itemsMax: STATEMENTS_MAX, maxWaitMs: MAX_WAIT_MS, work: commit });
}
